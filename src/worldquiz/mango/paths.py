"""All simple paths of a maze (no place twice), as a tree: a path adds one edge to its parent.

A destination-finding question of MANGO (arXiv 2403.19913, section 2.2) asks where a simple path
ends. A maze can have millions of paths, so they are searched depth-first and not stored: each is
yielded as its length and its last edge. Parallel edges make different paths; no path has a
self-loop. For a maze with too many paths, use paired questions (`mango.sheets`).

The labels of a path are two steps: from *forward* on, all its moves were taken, so it is easy; from
*first* on, its moves or their reverses were taken, so it is answerable. Both exist in two versions:
the step at which the game shows this, and the step from which the text also names all places.

Routes between places have the same labels, found without listing the routes. A route-finding
question is easy from the first step at which one of its routes is. The paper (section 2.2)
considers shortest routes only, the released data any simple path; `Route` offers both. *Any* is the
route with the earliest label, found by a minimax search (removing a circle never makes a label
later). *Shortest* is the best of the shortest routes, found by comparing lengths before labels.

The official id of a path, or of a pair of places, is the SHA-256 of its JSON.
"""

from __future__ import annotations

import hashlib
import heapq
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from functools import cache

from worldquiz import rng
from worldquiz.errors import KnobError
from worldquiz.mango.mazes import Edge, Maze
from worldquiz.mango.walkthrough import told_as
from worldquiz.records import digest
from worldquiz.stats.sampling import shares

MOST = 20_000_000
"""Paths of one maze that are counted before giving up."""
MOST_PLACES = 2_000
"""Most places of a maze to search, since tables of all pairs of places are kept."""
ABSENT = 2**31 - 1
"""Label of a step that never comes: later than every step."""


class Label(IntEnum):
    """The labels of an edge or a path, numbered as `labels` returns them."""

    FORWARD = 0
    FIRST = 1
    TOLD_FORWARD = 2
    TOLD_FIRST = 3


class Net:
    """A maze whose places and edges are numbered in the order of their names, not of a file."""

    def __init__(self, maze: Maze) -> None:
        """Number a maze, in which no two edges may be equal except for their labels."""
        self.name, self.places = maze.name, tuple(sorted(maze.places))
        self.edges = tuple(sorted(maze.edges, key=lambda edge: edge.key))
        self.number = {place: number for number, place in enumerate(self.places)}
        self.target = [self.number[edge.target] for edge in self.edges]
        self.leaving: list[list[int]] = [[] for _ in self.places]  # the edges that leave each place
        for number, edge in enumerate(self.edges):
            self.leaving[self.number[edge.source]].append(number)
        self.shortest = cache(self._shortest)

    def _shortest(self, source: int) -> dict[int, int]:
        """Return the number of moves of a shortest route to each place reached from a source."""
        routes = reached(self, source, Label.FIRST, Route.SHORTEST)
        return {place: moves for place, (moves, _) in routes.items()}

    def label(self, by: Label) -> list[int]:
        """Return one label of each edge; `ABSENT` means never."""
        steps = (labels(edge)[by] for edge in self.edges)
        return [ABSENT if step is None else step for step in steps]


def fingerprint(maze: Maze) -> str:
    """Return a digest of a maze and its walkthrough, whatever the order of places and edges."""
    net = Net(maze)
    edges = [(*edge.key, *labels(edge)) for edge in net.edges]
    walk = [(step.number, step.action, step.observation) for step in maze.walkthrough]
    drawn = digest(json.dumps([net.places, edges]))
    return digest(maze.name, drawn, json.dumps([maze.steps, walk]))


def labels(edge: Edge) -> tuple[int | None, ...]:
    """Return an edge's steps in the order of `Label`; None for a step that never comes."""
    return edge.seen.forward, edge.seen.first, edge.told.forward, edge.told.first


def walked(net: Net, source: int) -> Iterator[tuple[int, int]]:
    """Yield each simple path from a place, depth-first, as its length and its last edge.

    Its other edges are those of the path yielded last that is one edge shorter.
    """
    leaving, target = net.leaving, net.target
    here, turns, busy = [source], [iter(leaving[source])], [False] * len(net.places)
    busy[source] = True
    while turns:
        for edge in turns[-1]:
            place = target[edge]
            if not busy[place]:
                yield len(turns), edge
                busy[place] = True
                here.append(place)
                turns.append(iter(leaving[place]))
                break
        else:
            turns.pop()
            busy[here.pop()] = False


def paths(net: Net) -> Iterator[tuple[Edge, ...]]:
    """Yield every simple path. Raises `KnobError` for too many places."""
    check_size(net)
    way: list[Edge] = []
    for source in range(len(net.places)):
        for length, edge in walked(net, source):
            way[length - 1 :] = [net.edges[edge]]
            yield tuple(way)


@dataclass(frozen=True)
class PathCount:
    """Numbers of simple paths in a maze.

    A path is hard if it has an *imputed* move, one that was not taken up to a step, the limit.
    These numbers give predictors of difficulty (section 3.3 of the paper): the mean lengths of easy
    and of hard paths, and the mean number of imputed moves on hard paths (see `tally_mean`).
    """

    pairs: list[list[int]]  # [source][target]
    lengths: list[list[int]]  # [imputed moves][length in moves]; the first row's paths are easy
    ends: list[list[int]]  # [length in moves][target]

    @property
    def hard_lengths(self) -> list[int]:
        """Numbers of hard paths by length."""
        return [sum(column) for column in zip(*self.lengths[1:], strict=True)]


