"""Answers to MANGO's questions as models give them: right, nearly right, wrong, broken, hostile.

Each comes with the moves that it tells, None where it tells none, so that reading it can be checked
by how it was made.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from worldquiz.mango.mazes import Edge, Maze

Told = list[tuple[str, str, str]]
KEYS = ("prev_node", "action", "node")
OLD_KEYS = ("location_before", "action", "location_after")

HOSTILE: Sequence[str] = (
    "__import__('os').system('touch hacked')",
    "[__import__('os').system('touch hacked')]",
    "[{'prev_node': 'a'}['prev_node']]",
    "[" * 100_000,
    "[{" * 50_000,
    "(" * 100_000 + ")" * 100_000,
    "[{'n': " + "9" * 90_000 + "}]",
    "[{'prev_node': " + "-" * 50_000 + "1}]",
    "[" + "not " * 20_000 + "1]",
    "['a'" + "('b')" * 10_000 + "]",
    "[{'a': '" + "\\" * 40_001 + "'}]",
    "[{'a': '\0'}]",
    "[{" + "} " * 50_000,
    "[{}" + " " * 200_000 + "x",
    "<think>" * 20_000,
    "[{'" * 50_000,
    "[" + "{'prev_node': 'a', 'action': 'b'}, " * 2_000 + "]",
    "x" * 500_000,
    "[{'prev_node': 'a', 'action': 'b' * 999999999, 'node': 'c'}]",
    "[{'prev_node': 'a', 'action': 'b', 'node': ['c']}]",
    "[{'prev_node': None, 'action': 'b', 'node': 'c'}]",
    "[{}]", "[]", "{}", "null", "", " \n", "]", "[", "}{",
)  # fmt: skip
"""Replies that tell no moves, and some that would do harm if they were run or trusted."""


class Given(NamedTuple):
    """A reply and what it tells."""

    reply: str
    told: Told | None
    kind: str


def answer(draw: random.Random, route: Sequence[Edge], maze: Maze) -> Given:
    """Draw an answer to a question with a route."""
    if draw.random() < 0.05:
        return Given(draw.choice(HOSTILE), None, "hostile")
    told = [(edge.source, edge.action, edge.target) for edge in route]
    kind = draw.choice(list(CHANGES))
    told = CHANGES[kind](draw, told, maze)
    if draw.random() < 0.1:
        return Given(draw.choice(BROKEN)(told), None, "ill-formed")
    return Given(draw.choice(WRAPPINGS)(told), told, kind)


def steps(told: Told, keys: Sequence[str] = KEYS) -> list[dict[str, str]]:
    """Return moves as the paper's template asks for them."""
    return [dict(zip(keys, move, strict=True)) for move in told]


def _right(draw: random.Random, told: Told, maze: Maze) -> Told:
    return told


def _near(draw: random.Random, told: Told, maze: Maze) -> Told:
    """Misspell some names, as models do."""
    return [
        tuple(_misspelt(draw, part) if draw.random() < 0.4 else part for part in move)  # type: ignore[misc]
        for move in told
    ]


def _wordy(draw: random.Random, told: Told, maze: Maze) -> Told:
    return [(place, f"Go  {action}", end.upper()) for place, action, end in told]


def _wrong(draw: random.Random, told: Told, maze: Maze) -> Told:
    one = draw.randrange(len(told))
    move = (draw.choice(maze.places), draw.choice(maze.actions), draw.choice(maze.places))
    return [*told[:one], move, *told[one + 1 :]]


def _short(draw: random.Random, told: Told, maze: Maze) -> Told:
    return told[: draw.randint(1, len(told))]


def _long(draw: random.Random, told: Told, maze: Maze) -> Told:
    edges = draw.choices(maze.edges, k=draw.randint(1, 4))
    return [*told, *((edge.source, edge.action, edge.target) for edge in edges)]


def _wandering(draw: random.Random, told: Told, maze: Maze) -> Told:
    """Follow random moves, told truly."""
    here, walk = told[0][0], []
    for _ in range(draw.randint(1, 6)):
        exits = [edge for edge in maze.edges if edge.source == here]
        if not exits:
            break
        edge = draw.choice(exits)
        walk.append((edge.source, edge.action, edge.target))
        here = edge.target
    return walk or told


def _nonsense(draw: random.Random, told: Told, maze: Maze) -> Told:
    return [("NOWHERE", "dance", "MARS")]


def _misspelt(draw: random.Random, name: str) -> str:
    place = draw.randrange(len(name) + 1)
    choices = (
        name[:place] + name[place + 1 :],
        name[:place] + draw.choice("abcxyz ") + name[place:],
        "the " + name,
        name.title(),
        " " + name + " ",
        "",
    )
    return draw.choice(choices)


CHANGES: dict[str, Callable[[random.Random, Told, Maze], Told]] = {
    "right": _right, "near": _near, "wordy": _wordy, "wrong": _wrong, "short": _short,
    "long": _long, "wandering": _wandering, "nonsense": _nonsense,
}  # fmt: skip

WRAPPINGS: Sequence[Callable[[Told], str]] = (
    lambda told: repr(steps(told)),
    lambda told: json.dumps(steps(told)),
    lambda told: json.dumps(steps(told), indent=2, ensure_ascii=False),
    lambda told: repr(steps(told, OLD_KEYS)),
    lambda told: repr(steps(told))[:-1] + ",]",
    lambda told: f"Let me see [1].\n```python\n{steps(told)}\n```\nSo that is the way.",
    lambda told: f"<think>[{{'prev_node': 'no', 'action': 'no'</think>{json.dumps(steps(told))}",
    lambda told: f"First I thought {steps([('a', 'b', 'c')])}. No: {steps(told)}",
    lambda told: repr(steps(told))[1:],
    lambda told: repr(steps(told))[:-1],
    lambda told: f"{steps(told)} * 999999999",
    lambda told: f"exit() or {steps(told)}",
    lambda told: json.dumps({"path": steps(told)}),
    lambda told: json.dumps(steps(told), ensure_ascii=False).replace('"', "”"),
)
BROKEN: Sequence[Callable[[Told], str]] = (
    lambda told: "",
    lambda told: "I am not sure how to get there.",
    lambda told: ", ".join(action for _, action, _ in told),
    lambda told: repr(steps(told))[:-4],
    lambda told: repr(steps(told)).replace("'node'", "'place'"),
    lambda told: json.dumps([{"prev_node": a, "node": c} for a, _, c in told]),
    lambda told: json.dumps([list(move) for move in told]),
    lambda told: json.dumps([*steps(told), "arrived"]),
    lambda told: json.dumps([*steps(told), None]),
    lambda told: f"<think>{steps(told)}",
)
