"""A graph's largest independent set: reduce it, solve each part, and lead what was found back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scipy.sparse.csgraph import connected_components

from worldquiz.tea.mir.cover import covered
from worldquiz.tea.mir.numba_kernels import Array, Net, net, np
from worldquiz.tea.mir.prove import proven, relaxed, rows
from worldquiz.tea.mir.reduce import reduced
from worldquiz.tea.mir.search import searched

FIRST, LAST = 300, 30_000
"""Work of a short and of a long search, in neighbours looked at, a vertex."""
ROUNDS = 200
"""Times that a cover is made again, at most."""
CLIQUES, MEMBERS = 10_000, 100_000
"""Cliques, and members in all, up to which a part is bounded by a linear program."""


def solved(pairs: Any, size: int, exact: int) -> tuple[list[int], int]:
    """Return a largest set, in order, and a bound. See `independent`."""
    graph, steps = reduced(net(pairs[:, 0], pairs[:, 1], size))
    chosen = graph.degrees == 0
    bound = int(chosen.sum()) + sum(len(step.folds) for step in steps)
    for members, part in _parts(graph):
        inside, limit = _part(part, exact)
        chosen[members[inside]] = True
        bound += limit
    for step in reversed(steps):
        chosen = step.undone(chosen)
    return np.flatnonzero(chosen).tolist(), bound


def _parts(graph: Net) -> Iterator[tuple[Array, Net]]:
    """Yield each connected part of two or more, as who is in it and as a graph of its own."""
    if not len(graph.near):
        return
    many, label = connected_components(graph.matrix, directed=False)
    order = np.argsort(label, kind="stable")
    sorted_ = _permuted(graph, order)
    ends = np.cumsum(np.bincount(label, minlength=many))
    for start, stop in zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True):
        if stop - start > 1:
            yield order[start:stop], sorted_.part(start, stop)


def _permuted(graph: Net, order: Array) -> Net:
    new = np.empty(graph.size, "int32")
    new[order] = np.arange(graph.size)
    lengths = graph.degrees[order]
    first = np.concatenate([[0], np.cumsum(lengths)])
    places = np.arange(first[-1]) + np.repeat(graph.first[order] - first[:-1], lengths)
    return Net(first, new[graph.near[places]])


def _part(graph: Net, exact: int) -> tuple[Array, int]:
    """Return a part's largest independent set as truths, and a bound."""
    ends = graph.size + len(graph.near)
    best = searched(graph, FIRST * graph.size)
    covers = [covered(graph, 8)]
    bound = int(covers[0].max()) + 1
    if best.sum() == bound:
        return best, bound
    longest = LAST * graph.size
    best = searched(graph, longest)
    covers.append(covered(graph, max(8, min(ROUNDS, longest // (8 * ends)))))
    bound = min(bound, int(covers[-1].max()) + 1)
    return _bounded(graph, best, bound, covers, exact)


def _bounded(
    graph: Net, best: Array, bound: int, covers: list[Array], exact: int
) -> tuple[Array, int]:
    """Bound a part more tightly, and solve it where it is small enough."""
    if best.sum() == bound:
        return best, bound
    matrix = rows(graph, covers, MEMBERS)
    if matrix is None or matrix.shape[0] > CLIQUES:
        return best, bound
    bound = min(bound, relaxed(matrix))
    if best.sum() < bound and graph.size <= exact:
        other, limit = proven(matrix)
        bound = min(bound, limit)
        if other is not None and other.sum() > best.sum():
            best = other
    return best, max(bound, int(best.sum()))
