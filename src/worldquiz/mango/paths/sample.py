"""A sample of paths, drawn evenly from easy and hard ones and from every length.

Nobody must ask three million questions. The strata are counted first; ranks are drawn in each; and
a second search copies the paths of those ranks out. So the memory it takes is that of the sample,
and every path of a stratum is as likely as the next.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from typing import TypeVar

from worldquiz import rng
from worldquiz.extras import need
from worldquiz.mango.maze.maze import Edge, Maze
from worldquiz.mango.paths.path_tree import ABSENT, Label, Net, count
from worldquiz.mango.paths.search import compiled, pick
from worldquiz.stats.sampling import shares

K = TypeVar("K")


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
    """
    if size < 0:
        raise ValueError(f"a sample of {size} paths")
    numpy = need("numpy", extra="mango")
    net = Net.of(maze)
    lengths = count(net, limit=limit, by=by).lengths
    places = len(net.places)
    strata = _strata([lengths[0].tolist(), lengths[1:].sum(axis=0).tolist()])
    drawn = _ranks(strata, size, seed, maze.name)
    ranks = [drawn.get(stratum, []) for stratum in range(2 * places + 1)]
    offset = numpy.array([0, *accumulate(map(len, ranks))], "int64")
    out = numpy.full((int(offset[-1]), places + 1), -1, "int32")
    flat = numpy.array([rank for some in ranks for rank in some], "int64")
    passed, taken = (numpy.zeros(len(ranks), "int64") for _ in range(2))
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
