"""Set cover: few tasks whose signatures hold every target.

`greedy` is Algorithm 1 of the Task2Quiz paper (arXiv 2601.09503): it repeats taking the task that
covers most weight not yet covered. `exact` finds the least number of tasks there is, so that one
knows how far off greedy is. Neither depends on the order of its input: ties break by cost, then id.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from worldquiz.extras import need

TIME_LIMIT = 60.0

Signatures = Mapping[str, frozenset[str]]
"""What each task covers, by the task's id."""


@dataclass(frozen=True, slots=True)
class Cover:
    """A cover by as few tasks as could be found."""

    tasks: tuple[str, ...]  # sorted
    optimal: bool  # no cover has fewer tasks
    bound: int  # every cover has at least so many tasks
    missing: tuple[str, ...]  # targets that no task covers, sorted

    def gap(self, tasks: Collection[str]) -> int:
        """Return how many tasks more than the proven least another cover has, at most."""
        return len(tasks) - self.bound


def greedy(
    universe: Mapping[str, float],
    signatures: Signatures,
    *,
    cost: Mapping[str, int] | None = None,
) -> tuple[str, ...]:
    """Return tasks in the order taken: each covers the most weight left uncovered (Algorithm 1).

    `universe` gives each target's weight. Equal gains go to the lower cost, then to the lower id.
    Ends when nothing that any task covers is left. Raises `ValueError` on a weight that is not
    positive.
    """
    _check(universe)
    left = set(universe)

    def gain(task: str) -> float:
        return math.fsum(universe[name] for name in signatures[task] & left)

    heap = [(-gain(task), (cost or {}).get(task, 0), task) for task in signatures]
    heapq.heapify(heap)
    chosen: list[str] = []
    while heap and heap[0][0] < 0:
        before, price, task = heapq.heappop(heap)
        now = -gain(task)
        if now != before:  # gains only shrink, so a stale entry merely stands too early
            heapq.heappush(heap, (now, price, task))
            continue
        chosen.append(task)
        left -= signatures[task]
    return tuple(chosen)


def uncovered(universe: Collection[str], signatures: Signatures) -> tuple[str, ...]:
    """Return the targets that no task covers, sorted."""
    return tuple(sorted(set(universe).difference(*signatures.values())))


def exact(
    universe: Mapping[str, float],
    signatures: Signatures,
    *,
    cost: Mapping[str, int] | None = None,
    time_limit: float = TIME_LIMIT,
) -> Cover:
    """Return a cover by the least number of tasks, and of those one of the least cost.

    Weights do not matter here. `time_limit` is in CP-SAT's deterministic seconds: the same on every
    machine. If it does not suffice, the best cover found stands, with what was proven of it. Raises
    `ValueError` on a weight that is not positive, `MissingExtra` without OR-Tools.
    """
    _check(universe)
    missing = uncovered(universe, signatures)
    holders: dict[str, list[str]] = {name: [] for name in universe}
    for task in sorted(signatures):
        for name in signatures[task] & universe.keys():
            holders[name].append(task)
    first = greedy(universe, signatures, cost=cost)
    needs = sorted({tuple(tasks) for tasks in holders.values() if tasks})
    tasks, bound = _minimised(needs, first, dict.fromkeys(signatures, 1), time_limit)
    optimal = len(tasks) == bound
    if cost is not None and optimal:
        prices = {task: cost.get(task, 0) for task in signatures}
        tasks, _ = _minimised(needs, tasks, prices, time_limit, size=bound)
    return Cover(tuple(sorted(tasks)), optimal, bound, missing)


def _minimised(
    needs: Collection[tuple[str, ...]],
    hint: Collection[str],
    prices: Mapping[str, int],
    time_limit: float,
    *,
    size: int | None = None,
) -> tuple[tuple[str, ...], int]:
    """Return the cheapest tasks found that meet each need, and the least that any can cost."""
    cp_model = need("ortools.sat.python.cp_model", extra="exact")
    model = cp_model.CpModel()
    taken = {task: model.new_bool_var(task) for task in sorted({t for n in needs for t in n})}
    for tasks in needs:
        model.add_bool_or([taken[task] for task in tasks])
    if size is not None:
        model.add(sum(taken.values()) <= size)
    for task, var in taken.items():
        model.add_hint(var, task in hint)
    model.minimize(sum(prices[task] * var for task, var in taken.items()))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 0
    solver.parameters.max_deterministic_time = time_limit
    status = solver.solve(model)
    bound = max(0, math.ceil(solver.best_objective_bound - 1e-6))
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return tuple(task for task, var in taken.items() if solver.value(var)), bound
    return tuple(hint), bound


def _check(universe: Mapping[str, float]) -> None:
    for name, weight in sorted(universe.items()):
        if not weight > 0 or math.isinf(weight):
            raise ValueError(f"the weight of {name!r} is {weight}: weights must be above 0")
