"""Covers of cliques: an independent set has at most one vertex of each, so few cliques bound it.

A cover is a colouring of the graph of who does not know whom. It is made by *iterated greedy*
(Culberson 1992): vertices go one by one to the first clique they fit; taken clique by clique in any
new order, they need no more cliques than before, and at times fewer.
"""

from __future__ import annotations

from worldquiz.tea.mir.numba_kernels import Array, Net, drawn, fast, np


def covered(graph: Net, rounds: int) -> Array:
    """Return for each vertex the number of its clique, counted from 0, none left out."""
    order = np.argsort(graph.degrees, kind="stable")
    seed = np.array([graph.size + 0x9E3779B97F4A7C15], "uint64")
    best: Array = _iterated(graph.first, graph.near, order, rounds, seed)
    return best


def grown(graph: Net, cover: Array) -> tuple[Array, Array]:
    """Return a cover's cliques made as large as they can be: members, and where each begins."""
    found: tuple[Array, Array] = _grown(graph.first, graph.near, cover, int(cover.max()) + 1)
    return found


def edges(graph: Net, most: int) -> tuple[Array, Array]:
    """Return largest cliques that have every edge in one: members, and where each begins.

    Stops once they have more than `most` members.
    """
    found: tuple[Array, Array] = _edges(graph.first, graph.near, most)
    return found


@fast
def _iterated(first: Array, near: Array, order: Array, rounds: int, seed: Array) -> Array:
    size = len(order)
    clique, best = np.full(size, -1, np.int32), np.zeros(size, np.int32)
    met, members = np.zeros(size + 1, np.int64), np.zeros(size + 1, np.int64)
    fewest = size + 1
    for turn in range(rounds):
        many = _greedily(first, near, order, clique, met, members)
        if many < fewest:
            best[:] = clique
            fewest = many
        key = np.empty(many, np.int64)
        for each in range(many):
            if turn % 4 == 1:
                key[each] = members[each]
            elif turn % 4 == 2:
                key[each] = drawn(seed, 1 << 40)
            elif turn % 4 == 3:
                key[each] = -members[each]
            else:
                key[each] = -each
        place = np.zeros(many, np.int64)
        total = 0
        for each in np.argsort(key, kind="mergesort"):
            place[each] = total
            total += members[each]
        for v in range(size):
            order[place[clique[v]]] = v
            place[clique[v]] += 1
    return best


@fast
def _greedily(
    first: Array, near: Array, order: Array, clique: Array, met: Array, members: Array
) -> int:
    """Have each vertex, in an order, go to the first clique it fits; return how many there are."""
    clique[:] = -1
    members[:] = 0
    many = 0
    for v in order:
        for at in range(first[v], first[v + 1]):
            if clique[near[at]] >= 0:
                met[clique[near[at]]] += 1
        fits = many
        for at in range(first[v], first[v + 1]):
            each = clique[near[at]]
            if each >= 0 and met[each] == members[each]:
                fits = min(fits, each)
        for at in range(first[v], first[v + 1]):
            if clique[near[at]] >= 0:
                met[clique[near[at]]] = 0
        clique[v] = fits
        members[fits] += 1
        many = max(many, fits + 1)
    return many


@fast
def _marked(first: Array, near: Array, v: int, mark: Array, value: int) -> None:
    for at in range(first[v], first[v + 1]):
        mark[near[at]] = value


@fast
def _fitting(first: Array, near: Array, clique: Array, many: int, room: Array, mark: Array) -> int:
    """Write into `room` who knows all of a clique; return how many do."""
    for at in range(many):
        for place in range(first[clique[at]], first[clique[at] + 1]):
            mark[near[place]] += 1
    left = 0
    for place in range(first[clique[0]], first[clique[0] + 1]):
        if mark[near[place]] == many:
            room[left] = near[place]
            left += 1
    for at in range(many):
        _marked(first, near, clique[at], mark, 0)
    return left


@fast
def _grow(first: Array, near: Array, clique: Array, many: int, room: Array, mark: Array) -> int:
    """Add to a clique who knows all of it, the best known first; return its size then.

    `mark` is all 0, before and after; `room` is to work in.
    """
    left = _fitting(first, near, clique, many, room, mark)
    while left > 0:
        best = room[0]
        for at in range(1, left):
            if first[room[at] + 1] - first[room[at]] > first[best + 1] - first[best]:
                best = room[at]
        clique[many] = best
        many += 1
        _marked(first, near, best, mark, 1)
        kept = 0
        for at in range(left):
            if mark[room[at]] == 1:
                room[kept] = room[at]
                kept += 1
        left = kept
        _marked(first, near, best, mark, 0)
    return many


@fast
def _longer(flat: Array, used: int, more: int) -> Array:
    if used + more <= len(flat):
        return flat
    longer = np.empty(2 * (used + more), np.int32)
    longer[:used] = flat[:used]
    return longer


@fast
def _grown(first: Array, near: Array, cover: Array, many: int) -> tuple[Array, Array]:
    size = len(cover)
    members = np.argsort(cover, kind="mergesort")
    starts = np.zeros(many + 1, np.int64)
    flat, used, at = np.empty(size + 16, np.int32), 0, 0
    clique, room, mark = (
        np.empty(size, np.int64),
        np.empty(size, np.int64),
        np.zeros(size, np.int64),
    )
    for each in range(many):
        length = 0
        while at < size and cover[members[at]] == each:
            clique[length] = members[at]
            length += 1
            at += 1
        length = _grow(first, near, clique, length, room, mark)
        flat = _longer(flat, used, length)
        flat[used : used + length] = clique[:length]
        used += length
        starts[each + 1] = used
    return flat[:used].copy(), starts


@fast
def _edges(first: Array, near: Array, most: int) -> tuple[Array, Array]:
    size = len(first) - 1
    done = np.zeros(len(near), np.bool_)
    starts, many = np.zeros(len(near) // 2 + 1, np.int64), 0
    flat, used = np.empty(len(near) + 16, np.int32), 0
    clique, room, mark = (
        np.empty(size, np.int64),
        np.empty(size, np.int64),
        np.zeros(size, np.int64),
    )
    for v in range(size):
        for at in range(first[v], first[v + 1]):
            if near[at] < v or done[at]:
                continue
            clique[0], clique[1] = v, near[at]
            length = _grow(first, near, clique, 2, room, mark)
            for place in range(length):
                mark[clique[place]] = 1
            for place in range(length):
                for other in range(first[clique[place]], first[clique[place] + 1]):
                    if mark[near[other]] == 1:
                        done[other] = True
            for place in range(length):
                mark[clique[place]] = 0
            flat = _longer(flat, used, length)
            flat[used : used + length] = clique[:length]
            used += length
            many += 1
            starts[many] = used
            if used > most:
                return flat[:used].copy(), starts[: many + 1].copy()
    return flat[:used].copy(), starts[: many + 1].copy()
