"""Agents at a door: what is served to them in this process, and scripted agents to compare with."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import worldquiz
from command import tree as tree
from worldquiz.errors import Stopped
from worldquiz.facts.episode import Observation
from worldquiz.runs.life import live
from worldquiz.serve.seats import Seats, Serving
from worldquiz.t2q import T2QSuite
from worldquiz.t2q.question import Prompt

EXAMPLES = Path(__file__).parents[1] / "examples"


def module_of(name: str) -> Any:
    """Return the module of an example."""
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[name]


def two_rooms() -> Any:
    """Return the module of the world that needs no game: a hall, an attic and a lamp."""
    return module_of("own_world")


def __getattr__(name: str) -> Any:
    """Return a class of worlds by its name, also in another process: ``serving:Rooms7``."""
    if name.startswith("Rooms"):
        return _rooms(int(name.removeprefix("Rooms")))
    raise AttributeError(name)


@cache
def _rooms(number: int) -> Any:
    """Return a world of two rooms with two tasks of the same goal."""
    own = two_rooms()
    tasks = (own.TASK, replace(own.TASK, id="again", objective="Fetch the lamp again."))
    spec = replace(own.SPEC, id=f"toy-{number}", seed=number)
    return type(f"Rooms{number}", (own.TwoRooms,), {"spec": spec, "tasks": tasks})


def many_rooms(out: Path, worlds: int) -> T2QSuite:
    """Return a suite of worlds of two rooms."""
    return worldquiz.t2q.suite(map(_rooms, range(worlds)), out=out)


def serve(
    data: Path, out: Path, door: Callable[[Seats], object], **told: str
) -> Mapping[str, Any] | None:
    """Serve a folder while `door` runs, and return the scores; None where worlds are left."""

    def opened(seats: Seats) -> None:
        door(seats)

    serving = Serving(worldquiz.load(data).served("claude", told), opened)
    try:
        return live(serving, out)
    except Stopped:
        return None


class Scripted:
    """Gives commands and answers in turn; None ends a task."""

    name = "claude"

    def __init__(self, commands: Sequence[str | None], answers: Sequence[str]) -> None:
        self._commands, self._answers = iter(commands), iter(answers)

    def act(self, observation: Observation) -> str | None:
        return next(self._commands, None)

    def answer(self, prompt: Prompt) -> str:
        return next(self._answers)


Call = tuple[str, dict[str, Any]]


def calls_of(commands: Sequence[str | None], answers: Sequence[str]) -> list[Call]:
    """Return the calls that give commands and answers as `Scripted` gives them."""
    acts: list[Call] = [
        ("done", {}) if each is None else ("act", {"command": each}) for each in commands
    ]
    return [*acts, *(("answer", {"answer": each}) for each in answers)]


def plays(seats: Seats, seat: str, calls: Sequence[Call]) -> str:
    """Look, then make some calls; return what the last one told."""
    told = seats.call(seat, "look", {}).text
    for call in calls:
        told = seats.call(seat, *call).text
    return told
