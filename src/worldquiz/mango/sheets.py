"""The sheet of a maze: which questions are asked, so that reading all of them tells nothing.

The published choice asks lists of moves that can be made, and no others. So what is asked from a
place is a tree, and whoever matches trees names most destinations without a walkthrough.

Here places are paired by chance. A list of moves is asked from both places of a pair, and from one
of them it mostly cannot be made: then this is the answer. Routes are asked from both places of a
pair to both places of another, if each of the four exists. So a sheet stays the same, question by
question and for each seed, when two partners exchange their names in the maze. A reader of sheets
alone, of one or of many, is right about half of the destinations at best, as is the reply "cannot
be made" to all of them, and about a quarter of the routes: these are the guesses. Names that tell
which way a place lies ("corridor (east to cell)") give more.

A list of moves is left out where it depends on a way back that nobody tried: the walkthrough makes
a move, and the map has none the other way. No text tells whether there is one.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations

from worldquiz import rng
from worldquiz.mango.grade import Question, Task
from worldquiz.mango.maze import Edge, Maze, Sight
from worldquiz.mango.paths import list_id, told_from
from worldquiz.mango.walkthrough import BACK, plain
from worldquiz.stats.sampling import shares

GUESS = {Task.DF: 1 / 2, Task.RF: 1 / 4}
"""The share that somebody gets right who has read the sheet and no walkthrough."""
TRIES = 50
"""Lists that are drawn for each that is asked, at most."""
Exits = dict[tuple[str, str], list[Edge]]
"""The moves of a maze, by their place and plain action."""


def partners(maze: Maze, shown: Maze) -> dict[str, str]:
    """Pair the places of a maze by chance, and return the pairs that a part of it shows.

    Neither a seed nor what is shown changes a pair: two sheets would tell partners apart. Of an odd
    number one place has none.
    """
    places = sorted(maze.places)
    rng.child(0, "partners", maze.name).shuffle(places)
    pairs = zip(places[::2], places[1::2], strict=False)
    both = [pair for pair in pairs if set(shown.places).issuperset(pair)]
    return {one: other for pair in both for one, other in (pair, pair[::-1])}


def destinations(shown: Maze, partner: Mapping[str, str], most: int, seed: int) -> list[Question]:
    """Return questions where lists of moves end, each list asked from two places that are partners.

    Lists are self-avoiding walks of all lengths, half of them easy as far as there are such.
    """
    exits, assumed = exits_of(shown.edges), exits_of([*shown.edges, *_untried(shown)])
    drawn: dict[bool, dict[tuple[str, ...], None]] = {True: {}, False: {}}  # two places, moves
    for two, actions in _lists(exits, partner, rng.child(seed, "df", shown.name), TRIES * most):
        ways = [[followed(each, place, actions) for place in two] for each in (exits, assumed)]
        if None not in ways[0] and ways[0] == ways[1]:
            made = [path for path in ways[0] if path and len(path) == len(actions)]
            easy = any(all(edge.told.forward is not None for edge in path) for path in made)
            if (*two, *actions) not in drawn[not easy]:
                drawn[easy][(*two, *actions)] = None
        if min(map(len, drawn.values())) >= most // 2:
            break
    sizes = shares({easy: len(some) for easy, some in drawn.items()}, most // 2)
    lists = [key for easy, some in drawn.items() for key in list(some)[: sizes.get(easy, 0)]]
    asked = ((place, key[2:]) for key in lists for place in key[:2])
    return [
        _destination(shown, exits, *each)
        for each in sorted(asked, key=lambda each: (len(each[1]), each[1], each[0]))
    ]


def blocks(
    shown: Maze, partner: Mapping[str, str], seed: int
) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """Yield each pair of partners with each other one, in an order drawn by seed."""
    found = [each for one, two in combinations(_pairs(partner), 2)
             for each in ((one, two), (two, one))]  # fmt: skip
    rng.child(seed, "rf", shown.name).shuffle(found)
    yield from found


def _pairs(partner: Mapping[str, str]) -> list[tuple[str, str]]:
    return sorted({(min(two), max(two)) for two in partner.items()})


def exits_of(edges: Iterable[Edge]) -> Exits:
    """Return moves by their place and plain action."""
    found: Exits = {}
    for edge in edges:
        found.setdefault((edge.source, plain(edge.action)), []).append(edge)
    return found


def _lists(
    exits: Exits, partner: Mapping[str, str], draw: random.Random, tries: int
) -> Iterator[tuple[tuple[str, str], tuple[str, ...]]]:
    """Yield lists of moves with two partners, from one of which at least they can be made.

    Two walkers begin at partners and avoid where they have been. Each move is drawn from those that
    either can make; one that cannot stops. So nothing that is drawn depends on which of the
    partners is which. A list is cut at a length drawn by chance.
    """
    moves: dict[str, dict[str, Edge]] = {}
    for (place, action), edges in exits.items():
        moves.setdefault(place, {})[action] = min(edges, key=lambda edge: edge.action)
    pairs = _pairs(partner)
    for _ in range(tries if pairs else 0):
        two, actions = draw.choice(pairs), list[str]()
        walkers = [(place, frozenset({place})) for place in two]
        while walkers:
            ways = [
                {action: edge for action, edge in moves.get(here, {}).items()
                 if edge.target not in been}
                for here, been in walkers
            ]  # fmt: skip
            if not (offered := sorted({*chain(*ways)})):
                break
            action = draw.choice(offered)
            made = [way.get(action) for way in ways]
            actions.append(min(edge.action for edge in made if edge))
            walkers = [(edge.target, been | {edge.target})
                       for edge, (_, been) in zip(made, walkers, strict=True) if edge]  # fmt: skip
        if actions:
            yield two, tuple(actions[: draw.randint(1, len(actions))])


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
