"""A large independent set: whoever has the fewest neighbours first, then exchanges one for two.

The search is that of Andrade, Resende and Werneck (2012): where one vertex can make room for two it
does; where none can, one that is outside is forced in and the exchanges go on from there; what
grows smaller by it is taken back, but for a small chance. It ends after a fixed amount of work,
counted in neighbours looked at: a slow machine finds the same.
"""

from __future__ import annotations

from typing import NamedTuple

from worldquiz.tea.mir.numba_kernels import Array, Net, drawn, fast, np

SIZE, LOGGED, TODO, WORK, TIME = range(5)
"""Places of `State.counts`: vertices chosen, lengths of `log` and `todo`, work done, turn."""


class State(NamedTuple):
    """A search under way; `_put` and `_take` keep it whole."""

    first: Array
    near: Array
    chosen: Array  # truths
    tight: Array  # how many chosen neighbours a vertex has
    left: Array  # in which turn a vertex was last thrown out
    todo: Array  # chosen vertices to try an exchange at
    waiting: Array  # which ones are in `todo`
    log: Array  # what was put (v) and taken (-1 - v) in this turn
    mark: Array
    room: Array  # to work in
    counts: Array


def searched(graph: Net, work: int) -> Array:
    """Return an independent set that is maximal, as truths. `work` bounds the search."""
    state = _started(graph)
    _greedy(graph.first, graph.near, graph.degrees, state)
    best = state.chosen.copy()
    if graph.size > 1:
        _search(state, best, work, np.array([graph.size + 0x9E3779B97F4A7C15], "uint64"))
    return best


def _started(graph: Net) -> State:
    size = graph.size
    whole = (np.zeros(size, "int64") for _ in range(4))
    tight, left, todo, room = whole
    log, mark = np.zeros(8 * size + 64, "int64"), np.full(size, -1, "int64")
    flags = np.zeros(size, "bool"), np.zeros(size, "bool")
    counts = np.zeros(5, "int64")
    return State(
        graph.first, graph.near, flags[0], tight, left, todo, flags[1], log, mark, room, counts
    )


@fast
def _put(state: State, v: int) -> None:
    state.chosen[v] = True
    state.counts[SIZE] += 1
    for at in range(state.first[v], state.first[v + 1]):
        state.tight[state.near[at]] += 1
    state.counts[WORK] += state.first[v + 1] - state.first[v]
    if state.counts[LOGGED] < len(state.log):
        state.log[state.counts[LOGGED]] = v
    state.counts[LOGGED] += 1


@fast
def _take(state: State, v: int) -> None:
    state.chosen[v] = False
    state.counts[SIZE] -= 1
    for at in range(state.first[v], state.first[v + 1]):
        state.tight[state.near[at]] -= 1
    state.counts[WORK] += state.first[v + 1] - state.first[v]
    if state.counts[LOGGED] < len(state.log):
        state.log[state.counts[LOGGED]] = -1 - v
    state.counts[LOGGED] += 1


@fast
def _wait(state: State, v: int) -> None:
    if not state.waiting[v]:
        state.waiting[v] = True
        state.todo[state.counts[TODO]] = v
        state.counts[TODO] += 1


@fast
def _fill(state: State, x: int) -> None:
    """Choose the free neighbours of one that was thrown out; have those who hold others wait."""
    for at in range(state.first[x], state.first[x + 1]):
        v = state.near[at]
        if state.tight[v] == 0 and not state.chosen[v]:
            _put(state, v)
            _wait(state, v)
    for at in range(state.first[x], state.first[x + 1]):
        v = state.near[at]
        if state.tight[v] == 1 and not state.chosen[v]:
            for other in range(state.first[v], state.first[v + 1]):
                state.counts[WORK] += 1
                if state.chosen[state.near[other]]:
                    _wait(state, state.near[other])
                    break


@fast
def _exchange(state: State, x: int) -> None:
    """Exchange a chosen vertex for two that only it keeps out and that do not know each other."""
    many = 0
    for at in range(state.first[x], state.first[x + 1]):
        if state.tight[state.near[at]] == 1:
            state.room[many] = state.near[at]
            many += 1
    state.counts[WORK] += state.first[x + 1] - state.first[x]
    for one in range(many - 1):
        v = state.room[one]
        for at in range(state.first[v], state.first[v + 1]):
            state.mark[state.near[at]] = v
        state.counts[WORK] += state.first[v + 1] - state.first[v]
        for other in range(one + 1, many):
            w = state.room[other]
            if state.mark[w] != v:
                _take(state, x)
                state.left[x] = state.counts[TIME]
                _put(state, v)
                _put(state, w)
                _wait(state, v)
                _wait(state, w)
                _fill(state, x)
                return


