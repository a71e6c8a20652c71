"""TEA-Test for agents that call tools: a place is a scene, with its tasks and its walks.

Tasks come one at a time with their pictures. Walks are walked by turning and walking, and after
each move the agent sees what is before it. Several scenes may be open at once: each draws in a
context of its own, all on one thread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from worldquiz.runs.rows import ItemKey, Rows, by_item
from worldquiz.serve.served import check_agent_name, read_settings
from worldquiz.serve.session import Offer, Parameter, Tool, ToolReply, offered
from worldquiz.tea.answering import NOISY, OwnAnswerer
from worldquiz.tea.exam import walk
from worldquiz.tea.exam.baselines import NAMES
from worldquiz.tea.exam.exam import Exam, ExamSettings, key
from worldquiz.tea.exam.led_walk import MOVE, STOP, led
from worldquiz.tea.exam.run import TestWork, about
from worldquiz.tea.exam.sample import TASKS, TRIPS
from worldquiz.tea.taskgraph import Goal, Instance

ANSWER = Tool(
    "answer",
    "Answers the task that is before you; the next one follows.",
    (
        Parameter(
            "answer", 'The answer, in the form that the task asks for: {"answer": ...}.', "value"
        ),
    ),
)
INSTRUCTIONS = (
    "You are shown pictures of rooms and asked about what is in them: what a thing is, where it "
    "is, how far away, how many there are. `answer` answers the task that is before you. In some "
    "tasks you walk to a thing: `move` turns you and walks you on, `stop` ends the walk. `look` "
    "shows a task and its pictures again. Answers cannot be changed."
)
_ASKED = "You have a task to answer: `answer` answers what `look` shows."


class Visitor(OwnAnswerer):
    """An answerer who comes by itself."""

    def __init__(self, name: str) -> None:
        super().__init__(None, name)

    def require(self) -> None:
        """Need nothing."""

    def record(self) -> dict[str, Any]:
        """Return its name."""
        return {"answerer": self.name}

    def walks(self) -> bool:
        """Tell that it walks."""
        return True


class ServedScenes:
    """An exam's scenes as places."""

    noun = "scene"
    tools = (ANSWER, MOVE, STOP)
    instructions = INSTRUCTIONS

    def __init__(self, exam: Exam, name: str) -> None:
        self.work = TestWork(exam, Visitor(name))
        self._exam = exam

    def places(self, left: Sequence[ItemKey]) -> Sequence[str]:
        """Return the scenes of the tasks that are left."""
        return sorted({scene for scene, _, _ in left})

    async def script(self, place: str, kept: Rows) -> str:
        """Let the agent answer a scene's tasks and walk its walks, and keep both."""
        every = self._of(place)
        walks = [task for task in every if isinstance(task.truth, Goal)]
        answered = [task for task in every if task not in walks]
        lines = [await self._answered(task, f"Task {n} of {len(every)}")
                 for n, task in enumerate(answered, start=1)]  # fmt: skip
        if walks:
            with walk.walking(self._exam.folders[place]) as begin:
                for number, task in enumerate(walks, start=len(answered) + 1):
                    steps = begin(task)
                    told = await led(steps, f"Task {number} of {len(every)}, a walk")
                    lines.append({**about(task), **told})
        for line in lines:
            if not kept.has(by_item(line)):
                kept.keep(line)
        return "This scene is finished, and your answers are kept."

    async def _answered(self, task: Instance, heading: str) -> dict[str, Any]:
        """Return the line of a task that the agent answers."""
        words, pictures = self._exam.shown(task)
        reply = ToolReply(f"{heading}\n\n{words}", tuple(pictures))
        call = await offered(Offer(reply, (ANSWER.name,), _ASKED))
        return {**about(task), "reply": call.arguments["answer"]}

    def lose(self, place: str, error: BaseException, kept: Rows) -> None:
        """Note why a scene's tasks could not be finished."""
        for task in self._of(place):
            if not kept.has(key(task)):
                kept.lose(about(task), error)

    def _of(self, place: str) -> list[Instance]:
        every = (*self._exam.tasks, *self._exam.walks)
        return [task for task in every if task.scene == place]


def serve(path: Path, name: str, told: Mapping[str, str]) -> ServedScenes:
    """Serve tasks to an agent of some name; settings are ``tasks``, ``walks`` and ``seed``.

    Raises `KnobError`, and `RecordError` without a finished folder of tasks.
    """
    check_agent_name(name, (*NAMES, NOISY))
    read = read_settings(told, {"tasks": int, "walks": int, "seed": int})
    asked = ExamSettings(read.get("tasks", TASKS), read.get("walks", TRIPS), read.get("seed", 0))
    return ServedScenes(Exam(path, asked), name)
