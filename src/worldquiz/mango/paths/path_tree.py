"""All simple paths of a maze, as a tree: a path is its parent's path and one edge more.

A destination-finding question of MANGO (arXiv 2403.19913, section 2.2) is a simple path: follow it,
and say where it ends. A maze can have millions, so they are kept as two numbers each: the row of
the parent and the last edge. Length and labels follow from these. Parallel edges make different
paths; a self-loop is on none.

A path's labels are the latest of its edges': *forward* (the step from which all its moves were
taken: easy) and *first* (from which all were taken, or their reverses: answerable), each as the
game shows it and as the text has told of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

from worldquiz import rng
from worldquiz.errors import KnobError
from worldquiz.extras import later, need
from worldquiz.mango.maze.maze import Edge, Maze
from worldquiz.mango.paths.search import Array, compiled, ends, grow, pick, spread, tally
from worldquiz.records import digest
from worldquiz.stats.sampling import shares

if TYPE_CHECKING:
    import numpy as np
else:
    np = later("numpy", extra="mango")

MOST = 2_000_000_000
"""How many paths of one maze are counted before giving up."""
MOST_PLACES = 2_000
"""Places of a maze that is searched; tables of all pairs of them are kept."""
ABSENT = 2**31 - 1
"""How arrays of labels say that a step never comes: later than every step."""


class Label(IntEnum):
    """The four labels of a path, as rows of an array of labels."""

    FORWARD = 0
    FIRST = 1
    TOLD_FORWARD = 2
    TOLD_FIRST = 3


@dataclass(frozen=True)
class Net:
    """A maze with its places and edges numbered by name, so that no order of a file matters."""

    name: str
    places: tuple[str, ...]
    edges: tuple[Edge, ...]  # sorted by source, action and target

    @classmethod
    def of(cls, maze: Maze) -> Net:
        """Number a maze. Edges that are equal but for their labels are not looked for."""
        edges = sorted(maze.edges, key=lambda edge: edge.key)
        return cls(maze.name, tuple(sorted(maze.places)), tuple(edges))

    @cached_property
    def number(self) -> dict[str, int]:
        """The number of each place."""
        return {place: number for number, place in enumerate(self.places)}

    @cached_property
    def digest(self) -> str:
        """A digest of places, edges and labels."""
        rows = [(*e.key, *labels(e)) for e in self.edges]
        return digest(json.dumps([self.places, rows]))

    @cached_property
    def first(self) -> Array:
        """The first edge of each place, and the number of edges after the last."""
        counts = np.zeros(len(self.places) + 1, "int32")
        for edge in self.edges:
            counts[self.number[edge.source] + 1] += 1
        return counts.cumsum(dtype="int32")

    @cached_property
    def target(self) -> Array:
        """Where each edge leads."""
        return np.array([self.number[edge.target] for edge in self.edges], "int32")

    @cached_property
    def label(self) -> Array:
        """The labels of each edge: four rows by `Label`, `ABSENT` for never."""
        rows = [[ABSENT if step is None else step for step in labels(e)] for e in self.edges]
        return np.ascontiguousarray(np.array(rows, "int32").reshape(-1, 4).T)

    def room(self) -> tuple[Array, Array, Array, Array]:
        """Return room for one search: places, next edges and another number by depth, and marks."""
        new, size = np.zeros, len(self.places) + 1
        return new(size, "int32"), new(size, "int32"), new(size, "int32"), new(size, "bool")


def labels(edge: Edge) -> tuple[int | None, int | None, int | None, int | None]:
    """Return an edge's labels in the order of `Label`; None: never."""
    return edge.seen.forward, edge.seen.first, edge.told.forward, edge.told.first


