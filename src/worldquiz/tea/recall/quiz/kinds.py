"""Kinds of question: the words, the answer, and the evidence that an answer needs.

Questions are about an `Apartment`: a scene described by labels and kinds of rooms, as people speak
of it who have walked it. A new kind defines a `QuestionKind`, and is named in `CATALOGUE` or by a
package's entry point under ``worldquiz.recall_kinds``, or passed to a run. Each of its questions
has two requirements: when the walk settles it, and when the walk first hints at the answer. Before
the hint the right reply is that it was not shown; between the two nothing is asked, for a sharp
observer may know an answer there that a fair test must not ask for.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import hypot
from typing import Any

from worldquiz import rng
from worldquiz.facts.question import Question, Type, Which, YesNo
from worldquiz.facts.requirement import Requirement
from worldquiz.plugins import Catalogue
from worldquiz.records import checked
from worldquiz.tea.kinds.kinds import KINDS, blaming, codes, joined
from worldquiz.tea.recall.quiz.shown import telling
from worldquiz.tea.recall.quiz.space import pair
from worldquiz_scenes.scene import Room, Scene, Thing

CHOICES = 4
"""Answers that a question offers, at most."""
LEAST = 2
"""Questions that may have the same answer, however few have another."""


@dataclass(frozen=True)
class Apartment:
    """Things and rooms of a scene, each denoted by words that mean it alone."""

    scene: Scene

    @cached_property
    def by_label(self) -> dict[str, tuple[Thing, ...]]:
        """The things of each label, by label."""
        found: dict[str, list[Thing]] = {}
        for thing in self.scene.things:
            if thing.has_label:
                found.setdefault(thing.label, []).append(thing)
        return {label: tuple(things) for label, things in sorted(found.items())}

    @cached_property
    def lone(self) -> tuple[Thing, ...]:
        """The things whose label no other thing has, by label."""
        return tuple(things[0] for things in self.by_label.values() if len(things) == 1)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of its rooms."""
        return tuple(sorted({room.kind for room in self.scene.rooms}))

    @cached_property
    def plain(self) -> frozenset[str]:
        """The names of the rooms whose kind something in them tells."""
        return frozenset(name for name, sets in telling(self.scene).items() if sets)

    @cached_property
    def rooms(self) -> tuple[Room, ...]:
        """The rooms that their kind denotes: it can be told, and no other room is of it."""
        named = [room.kind for room in self.scene.rooms]
        return tuple(
            room
            for room in self.scene.rooms
            if named.count(room.kind) == 1 and room.name in self.plain
        )

    @cached_property
    def joined(self) -> frozenset[tuple[str, str]]:
        """The pairs of rooms that have a doorway between them, by name."""
        return frozenset(pair(*door.rooms) for door in self.scene.doors)

    def neighbours(self, room: str) -> tuple[str, ...]:
        """Return the rooms that a room has doorways to, by name."""
        found = {name for rooms in self.joined if room in rooms for name in rooms if name != room}
        return tuple(sorted(found))

    def draw(self, *names: str) -> random.Random:
        """Return a random generator of its own: an apartment's questions are always the same."""
        return rng.child(0, "recall", self.scene.id, *names)

    def choices(self, right: str, wrong: Iterable[str], *names: str) -> tuple[str, ...]:
        """Return an answer among some wrong ones that are drawn, by name."""
        others = sorted(set(wrong) - {right})
        drawn = self.draw("choices", *names).sample(others, min(len(others), CHOICES - 1))
        return tuple(sorted((right, *drawn)))


def apart(one: Thing, two: Thing) -> float:
    """Return how far apart the middles of two things are on the plan, in metres."""
    return hypot(one.position[0] - two.position[0], one.position[1] - two.position[1])


@dataclass(frozen=True, slots=True)
class FoundQuestion:
    """A question before it has an id."""

    text: str
    answer: str | bool
    requires: Requirement  # met: what was shown settles it
    hints: Requirement  # not met: nothing that was shown bears on it; met no later than `requires`
    about: tuple[str, ...]  # things and rooms: with its kind, what tells it from all others
    choices: tuple[str, ...] = ()  # in the order in which they are offered; none for yes and no

    def __post_init__(self) -> None:
        """Raise `ValueError` for an answer that is not offered."""
        if not isinstance(self.answer, bool) and self.answer not in self.choices:
            raise ValueError(f"answer {self.answer!r} is none of the choices {self.choices}")


