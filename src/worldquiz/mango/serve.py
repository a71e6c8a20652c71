"""MANGO for agents that call tools: a place is a maze, with its walkthrough and its questions."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from worldquiz.mango.answerers import CATALOGUE
from worldquiz.mango.answers import key, replied
from worldquiz.mango.maze_set import MazeSet
from worldquiz.mango.published import chosen
from worldquiz.mango.questions import planned
from worldquiz.mango.run import quiz
from worldquiz.mango.settings import QuizSettings
from worldquiz.serve.seats import ReadingPlace, ServedReading, Visitor, read_settings

INSTRUCTIONS = (
    "You read how somebody walked through a text game, step by step, and then tell where moves "
    "lead, and how to get from one place to another; some ways go back on the walkthrough's own."
)


def serve(path: Path, name: str, told: Mapping[str, str]) -> ServedReading:
    """Serve mazes to an agent of some name; settings are ``steps``, ``per_maze`` and ``seed``.

    Raises `KnobError`, `MissingExtra`, and `RecordError` where there is no maze.
    """
    known = {"steps": int, "per_maze": int, "seed": int}
    read = read_settings(name, CATALOGUE.names(), told, known)
    mazes = MazeSet(path)
    asked = QuizSettings.of(None, {"steps": mazes.steps, **read})

    def make() -> tuple[Any, dict[str, ReadingPlace]]:
        plan, places = planned(chosen(mazes.path, (), mazes.layout), asked), {}
        for game, reading in plan.readings.items():
            some = [each for each in plan.questions if each.game == game]
            lines = [(replied(plan.prompts.about(q), None), reading.question(q)) for q in some]
            text = reading.prompt(some[0]).removesuffix(reading.question(some[0])) if some else ""
            places[game] = ReadingPlace(text, {key(line): (line, words) for line, words in lines})
        return quiz(plan, Visitor(name)), places

    return ServedReading("maze", INSTRUCTIONS, make)
