"""Choice of a maze's questions such that reading all of them does not give the map away.

The published choice asks lists of moves that can be made, and no others. So what is asked from a
place is a tree, and whoever matches trees names most destinations without a walkthrough.

Here places are paired by chance. A list of moves is asked from both places of a pair, and from one
of them it mostly cannot be made: then this is the answer. Routes are asked from both places of a
pair to both places of another, if each of the four exists and no moves are right for two of them.
So a sheet stays the same, question by question and for each seed, when two partners exchange their
names in the maze. A reader of sheets alone, of one or of many, is right about half of the
destinations at best, as is the reply "cannot be made" to all of them, and about a quarter of the
routes: these are the guesses. Names that tell which way a place lies ("corridor (east to cell)")
give more.

A list of moves is left out where it depends on a way back that nobody tried: the walkthrough makes
a move, and the map has none the other way. No text tells whether there is one.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, product

from worldquiz import rng
from worldquiz.mango.grade import Question, Task, meant
from worldquiz.mango.mazes import Edge, Maze, Sight
from worldquiz.mango.paths import list_id, told_from
from worldquiz.mango.walkthrough import BACK, plain
from worldquiz.stats.sampling import shares

GUESS = {Task.DF: 1 / 2, Task.RF: 1 / 4}
"""Accuracy of a guesser who has read all questions and no walkthrough."""
TRIES = 50
"""Most lists drawn for each list that is asked."""
Pair = tuple[str, str]
"""Two places that are partners, in the order of their names."""
Exits = dict[tuple[str, str], list[Edge]]
"""The moves of a maze, by their place and plain action."""


def partners(maze: Maze, shown: Maze) -> list[Pair]:
    """Pair the places of a maze by chance, and return the pairs that a part of it shows.

    Neither a seed nor what is shown changes a pair: two sheets would tell partners apart. Of an odd
    number one place has none.
    """
    places, seen = sorted(maze.places), set(shown.places)
    rng.child(0, "partners", maze.name).shuffle(places)
    pairs = zip(places[::2], places[1::2], strict=False)
    return sorted((min(pair), max(pair)) for pair in pairs if seen.issuperset(pair))


def destinations(shown: Maze, pairs: Sequence[Pair], most: int, seed: int) -> list[Question]:
    """Return questions where lists of moves end, each list asked from two places that are partners.

    Lists are self-avoiding walks of all lengths, half of them easy if there are enough.
    """
    exits, assumed = exits_of(shown.edges), exits_of([*shown.edges, *_untried(shown)])
    drawn: dict[bool, dict[tuple[Pair, tuple[str, ...]], list[list[Edge]]]] = {True: {}, False: {}}
    for two, actions in _lists(exits, pairs, rng.child(seed, "df", shown.name), TRIES * most):
        found = [path for place in two if (path := followed(exits, place, actions)) is not None]
        if found == [followed(assumed, place, actions) for place in two]:
            made = [path for path in found if len(path) == len(actions)]
            easy = any(all(edge.told.forward is not None for edge in path) for path in made)
            drawn[easy].setdefault((two, actions), found)
        if min(map(len, drawn.values())) >= most // 2:
            break
    sizes = shares({easy: len(some) for easy, some in drawn.items()}, most // 2)
    asked = [
        _destination(shown, source, actions, path)
        for easy, some in drawn.items()
        for (two, actions), paths in list(some.items())[: sizes.get(easy, 0)]
        for source, path in zip(two, paths, strict=True)
    ]
    return sorted(asked, key=lambda each: (len(each.actions), each.actions, each.source))


def blocks(maze: Maze, pairs: Sequence[Pair], seed: int) -> Iterator[tuple[Pair, Pair]]:
    """Yield pairs of partners to go from and to, in an order drawn by seed.

    Left out are those between which the same moves lead from both partners, or from one to both.
    """
    leads: dict[str, dict[str, set[str]]] = {}
    for edge in maze.edges:
        exits = leads.setdefault(edge.source, {})
        exits.setdefault(meant(plain(edge.action)), set()).add(edge.target)
    together = {pair: _together(leads, pair) for pair in pairs}
    for pair, ends in together.items():
        alone = (_together(leads, (place, place)) for place in pair)
        ends.update(two for some in alone for two in some if two[0] != two[1])
    found = [each for one, two in combinations(pairs, 2) for each in ((one, two), (two, one))]
    rng.child(seed, "rf", maze.name).shuffle(found)
    for one, two in found:
        if together[one].isdisjoint(product(two, two)):
            yield one, two


def _together(leads: Mapping[str, Mapping[str, set[str]]], pair: Pair) -> set[Pair]:
    """Return where the same moves lead two walkers who start at partners."""
    found, queue = {pair}, [pair]
    for here, there in queue:
        exits, others = leads.get(here, {}), leads.get(there, {})
        for move in exits.keys() & others.keys():
            new = set(product(exits[move], others[move])) - found
            found |= new
            queue += new
    return found


def exits_of(edges: Iterable[Edge]) -> Exits:
    """Return moves by the place where they begin and their action in plain form."""
    found: Exits = {}
    for edge in edges:
        found.setdefault((edge.source, plain(edge.action)), []).append(edge)
    return found


def _lists(
    exits: Exits, pairs: Sequence[Pair], draw: random.Random, tries: int
) -> Iterator[tuple[Pair, tuple[str, ...]]]:
    """Yield pairs of places, each with a list of moves that can be made from one place at least.

    Two walkers begin at the places of a pair and avoid where they have been. Each move is drawn
    from those that either walker can make; a walker that cannot make it stops. So no draw depends
    on the order of the pair. Each list is cut at a random length.
    """
    moves: dict[str, dict[str, Edge]] = {}
    for (place, action), edges in exits.items():
        moves.setdefault(place, {})[action] = min(edges, key=lambda edge: edge.action)
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


def _destination(
    maze: Maze, source: str, actions: tuple[str, ...], path: Sequence[Edge]
) -> Question:
    """Return the question where a list of moves ends, of which `path` are those that can be made.

    A list that cannot be made whole has no target.
    """
    made = len(path) == len(actions)
    easy, told = told_from(path) if made else (None, maze.steps)
    return Question(
        maze.name, list_id(source, actions), Task.DF, source, actions,
        path[-1].target if made else "", len(path) if made else None, easy, told, paired=True,
    )  # fmt: skip
