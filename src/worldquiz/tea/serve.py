"""TEA-Test for agents that call tools: a place is a scene, with its tasks and its walks.

Tasks come one at a time with their pictures. Walks are walked by turning and walking, and after
each move the agent sees what is before it. Several scenes may be open at once: each draws in a
context of its own, all on one thread.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from worldquiz.runs.rows import ItemKey, Rows
from worldquiz.serve.seats import Served, Visitor, read_settings
from worldquiz.serve.session import NUMBER, VALUE, Offer, Parameter, Tool, ToolReply, offered
from worldquiz.tea.exam import walk
from worldquiz.tea.exam.answerers import Who
from worldquiz.tea.exam.baselines import NAMES
from worldquiz.tea.exam.exam import Exam, about
from worldquiz.tea.kinds.kinds import Goal
from worldquiz.tea.settings import TeaSettings

_ANSWER = 'The answer, in the form that the task asks for: {"answer": ...}.'
ANSWER = Tool(
    "answer",
    "Answers the task that is before you; the next one follows.",
    (Parameter("answer", _ANSWER, VALUE),),
)
MOVE = Tool(
    "move",
    "Turns you, then walks you straight ahead; shows what you see then. Only in walks.",
    (
        Parameter("turn", "Degrees to the left; negative: to the right.", NUMBER),
        Parameter("walk", f"Metres, 0 to {walk.LONGEST:g}.", NUMBER),
    ),
)
STOP = Tool("stop", "Ends a walk: you are there, or give it up.")
INSTRUCTIONS = (
    "You are shown pictures of rooms and asked about what is in them: what a thing is, where it "
    "is, how far away, how many there are. `answer` answers the task that is before you. In some "
    "tasks you walk to a thing: `move` turns you and walks you on, `stop` ends the walk. `look` "
    "shows a task and its pictures again. Answers cannot be changed."
)


class ServedScenes(Served):
    """An exam's scenes as places."""

    place = "scene"
    tools = (ANSWER, MOVE, STOP)
    instructions = INSTRUCTIONS

    def __init__(self, exam: Exam) -> None:
        self.work = exam

    def places(self, left: Sequence[ItemKey]) -> Sequence[str]:
        """Return the scenes of the tasks that are left."""
        return sorted({scene for scene, _, _ in left})

    async def script(self, place: str, kept: Rows) -> str:
        """Let the agent answer a scene's tasks and walk its walks, and keep both."""
        every = [task for task in self.work.tasks.values() if task.scene == place]
        walks = [task for task in every if isinstance(task.truth, Goal)]
        answered = [task for task in every if task not in walks]
        lines = []
        for number, task in enumerate(answered, start=1):
            words, pictures = self.work.shown(task)
            heading = f"Task {number} of {len(every)}"
            reply = ToolReply(f"{heading}\n\n{words}", tuple(pictures))
            call = await offered(Offer(reply, (ANSWER.name,)))
            lines.append({**about(task), "reply": call.arguments["answer"]})
        if walks:
            with walk.walking(self.work.folders[place]) as begin:
                for number, task in enumerate(walks, start=len(answered) + 1):
                    heading = f"Task {number} of {len(every)}, a walk"
                    lines.append({**about(task), **await _led(begin(task), heading)})
        return self.keep(lines, kept)

    def asked(self, place: str) -> list[dict[str, str]]:
        """Return what the lines of a scene's tasks say beside the replies."""
        return [about(task) for task in self.work.tasks.values() if task.scene == place]


async def _led(steps: walk.Walk, heading: str) -> dict[str, Any]:
    """Return the line of a walk that the agent leads."""
    while not steps.over:
        words = steps.words.partition(" Reply with ")[0]
        reply = ToolReply(f"{heading}\n\n{words}", tuple(steps.pictures))
        call = await offered(Offer(reply, (MOVE.name, STOP.name)))
        steps.say(json.dumps({"stop": True} if call.tool == STOP.name else dict(call.arguments)))
    return steps.line


def serve(path: Path, name: str, told: Mapping[str, str]) -> ServedScenes:
    """Serve tasks to an agent of some name; settings are ``tasks``, ``walks`` and ``seed``.

    Raises `KnobError`, and `RecordError` without a finished folder of tasks.
    """
    asked = TeaSettings(**read_settings(name, NAMES, told, dict.fromkeys(Exam.told, int)))
    return ServedScenes(Exam(path, asked, cast("Who", Visitor(name))))
