"""Questions about an apartment after a walk, and whether the walk showed their answers.

The questions depend on the apartment alone, not on the walk. So they can compare walks, and a
question does not reveal whether its answer was shown. Each thing and room is named by words that
fit no other. Answers cannot be guessed from the words or by common sense: no question is about a
banana's colour or the bathtub's room, and answers are balanced where walks allow it.

Each question has two requirements on a walk: `requires` (the walk shows the answer) and `hints` (it
gives a first hint). Without a hint, the right reply is that the answer was not shown. With only a
hint, the question is not asked: a sharp observer may know an answer that a test cannot expect.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import permutations
from math import atan2, degrees, dist

from worldquiz import rng
from worldquiz.facts.evidence import Evidence
from worldquiz.facts.requirement import AnyOf, Requirement, all_of
from worldquiz.tea.kinds.kinds import Choice, Instance, Word
from worldquiz.tea.recall.shown import (
    TELLING,
    clear,
    glanced,
    glimpsed,
    joined,
    pair,
    peeked,
    recognised,
    surveyed,
    telling,
)
from worldquiz_scenes.scene import Pattern, Room, Scene, Thing

CHOICES = 4
"""Most answers that a question offers."""
LEAST = 2
"""Questions with the same answer that are always allowed, even if few have another answer."""
MOST = 4
NUMBERS = (*(str(number) for number in range(MOST)), f"{MOST} or more")
APART = 0.35
"""Least distance between two colours (red, green and blue, each 0..1)."""
AWAY = 1.0
"""Least metres from the standpoint to the thing faced, and to the thing asked about."""
SECTORS = {"ahead": (-20, 20), "left": (50, 130), "right": (-130, -50)}
"""Degrees to the left of the direction faced; behind is beyond 160 on either side."""
WAYS = (*SECTORS, "behind")
BEHIND = 160
TRIES = 600
"""Number of random triples of things that are tried."""
AT_HOME = frozenset({
    "backpack", "ball", "banana", "bench", "blanket", "bottle", "box", "bread", "cactus", "chair",
    "chess board", "chest of drawers", "coffee machine", "curtain", "cutting board",
    "dining table", "globe", "handbag", "headphones", "kettle", "knife block", "microwave",
    "nightstand", "pan", "plate", "pot", "radio", "remote control", "soap bottle", "speaker",
    "tissue box", "toaster", "toilet paper", "toothbrush cup", "towel", "toy blocks", "tv",
    "wall cupboard", "waste bin",
    *(label for sets in TELLING.values() for labels in sets for label in labels),
})  # fmt: skip
"""Labels whose room is easily guessed."""
ONE_COLOUR = frozenset({
    "apple", "armchair", "backpack", "ball", "banana", "basket", "bathtub", "bookshelf", "box",
    "bread", "cactus", "camera", "candle", "coffee machine", "cutting board", "fridge", "glass",
    "globe", "hat", "keyboard", "kitchen counter", "laptop", "microwave", "monitor", "mug",
    "orange", "pan", "pear", "pen cup", "piano", "pillow", "plant", "plate", "radiator", "radio",
    "remote control", "rubber duck", "sculpture", "speaker", "stove", "table lamp", "teapot",
    "toaster", "toilet", "toilet paper", "toothbrush cup", "tv", "washbasin", "washing machine",
    "watering can", "window", "wine glass",
})  # fmt: skip
"""Labels whose colour is easily guessed."""


class Standing(StrEnum):
    """Degree to which a walk showed the answer to a question; a longer walk never lowers it."""

    ANSWERABLE = "answerable"
    UNCLEAR = "unclear"  # there is only a hint of the answer, so it is not asked
    NOT_SHOWN = "not shown"


@dataclass(frozen=True, slots=True)
class FlatQuestion:
    """A question about an apartment, with the evidence that shows or hints at its answer."""

    kind: str
    scene: str
    text: str
    answer: str
    choices: tuple[str, ...]
    about: tuple[str, ...]  # ids of things, names of rooms, labels
    requires: Requirement
    hints: Requirement  # met no later than `requires`; until then nothing shown is relevant

    @property
    def id(self) -> str:
        """The question's kind, its scene, and the things and rooms that it is about."""
        return "/".join((self.kind, self.scene, *self.about))

    def task(self, answer: str, *more: str) -> Instance:
        """Return the question as a task with this answer; `more` are choices to add to its own."""
        return Instance(
            self.id, self.kind, self.scene, "", {}, self.text,
            Choice(answer, (*self.choices, *more)), {"question.words": Word(self.text)},
        )  # fmt: skip

    def standing(self, evidence: Evidence) -> Standing:
        """Return whether a walk, given its evidence, showed the answer."""
        if evidence.earliest(self.requires) is not None:
            return Standing.ANSWERABLE
        hinted = evidence.earliest(self.hints) is not None
        return Standing.UNCLEAR if hinted else Standing.NOT_SHOWN


