"""Task2Quiz for verifiers (v1): a taskset without end, whose tasks bring the world as tools.

    PYTHONPATH=examples/training vf-eval worldquiz-t2q --env.taskset.level easy -n 5 -m MODEL

A task names a world by its number; no world is made before somebody plays it. Its tools are served
over the Model Context Protocol by a process of its own, so any harness of verifiers that takes MCP
plays. What was earned comes back by the rollout's state, after each call. verifiers finds a
taskset by the name of a module: `examples/training/worldquiz_t2q.py` exports this one.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from worldquiz.extras import need
from worldquiz.splits import Split
from worldquiz.t2q.agents.remote import INSTRUCTIONS
from worldquiz.t2q.training.tools import ToolEpisode, TypedTools
from worldquiz.t2q.training.worlds import Worlds

if TYPE_CHECKING:
    import verifiers.v1 as vf
else:
    vf = need("verifiers.v1", extra="verifiers")

for _name, _tool in vars(TypedTools).items():
    if not _name.startswith("_"):
        vf.tool(_tool)


class T2QState(vf.State):
    """What a rollout has earned so far."""

    task: float = 0.0
    knowledge: float = 0.0
    quiz: float = 0.0
    coverage: float = 0.0
    calls: int = 0
    over: bool = False


class T2QData(vf.TaskData):
    """Which world a task plays, and how."""

    level: str
    split: Split
    number: int
    questions: int | None
    max_steps: int | None
    budget: float | None


class T2QToolset(TypedTools, vf.Toolset[vf.ToolsetConfig, T2QState]):
    """The tools of one rollout. Calls are carried out one after the other."""

    TOOL_PREFIX = None

    async def setup_task(self, task: T2QData) -> None:
        """Begin the task's world."""
        worlds = Worlds(task.level, task.split, max_steps=task.max_steps, budget=task.budget)
        self._episode = ToolEpisode(worlds, task.questions)
        self._exit_stack.callback(self._episode.close)
        self._episode.begin(task.number)

    def _call(self, tool: str, /, **arguments: object) -> str:
        episode = self._episode
        try:
            return episode.call(tool, **arguments)
        finally:
            self.state.coverage = episode.watched.knowing.coverage
            self.state.calls, self.state.over = episode.calls, episode.over
            for name, earned in asdict(episode.rewards).items():
                setattr(self.state, name, earned)


class T2QTaskConfig(vf.TaskConfig):
    """Where a task's tools run."""

    tools: vf.ToolsetConfig = vf.ToolsetConfig()


class T2QTask(vf.Task[T2QData, T2QState, T2QTaskConfig]):
    """A world to play and to be asked about."""

    @classmethod
    def toolsets(cls, config: T2QTaskConfig) -> list[vf.Toolset]:
        """Return the world's tools."""
        return [T2QToolset(config.tools)]

    @vf.reward
    async def task(self, trace: Any) -> float:
        """Return the task success rate."""
        return float(trace.state.task)

    @vf.reward
    async def knowledge(self, trace: Any) -> float:
        """Return by how much the coverage rose."""
        return float(trace.state.knowledge)

    @vf.reward
    async def quiz(self, trace: Any) -> float:
        """Return the signed knowledge score of the quiz."""
        return float(trace.state.quiz)

    @vf.metric
    async def coverage(self, trace: Any) -> float:
        """Return the share of the questions that are settled."""
        return float(trace.state.coverage)

    @vf.metric
    async def calls(self, trace: Any) -> float:
        """Return how many calls were carried out."""
        return float(trace.state.calls)

    @vf.metric
    async def over(self, trace: Any) -> float:
        """Return 1 if the quiz came to its end, else 0."""
        return float(trace.state.over)


class T2QConfig(vf.TasksetConfig):
    """Which worlds are played, and how; see `Worlds` and `ToolEpisode`."""

    level: str = "easy"
    split: Split = "train"
    first: int = 0
    """The number of the first world."""
    questions: int | None = None
    max_steps: int | None = None
    budget: float | None = None
    task: T2QTaskConfig = T2QTaskConfig()


class T2QTaskset(vf.Taskset[T2QTask, T2QConfig]):
    """Worlds without end, one a task."""

    INFINITE = True

    def load(self) -> Iterator[T2QTask]:
        """Yield a task for each world. Raises `KnobError` for options that cannot be."""
        told = self.config.model_dump(
            include={"level", "split", "questions", "max_steps", "budget"}
        )
        ToolEpisode(
            Worlds(**{key: told[key] for key in told.keys() - {"questions"}}), told["questions"]
        )
        for number in itertools.count(self.config.first):
            name = f"{told['level']}-{told['split']}-{number}"
            data = T2QData(name=name, prompt=INSTRUCTIONS, number=number, **told)
            yield T2QTask(data, self.config.task)


if __name__ == "__main__":
    T2QToolset.run()
