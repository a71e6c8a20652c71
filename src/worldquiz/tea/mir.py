"""MIR: how much of a set of tasks repeats nothing (arXiv 2602.05249, equations 9-11).

Two tasks are alike if their similarity is above a threshold. The maximum independent ratio is the
size of the largest subset without two that are alike, over the size of the set. Each result comes
with its upper bound. The paper's threshold is lost in its text; so curves over the threshold are
what to compare.

*Likeness*: every pair is looked at, but nothing is multiplied twice. Tasks share views, labels and
often commands, so each modality has far fewer rows than tasks. The products of a block of those
rows with all others are made by BLAS; a pair of tasks then costs one look-up for each modality.

*Reduction*: if v and all neighbours of v are u or neighbours of u, then u can go, since whoever
takes u may take v instead. This covers vertices with no or one neighbour, twins, and vertices whose
neighbours are all adjacent to each other (Fomin, Grandoni, Kratsch 2009). Tasks of one kind about
one thing form near-cliques, so little is left of most graphs.

*Solution*: the connected parts that are left are solved with proof by HiGHS, or searched and
bounded where they are too large for that. Of a clique at most one vertex is chosen. A program with
every edge in one of its cliques has the independent sets as its solutions in whole numbers, and its
relaxation bounds them well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from worldquiz import rng
from worldquiz.extras import later

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Pairs = NDArray[numpy.integer[Any]]  # (m, 2): each pair once, lower number first
    Vectors = NDArray[numpy.float32]  # (n, d): rows of length 1; a sparse CSR array does as well

np = later("numpy", extra="tea")
optimize = later("scipy.optimize", extra="tea")
sparse = later("scipy.sparse", extra="tea")
csgraph = later("scipy.sparse.csgraph", extra="tea")
Array = Any
"""A NumPy array."""
Graph = Any
"""A symmetric sparse matrix of 0 and 1 in which each vertex is its own neighbour."""

EXACT = 400
"""Tasks of a part, after the reduction, up to which the solver is asked for a proof."""
ROOM = 1 << 24
"""Similarities that are held at once: 64 MiB of 32-bit floats."""
ROUNDING = 1e-6
"""What two cosines may differ by and still be equal: they depend on how a machine adds."""
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


@dataclass(frozen=True, slots=True)
class Independent:
    """A largest set of tasks without two that are alike, as far as it was found."""

    chosen: tuple[int, ...]  # in order
    bound: int  # no set can be larger
    of: int  # tasks in all

    @property
    def optimal(self) -> bool:
        """True if it is proven that no larger set exists."""
        return len(self.chosen) == self.bound

    @property
    def ratio(self) -> float | None:
        """MIR; None for an empty set of tasks."""
        return len(self.chosen) / self.of if self.of else None

    def record(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "tasks": self.of,
            "independent": len(self.chosen),
            "bound": self.bound,
            "optimal": self.optimal,
            "mir": self.ratio,
        }


def alike(modalities: Sequence[Vectors], threshold: float) -> Pairs:
    """Return the pairs of tasks whose similarity is above a threshold, in order.

    Similarity is the mean over modalities of the cosine of the tasks' embeddings (equation 8).
    Every pair is looked at, but rows that many tasks share are multiplied once. Memory grows with
    the pairs found. Raises `ValueError` where modalities differ in length, and `MissingExtra`.
    """
    sizes = {each.shape[0] for each in modalities}
    if len(sizes) != 1:
        raise ValueError(f"modalities of {sorted(sizes)} tasks: give each every task's vector")
    size = sizes.pop()
    parts = [distinct(each) for each in modalities]
    limit = np.float32((threshold + ROUNDING) * len(parts))
    index = np.stack([places for _, places in parts])
    step = max(16, ROOM // max(1, size))
    rows = [rows for rows, _ in parts]
    blocks = (_block(rows, index, start, step, limit) for start in range(0, size, step))
    found: Pairs = np.concatenate([np.empty((0, 2), "int32"), *blocks])
    return found


def independent(pairs: Pairs, size: int, *, exact: int = EXACT) -> Independent:
    """Return a largest set of numbers 0..size-1 without a pair, part by part.

    The set is maximal: whatever is not in it is alike to one that is. Parts of up to `exact` are
    solved with proof as far as the solver comes in a fixed number of steps; larger ones by search.
    Equal pairs in any order give equal sets. Raises `MissingExtra`.
    """
    graph, kept = reduced(closed(pairs, size))
    chosen, bound = np.zeros(size, bool), 0
    for members in parts(graph):
        inside, limit = _part(graph[members][:, members], exact) if len(members) > 1 else ([0], 1)
        chosen[kept[members[inside]]] = True
        bound += limit
    return Independent(tuple(np.flatnonzero(chosen).tolist()), bound, size)


def added(before: Independent, after: Independent, new: int) -> float | None:
    """Return MIR-e: the growth of the largest set by evolved tasks, over their number (eq. 11)."""
    return (len(after.chosen) - len(before.chosen)) / new if new else None


def distinct(vectors: Any) -> tuple[Array, Array]:
    """Return the rows that differ, and for each task which of them is its own."""
    if sparse.issparse(vectors):
        return _distinct_sparse(vectors)
    rows = np.ascontiguousarray(vectors, "float32") + np.float32(0)  # no minus zero
    keys = rows.view([("", f"V{rows.shape[1] * rows.itemsize}")]).ravel()
    _, first, places = np.unique(keys, return_index=True, return_inverse=True)
    return rows[first], places.astype("int32")


def _distinct_sparse(vectors: Any) -> tuple[Array, Array]:
    matrix = vectors.tocsr().astype("float32")
    matrix.sum_duplicates()
    seen: dict[bytes, int] = {}
    first: list[int] = []
    places = np.empty(matrix.shape[0], "int32")
    for row, (start, stop) in enumerate(zip(matrix.indptr, matrix.indptr[1:], strict=False)):
        key = matrix.indices[start:stop].tobytes() + matrix.data[start:stop].tobytes()
        if key not in seen:
            seen[key] = len(first)
            first.append(row)
        places[row] = seen[key]
    return matrix[first].toarray(), places


def _block(rows: Sequence[Array], index: Array, start: int, step: int, limit: Any) -> Array:
    """Return the pairs whose lower number is in a block."""
    total = np.float32(0)
    for each, places in zip(rows, index, strict=True):
        own, local = np.unique(places[start : start + step], return_inverse=True)
        total = total + (each[own] @ each.T).take(places[start:], axis=1)[local]
    lower, higher = np.nonzero(total > limit)
    later = higher > lower
    return (np.stack([lower[later], higher[later]], axis=1) + start).astype("int32")


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