@dataclass(frozen=True)
class Apartment:
    """Things and rooms of a scene that can be named in a question without ambiguity."""

    scene: Scene

    @cached_property
    def by_label(self) -> dict[str, tuple[Thing, ...]]:
        """Lists of the things with the same label, by label."""
        found: dict[str, list[Thing]] = {}
        for thing in self.scene.things:
            if thing.has_label:
                found.setdefault(thing.label, []).append(thing)
        return {label: tuple(things) for label, things in sorted(found.items())}

    @cached_property
    def lone(self) -> tuple[Thing, ...]:
        """The things with a unique label, sorted by label."""
        return tuple(things[0] for things in self.by_label.values() if len(things) == 1)

    @cached_property
    def plain(self) -> frozenset[str]:
        """Names of the rooms whose kind (kitchen, ...) their things make recognizable."""
        return frozenset(name for name, sets in telling(self.scene).items() if sets)

    @cached_property
    def rooms(self) -> tuple[Room, ...]:
        """Rooms that a question can name by their kind, which is recognizable and unique."""
        kinds = [room.kind for room in self.scene.rooms]
        return tuple(
            room
            for room in self.scene.rooms
            if kinds.count(room.kind) == 1 and room.name in self.plain
        )

    def draw(self, *names: str) -> random.Random:
        """Return a random generator that depends only on this apartment and the names."""
        return rng.child(0, "recall", self.scene.id, *names)

    def choices(self, right: str, wrong: Iterable[str], *names: str) -> tuple[str, ...]:
        """Return the right answer and some wrong ones, sorted."""
        others = sorted(set(wrong) - {right})
        drawn = self.draw("choices", *names).sample(others, min(len(others), CHOICES - 1))
        return tuple(sorted((right, *drawn)))

    def triples(self, name: str) -> Iterator[tuple[Thing, Thing, Thing]]:
        """Yield some triples of different things with unique labels."""
        draw, things = self.draw(name), self.lone
        if len(things) ** 3 <= TRIES:
            yield from permutations(things, 3)
            return
        drawn = {tuple(draw.sample(range(len(things)), 3)): 0 for _ in range(TRIES)}
        for first, second, third in drawn:
            yield things[first], things[second], things[third]

    def question(
        self,
        kind: str,
        text: str,
        answer: str,
        choices: Sequence[str],
        about: Sequence[str],
        requires: Requirement | None = None,
        hints: Requirement | None = None,
    ) -> FlatQuestion:
        """Return a question; by default, clear views of the things it is about show its answer."""
        return FlatQuestion(
            kind, self.scene.id, text, answer, tuple(choices), tuple(about),
            requires or all_of(*map(clear, about)), hints or all_of(*map(glimpsed, about)),
        )  # fmt: skip


def ask(scene: Scene, *, each: int | None, seed: int = 0) -> tuple[FlatQuestion, ...]:
    """Return an apartment's questions, at most `each` of a kind (None: all), sorted by kind and id.

    Equal scenes and seeds give equal questions.
    """
    flat, quiz = Apartment(scene), list[FlatQuestion]()
    for kind, find in KINDS.items():
        found: Sequence[FlatQuestion] = list(find(flat))
        if each is not None:
            found = _drawn(kind, found, each, scene.id, seed)
        quiz += sorted(found, key=lambda item: item.id)
    return tuple(quiz)


def _drawn(
    kind: str, every: Sequence[FlatQuestion], most: int, scene: str, seed: int
) -> Sequence[FlatQuestion]:
    """Choose at most `most` questions; the commonest answer comes no more often than the second.

    Counts of 0 and 1 are taken as one answer. Walks show a 0 most easily, so otherwise 0 would be
    the answer to most questions that can be answered.
    """
    groups: dict[str, list[FlatQuestion]] = {}
    for item in every:
        group = "1" if kind == "count" and item.answer == "0" else item.answer
        groups.setdefault(group, []).append(item)
    sizes = sorted(map(len, groups.values()), reverse=True)
    cap = max(sizes[1], LEAST) if len(sizes) > 1 else most
    piles = []
    for name in sorted(groups):
        pile = sorted(groups[name], key=lambda item: item.about)
        draw = rng.child(seed, "recall", scene, kind, name)
        piles.append(draw.sample(pile, min(len(pile), cap)))
    rng.child(seed, "recall", scene, kind).shuffle(piles)
    found: list[FlatQuestion] = []
    while len(found) < most and any(piles):
        found += [pile.pop() for pile in piles if pile]
    return found[:most]


