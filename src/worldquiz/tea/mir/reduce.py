"""Rules that make a graph smaller and lose nothing of its largest independent set.

*Domination*: where all that v knows, v included, u knows too, u can go: whoever takes u may take v
instead. This covers vertices with no or one neighbour, twins, and those whose neighbours all know
each other (Fomin, Grandoni, Kratsch 2009). *Folding*: a vertex with two neighbours that do not know
each other and these two become one vertex; where it is chosen both neighbours are, else their
middle is (Chen, Kanj, Jia 2001). Both are repeated until neither finds anything.
"""

from __future__ import annotations

from dataclasses import dataclass

from worldquiz.tea.mir.numba_kernels import Array, Net, fast, net, np


@dataclass(frozen=True, slots=True)
class Step:
    """What leads back from a smaller graph to the one before it."""

    kept: Array  # for each vertex, which one it was; for a folded one, the middle
    folds: Array  # (many, 3): middle and its two neighbours, as they were
    size: int  # vertices before

    def undone(self, chosen: Array) -> Array:
        """Return which vertices were chosen before the step, as truths."""
        before = np.zeros(self.size, "bool")
        before[self.kept[chosen]] = True
        middle, one, other = self.folds.T
        both = before[middle]
        before[one] = before[other] = both
        before[middle] = ~both
        return before


def reduced(graph: Net) -> tuple[Net, list[Step]]:
    """Return what no rule makes smaller, and the steps that led there.

    Each fold stands for one chosen vertex more than the smaller graph has.
    """
    steps: list[Step] = []
    while True:
        alive, degree = np.ones(graph.size, "bool"), graph.degrees
        _dominated(graph.first, graph.near, alive, degree)
        folds = _folds(graph.first, graph.near, alive, degree)
        label = np.arange(graph.size, dtype="int32")
        label[folds[:, 1]] = label[folds[:, 2]] = folds[:, 0]
        kept = np.flatnonzero(alive & (label == np.arange(graph.size)))
        steps.append(Step(kept, folds, graph.size))
        graph = _smaller(graph, alive, label, kept)
        if not len(folds):
            return graph, steps


def _smaller(graph: Net, alive: Array, label: Array, kept: Array) -> Net:
    new = np.zeros(graph.size, "int32")
    new[kept] = np.arange(len(kept))
    left = np.repeat(np.arange(graph.size, dtype="int32"), graph.degrees)
    both = (left < graph.near) & alive[left] & alive[graph.near]
    return net(new[label[left[both]]], new[label[graph.near[both]]], len(kept))


@fast
def _dominated(first: Array, near: Array, alive: Array, degree: Array) -> None:
    """Remove whoever is dominated, the last first, until nobody is."""
    size = len(alive)
    mark = np.zeros(size, np.int64)
    shrunk = np.zeros(size, np.int64)  # in which turn a vertex last lost a neighbour
    turn, gone, stamp = 0, 1, 0
    while gone > 0:
        turn += 1
        gone = 0
        for u in range(size - 1, -1, -1):
            if not alive[u]:
                continue
            stamp += 1
            mark[u] = stamp
            for at in range(first[u], first[u + 1]):
                mark[near[at]] = stamp
            if _dominates(u, first, near, alive, degree, mark, shrunk, turn - 1):
                gone += 1
                alive[u] = False
                for at in range(first[u], first[u + 1]):
                    degree[near[at]] -= 1
                    shrunk[near[at]] = turn


@fast
def _dominates(
    u: int, first: Array, near: Array, alive: Array, degree: Array, mark: Array, shrunk: Array,
    since: int,
) -> bool:  # fmt: skip
    """Tell whether all that some neighbour knows is marked as known by u."""
    stamp = mark[u]
    for at in range(first[u], first[u + 1]):
        v = near[at]
        if not alive[v] or shrunk[v] < since or degree[v] > degree[u]:
            continue
        inside = True
        for other in range(first[v], first[v + 1]):
            if alive[near[other]] and mark[near[other]] != stamp:
                inside = False
                break
        if inside:
            return True
    return False


@fast
def _folds(first: Array, near: Array, alive: Array, degree: Array) -> Array:
    """Return vertices with two neighbours, and these; no vertex is in two rows.

    Nobody may be dominated any more: so the two neighbours do not know each other.
    """
    used = np.zeros(len(alive), np.bool_)
    rows = np.empty((len(alive) // 3 + 1, 3), np.int32)
    many = 0
    for v in range(len(alive)):
        if not alive[v] or degree[v] != 2 or used[v]:
            continue
        place = 1
        for at in range(first[v], first[v + 1]):
            if alive[near[at]]:
                rows[many, place] = near[at]
                place += 1
        one, other = rows[many, 1], rows[many, 2]
        if not used[one] and not used[other]:
            used[v] = used[one] = used[other] = True
            rows[many, 0] = v
            many += 1
    return rows[:many].copy()