@dataclass(frozen=True, slots=True)
class FlatQuestion:
    """A question about an apartment, of a kind."""

    kind: str
    question: Question
    hints: Requirement
    own_sheet: bool = False


@dataclass(frozen=True, slots=True)
class QuestionKind:
    """A kind of question. Equal apartments have equal questions."""

    name: str
    type: Type  # of the five of arXiv 2601.09503
    find: Callable[[Apartment], Iterator[FoundQuestion]]
    own_sheet: bool = False  # whether other kinds' questions would give its answers away
    spread: Callable[[FoundQuestion], str] = field(default=lambda found: str(found.answer))
    """What questions are drawn evenly over."""

    def items(self, flat: Apartment, most: int | None, seed: int) -> tuple[FlatQuestion, ...]:
        """Return at most so many of its questions, drawn evenly over answers, by id; None: all.

        Raises `AgentError` where a user's own kind fails, or finds what is no question.
        """
        with blaming(CATALOGUE, self.name, f"in scene {flat.scene.id!r}"):
            found = [checked(each, FoundQuestion) for each in self.find(flat)]
            drawn = found if most is None else self._drawn(found, most, flat.scene.id, seed)
            items = [self._item(flat, each) for each in drawn]
        return tuple(sorted(items, key=lambda item: item.question.id))

    def _drawn(
        self, every: Sequence[FoundQuestion], most: int, scene: str, seed: int
    ) -> Sequence[FoundQuestion]:
        """Draw from each group in turn; no group gives more than another holds, or `LEAST`."""
        groups: dict[str, list[FoundQuestion]] = {}
        for each in every:
            groups.setdefault(self.spread(each), []).append(each)
        sizes = sorted(map(len, groups.values()), reverse=True)
        cap = max(sizes[1], LEAST) if len(sizes) > 1 else most
        piles = []
        for name in sorted(groups):
            pile = sorted(groups[name], key=lambda each: each.about)
            draw = rng.child(seed, "recall", scene, self.name, name)
            piles.append(draw.sample(pile, min(len(pile), cap)))
        rng.child(seed, "recall", scene, self.name).shuffle(piles)
        found: list[FoundQuestion] = []
        while len(found) < most and any(piles):
            found += [pile.pop() for pile in piles if pile]
        return found[:most]

    def _item(self, flat: Apartment, found: FoundQuestion) -> FlatQuestion:
        told = ("/".join((self.name, flat.scene.id, *found.about)), self.type, found.text)
        rest = (found.requires, found.about)
        question: Question = (
            YesNo(*told, found.answer, *rest)
            if isinstance(found.answer, bool)
            else Which(*told, found.choices, found.answer, *rest)
        )
        return FlatQuestion(self.name, question, found.hints, self.own_sheet)


def place(found: FoundQuestion) -> str:
    """Return the place of the right answer among the choices, to spread questions by it."""
    return str(found.choices.index(str(found.answer)))


CATALOGUE = Catalogue(
    noun="kind of question",
    group="worldquiz.recall_kinds",
    ours={
        name: f"worldquiz.tea.recall.quiz.questions:{name.upper()}"
        for name in (
            "colour", "count", "doorway", "nearer", "pattern", "presence", "room", "side",
            "support",
        )
    },
)  # fmt: skip


def kinds(own: Sequence[object] = ()) -> tuple[QuestionKind, ...]:
    """Return every kind of question, some of a user's `own` among them, by name.

    Raises `CatalogError` for one that cannot be imported, for two of one name, and for an object
    that is no kind.
    """
    return tuple(joined(CATALOGUE, QuestionKind, own).values())


def record(own: Sequence[object] = ()) -> dict[str, Any]:
    """Return a manifest's entries about kinds: the names of all, and digests of a user's `own`."""
    told = codes(CATALOGUE, QuestionKind, own)
    return {KINDS: list(joined(CATALOGUE, QuestionKind, own))} | ({"code": told} if told else {})
