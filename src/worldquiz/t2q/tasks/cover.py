"""Set cover: few tasks whose signatures hold every target.

`greedy` is Algorithm 1 of the Task2Quiz paper (arXiv 2601.09503): it repeats taking the task that
covers most weight not yet covered. `fewest` says how many tasks there would have to be. Neither
depends on the order of its input.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection, Mapping

from worldquiz.plugins import need

TIME_LIMIT = 60.0
"""CP-SAT's deterministic seconds: the same on every machine."""
Signatures = Mapping[str, frozenset[str]]
"""What each task covers, by the task's id."""


def greedy(
    universe: Mapping[str, float], signatures: Signatures, *, cost: Mapping[str, int]
) -> tuple[str, ...]:
    """Return tasks in the order taken: each covers the most weight left uncovered (Algorithm 1).

    `universe` gives each target's weight. Equal gains go to the lower cost, then to the lower id.
    Ends when nothing that any task covers is left.
    """
    left = set(universe)

    def gain(task: str) -> float:
        return math.fsum(universe[name] for name in signatures[task] & left)

    heap = [(-gain(task), cost[task], task) for task in signatures]
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


def fewest(
    universe: Collection[str], signatures: Signatures, *, time_limit: float = TIME_LIMIT
) -> int | None:
    """Return the least number of tasks that cover all that can be covered.

    None where that could not be proven in time. Raises `MissingExtra` without OR-Tools.
    """
    cp_model = need("ortools.sat.python.cp_model", extra="exact")
    model = cp_model.CpModel()
    taken = {task: model.new_bool_var(task) for task in sorted(signatures)}
    for name in sorted(universe):
        if tasks := [taken[task] for task in taken if name in signatures[task]]:
            model.add_bool_or(tasks)
    model.minimize(sum(taken.values()))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 0
    solver.parameters.max_deterministic_time = time_limit
    proven = solver.solve(model) == cp_model.OPTIMAL
    return round(solver.objective_value) if proven else None
