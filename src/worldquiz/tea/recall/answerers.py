"""Baselines of the quiz: reference points for the score of a model.

    oracle      knows the truth, and what was shown
    reader      answers from what the views show, and from the questions' words
    noisy       the oracle, wrong at a set rate: it gives another answer, or claims one
    abstainer   says of everything that it was not shown: `known` is 0
    prior       gives its kind's commonest answer, always
    blind       the same, among questions with the same words (it reads, but sees nothing)
    random      draws among the answers that are offered

Priors are learned from other apartments, or, if there is one only, from questions not asked of it.

The reader is the second road to the quiz's truth: it knows none of the quiz's requirements and
shares no code with them but how clear a thing is and which points a camera sees. Of a thing that
was shown clearly it knows label, looks, room, place and what it stands on if that was in the same
picture. It must be right on every answerable question, and say "not shown" to all others that are
asked.
"""

from __future__ import annotations

import cmath
import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache, cached_property
from itertools import pairwise
from math import pi

from worldquiz import rng
from worldquiz.errors import CatalogError, did_you_mean
from worldquiz.facts.question import ABSTAIN
from worldquiz.tea.answering import ERROR
from worldquiz.tea.recall.questions import FlatQuestion, Standing
from worldquiz.tea.recall.quiz import Recall, Walked
from worldquiz.tea.recall.shown import TELLING, shares
from worldquiz_scenes.view import Show, shown

NAMES = ("oracle", "reader", "noisy", "abstainer", "prior", "blind", "random")
ENOUGH, HALF = 0.9, 0.5
"""Shares of a room, and of a doorway, that the reader must have seen."""
MANY = 4

Answers = Callable[[Walked, FlatQuestion], str]
"""Gives an answer to a question after a walk."""


def baseline(name: str, recall: Recall, error: float = ERROR) -> Answers:
    """Return a baseline. Raises `CatalogError` for a name that there is not."""
    seed = recall.settings.seed
    readers: dict[str, ViewReader] = {}

    def oracle(flat: Walked, item: FlatQuestion) -> str:
        known = flat.standings[item.id] is Standing.ANSWERABLE
        return item.question.answer if known else ABSTAIN

    def reader(flat: Walked, item: FlatQuestion) -> str:
        if flat.scene.id not in readers:
            readers[flat.scene.id] = ViewReader(flat)
        return readers[flat.scene.id].answer(item.question.text, item.question.choices)

    def noisy(flat: Walked, item: FlatQuestion) -> str:
        right, draw = oracle(flat, item), rng.child(seed, "noisy", item.id)
        if draw.random() >= error:
            return right
        return draw.choice([each for each in (*item.question.choices, ABSTAIN) if each != right])

    def abstainer(flat: Walked, item: FlatQuestion) -> str:
        return ABSTAIN

    def drawn(flat: Walked, item: FlatQuestion) -> str:
        return rng.child(seed, "random", item.id).choice(item.question.choices)

    answers: dict[str, Answers] = {
        "oracle": oracle,
        "reader": reader,
        "noisy": noisy,
        "abstainer": abstainer,
        "prior": _learned(recall, lambda item: ""),
        "blind": _learned(recall, lambda item: item.question.text),
        "random": drawn,
    }
    if name not in answers:
        raise CatalogError(f"no answerer {name!r}{did_you_mean(name, NAMES)}")
    return answers[name]


def _learned(recall: Recall, told_by: Callable[[FlatQuestion], str]) -> Answers:
    """Return one that gives the commonest answer of the questions of which the same is told."""

    @cache
    def learned(scene: str) -> dict[tuple[str, str], list[str]]:
        """Return the answers of each kind, and of each kind and words, the commonest first."""
        own = {flat.scene.id: name for name, flat in recall.flats.items()}[scene]
        asked = {item.id for item in recall.flats[own].items}
        beside = [item for name, items in recall.pool.items() if name != own for item in items]
        if len(recall.flats) == 1:
            beside = [item for item in recall.pool[own] if item.id not in asked]
        groups: dict[tuple[str, str], Counter[str]] = {}
        for item in beside:
            for words in {"", told_by(item)}:
                groups.setdefault((item.kind, words), Counter())[item.question.answer] += 1
        return {
            key: sorted(counts, key=lambda each: (-counts[each], each))
            for key, counts in groups.items()
        }

    def take(flat: Walked, item: FlatQuestion) -> str:
        ranked, choices = learned(flat.scene.id), item.question.choices
        for words in (told_by(item), ""):
            for answer in ranked.get((item.kind, words), ()):
                if answer in choices:
                    return answer
        return choices[0]

    return take