@dataclass(frozen=True)
class PathCount:
    """How many simple paths a maze has.

    A move that nobody had taken by the limit is *imputed*, and a path with one is hard. The paper
    asks what makes a maze difficult (section 3.3), among other things by the mean length of easy
    and of hard paths and the mean number of imputed moves on hard ones.
    """

    pairs: Array  # [source, target]
    lengths: Array  # [imputed moves, length in moves]

    @property
    def total(self) -> int:
        """All of them."""
        return int(self.pairs.sum())

    @property
    def easy(self) -> int:
        """How many were taken move by move."""
        return int(self.lengths[0].sum())

    @property
    def hard(self) -> int:
        """How many have an imputed move."""
        return int(self.lengths[1:].sum())

    @property
    def mean_length(self) -> float | None:
        """Mean length in moves; None where there is no path."""
        return _mean(self.lengths.sum(axis=0))

    @property
    def mean_easy(self) -> float | None:
        """Mean length of the easy ones; None where there are none."""
        return _mean(self.lengths[0])

    @property
    def mean_hard(self) -> float | None:
        """Mean length of the hard ones; None where there are none."""
        return _mean(self.lengths[1:].sum(axis=0))

    @property
    def mean_imputed(self) -> float | None:
        """Mean number of imputed moves on the hard ones; None where there are none."""
        return _mean(np.array([0, *self.lengths[1:].sum(axis=1)]))


def _mean(counts: Array) -> float | None:
    """Return the mean of 0, 1, 2, ... that came so often; None where none came."""
    total = int(counts.sum())
    return int((counts * np.arange(counts.size)).sum()) / total if total else None


def count(
    net: Net,
    *,
    limit: int = ABSENT - 1,
    by: Label = Label.TOLD_FORWARD,
    most: int = MOST,
    sources: Iterable[int] | None = None,
) -> PathCount:
    """Count the simple paths, by pair, by length, and by how many of their labels exceed a limit.

    Only those from some `sources`, if they are given. Raises `KnobError` where there are more than
    `most`, at once where places alone tell so.
    """
    if sources is None:
        check_size(net, most)
    size = len(net.places)
    pairs, lengths = np.zeros((size, size), "int64"), np.zeros((size + 1, size + 1), "int64")
    search, room, late, left = compiled(tally), net.room(), net.label[by] > limit, most
    for source in range(size) if sources is None else sources:
        found = search(source, net.first, net.target, late, left, pairs[source], lengths, *room)
        if found < 0:
            raise KnobError(
                f"maze {net.name!r} has more than {most:,} simple paths: take fewer steps of its "
                "walkthrough"
            )
        left -= found
    return PathCount(pairs, lengths)


def path_ends(net: Net, most: int = MOST) -> Array:
    """Return how many simple paths of each length end at each place, [length in moves, place].

    Raises `KnobError` where there are more than `most`.
    """
    check_size(net, most)
    size, left = len(net.places), most
    to = np.zeros((size + 1, size), "int64")
    for source in range(size):
        found = compiled(ends)(source, net.first, net.target, left, to, *net.room())
        if found < 0:
            raise KnobError(f"maze {net.name!r} has more than {most:,} simple paths")
        left -= found
    return to


def check_size(net: Net, most: int = MOST) -> None:
    """Raise `KnobError` for a maze that is too large to search, before anything is searched.

    Places that can all be reached from each other have a path for every pair at least.
    """
    if len(net.places) > MOST_PLACES:
        raise KnobError(
            f"maze {net.name!r} has {len(net.places):,} places, and mazes of up to "
            f"{MOST_PLACES:,} are searched: take fewer steps of its walkthrough"
        )
    csgraph = need("scipy.sparse.csgraph", extra="mango")
    sparse = need("scipy.sparse", extra="mango")
    sources = [net.number[edge.source] for edge in net.edges]
    shape = (len(net.places), len(net.places))
    moves = sparse.coo_array((np.ones(len(sources)), (sources, net.target)), shape=shape)
    _, group = csgraph.connected_components(moves, connection="strong")
    sizes = np.bincount(group).astype("int64") if len(group) else np.zeros(0, "int64")
    least = int((sizes * (sizes - 1)).sum())
    if least > most:
        raise KnobError(
            f"maze {net.name!r} has at least {least:,} simple paths, and up to {most:,} are "
            "counted: take fewer steps of its walkthrough"
        )


