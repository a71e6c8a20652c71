"""A largest independent set: reduce the graph, then solve each connected part with HiGHS.

*Domination*: if v and all neighbours of v are u or neighbours of u, then u can go, since whoever
takes u may take v instead. This covers vertices with no or one neighbour, twins, and vertices whose
neighbours are all adjacent to each other (Fomin, Grandoni, Kratsch 2009). Tasks about one thing
form near-cliques, so little is left of most graphs.

Of a clique at most one vertex is chosen. A program with every edge in one of its cliques has the
independent sets as its solutions in whole numbers, and its relaxation bounds them well.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from worldquiz import rng
from worldquiz.extras import need

np = need("numpy", extra="scene")
optimize = need("scipy.optimize", extra="scene")
sparse = need("scipy.sparse", extra="scene")
csgraph = need("scipy.sparse.csgraph", extra="scene")
Array = Any
"""A NumPy array."""
Graph = Any
"""A symmetric sparse matrix of 0 and 1 in which each vertex is its own neighbour."""

PRODUCTS = 100_000_000
"""Products that one round of reductions may take; beyond, high degrees are left alone."""
MEMBERS = 200_000
"""Members of all cliques up to which a part is bounded by a linear program."""
TURNS = 10_000
"""Turns of the search in a part that is too large for a proof."""
NODES = 200
"""Nodes that the solver may branch on for one part. No time limit: slow machines find the same."""
SURE = 1e-6
"""How far below a whole number a bound may be and still be that number: solvers round."""


def solved(pairs: Any, size: int, exact: int) -> tuple[list[int], int]:
    """Return a largest set, in order, and an upper bound. See `worldquiz.tea.mir.independent`."""
    graph, kept = reduced(closed(pairs, size))
    chosen, bound = np.zeros(size, bool), 0
    for members in parts(graph):
        inside, limit = _part(graph[members][:, members], exact) if len(members) > 1 else ([0], 1)
        chosen[kept[members[inside]]] = True
        bound += limit
    return np.flatnonzero(chosen).tolist(), bound


def _part(graph: Graph, exact: int) -> tuple[list[int], int]:
    """Return a part's largest set as far as it is found, and a bound.

    Two quick answers often meet: vertices of low degree first, and a cover by cliques.
    """
    near = neighbours(graph)
    best, bound = filled(near, []), sum(1 for _ in cover(near))
    if len(best) == bound:
        return best, bound
    if len(near) > exact:
        best = searched(near, best)
    rows = program(near)
    if rows is not None:
        values, limit = proven(rows) if len(near) <= exact else relaxed(rows)
        other = filled(near, np.flatnonzero(values > 0.5).tolist())
        best, bound = max(best, other, key=len), min(bound, limit)
    return best, max(bound, len(best))


def closed(pairs: Any, size: int) -> Graph:
    """Return the graph of some pairs, each once, with each vertex as its own neighbour."""
    own = np.arange(size)
    rows = np.concatenate([pairs[:, 0], pairs[:, 1], own])
    columns = np.concatenate([pairs[:, 1], pairs[:, 0], own])
    ones = np.ones(len(rows), "int32")
    graph = sparse.coo_array((ones, (rows, columns)), shape=(size, size)).tocsr()
    graph.data[:] = 1
    return graph


def reduced(graph: Graph) -> tuple[Graph, Array]:
    """Return the graph without dominated vertices, and the number that each vertex had."""
    kept = np.arange(graph.shape[0])
    while True:
        alive = np.ones(graph.shape[0], bool)
        alive[_dominated(graph)] = False
        if alive.all():
            return graph, kept
        graph, kept = graph[alive][:, alive], kept[alive]


def _dominated(graph: Graph) -> Array:
    """Return vertices that others dominate; of twins, all but the first.

    Two vertices have as many common neighbours as the product of their rows says.
    """
    degree = graph.sum(axis=1)
    cost = graph @ degree.astype("int64")
    cheap = np.argsort(cost, kind="stable")
    cheap = cheap[np.cumsum(cost[cheap]) <= PRODUCTS]
    rows = graph[cheap]
    common = (rows @ graph).multiply(rows).tocoo()
    one, other = cheap[common.row], common.col
    inside = common.data == degree[one]
    first = (degree[one] < degree[other]) | (one < other)
    return other[inside & first]


def parts(graph: Graph) -> Iterator[Array]:
    """Yield the vertices of each connected part, those with few neighbours first."""
    many, label = csgraph.connected_components(graph, directed=False)
    order = np.lexsort((graph.sum(axis=1), label))
    ends = np.cumsum(np.bincount(label, minlength=many))
    for start, stop in zip([0, *ends.tolist()], ends.tolist(), strict=False):
        yield order[start:stop]


def neighbours(graph: Graph) -> list[int]:
    """Return the neighbours of each vertex, without itself, as the bits of a number."""
    size = graph.shape[0]
    found = []
    for v in range(size):
        row = np.zeros(size, bool)
        row[graph.indices[graph.indptr[v] : graph.indptr[v + 1]]] = True
        row[v] = False
        found.append(int.from_bytes(np.packbits(row, bitorder="little").tobytes(), "little"))
    return found


def filled(near: list[int], start: list[int]) -> list[int]:
    """Return a maximal independent set around an independent one: the first that fits, again."""
    found = list(start)
    free = (1 << len(near)) - 1
    for v in start:
        free &= ~(near[v] | 1 << v)
    while free:
        found.append(_lowest(free))
        free &= ~(near[found[-1]] | 1 << found[-1])
    return found


def searched(near: list[int], best: list[int]) -> list[int]:
    """Return an independent set at least as large: vertices forced in, and the rest filled anew.

    A set as large as the one before it is kept too, so the search does not stand still.
    """
    draw, now = rng.child(0, "mir", len(near)), best
    for _ in range(TURNS):
        v = draw.randrange(len(near))
        other = filled(near, [v, *(w for w in now if w != v and not near[v] >> w & 1)])
        if len(other) >= len(now):
            now = other
    return now


def _lowest(bits: int) -> int:
    return (bits & -bits).bit_length() - 1


def cover(near: list[int]) -> Iterator[list[int]]:
    """Yield cliques that have each vertex once: no independent set has more vertices than them."""
    left = (1 << len(near)) - 1
    while left:
        clique, fitting = [], left
        while fitting:
            clique.append(_lowest(fitting))
            fitting &= near[clique[-1]]
        left &= ~sum(1 << v for v in clique)
        yield clique


def cliques(near: list[int]) -> Iterator[list[int]]:
    """Yield maximal cliques that have every edge in one."""
    left = list(near)
    for v in range(len(near)):
        while left[v]:
            clique, fitting = [v], near[v]
            while fitting:
                clique.append(_lowest(fitting & left[v] or fitting))
                fitting &= near[clique[-1]]
            bits = ~sum(1 << w for w in clique)
            for w in clique:
                left[w] &= bits
            yield clique


def program(near: list[int]) -> Any:
    """Return cliques as the rows of a sparse matrix; None if they have above `MEMBERS` members."""
    members: list[int] = []
    starts = [0]
    for clique in cliques(near):
        members += clique
        starts.append(len(members))
        if len(members) > MEMBERS:
            return None
    shape = (len(starts) - 1, len(near))
    return sparse.csr_array((np.ones(len(members)), members, starts), shape=shape)


def relaxed(rows: Any) -> tuple[Array, int]:
    """Return each vertex's value in the program's relaxation, and a bound.

    The bound holds however badly the solver did: its prices of cliques are a fractional cover, and
    a vertex whose cliques cost less than 1 adds what it lacks.
    """
    many, size = rows.shape
    answer = optimize.linprog(-np.ones(size), A_ub=rows, b_ub=np.ones(many), bounds=(0, 1))
    good = answer.status == 0
    prices = np.maximum(0, -answer.ineqlin.marginals) if good else np.zeros(many)
    lacking = np.maximum(0, 1 - rows.T @ prices)
    return answer.x if good else np.zeros(size), int(prices.sum() + lacking.sum() + SURE)


def proven(rows: Any) -> tuple[Array, int]:
    """Return each vertex's value in whole numbers, all 0 if none were found, and a bound."""
    size = rows.shape[1]
    answer = optimize.milp(
        -np.ones(size),
        integrality=np.ones(size),
        bounds=optimize.Bounds(0, 1),
        constraints=optimize.LinearConstraint(rows, ub=1),
        options={"node_limit": NODES},
    )
    bound = size if answer.mip_dual_bound is None else int(-answer.mip_dual_bound + SURE)
    return np.zeros(size) if answer.x is None else answer.x.round(), bound
