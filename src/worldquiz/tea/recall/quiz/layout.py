"""Where things are to each other on the plan: which is nearer, and what lies left, right or behind.

Settled once each of the things was shown clearly, in whatever views: answerers are told where each
picture was taken, so what two pictures show can be put on one plan.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from math import atan2, degrees

from worldquiz.facts.question import Type
from worldquiz.facts.requirement import all_of
from worldquiz.scenes.scene import Thing
from worldquiz.tea.recall.quiz.apartment import Apartment, apart
from worldquiz.tea.recall.quiz.kinds import Found, Kind, place
from worldquiz.tea.recall.quiz.shown import clear, glimpsed

RATIO, GAP = 1.6, 0.8
"""How many times as far, and how many metres farther, what is not nearer must be."""
AWAY = 1.0
"""Metres from where one stands to what one faces, and to what is asked about."""
SECTORS = {"ahead": (-20, 20), "left": (50, 130), "right": (-130, -50)}
"""Degrees to the left of where one looks; behind is beyond 160 either way."""
WAYS = (*SECTORS, "behind")
BEHIND = 160
TRIES = 600
"""Triples of things that are looked at, drawn."""


def side(stand: Thing, face: Thing, other: Thing) -> str | None:
    """Return on which side a thing lies for who stands at one and faces another, None in between.

    All on the plan, by the middles of the things.
    """
    turn = degrees(_bearing(stand, other) - _bearing(stand, face))
    turn = (turn + 180) % 360 - 180
    if abs(turn) >= BEHIND:
        return "behind"
    return next((name for name, (low, high) in SECTORS.items() if low <= turn <= high), None)


def _bearing(start: Thing, end: Thing) -> float:
    return atan2(end.position[1] - start.position[1], end.position[0] - start.position[0])


def _triples(flat: Apartment, name: str) -> Iterator[tuple[Thing, Thing, Thing]]:
    """Yield some triples of different things that labels denote."""
    draw = flat.draw(name)
    things = flat.lone
    if len(things) ** 3 <= TRIES:
        yield from permutations(things, 3)
        return
    for first, second, third in {
        tuple(draw.sample(range(len(things)), 3)): 0 for _ in range(TRIES)
    }:
        yield things[first], things[second], things[third]


def _sides(flat: Apartment) -> Iterator[Found]:
    for stand, face, other in _triples(flat, "side"):
        answer = side(stand, face, other)
        if answer is None or min(apart(stand, face), apart(stand, other)) < AWAY:
            continue
        yield _found(
            f"You stand at the {stand.label} and face the {face.label}. "
            f"Where is the {other.label}?",
            answer, (stand, face, other), WAYS,
        )  # fmt: skip


def _nearer(flat: Apartment) -> Iterator[Found]:
    for stand, one, two in _triples(flat, "nearer"):
        near, far = sorted((one, two), key=lambda each: apart(stand, each))
        short, long = apart(stand, near), apart(stand, far)
        if one.label < two.label and long >= RATIO * short and long - short >= GAP:
            yield _found(
                f"Which is nearer to the {stand.label}?",
                near.label, (stand, one, two), (one.label, two.label),
            )  # fmt: skip


def _found(text: str, answer: str, things: tuple[Thing, ...], choices: tuple[str, ...]) -> Found:
    ids = tuple(thing.id for thing in things)
    return Found(text, answer, all_of(*map(clear, ids)), all_of(*map(glimpsed, ids)), ids, choices)


SIDE = Kind("side", Type.DIRECTION, _sides)
NEARER = Kind("nearer", Type.DIRECTION, _nearer, spread=place)