def tally_mean(counts: Sequence[int]) -> float | None:
    """Return the mean of 0, 1, 2, ..., each weighted by its count; None if all counts are 0."""
    total = sum(counts)
    return sum(value * times for value, times in enumerate(counts)) / total if total else None


def count(net: Net, *, limit: int = ABSENT - 1, by: Label = Label.TOLD_FORWARD) -> PathCount:
    """Count the simple paths. An edge whose label is later than the limit counts as imputed.

    Raises `KnobError` for too many places, and for more than `MOST` paths.
    """
    check_size(net)
    size, target = len(net.places), net.target
    pairs, lengths, to = ([[0] * n for _ in range(m)] for n, m in
                          ((size, size), (size + 1, size + 1), (size, size + 1)))  # fmt: skip
    late, left = [label > limit for label in net.label(by)], MOST
    imputed = [0] * (size + 1)  # of the latest path of each length
    for source, ends in enumerate(pairs):
        for length, edge in walked(net, source):
            imputed[length] = imputed[length - 1] + late[edge]
            lengths[imputed[length]][length] += 1
            ends[target[edge]] += 1
            to[length][target[edge]] += 1
            left -= 1
            if left < 0:
                raise KnobError(
                    f"maze {net.name!r} has more than {MOST:,} simple paths: read fewer steps of "
                    "its walkthrough"
                )
    return PathCount(pairs, lengths, to)


def check_size(net: Net) -> None:
    """Raise `KnobError` for a maze with too many places to search."""
    if len(net.places) > MOST_PLACES:
        raise KnobError(
            f"maze {net.name!r} has {len(net.places):,} places, more than the limit of "
            f"{MOST_PLACES:,}: read fewer steps of its walkthrough"
        )


def sample(maze: Maze, size: int, seed: int, limit: int) -> tuple[tuple[Edge, ...], ...]:
    """Sample different paths: half of them easy, and evenly over lengths, as far as there are any.

    A path is easy if its moves are taken, and their places named in the text, up to step `limit`.
    Easy paths come before hard, short before long. If a maze has at most `size`, all are returned.

    Paths of one level and length are a stratum. Strata are counted first; then ranks are drawn in
    each; then a second search copies the paths with these ranks. So only the sample is in memory,
    and every path of a stratum is equally likely.
    """
    net = Net(maze)
    found = count(net, limit=limit)
    places, late = len(net.places), [label > limit for label in net.label(Label.TOLD_FORWARD)]
    strata = [  # easy, then hard: the number of paths by the number of the stratum
        {hard * places + length: n for length, n in enumerate(row) if n}
        for hard, row in enumerate((found.lengths[0], found.hard_lengths))
    ]
    sizes = shares({hard: sum(there.values()) for hard, there in enumerate(strata)}, size)
    wanted = {
        stratum: frozenset(
            rng.child(seed, "paths", maze.name, stratum).sample(range(there[stratum]), n)
        )
        for hard, there in enumerate(strata)
        for stratum, n in shares(there, sizes[hard]).items()
    }
    way, hard = [0] * places, [False] * places  # of the latest path of each length
    passed = [0] * (2 * places)  # of each stratum
    drawn = {}
    for source in range(places):
        for length, edge in walked(net, source):
            way[length], hard[length] = edge, hard[length - 1] or late[edge]
            stratum = length + places * hard[length]
            if passed[stratum] in wanted.get(stratum, ()):
                steps = tuple(net.edges[number] for number in way[1 : length + 1])
                drawn[stratum, passed[stratum]] = steps
            passed[stratum] += 1
    return tuple(drawn[place] for place in sorted(drawn))


class Route(StrEnum):
    """Choice of routes between two places: any, or the shortest."""

    ANY = "any"
    SHORTEST = "shortest"


def reached(net: Net, source: int, by: Label, route: Route) -> dict[int, tuple[int, int]]:
    """Return the best route from a place to each reachable place, as its length and its label.

    Places are numbers. With `Route.SHORTEST`, it is the best of the shortest routes; with
    `Route.ANY`, the best of all, and its length is given as 0. A missing label is `ABSENT`.
    """
    label, short = net.label(by), route is Route.SHORTEST
    best, queue = {source: (0, 0)}, [((0, 0), source)]
    while queue:
        (length, latest), place = heapq.heappop(queue)
        if best[place] < (length, latest):
            continue
        for edge in net.leaving[place]:
            there, cost = net.target[edge], (length + short, max(latest, label[edge]))
            if there not in best or cost < best[there]:
                best[there] = cost
                heapq.heappush(queue, (cost, there))
    return best


def path_id(path: Iterable[Edge]) -> str:
    """Return the official id of a path."""
    return _sha256([told_as(*edge.key) for edge in path])


def told_from(path: Iterable[Edge]) -> tuple[int | None, int | None]:
    """Return the steps from which a path is easy, and from which answerable; None for never."""
    edges = tuple(path)
    easy, told = ([edge.told.forward for edge in edges], [edge.told.first for edge in edges])
    late = (None if None in steps else max(step or 0 for step in steps) for steps in (easy, told))
    return next(late), next(late)


def list_id(source: str, actions: Sequence[str]) -> str:
    """Return the id of a list of moves from a place, which does not depend on the map."""
    return _sha256({"src_node": source, "actions": list(actions)})


def pair_id(source: str, target: str) -> str:
    """Return the official id of a pair of places."""
    return _sha256({"src_node": source, "dst_node": target})


def _sha256(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
