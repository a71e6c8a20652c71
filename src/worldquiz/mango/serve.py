"""MANGO for agents that call tools: a place is a maze, with its walkthrough and its questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from worldquiz.mango.answerers import CATALOGUE
from worldquiz.mango.answers import Replies, key, replied
from worldquiz.mango.maze_set import MazeSet
from worldquiz.mango.published import chosen
from worldquiz.mango.questions import AskingPlan, Prompts, planned
from worldquiz.mango.run import quiz
from worldquiz.mango.settings import QuizSettings
from worldquiz.serve.reading import ReadingPlace, ServedReading
from worldquiz.serve.served import check_agent_name, read_settings

INSTRUCTIONS = (
    "You read how somebody walked through a text game, step by step, and then tell where moves "
    "lead, and how to get from one place to another; some ways go back on the walkthrough's own."
)


@dataclass(frozen=True, slots=True)
class Visitor:
    """An answerer that connects by itself."""

    name: str

    def record(self) -> Mapping[str, Any]:
        """Return its name."""
        return {"answerer": self.name}

    def require(self) -> None:
        """Need nothing beyond what scoring needs."""

    def answer(self, prompts: Prompts[Any], kept: Replies) -> None:
        """Be asked in a session, and by nobody else."""
        raise TypeError(f"{self.name!r} answers in a session")


def serve(path: Path, name: str, told: Mapping[str, str]) -> ServedReading:
    """Serve mazes to an agent of some name; settings are ``steps``, ``per_maze`` and ``seed``.

    Raises `KnobError`, `MissingExtra`, and `RecordError` where there is no maze.
    """
    check_agent_name(name, CATALOGUE.names())
    read = read_settings(told, {"steps": int, "per_maze": int, "seed": int})
    mazes = MazeSet(path)
    asked = QuizSettings.of(None, {"steps": mazes.steps, **read})

    def make() -> tuple[Any, dict[str, ReadingPlace]]:
        plan = planned(chosen(mazes.path, (), mazes.layout), asked)
        return quiz(plan, Visitor(name)), {game: _place(plan, game) for game in plan.mazes}

    return ServedReading("maze", INSTRUCTIONS, make)


def _place(plan: AskingPlan, game: str) -> ReadingPlace:
    """Return what is read of a maze, and asked about it; nothing where it is asked nothing."""
    reading = plan.readings[game]
    asked = [question for question in plan.questions if question.game == game]
    read = reading.prompt(asked[0]).removesuffix(reading.question(asked[0])) if asked else ""
    lines = [(replied(plan.prompts.about(each), None), reading.question(each)) for each in asked]
    return ReadingPlace(read, {key(line): (line, words) for line, words in lines})