class ViewReader:
    """Answers the questions that the views of one walk settle."""

    def __init__(self, flat: Walked) -> None:
        self._flat, self._scene = flat, flat.scene
        self._pictures = [
            {id: thing for id, thing in flat.scene.thing.items()
             if id in view.seen and shown(view, id) is Show.CLEAR}
            for view in flat.views
        ]  # fmt: skip
        self._known = {id: each for picture in self._pictures for id, each in picture.items()}
        self._things = {thing.label: thing for thing in self._known.values()}
        labels: dict[str, set[str]] = {room.name: set() for room in flat.scene.rooms}
        for thing in self._known.values():
            labels[thing.room].add(thing.label)
        self._kinds = {
            room.name: room.kind
            for room in flat.scene.rooms
            if any(labels[room.name].issuperset(each) for each in TELLING.get(room.kind, ()))
        }
        self._rooms = {kind: name for name, kind in self._kinds.items()}

    def answer(self, text: str, choices: tuple[str, ...]) -> str:
        """Return the answer to a question, or that it was not shown."""
        for words, rule in _RULES.items():
            if match := re.match(words, text):
                try:
                    return rule(self, choices, *match.groups()) or ABSTAIN
                except KeyError:  # a thing or a room that no view tells of
                    return ABSTAIN
        return ABSTAIN

    @cached_property
    def _viewed(self) -> dict[str, float]:
        """Share of each room that was in view."""
        *_, last = shares(self._flat.space, [view.camera for view in self._flat.views])
        return last

    @cached_property
    def _ways(self) -> set[frozenset[str]]:
        """The pairs of rooms whose doorway was in view or walked through."""
        space, views, found = self._flat.space, self._flat.views, set[frozenset[str]]()
        doors = [frozenset(door.rooms) for door in self._scene.doors]
        for before, after in pairwise(views):
            rooms = frozenset((before.room, after.room))
            if rooms in doors and space.straight(before.agent, after.agent):
                found.add(rooms)
        for view in views:
            for names, points in space.doors.items():
                if space.seen(view.camera, points).sum() >= HALF * len(points):
                    found.add(frozenset(names))
        return found

    def _room(self, choices: tuple[str, ...], label: str) -> str:
        return self._kinds[self._things[label].room]

    def _support(self, choices: tuple[str, ...], label: str) -> str | None:
        for picture in self._pictures:
            for thing in picture.values():
                if thing.label == label and thing.support in picture:
                    return picture[thing.support].label
        return None

    def _count(self, choices: tuple[str, ...], label: str, kind: str) -> str | None:
        room = self._rooms[kind]
        count = sum(each.label == label and each.room == room for each in self._known.values())
        said = str(count) if count < MANY else f"{MANY} or more"
        return said if self._viewed[room] >= ENOUGH else None

    def _colour(self, choices: tuple[str, ...], label: str) -> str:
        return self._things[label].paint.colour

    def _pattern(self, choices: tuple[str, ...], label: str) -> str:
        return self._things[label].paint.pattern.value

    def _doorway(self, choices: tuple[str, ...], kind: str) -> str | None:
        room = self._rooms[kind]
        ends = {each: frozenset((room, self._rooms.get(each))) for each in choices}
        return next((each for each, two in ends.items() if two in self._ways), None)

    def _presence(self, choices: tuple[str, ...]) -> str | None:
        return next((label for label in choices if label in self._things), None)

    def _spots(self, *labels: str) -> list[complex]:
        return [complex(*self._things[label].position[:2]) for label in labels]

    def _side(self, choices: tuple[str, ...], *labels: str) -> str:
        stand, face, other = self._spots(*labels)
        quarter = round(cmath.phase((other - stand) / (face - stand)) / (pi / 2)) % 4
        return ("ahead", "left", "behind", "right")[quarter]

    def _nearer(self, choices: tuple[str, ...], label: str) -> str:
        stand, *others = self._spots(label, *choices)
        return min(zip(others, choices, strict=True), key=lambda pair: abs(pair[0] - stand))[1]


_RULES: Mapping[str, Callable[..., str | None]] = {
    r"In which room is the (.+)\?$": ViewReader._room,
    r"What does the (.+) stand, lie or lean on\?$": ViewReader._support,
    r'How many things that one would call "(.+)" does the (.+) hold\?$': ViewReader._count,
    r"Which colour has most of the (.+)\?$": ViewReader._colour,
    r"Which pattern does the (.+) have\?$": ViewReader._pattern,
    r"You stand at the (.+) and face the (.+)\. Where is the (.+)\?$": ViewReader._side,
    r"Which is nearer to the (.+)\?": ViewReader._nearer,
    r"Into which of .* a doorway lead straight from the (.+)\?": ViewReader._doorway,
    r"Which is somewhere in the flat: ": ViewReader._presence,
}
