"""The sheet of a maze: which questions are asked, so that reading all of them tells nothing.

The published choice asks lists of moves that can be made, and no others. So what is asked from a
place is a tree, and whoever matches trees names most destinations without a walkthrough.

Here places are paired by chance. A list of moves that is drawn is asked from its own place and from
that place's partner, where it mostly cannot be made: then this is the answer. Routes are asked from
both places of a pair to both places of another, if each of the four exists. So a sheet stays the
same when two partners exchange their names, and cannot tell which is which. A reader of the sheet
alone is right about half of the destinations at best, as is the reply "cannot be made" to all of
them, and about a quarter of the routes. These are the guesses.

A list of moves is left out where it depends on a way back that nobody tried: the walkthrough makes
a move, and the map has none the other way. No text tells whether there is one.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from worldquiz import rng
from worldquiz.mango.grade import Question, Task
from worldquiz.mango.maze import Edge, Maze, Sight
from worldquiz.mango.paths import list_id, told_from
from worldquiz.mango.walkthrough import BACK, plain
from worldquiz.stats.sampling import shares

GUESS = {Task.DF: 1 / 2, Task.RF: 1 / 4}
"""The share that somebody gets right who has read the sheet and no walkthrough."""
TRIES = 50
"""Walks that are drawn for each list that is asked, at most."""
Exits = dict[tuple[str, str], list[Edge]]
"""The moves of a maze, by their place and plain action."""


def partners(maze: Maze, seed: int) -> dict[str, str]:
    """Pair the places of a maze by chance; of an odd number one is left out, as is a lone one."""
    places = sorted(maze.places)
    rng.child(seed, "partners", maze.name).shuffle(places)
    pairs = zip(places[::2], places[1::2], strict=False)
    return {one: other for pair in pairs for one, other in (pair, pair[::-1])}


def destinations(maze: Maze, most: int, seed: int) -> list[Question]:
    """Return questions where lists of moves end, each list asked from two places that are partners.

    Lists are self-avoiding walks of all lengths, half of them easy as far as there are such.
    """
    partner, exits = partners(maze, seed), exits_of(maze.edges)
    assumed = exits_of([*maze.edges, *_untried(maze)])
    drawn: dict[bool, dict[tuple[str, ...], None]] = {True: {}, False: {}}  # two places, moves
    for path in walks(maze, rng.child(seed, "df", maze.name), TRIES * most):
        source, actions = path[0].source, tuple(edge.action for edge in path)
        two = sorted((source, partner.get(source, source)))
        ways = [[followed(each, place, actions) for place in two] for each in (exits, assumed)]
        sure = None not in ways[0] and ways[0] == ways[1]
        if source in partner and sure:
            easy = all(edge.told.forward is not None for edge in path)
            if (*two, *actions) not in drawn[not easy]:
                drawn[easy][(*two, *actions)] = None
        if min(map(len, drawn.values())) >= most // 2:
            break
    sizes = shares({easy: len(some) for easy, some in drawn.items()}, most // 2)
    lists = [key for easy, some in drawn.items() for key in list(some)[: sizes.get(easy, 0)]]
    asked = ((place, key[2:]) for key in lists for place in key[:2])
    return [
        _destination(maze, exits, *each)
        for each in sorted(asked, key=lambda each: (len(each[1]), each[1], each[0]))
    ]


def blocks(maze: Maze, seed: int) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """Yield each pair of partners with each other one, in an order drawn by seed."""
    partner = partners(maze, seed)
    pairs = sorted({(min(two), max(two)) for two in partner.items()})
    found = [each for one, two in combinations(pairs, 2) for each in ((one, two), (two, one))]
    rng.child(seed, "rf", maze.name).shuffle(found)
    yield from found


def exits_of(edges: Iterable[Edge]) -> Exits:
    """Return moves by their place and plain action."""
    found: Exits = {}
    for edge in edges:
        found.setdefault((edge.source, plain(edge.action)), []).append(edge)
    return found


def walks(maze: Maze, draw: random.Random, tries: int) -> Iterator[Sequence[Edge]]:
    """Yield self-avoiding walks from places drawn by chance, each cut at a length drawn by chance.

    A walk goes on until every move leads where it has been.
    """
    leaving: dict[str, list[Edge]] = {}
    for edge in sorted(maze.edges, key=lambda edge: edge.key):
        leaving.setdefault(edge.source, []).append(edge)
    starts = sorted(leaving)
    for _ in range(tries if starts else 0):
        here, path = draw.choice(starts), list[Edge]()
        been = {here}
        while ways := [edge for edge in leaving.get(here, ()) if edge.target not in been]:
            path.append(draw.choice(ways))
            here = path[-1].target
            been.add(here)
        if path:
            yield path[: draw.randint(1, len(path))]


def _untried(maze: Maze) -> Iterator[Edge]:
    """Yield the ways back of moves that were made which the map does not have."""
    there = {(edge.source, plain(edge.action)) for edge in maze.edges}
    for edge in maze.edges:
        back = BACK.get(plain(edge.action))
        if back is not None and not edge.imputed and (edge.target, back) not in there:
            yield Edge(edge.target, back, edge.source, Sight(), Sight())


def followed(exits: Exits, place: str, actions: Sequence[str]) -> list[Edge] | None:
    """Return the moves that a list makes from a place, fewer where one cannot be made.

    None where one of them leads to several places.
    """
    path: list[Edge] = []
    for action in map(plain, actions):
        found = exits.get((place, action), ())
        if len({edge.target for edge in found}) > 1:
            return None
        if not found:
            break
        path.append(found[0])
        place = found[0].target
    return path


def _destination(maze: Maze, exits: Exits, source: str, actions: tuple[str, ...]) -> Question:
    """Return the question where a list of moves ends; one that cannot be made has no target."""
    path = followed(exits, source, actions) or []
    made = len(path) == len(actions)
    easy, told = told_from(path) if made else (None, maze.steps)
    return Question(
        maze.name, list_id(source, actions), Task.DF, source, actions,
        path[-1].target if made else "", len(path) if made else None, easy, told, paired=True,
    )  # fmt: skip
