"""Moves: the fewest passages from one room to another, and how many rooms lie between."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from worldquiz.t2q.compass import distances
from worldquiz.t2q.quiz.family import INFER, Draft, Family, Group, Wording
from worldquiz.t2q.quiz.inferred import fewest
from worldquiz.t2q.quiz.sheet import Guess
from worldquiz.t2q.reader.graph import Graph

MOST = 4
"""Most passages between two rooms in a question: `fewest` is not exact for longer ways."""


def rule(draft: Draft) -> Iterator[Group]:
    """Ask about pairs of rooms that are one to four passages apart, equally many of each."""
    pairs = defaultdict[int, list[tuple[str, str]]](list)
    steps = [(room, other) for room, ways in draft.spec.ways.items() for other in ways.values()]
    far = {room: distances(steps, room) for room in draft.spec.ways}
    for room, other in draft.shuffled(combinations(draft.shuffled(sorted(draft.spec.ways)), 2)):
        pairs[far[other].get(room, 0)].append((room, other))
    some = [pairs[far] for far in range(1, MOST + 1) if pairs[far]]
    rare = 1 / len(some) + 0.06 if 0 < len(some) < MOST else None  # a small world has few answers
    for number, group in enumerate(zip(*some, strict=False)):
        wording, less = ((FEWEST, 0), (BETWEEN, 1))[number % 2]
        asked = [
            draft.ask("what", wording, str(far[other][room] - less), room=room, other=other)
            for room, other in group
        ]
        yield [replace(question, guess=rare and min(1, rare)) for question in asked]


def _fewest(graph: Graph, room: str, other: str) -> str | None:
    known, possible = fewest(graph, room, other)
    return None if known is None or known != possible else str(known)


def _between(graph: Graph, room: str, other: str) -> str | None:
    known = _fewest(graph, room, other)
    return known and str(int(known) - 1)


FEWEST = Wording(
    "fewest",
    "What is the smallest number of passages, with or without doors, that lead from the {room} to "
    "the {other}? Answer with a number.",
    _fewest,
    lambda sheet, room, other: Guess("2", 1 / MOST),
)
BETWEEN = Wording(
    "between",
    "On the shortest way from the {room} to the {other}, through how many other rooms does one "
    "come? Answer with a number.",
    _between,
    lambda sheet, room, other: Guess("1", 1 / MOST),
)
FAMILY = Family("moves", rule, (FEWEST, BETWEEN), preset=INFER, alone=True)
