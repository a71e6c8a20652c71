"""MIR: how much of a set of tasks repeats nothing (arXiv 2602.05249, equations 9-11).

Two tasks are alike if their similarity is above a threshold. The maximum independent ratio is the
size of the largest subset without two that are alike, over the size of the set. It is computed
exactly with proof where a solver can (small components of the graph of likeness), else by a greedy
start and local search, and stands beside an upper bound: never a guess without its bound.

The paper's threshold is lost in its text; so curves over the threshold are what to compare.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from worldquiz.errors import MissingExtra

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Pairs = NDArray[np.int64]  # (m, 2): each pair once, lower number first
    Vectors = NDArray[np.float32]  # (n, d): rows of length 1

EXACT = 400
"""Tasks of a component up to which the solver is asked for a proof."""
NODES = 2000
"""Nodes that the solver may branch on for one component. No time: a slow machine finds the same."""
BLOCK = 2048
"""Rows of likeness that are computed at once."""


@dataclass(frozen=True, slots=True)
class Independent:
    """A largest set of tasks without two that are alike, as far as it was found."""

    chosen: tuple[int, ...]  # in order
    bound: int  # no set can be larger
    of: int  # tasks in all

    @property
    def optimal(self) -> bool:
        """Whether it is proven that no larger set exists."""
        return len(self.chosen) == self.bound

    @property
    def ratio(self) -> float | None:
        """MIR; None for an empty set of tasks."""
        return len(self.chosen) / self.of if self.of else None


def alike(modalities: Sequence[Vectors], threshold: float) -> Pairs:
    """Return the pairs of tasks whose similarity is above a threshold.

    Similarity is the mean over modalities of the cosine of the tasks' embeddings (equation 8).
    Time grows with the square of the tasks, memory with the pairs found.
    """
    numpy = _numpy()
    sizes = {len(vectors) for vectors in modalities}
    if len(sizes) != 1:
        raise ValueError(f"modalities of {sorted(sizes)} tasks: give each every task's vector")
    size, found = sizes.pop(), []
    for start in range(0, size, BLOCK):
        rows = slice(start, start + BLOCK)
        total = sum(vectors[rows] @ vectors[start:].T for vectors in modalities)
        left, right = numpy.nonzero(numpy.triu(total > threshold * len(modalities), 1))
        found.append(numpy.stack([left + start, right + start], axis=1))
    pairs: Pairs = numpy.concatenate([numpy.empty((0, 2), "int64"), *found]).astype("int64")
    return pairs


def independent(pairs: Pairs, size: int, *, exact: int = EXACT) -> Independent:
    """Return a largest set of numbers 0..size-1 without a pair, component by component.

    Components of up to `exact` are solved with proof; larger ones by search, and bounded by a
    cover of cliques. Equal pairs in any order give equal sets.
    """
    chosen: list[int] = []
    bound = 0
    for members, inner in _components(pairs, size):
        part, limit = _solved(members, inner, exact)
        chosen += part
        bound += limit
    return Independent(tuple(sorted(chosen)), bound, size)


def added(before: Independent, after: Independent, new: int) -> float | None:
    """Return MIR-e: what evolved tasks add to the largest set, over how many they are (eq. 11)."""
    return (len(after.chosen) - len(before.chosen)) / new if new else None


def _components(pairs: Pairs, size: int) -> list[tuple[list[int], list[set[int]]]]:
    """Return each component as its members and, by place among them, their neighbours."""
    numpy = _numpy()
    try:
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components
    except ImportError as error:
        raise MissingExtra("scipy", "scene") from error
    ones = numpy.ones(len(pairs), "int8")
    net = coo_array((ones, (pairs[:, 0], pairs[:, 1])), shape=(size, size))
    _, label = connected_components(net, directed=False)
    groups: dict[int, list[int]] = {}
    for number, group in enumerate(label.tolist()):
        groups.setdefault(group, []).append(number)
    place = {number: at for members in groups.values() for at, number in enumerate(members)}
    found: dict[int, list[set[int]]] = {
        group: [set() for _ in members] for group, members in groups.items()
    }
    for left, right in pairs.tolist():
        inner = found[int(label[left])]
        inner[place[left]].add(place[right])
        inner[place[right]].add(place[left])
    return [(groups[group], found[group]) for group in groups]


def _solved(members: list[int], near: list[set[int]], exact: int) -> tuple[list[int], int]:
    """Return a component's largest independent set, and a bound."""
    greedy = _improved(near, _greedy(near))
    cliques = _cliques(near)
    if len(greedy) == len(cliques):
        return [members[at] for at in sorted(greedy)], len(cliques)
    if len(members) <= exact:
        best, bound = _proven(near, cliques)
        if len(best) > len(greedy):
            greedy = best
        return [members[at] for at in sorted(greedy)], max(min(bound, len(cliques)), len(greedy))
    return [members[at] for at in sorted(greedy)], len(cliques)


