"""MANGO's scoring once more, as slowly and as plainly as its words (arXiv 2403.19913).

Written from section 2.3, appendix A.6 and decision 0034 alone; shares no code with the package. A
told move counts as the one that it names ("exact"), or as the closest one of the whole maze, the
first by name of several ("paper"). A maze is a list of ``(place, action, place)``. Where a move
leads to several places every walk is tried by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

Edges = Sequence[tuple[str, str, str]]
Told = Sequence[tuple[str, str, str]]
SHORT = {"n": "north", "e": "east", "s": "south", "w": "west", "u": "up", "d": "down",
         "ne": "northeast", "se": "southeast", "sw": "southwest", "nw": "northwest"}  # fmt: skip
WAYS = {*SHORT.values(), "in", "out", "enter", "exit", "inside", "outside"}


def same(text: str) -> str:
    """Case and blanks do not matter."""
    return " ".join(text.casefold().split())


def edits(one: str, two: str) -> int:
    """Return how many characters to insert, delete or replace."""
    table = {(i, 0): i for i in range(len(one) + 1)} | {(0, j): j for j in range(len(two) + 1)}
    for i, a in enumerate(one, start=1):
        for j, b in enumerate(two, start=1):
            table[i, j] = min(
                table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + (a != b)
            )
    return table[len(one), len(two)]


def bare(said: str) -> str:
    """Say a direction in one word: "walk to the north-east" and "ne" are "northeast"."""
    text = re.sub(r"[.!]+$", "", same(said)).replace("-", " ")
    word = re.sub(r"^(go|walk|head|move|run)( to)?( the)?(?= |$)", "", text).replace(" ", "")
    word = SHORT.get(word, word)
    return word if word in WAYS else same(said)


def meant(edges: Edges, said: str, rule: str) -> set[str]:
    """Return the actions of the maze that a told move counts as."""
    actions = sorted({same(action) for _, action, _ in edges})
    if rule == "exact" or not actions:
        return {action for action in actions if bare(action) == bare(said)}
    ranked = sorted(actions, key=lambda action: edits(same(said), action))  # stable
    return {ranked[0]}


def exactly(edges: Edges, place: str, actions: Sequence[str]) -> Iterator[str]:
    """Yield where every walk along given actions ends."""
    if not actions:
        yield place
        return
    for source, action, target in edges:
        if same(source) == place and same(action) == same(actions[0]):
            yield from exactly(edges, same(target), actions[1:])


def told_walks(edges: Edges, place: str, said: Sequence[str], rule: str) -> Iterator[str]:
    """Yield where every walk along told moves ends."""
    if not said:
        yield place
        return
    for source, action, target in edges:
        if same(source) == place and same(action) in meant(edges, said[0], rule):
            yield from told_walks(edges, same(target), said[1:], rule)


def shortest(edges: Edges, source: str, target: str) -> int:
    """Return how many moves the shortest route has."""

    def routes(place: str, past: tuple[str, ...]) -> Iterator[int]:
        if place == same(target):
            yield len(past)
        for start, _, end in edges:
            if same(start) == place and same(end) not in (*past, place):
                yield from routes(same(end), (*past, place))

    return min(routes(same(source), ()))


def destination_score(
    edges: Edges, source: str, actions: Sequence[str], told: Told | None, rule: str
) -> tuple[float, float, float]:
    """Return success, reasoning and success by length of a destination-finding answer."""
    if not told:
        return 0.0, 0.0, 0.0
    said = same(told[-1][2])
    success = 0.0
    for right in exactly(edges, same(source), actions):
        success = max(success, 1 - edits(said, right) / max(len(said), len(right)))
    reasoning = valid(edges, source, told, rule) and len(told) == len(actions)
    if reasoning:
        for (_, move, _), action in zip(told, actions, strict=True):
            reasoning = reasoning and same(action) in meant(edges, move, rule)
    return success, float(reasoning), success * len(actions) / max(len(actions), len(told))


def route_score(
    edges: Edges, source: str, target: str, told: Told | None, rule: str
) -> tuple[float, float, float]:
    """Return success, reasoning and success by length of a route-finding answer."""
    if not told:
        return 0.0, 0.0, 0.0
    ends = set(told_walks(edges, same(source), [move for _, move, _ in told], rule))
    success = 1.0 if same(target) in ends else 0.0
    reasoning = valid(edges, source, told, rule) and same(told[-1][2]) == same(target)
    length = shortest(edges, source, target)
    return success, float(reasoning), success * length / max(length, len(told))


def valid(edges: Edges, source: str, told: Told, rule: str) -> bool:
    """Return whether a trajectory starts at the source and every step of it is in the maze."""
    if same(told[0][0]) != same(source):
        return False
    for before, after in pairwise(told):
        if same(before[2]) != same(after[0]):
            return False
    for place, move, end in told:
        chosen = meant(edges, move, rule)
        if not any(
            (same(a), same(c)) == (same(place), same(end)) and same(b) in chosen
            for a, b, c in edges
        ):
            return False
    return True