def _rooms(flat: Apartment) -> Iterator[FlatQuestion]:
    """Yield questions about a thing's room; a walk must show the thing, and what the room is."""
    kinds = sorted({room.kind for room in flat.scene.rooms})
    for thing in flat.lone if len(kinds) > 1 else ():
        room = flat.scene.room[thing.room]
        if room.name not in flat.plain or thing.label in AT_HOME:
            continue
        others = [surveyed(each.name) for each in flat.scene.rooms if each.kind != room.kind]
        yield flat.question(
            "room", f"In which room is the {thing.label}?", room.kind,
            flat.choices(room.kind, kinds, "room", thing.id), (thing.id,),
            all_of(clear(thing.id), recognised(room.name)),
            AnyOf((glimpsed(thing.id), all_of(*others))),
        )  # fmt: skip


def _counts(flat: Apartment) -> Iterator[FlatQuestion]:
    """Yield questions about the number of things with a label in a room; a walk must show nearly
    all of the room. A count of 0 is asked for labels of which other rooms have several things.
    """
    for room in flat.rooms:
        for label, things in flat.by_label.items():
            here = [thing for thing in things if thing.room == room.name]
            if len(things) == 1 or any(thing.mirror for thing in things):
                continue
            known = (clear(thing.id) for thing in here)
            yield flat.question(
                "count",
                f'How many things that one would call "{label}" does the {room.kind} hold?',
                NUMBERS[min(len(here), MOST)], NUMBERS, (room.name, label),
                all_of(surveyed(room.name), recognised(room.name), *known), glanced(room.name),
            )  # fmt: skip


def _doorways(flat: Apartment) -> Iterator[FlatQuestion]:
    """Yield questions about the room to which a doorway leads from another room.

    A walk must show what both rooms are, and show the doorway or cross it. Wrong choices are rooms
    to which no doorway leads from there. (Walks often show that two rooms are joined, but rarely
    that they are not, so most yes-no questions would have the answer yes.)
    """
    doors = {pair(*door.rooms) for door in flat.scene.doors}
    for room, other in permutations(flat.rooms, 2):
        wrong = [
            each.kind
            for each in flat.rooms
            if each is not room and pair(room.name, each.name) not in doors
        ]
        rooms = pair(room.name, other.name)
        if rooms not in doors or len(wrong) < 2:
            continue
        yield flat.question(
            "doorway",
            f"Into which of these rooms does a doorway lead straight from the {room.kind}?",
            other.kind, flat.choices(other.kind, wrong, "doorway", room.name, other.name),
            (room.name, other.name),
            all_of(joined(*rooms), recognised(room.name), recognised(other.name)),
            peeked(*rooms),
        )  # fmt: skip


def _colours(flat: Apartment) -> Iterator[FlatQuestion]:
    """Yield questions about a thing's main colour; wrong choices are very different colours."""
    plain = [each for each in flat.scene.things if each.paint.pattern is Pattern.PLAIN]
    values = {thing.paint.colour: thing.paint.rgb for thing in reversed(plain)}
    for thing in flat.lone:
        paint = thing.paint
        if paint.pattern is not Pattern.PLAIN or thing.label in ONE_COLOUR or thing.mirror:
            continue
        wrong = [name for name, rgb in values.items() if dist(rgb, paint.rgb) >= APART]
        if len(wrong) >= 2:
            words = f"Which colour has most of the {thing.label}?"
            choices = flat.choices(paint.colour, wrong, words)
            yield flat.question("colour", words, paint.colour, choices, (thing.id,))


def _sides(flat: Apartment) -> Iterator[FlatQuestion]:
    """Yield questions about where a thing is for a person at a second thing who faces a third.

    Directions are measured on the plan, between the middles of things. The position of each picture
    is given, so answerers can combine several pictures.
    """
    for stand, face, other in flat.triples("side"):
        turn = (degrees(_bearing(stand, other) - _bearing(stand, face)) + 180) % 360 - 180
        answer = next((name for name, (low, high) in SECTORS.items() if low <= turn <= high), None)
        answer = "behind" if abs(turn) >= BEHIND else answer
        near = min(dist(stand.position[:2], each.position[:2]) for each in (face, other))
        if answer and near >= AWAY:
            yield flat.question(
                "side",
                f"You stand at the {stand.label} and face the {face.label}. "
                f"Where is the {other.label}?",
                answer, WAYS, (stand.id, face.id, other.id),
            )  # fmt: skip


def _bearing(start: Thing, end: Thing) -> float:
    return atan2(end.position[1] - start.position[1], end.position[0] - start.position[0])


KINDS: Mapping[str, Callable[[Apartment], Iterator[FlatQuestion]]] = {
    "colour": _colours,
    "count": _counts,
    "doorway": _doorways,
    "room": _rooms,
    "side": _sides,
}
"""Functions that find the questions of each kind."""