@dataclass(frozen=True)
class Paths:
    """The simple paths from one place, each parent before its children."""

    net: Net
    source: int  # a place's number
    parent: Array  # row of the path without its last edge, -1 for a path of one edge
    last: Array  # number of its last edge

    def __len__(self) -> int:
        return len(self.parent)

    @property
    def targets(self) -> Array:
        """Where each path ends, by number."""
        return self.net.target[self.last]

    @cached_property
    def _spread(self) -> tuple[Array, Array]:
        new = np.empty
        length, high = new(len(self), "int32"), new((len(Label), len(self)), "int32")
        compiled(spread)(self.parent, self.last, self.net.label, length, high)
        return length, high

    @property
    def lengths(self) -> Array:
        """The number of edges of each path."""
        return self._spread[0]

    @property
    def labels(self) -> Array:
        """The labels of each path: four rows by `Label`, `ABSENT` for never."""
        return self._spread[1]

    def edges(self, row: int) -> tuple[Edge, ...]:
        """Return one path, from its start."""
        found = []
        while row >= 0:
            found.append(self.net.edges[self.last[row]])
            row = int(self.parent[row])
        return tuple(reversed(found))


def paths_from(net: Net, source: str, number: int | None = None) -> Paths:
    """Return the simple paths from a place; give their number if it is known already."""
    start = net.number[source]
    if number is None:
        number = count(net, sources=[start]).total
    parent, last = np.empty(number, "int32"), np.empty(number, edge_kind(net))
    compiled(grow)(start, net.first, net.target, parent, last, *net.room())
    return Paths(net, start, parent, last)


def paths(net: Net) -> Iterator[Paths]:
    """Yield the simple paths from each place, counted first so that nothing is copied."""
    counts = count(net).pairs.sum(axis=1)
    for place, found in zip(net.places, counts, strict=True):
        yield paths_from(net, place, int(found))


def edge_kind(net: Net) -> str:
    """Return the smallest kind of integer that numbers every edge."""
    return "int16" if len(net.edges) < 2**15 else "int32"


def sample(
    maze: Maze,
    size: int,
    seed: int,
    *,
    limit: int = ABSENT - 1,
    by: Label = Label.TOLD_FORWARD,
) -> tuple[tuple[Edge, ...], ...]:
    """Draw different paths: half easy and half hard, and evenly over lengths, as far as there are.

    A path is easy if its label is within the limit. They come in order: easy before hard, short
    before long. All of them come where there are no more than asked for.

    Nobody must ask three million questions. The strata are counted first; ranks are drawn in each;
    and a second search copies the paths of those ranks out. So the memory it takes is that of the
    sample, and every path of a stratum is as likely as the next.
    """
    if size < 0:
        raise ValueError(f"a sample of {size} paths")
    net = Net.of(maze)
    lengths = count(net, limit=limit, by=by).lengths
    places = len(net.places)
    strata = _strata([lengths[0].tolist(), lengths[1:].sum(axis=0).tolist()])
    drawn = _ranks(strata, size, seed, maze.name)
    ranks = [drawn.get(stratum, []) for stratum in range(2 * places + 1)]
    offset = np.array([0, *accumulate(map(len, ranks))], "int64")
    out = np.full((int(offset[-1]), places + 1), -1, "int32")
    flat = np.array([rank for some in ranks for rank in some], "int64")
    passed, taken = (np.zeros(len(ranks), "int64") for _ in range(2))
    room, search, late = net.room(), compiled(pick), net.label[by] > limit
    for source in range(places):
        search(source, net.first, net.target, late, passed, flat, offset, taken, out, *room)
    return tuple(tuple(net.edges[edge] for edge in row[: row.index(-1)]) for row in out.tolist())


def _strata(lengths: list[list[int]]) -> dict[int, dict[int, int]]:
    """Return how many paths each stratum has: by hard, then by the stratum's number."""
    places = len(lengths[0]) - 1
    return {
        hard: {hard * places + length: n for length, n in enumerate(row) if n}
        for hard, row in enumerate(lengths)
    }


def _ranks(
    strata: Mapping[int, Mapping[int, int]], size: int, seed: int, name: str
) -> dict[int, list[int]]:
    """Draw the ranks that are wanted of each stratum, in order."""
    sizes = shares({hard: sum(there.values()) for hard, there in strata.items()}, size)
    return {
        stratum: sorted(rng.child(seed, "paths", name, stratum).sample(range(there[stratum]), n))
        for hard, there in strata.items()
        for stratum, n in shares(there, sizes[hard]).items()
    }
