"""Budgets: the number of commands that an agent may give in a world.

`PerTask` allows so many in each task, as the paper's code does. `Walkthroughs` allows a multiple of
what the walkthroughs take, and lets a task's unspent commands go to the tasks after it: after n
tasks, the agent has given at most ``times`` the commands of the first n walkthroughs. So an agent
that fails a task loses that task's commands and none of the others', and one that wins early may
look around later. Refused commands count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

from worldquiz.errors import KnobError
from worldquiz.t2q.world.spec import Task

MAX_STEPS = 50
"""Commands an agent may give in one task. The paper is silent; TextWorld's own examples use 50."""


@dataclass(frozen=True, slots=True)
class PerTask:
    """So many commands in each task, whatever its walkthrough takes."""

    commands: int = MAX_STEPS

    def __post_init__(self) -> None:
        if self.commands < 0:
            raise KnobError(f"max steps: {self.commands} is below 0")

    def left(self, tasks: Sequence[Task], number: int, given: int) -> int:
        """Return how many commands task `number` (from 0) may take."""
        return self.commands

    def record(self) -> dict[str, Any]:
        """Return the budget as a manifest states it."""
        return {"max_steps": self.commands}


@dataclass(frozen=True, slots=True)
class Walkthroughs:
    """A multiple of the commands of the walkthroughs, each task's rest left to the next."""

    times: float

    def __post_init__(self) -> None:
        if not 0 < self.times < float("inf"):
            raise KnobError(f"budget: {self.times} times the walkthroughs: give a number above 0")

    def left(self, tasks: Sequence[Task], number: int, given: int) -> int:
        """Return how many commands task `number` (from 0) may take after `given` before it."""
        return max(0, self.of(walkthrough(tasks[: number + 1])) - given)

    def of(self, commands: int) -> int:
        """Return the budget of walkthroughs of so many commands, rounded up."""
        return ceil(Fraction(str(self.times)) * commands)

    def record(self) -> dict[str, Any]:
        """Return the budget as a manifest states it."""
        return {"max_steps": None, "budget": self.times}


Budget = PerTask | Walkthroughs
DEFAULT_BUDGET = PerTask()
"""What a run may take where neither who starts it nor its suite says anything else."""


def budget(max_steps: int | None, times: float | None, plain: Budget) -> Budget:
    """Return the budget that was asked for, else the `plain` one.

    Raises `KnobError` where both kinds are asked for, or one that allows nothing sensible.
    """
    if max_steps is not None and times is not None:
        raise KnobError(
            f"a budget of {times} times the walkthroughs and max steps {max_steps}: give one of "
            "them"
        )
    if times is not None:
        return Walkthroughs(times)
    return plain if max_steps is None else PerTask(max_steps)


def walkthrough(tasks: Sequence[Task]) -> int:
    """Return how many commands the walkthroughs of some tasks take."""
    return sum(len(task.walkthrough.commands) for task in tasks)
