"""MANGO for agents that call tools: a place is a maze, with its walkthrough and its questions.

With the setting ``explore`` it is a maze to explore by so many commands; the questions are about
what the agent came through. It is handed no transcript: what it remembers is its own business.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from worldquiz.errors import KnobError
from worldquiz.mango.asking.ask import PER_MAZE, Asked
from worldquiz.mango.asking.plan import AskingPlan, planned, require_libraries
from worldquiz.mango.asking.prompts import Prompts
from worldquiz.mango.exploring.explore import ExploringWork, explored, lose
from worldquiz.mango.exploring.explorers import CATALOGUE as EXPLORERS
from worldquiz.mango.exploring.grounds import grounds
from worldquiz.mango.exploring.records import Exploration
from worldquiz.mango.maze_set import MazeSet
from worldquiz.mango.mazes.selection import chosen
from worldquiz.mango.running.answerers import CATALOGUE
from worldquiz.mango.running.replies import Replies, key, replied
from worldquiz.mango.running.run import quiz
from worldquiz.runs.folder import Worlds
from worldquiz.serve.reading import ANSWER, DONE, AskedText, ReadingPlace, ReadingRun, ServedReading
from worldquiz.serve.served import check_agent_name, read_settings
from worldquiz.serve.session import Offer, Parameter, Tool, ToolReply, offered

INSTRUCTIONS = (
    "You read how somebody walked through a text game, step by step, and then tell where moves "
    "lead, and how to get from one place to another; some ways go back on the walkthrough's own."
)


ACT = Tool(
    "act",
    "Gives one command, such as `north` or `look`.",
    (Parameter("command", "One command, in plain English."),),
)
EXPLORING = (
    "You explore a maze: `look` shows where you are, and `act` gives a command, as often as is "
    "told. Then you are asked, one question at a time, where moves lead, and how to get from one "
    "place to another: about the part of the maze that your own moves showed, and their ways back. "
    "`done` ends the exploring early, `answer` answers. You cannot go back to the maze, and you "
    "cannot change an answer."
)
_EXPLORING = "You are exploring: `act` gives a command, `done` begins the questions."
_ASKED = "You are being asked: `answer` answers the question that `look` shows."
_QUIZ = "The exploring is over. Now the questions."


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
        raise TypeError(f"{self.name!r} answers in a session")


def serve(path: Path, name: str, told: Mapping[str, str]) -> ServedReading | ServedMazes:
    """Serve mazes to an agent of some name; settings are ``steps``, ``per_maze`` and ``seed``.

    With ``explore``, a number of commands, they are explored instead of read. Raises `KnobError`,
    `MissingExtra`, and `RecordError` where there is no maze.
    """
    check_agent_name(name, (*CATALOGUE.names(), *EXPLORERS.names()))
    read = read_settings(told, {"steps": int, "per_maze": int, "seed": int, "explore": int})
    mazes = MazeSet(path)
    if "explore" in read and "steps" in read:
        raise KnobError("--set steps and explore: mazes are read or explored: give one of them")
    asked = Asked(
        read.get("explore", read.get("steps", mazes.steps)),
        per_maze=read.get("per_maze", PER_MAZE),
        seed=read.get("seed", 0),
    )
    if "explore" in read:
        return ServedMazes(Visited(grounds(mazes.path), name, asked.steps, asked))

    def make() -> ReadingRun:
        plan = planned(chosen(mazes.path, (), mazes.layout), asked)
        places = {game: _place(plan, game) for game in plan.mazes}
        return ReadingRun(quiz(plan, Visitor(name)), places, replied)

    return ServedReading("maze", INSTRUCTIONS, make)


@dataclass(frozen=True)
class Visited(ExploringWork):
    """The run of an agent that comes by itself."""

    def require(self) -> None:
        """Need nothing beyond what scoring needs."""
        require_libraries()


class Remote:
    """Explores one maze, and answers, as its agent calls tools."""

    def __init__(self, steps: int) -> None:
        self._steps, self._given = steps, 0

    async def act(self, text: str) -> str | None:
        """Return the command that the agent gives, None where it is done."""
        left = f"{self._steps - self._given} commands are left."
        reply = ToolReply(f"{text}\n\n{left}")
        again = reply if self._given else ToolReply(f"{EXPLORING}\n\n{reply.text}")
        call = await offered(Offer(reply, (ACT.name, DONE.name), _EXPLORING, again))
        if call.tool == DONE.name:
            return None
        self._given += 1
        return str(call.arguments["command"])

    async def answer(self, question: str) -> str:
        """Return the agent's answer."""
        call = await offered(Offer(ToolReply(question), (ANSWER.name,), _ASKED))
        return str(call.arguments["answer"])


class ServedMazes:
    """Mazes to explore, as places."""

    noun = "maze"
    tools = (ACT, DONE, ANSWER)
    instructions = EXPLORING

    def __init__(self, work: ExploringWork) -> None:
        self.work = work

    def places(self, left: Sequence[str]) -> Sequence[str]:
        """Return the mazes that are left: each is a place."""
        return left

    async def script(self, place: str, kept: Worlds) -> str:
        """Let the agent explore a maze and answer, and keep both."""
        work, remote = self.work, Remote(self.work.steps)
        with closing(work.games[place].opened()) as game:
            reached, maze = await explored(place, game, remote, work.steps, f"agent {work.name!r}")
        plan, replies = work.plan({place: maze}), []
        for number, each in enumerate(plan.questions, start=1):
            text = plan.readings[place].question(each)
            words = f"Question {number} of {len(plan.questions)}\n\n{text}"
            news = f"{maze.walkthrough[-1].observation}\n\n{_QUIZ}\n\n" if number == 1 else ""
            reply = await remote.answer(news + words)
            replies.append(replied(plan.prompts.about(each), reply))
        kept.keep(place, Exploration(reached, maze, replies).write)
        return "This maze is finished, and your answers are kept."

    def lose(self, place: str, error: BaseException, kept: Worlds) -> None:
        """Note why a maze could not be finished."""
        lose(place, error, kept)


def _place(plan: AskingPlan, game: str) -> ReadingPlace:
    """Return what is read of a maze, and asked about it; nothing where it is asked nothing."""
    reading = plan.readings[game]
    asked = [question for question in plan.questions if question.game == game]
    texts = [AskedText(plan.prompts.about(each), reading.question(each)) for each in asked]
    read = reading.prompt(asked[0]).removesuffix(reading.question(asked[0])) if asked else ""
    return ReadingPlace(read, {key(each.about): each for each in texts})