@fast
def _settle(state: State) -> None:
    """Exchange until nobody waits."""
    while state.counts[TODO] > 0:
        state.counts[TODO] -= 1
        x = state.todo[state.counts[TODO]]
        state.waiting[x] = False
        if state.chosen[x]:
            _exchange(state, x)


@fast
def _force(state: State, v: int) -> None:
    """Choose a vertex from outside, and throw its chosen neighbours out."""
    many = 0
    for at in range(state.first[v], state.first[v + 1]):
        x = state.near[at]
        if state.chosen[x]:
            _take(state, x)
            state.left[x] = state.counts[TIME]
            state.room[many] = x
            many += 1
    _put(state, v)
    _wait(state, v)
    for at in range(many):
        _fill(state, state.room[at])


@fast
def _outside(state: State, seed: Array) -> int:
    """Return of some that are outside the one that has been so for the longest, -1 if none."""
    found = -1
    for _ in range(16):
        v = drawn(seed, len(state.chosen))
        if not state.chosen[v] and (found < 0 or state.left[v] < state.left[found]):
            found = v
    return found


@fast
def _back(state: State) -> None:
    """Take back what was done in this turn."""
    for at in range(state.counts[LOGGED] - 1, -1, -1):
        v = state.log[at]
        if v < 0:
            _put(state, -1 - v)
        else:
            _take(state, v)


@fast
def _search(state: State, best: Array, work: int, seed: Array) -> None:
    """Search until the work is done; leave in `best` the largest set found."""
    for v in range(len(best)):
        if state.chosen[v]:
            _wait(state, v)
    state.counts[WORK] = 0
    most = base = state.counts[SIZE]
    while True:
        _settle(state)
        size = state.counts[SIZE]
        if size > most:
            most = size
            best[:] = state.chosen
        lost = (base - size) * (most - size)
        if size < base and state.counts[LOGGED] <= len(state.log) and drawn(seed, 1 + lost) > 0:
            _back(state)
        state.counts[LOGGED] = 0
        base = state.counts[SIZE]
        if state.counts[WORK] >= work:
            return
        state.counts[TIME] += 1
        v = _outside(state, seed)
        if v >= 0:
            _force(state, v)
        state.counts[WORK] += 16


@fast
def _greedy(first: Array, near: Array, degree: Array, state: State) -> None:
    """Choose whoever has the fewest neighbours left, again and again; ties by who came last.

    Those that have as many left are chained: `head` has the first of each degree.
    """
    highest = 0
    for v in range(len(degree)):
        highest = max(highest, degree[v])
    head = np.full(highest + 1, -1, np.int64)
    after, before = np.full(len(degree), -1, np.int64), np.full(len(degree), -1, np.int64)
    for v in range(len(degree) - 1, -1, -1):
        _link(v, degree[v], head, after, before)
    gone = np.zeros(len(degree), np.bool_)
    low = 0
    while low <= highest:
        v = head[low]
        if v < 0:
            low += 1
            continue
        _put(state, v)
        gone[v] = True
        _unlink(v, low, head, after, before)
        low = _cleared(v, low, first, near, degree, gone, state.room, head, after, before)


@fast
def _cleared(
    v: int, low: int, first: Array, near: Array, degree: Array, gone: Array, room: Array,
    head: Array, after: Array, before: Array,
) -> int:  # fmt: skip
    """Take the neighbours of one that was chosen away; return the lowest degree there may be."""
    many = 0
    for at in range(first[v], first[v + 1]):
        u = near[at]
        if not gone[u]:
            gone[u] = True
            _unlink(u, degree[u], head, after, before)
            room[many] = u
            many += 1
    for place in range(many):
        for at in range(first[room[place]], first[room[place] + 1]):
            w = near[at]
            if not gone[w]:
                _unlink(w, degree[w], head, after, before)
                degree[w] -= 1
                _link(w, degree[w], head, after, before)
                low = min(low, degree[w])
    return low


@fast
def _link(v: int, degree: int, head: Array, after: Array, before: Array) -> None:
    after[v] = head[degree]
    before[v] = -1
    if head[degree] >= 0:
        before[head[degree]] = v
    head[degree] = v


@fast
def _unlink(v: int, degree: int, head: Array, after: Array, before: Array) -> None:
    if before[v] >= 0:
        after[before[v]] = after[v]
    else:
        head[degree] = after[v]
    if after[v] >= 0:
        before[after[v]] = before[v]
