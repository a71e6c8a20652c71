"""Worlds of Task2Quiz as a taskset for verifiers (v1), which finds it by this module's name.

    pip install 'worldquiz[t2q]' gymnasium verifiers
    PYTHONPATH=examples/training vf-eval verifiers-t2q -n 5 -m MODEL --env.taskset.level easy \\
        --env.agent.harness.id null --env.agent.runtime.type subprocess --no-push

A task names a world by its number. A separate process serves the task's tools over MCP; after each
call, the rewards come back in the rollout's state.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import verifiers.v1 as vf

from worldquiz.facts.row import ABSTAIN
from worldquiz.gym import Split
from worldquiz.t2q.gym import T2QEnv
from worldquiz.t2q.prompts import question_text
from worldquiz.t2q.question import prompt

__all__ = ["T2QTaskset"]
INTRO = (
    "You are a player in a text game. `look` shows what is before you, and `act` gives the game a "
    "command. You get a few tasks in the same world, then a quiz about how that world was at its "
    f"start. If you cannot know an answer from what you saw, answer {ABSTAIN}."
)


class T2QState(vf.State):
    """Rewards of a rollout so far."""

    task: float = 0.0
    knowledge: float = 0.0
    quiz: float = 0.0
    finished: bool = False


class T2QData(vf.TaskData):
    """World of a task, and the most questions in its quiz."""

    level: str
    split: Split
    number: int
    questions: int | None


class T2QToolset(vf.Toolset[vf.ToolsetConfig, T2QState]):
    """The tools of one rollout: a world's tasks in Gymnasium's environment, then its quiz."""

    TOOL_PREFIX = None

    async def setup_task(self, task: T2QData) -> None:
        """Begin the task's world."""
        self._env = T2QEnv(task.level, split=task.split)
        seen, self._info = self._env.reset(seed=task.number)
        self._before, self._told, self._playing = seen["text"], self._info["coverage"], True
        self._asked = self._env.bundle.questions[: task.questions]
        self._replies: list[str] = []

    @vf.tool
    def look(self) -> str:
        """Return what is before you: what the game said last, or the question."""
        return str(self._before)

    @vf.tool
    def act(self, command: str) -> str:
        """Give the game one command, such as "go north", "open box" or "inventory"."""
        if not self._playing:
            raise ValueError(f"The tasks are over. {self._before}")
        seen, _, won, cut, self._info = self._env.step(command)
        self._playing = not won and not cut
        return self._say(seen["text"] if self._playing else f"{seen['text']}\n\n{self._question()}")

    @vf.tool
    def answer(self, answer: str) -> str:
        """Answer the question of the quiz; the next one follows."""
        if self._playing or len(self._replies) == len(self._asked):
            raise ValueError("No question is before you.")
        self._replies.append(answer)
        return self._say(self._question())

    def _question(self) -> str:
        if (number := len(self._replies)) == len(self._asked):
            return "This world is finished: stop here."
        text = question_text(prompt(self._asked[number]))
        return f"Question {number + 1} of {len(self._asked)}: {text}"

    def _say(self, text: str) -> str:
        """Keep the text for `look`, and write the rewards so far into the rollout's state."""
        self._before = text
        env, info = self._env, self._info
        self.state.task = info["won"] / info["tasks"]
        self.state.knowledge = info["coverage"] - self._told
        self.state.quiz = env.quiz_score(self._asked, self._replies)
        self.state.finished = not self._playing and len(self._replies) == len(self._asked)
        return text


class T2QTaskConfig(vf.TaskConfig):
    """Settings of the process for a task's tools."""

    tools: vf.ToolsetConfig = vf.ToolsetConfig()


class T2QTask(vf.Task[T2QData, T2QState, T2QTaskConfig]):
    """A world to play and to answer questions about."""

    @classmethod
    def toolsets(cls, config: T2QTaskConfig) -> list[vf.Toolset]:
        """Return the world's tools."""
        return [T2QToolset(config.tools)]

    @vf.stop
    async def finished(self, trace: vf.Trace) -> bool:
        """End the rollout when its world is finished, even if the model makes more calls."""
        return bool(trace.state.finished)

    @vf.reward
    async def earned(self, trace: Any) -> float:
        """Return the sum of tasks won, coverage gained and the quiz's knowledge score."""
        return float(trace.state.task + trace.state.knowledge + trace.state.quiz)


class T2QConfig(vf.TasksetConfig):
    """Worlds to play: level, split, and the number of the first."""

    level: str = "easy"
    split: Split = "train"
    first: int = 0
    questions: int | None = None
    task: T2QTaskConfig = T2QTaskConfig()


class T2QTaskset(vf.Taskset[T2QTask, T2QConfig]):
    """Endless worlds, one per task."""

    INFINITE = True

    def load(self) -> Iterator[T2QTask]:
        """Yield a task for each world."""
        told = self.config.model_dump(include={"level", "split", "questions"})
        for number in itertools.count(self.config.first):
            name = f"{told['level']}-{told['split']}-{number}"
            yield T2QTask(T2QData(name=name, prompt=INTRO, number=number, **told), self.config.task)


if __name__ == "__main__":
    T2QToolset.run()