def _greedy(near: list[set[int]]) -> set[int]:
    """Take whoever has the fewest neighbours left, again and again; ties by number."""
    import heapq

    left = {at: len(some) for at, some in enumerate(near)}
    heap = [(degree, at) for at, degree in left.items()]
    heapq.heapify(heap)
    chosen: set[int] = set()
    while heap:
        degree, at = heapq.heappop(heap)
        if left.get(at) != degree:
            continue
        chosen.add(at)
        gone = [at, *(other for other in sorted(near[at]) if other in left)]
        for each in gone:
            left.pop(each, None)
        for each in gone:
            for other in sorted(near[each]):
                if other in left:
                    left[other] -= 1
                    heapq.heappush(heap, (left[other], other))
    return chosen


def _improved(near: list[set[int]], chosen: set[int]) -> set[int]:
    """Exchange one that is chosen for two that only it keeps out, while there is such a one."""
    chosen = set(chosen)
    holds = [len(some & chosen) for some in near]
    todo = sorted(chosen)
    while todo:
        at = todo.pop()
        if at not in chosen:
            continue
        free = sorted(other for other in near[at] if holds[other] == 1 and other not in chosen)
        pair = next(
            ((a, b) for n, a in enumerate(free) for b in free[n + 1 :] if b not in near[a]), None
        )
        if pair is None:
            continue
        for out, step in ((at, -1), (pair[0], 1), (pair[1], 1)):
            (chosen.remove if step < 0 else chosen.add)(out)
            for other in near[out]:
                holds[other] += step
        todo += [*pair, *sorted(other for other in near[at] if other in chosen)]
    return chosen


def _cliques(near: list[set[int]]) -> list[list[int]]:
    """Cover everything with cliques, greedily: an independent set has at most one of each."""
    order = sorted(range(len(near)), key=lambda at: (len(near[at]), at))
    left = set(order)
    found = []
    for at in order:
        if at not in left:
            continue
        clique = [at]
        common = near[at] & left
        while common:
            best = min(common, key=lambda other: (len(near[other]), other))
            clique.append(best)
            common = common & near[best]
        left.difference_update(clique)
        found.append(clique)
    return found


def _proven(near: list[set[int]], cliques: list[list[int]]) -> tuple[set[int], int]:
    """Solve a component as an integer program; return what was found, and the solver's bound."""
    import numpy
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    rows = [clique for clique in cliques if len(clique) > 1]
    covered = {(a, b) for clique in rows for a in clique for b in clique}
    rows += [
        [a, b]
        for a, some in enumerate(near)
        for b in sorted(some)
        if a < b and (a, b) not in covered
    ]
    data = numpy.ones(sum(map(len, rows)))
    indptr = numpy.cumsum([0, *map(len, rows)])
    indices = numpy.concatenate([numpy.array(row) for row in rows])
    matrix = csr_array((data, indices, indptr), shape=(len(rows), len(near)))
    answer: Any = milp(
        -numpy.ones(len(near)),
        integrality=numpy.ones(len(near)),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(matrix, ub=1),
        options={"node_limit": NODES},
    )
    bound = len(cliques) if answer.mip_dual_bound is None else int(-answer.mip_dual_bound + 1e-6)
    if answer.x is None:
        return set(), bound
    return {at for at, share in enumerate(answer.x) if share > 0.5}, bound


def _numpy() -> Any:
    try:
        import numpy
    except ImportError as error:
        raise MissingExtra("numpy", "scene") from error
    return numpy
