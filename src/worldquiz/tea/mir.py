"""MIR: how much of a set of tasks repeats nothing (arXiv 2602.05249, equations 9-11).

Two tasks are alike if their similarity is above a threshold. The maximum independent ratio is the
size of the largest subset without two that are alike, over the size of the set. Each result comes
with its upper bound. The paper's threshold is lost in its text; so curves over the threshold are
what to compare.

*Reduction*: if v and all neighbours of v are u or neighbours of u, then u can go, since whoever
takes u may take v instead. This covers vertices with no or one neighbour, twins, and vertices whose
neighbours are all adjacent to each other (Fomin, Grandoni, Kratsch 2009). Tasks of one kind about
one thing form near-cliques, so little is left of most graphs.

*Solution*: the connected parts that are left are solved by HiGHS, with proof as far as it comes in
a fixed number of steps. Of a clique at most one vertex is chosen, so a program with every edge in
one of its cliques has the independent sets as its solutions in whole numbers.

Sets of neighbours are the bits of a number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from worldquiz.plugins import later

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Pairs = NDArray[numpy.integer[Any]]  # (m, 2): each pair once, lower number first
    Vectors = NDArray[numpy.float32]  # (n, d): rows of length 1; a sparse CSR array does as well

np = later("numpy", extra="tea")
optimize = later("scipy.optimize", extra="tea")
sparse = later("scipy.sparse", extra="tea")

ROUNDING = 1e-6
"""What two cosines may differ by and still be equal: they depend on how a machine adds."""
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
    Raises `ValueError` where modalities differ in length, and `MissingExtra`.
    """
    sizes = {each.shape[0] for each in modalities}
    if len(sizes) != 1:
        raise ValueError(f"modalities of {sorted(sizes)} tasks: give each every task's vector")
    total = np.float32(0)
    for each in modalities:
        like: Any = each @ each.T
        total = total + (like.toarray() if sparse.issparse(like) else like)
    pairs: Pairs = np.argwhere(np.triu(total > (threshold + ROUNDING) * len(modalities), 1))
    return pairs


def independent(pairs: Pairs, size: int) -> Independent:
    """Return a largest set of numbers 0..size-1 without a pair, part by part.

    The set is maximal: whatever is not in it is alike to one that is. Equal pairs in any order give
    equal sets. Raises `MissingExtra`.
    """
    near = [0] * size
    for one, two in pairs.tolist():
        if one != two:
            near[one] |= 1 << two
            near[two] |= 1 << one
    left, chosen, bound = _kept(near), list[int](), 0
    while left:
        part = fresh = left & -left
        while fresh:
            around = 0
            for v in _bits(fresh):
                around |= near[v]
            fresh = around & ~part
            part |= fresh
        left &= ~part
        members = sorted(_bits(part), key=lambda v: (near[v].bit_count(), v))
        place = {v: at for at, v in enumerate(members)}
        best, most = _solved([sum(1 << place[w] for w in _bits(near[v])) for v in members])
        chosen += [members[at] for at in best]
        bound += most
    return Independent(tuple(sorted(chosen)), bound, size)


def added(before: Independent, after: Independent, new: int) -> float | None:
    """Return MIR-e: the growth of the largest set by evolved tasks, over their number (eq. 11)."""
    return (len(after.chosen) - len(before.chosen)) / new if new else None


def _bits(number: int) -> Iterator[int]:
    while number:
        yield (number & -number).bit_length() - 1
        number &= number - 1


def _kept(near: list[int]) -> int:
    """Take away dominated vertices, of twins all but the first; return those that are left."""
    left, more = (1 << len(near)) - 1, True
    while more:
        more = False
        for v in _bits(left):
            own = near[v] | 1 << v
            for u in _bits(near[v]) if left >> v & 1 else ():
                if not own & ~(near[u] | 1 << u):
                    for w in _bits(near[u]):
                        near[w] &= ~(1 << u)
                    near[u] = 0
                    own, left, more = own & ~(1 << u), left & ~(1 << u), True
    return left


def _solved(near: list[int]) -> tuple[list[int], int]:
    """Return a connected part's largest set as far as it is found, and a bound.

    Two quick answers often meet: vertices of low degree first, and a cover by cliques.
    """
    size, left, bound = len(near), (1 << len(near)) - 1, 0
    while left:
        bound += 1
        for v in _clique(near, left):
            left &= ~(1 << v)
    best = _filled(near, [])
    if len(best) == bound:
        return best, bound
    cliques = list(_cliques(near))
    starts = np.cumsum([0, *map(len, cliques)])
    members = [v for clique in cliques for v in clique]
    rows = sparse.csr_array((np.ones(len(members)), members, starts), shape=(len(cliques), size))
    answer = optimize.milp(
        -np.ones(size), integrality=np.ones(size), bounds=optimize.Bounds(0, 1),
        constraints=optimize.LinearConstraint(rows, ub=1), options={"node_limit": NODES},
    )  # fmt: skip
    if answer.x is not None:
        best = max(best, _filled(near, np.flatnonzero(answer.x > 0.5).tolist()), key=len)
    if answer.mip_dual_bound is not None:
        bound = min(bound, int(-answer.mip_dual_bound + SURE))
    return best, max(bound, len(best))


def _filled(near: list[int], start: list[int]) -> list[int]:
    """Return a maximal independent set around an independent one: the first that fits, again."""
    found, free = list(start), (1 << len(near)) - 1
    for v in start:
        free &= ~(near[v] | 1 << v)
    while free:
        found.append(next(_bits(free)))
        free &= ~(near[found[-1]] | 1 << found[-1])
    return found


def _clique(near: list[int], fitting: int) -> Iterator[int]:
    """Yield a maximal clique within some vertices: the first that fits, again."""
    while fitting:
        v = next(_bits(fitting))
        yield v
        fitting &= near[v]


def _cliques(near: list[int]) -> Iterator[list[int]]:
    """Yield maximal cliques that have every edge in one."""
    left = list(near)
    for v in range(len(near)):
        while left[v]:
            clique, fitting = [v], near[v]
            while fitting:
                clique.append(next(_bits(fitting & left[v] or fitting)))
                fitting &= near[clique[-1]]
            for w in clique:
                for other in clique:
                    left[w] &= ~(1 << other)
            yield clique
