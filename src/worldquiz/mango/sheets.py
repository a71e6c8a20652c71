"""Choice of a maze's questions that does not reveal the map to a reader of all of them.

The published choice asks only lists of moves that can be made. So the lists asked from a place form
a tree of its exits, and matching such trees gives most destinations without a walkthrough.

Here places are paired at random. A list of moves is asked from both places of a pair; usually it
cannot be made from one of them, and that is the right answer there. Routes are asked from both
places of a pair to both places of another, if all four routes exist and no list of moves is right
for two of them. So the questions stay the same if the two places of a pair exchange their names in
the maze. A reader of any number of such question sheets who has no walkthrough can get at most half
of the destinations right (as with "cannot be made" for all of them), and about a quarter of the
routes: these are the guessing rates. Names that show where a place lies ("corridor (east to cell)")
make guessing easier.

A list of moves is left out if it depends on an untried way back: the walkthrough makes a move, the
map has no move the other way, and no text says whether there is one.
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
"""Accuracy of a guesser who has read all questions but no walkthrough."""
TRIES = 50
"""Most lists drawn for each list that is asked."""
Pair = tuple[str, str]
"""Two partner places, sorted by name."""
Exits = dict[tuple[str, str], list[Edge]]
"""The moves of a maze, by source and plain action."""


def partners(maze: Maze, shown: Maze) -> list[Pair]:
    """Pair the places of a maze at random, and return the pairs that a part of the maze shows.

    The pairing does not depend on a seed or on the part; otherwise two question sheets together
    would tell partners apart. If the number of places is odd, one place has no partner.
    """
    places, seen = sorted(maze.places), set(shown.places)
    rng.child(0, "partners", maze.name).shuffle(places)
    pairs = zip(places[::2], places[1::2], strict=False)
    return sorted((min(pair), max(pair)) for pair in pairs if seen.issuperset(pair))


def destinations(shown: Maze, pairs: Sequence[Pair], most: int, seed: int) -> list[Question]:
    """Return questions about where lists of moves end, each asked from both places of a pair.

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
    """Yield a pair of places to start from and a pair to go to, in an order drawn by seed.

    They are left out if some list of moves is right for two of the four routes between them.
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
    """Return the pairs of places that two walkers can reach from a pair by the same moves."""
    found, queue = {pair}, [pair]
    for here, there in queue:
        exits, others = leads.get(here, {}), leads.get(there, {})
        for move in exits.keys() & others.keys():
            new = set(product(exits[move], others[move])) - found
            found |= new
            queue += new
    return found


def exits_of(edges: Iterable[Edge]) -> Exits:
    """Return edges by their source and plain action."""
    found: Exits = {}
    for edge in edges:
        found.setdefault((edge.source, plain(edge.action)), []).append(edge)
    return found


def _lists(
    exits: Exits, pairs: Sequence[Pair], draw: random.Random, tries: int
) -> Iterator[tuple[Pair, tuple[str, ...]]]:
    """Yield pairs of places, each with a list of moves that can be made from at least one of them.

    Two walkers begin at the places of a pair and visit no place twice. Each move is drawn from
    the moves that either walker can make; a walker who cannot make it stops. So no draw depends on
    the order of the pair. Each list is cut at a random length.
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
    """Yield the reverse of each move that the walkthrough takes, if the map lacks it."""
    there = {(edge.source, plain(edge.action)) for edge in maze.edges}
    for edge in maze.edges:
        back = BACK.get(plain(edge.action))
        if back is not None and not edge.imputed and (edge.target, back) not in there:
            yield Edge(edge.target, back, edge.source, Sight(), Sight())


def followed(exits: Exits, place: str, actions: Sequence[str]) -> list[Edge] | None:
    """Return the moves that a list makes from a place, up to the first that cannot be made.

    None if an action leads to several places.
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
    """Return the question where a list of moves ends; `path` holds the moves that can be made.

    A list that cannot be made in full has no target.
    """
    made = len(path) == len(actions)
    easy, told = told_from(path) if made else (None, maze.steps)
    return Question(
        maze.name, list_id(source, actions), Task.DF, source, actions,
        path[-1].target if made else "", len(path) if made else None, easy, told, paired=True,
    )  # fmt: skip
