"""MANGO for agents that call tools: a place is a maze, with its walkthrough and its questions.

An agent reads the walkthrough as often as it likes, as models have it before every question.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from worldquiz.mango.asking.ask import PER_MAZE, Asked
from worldquiz.mango.asking.plan import AskingPlan, planned
from worldquiz.mango.asking.prompts import Prompts
from worldquiz.mango.maze_set import MazeSet
from worldquiz.mango.mazes.selection import chosen
from worldquiz.mango.running.answerers import CATALOGUE
from worldquiz.mango.running.replies import Key, Replies, replied
from worldquiz.mango.running.run import MazeWork, quiz
from worldquiz.mango.scoring.grade import Question
from worldquiz.serve.served import check_agent_name, read_settings
from worldquiz.serve.session import Offer, Parameter, Tool, ToolReply, offered

READ = Tool("read", "Shows the walkthrough. It costs nothing, and may be called at any time.")
DONE = Tool("done", "Ends the reading: the questions begin.")
ANSWER = Tool(
    "answer",
    "Answers the question that is before you; the next one follows.",
    (
        Parameter(
            "answer", "The trajectory, in the form that the question asks for.", "value", 20_000
        ),
    ),
)
INSTRUCTIONS = (
    "You read how somebody walked through a text game, step by step, and then tell where moves "
    "lead, and how to get from one place to another; some ways go back on the walkthrough's own. "
    "`read` shows the walkthrough, before and amid the questions. `done` ends the reading. Then "
    "the questions come one at a time, and `answer` answers them. Answers cannot be changed."
)
_READING = "You are reading: `read` shows the walkthrough, `done` begins the questions."
_ASKED = "You are being asked: `answer` answers the question that `look` shows."


@dataclass(frozen=True, slots=True)
class Visitor:
    """An answerer who comes by itself."""

    name: str

    def record(self) -> Mapping[str, Any]:
        """Return its name."""
        return {"answerer": self.name}

    def require(self) -> None:
        """Need nothing beyond what scoring needs."""

    def answer(
        self, prompts: Prompts[Any], kept: Replies, out: Path, task: Callable[[], Any]
    ) -> None:
        """Be asked in a session, and by nobody else."""
        raise NotImplementedError


class ServedMazes:
    """A plan's mazes as places."""

    noun = "maze"
    tools = (READ, DONE, ANSWER)
    instructions = INSTRUCTIONS

    def __init__(self, mazes: MazeSet, asked: Asked, name: str) -> None:
        self._mazes, self._settings, self._name = mazes, asked, name

    @cached_property
    def _plan(self) -> AskingPlan:
        return planned(chosen(self._mazes.path, (), self._mazes.layout), self._settings)

    @cached_property
    def work(self) -> MazeWork:
        """The run; making it draws the questions, which may take long."""
        return quiz(self._plan, Visitor(self._name))

    def places(self, left: Sequence[Key]) -> Sequence[str]:
        """Return the mazes of the questions that are left."""
        return list(dict.fromkeys(game for game, _, _ in left))

    async def script(self, place: str, kept: Replies) -> str:
        """Let the agent read and answer, and keep the answers."""
        asked, reading = self._asked(place), self._plan.readings[place]
        notes = {READ.name: reading.prompt(asked[0]).removesuffix(reading.question(asked[0]))}
        told = ToolReply(f"{INSTRUCTIONS}\n\nThe walkthrough has {reading.steps} steps.")
        await offered(Offer(told, (DONE.name,), _READING, notes=notes))
        replies = []
        for number, question in enumerate(asked, start=1):
            words = f"Question {number} of {len(asked)}\n\n{reading.question(question)}"
            call = await offered(Offer(ToolReply(words), (ANSWER.name,), _ASKED, notes=notes))
            replies.append(str(call.arguments["answer"]))
        for question, reply in zip(asked, replies, strict=True):
            about = self._plan.prompts.about(question)
            if kept.find(about) is None:
                kept.keep(replied(about, reply))
        return "This maze is finished, and your answers are kept."

    def lose(self, place: str, error: BaseException, kept: Replies) -> None:
        """Note why a maze's questions could not be finished."""
        for question in self._asked(place):
            about = self._plan.prompts.about(question)
            if kept.find(about) is None:
                kept.lose(about, error)

    def _asked(self, place: str) -> list[Question]:
        return [question for question in self._plan.questions if question.game == place]


def serve(path: Path, name: str, told: Mapping[str, str]) -> ServedMazes:
    """Serve mazes to an agent of some name; settings are ``steps``, ``per_maze`` and ``seed``.

    Raises `KnobError`, `MissingExtra`, and `RecordError` where there is no maze.
    """
    check_agent_name(name, CATALOGUE.names())
    read = read_settings(told, {"steps": int, "per_maze": int, "seed": int})
    mazes = MazeSet(path)
    asked = Asked(
        read.get("steps", mazes.steps),
        per_maze=read.get("per_maze", PER_MAZE),
        seed=read.get("seed", 0),
    )
    return ServedMazes(mazes, asked, name)
