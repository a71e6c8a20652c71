"""What tests of trainers' adapters share: calls that play a world, and what they should earn."""

from __future__ import annotations

from typing import Any

from worldquiz.facts.question import ABSTAIN, gold
from worldquiz.t2q.training.rewards import Rewards
from worldquiz.t2q.training.tools import ToolEpisode, TypedTools
from worldquiz.t2q.training.worlds import Worlds, built

Calls = list[tuple[str, dict[str, Any]]]


class Played(TypedTools):
    """Typed tools over an episode in this process, as `Rewards` after each call tell."""

    def __init__(self, number: int, *, questions: int | None = None) -> None:
        self.episode = ToolEpisode(Worlds("easy"), questions)
        self.episode.begin(number)

    def _call(self, tool: str, /, **arguments: object) -> str:
        return self.episode.call(tool, **arguments)


def first_objective(number: int) -> str:
    """Return the objective of a world's first task."""
    return built("easy", "train", number).tasks[0].objective


def calls_of(number: int) -> Calls:
    """Return calls that win a world's tasks, and answer its quiz rightly, wrongly or not at all."""
    bundle = built("easy", "train", number)
    calls: Calls = [("look", {})]
    for task in bundle.tasks:
        for command in task.walkthrough.commands:
            verb, _, rest = command.partition(" ")
            typed = verb == "go" and rest in ("north", "south", "east", "west")
            calls.append(("go", {"direction": rest}) if typed else ("act", {"command": command}))
    for number, question in enumerate(bundle.questions):
        calls.append(("answer", {"answer": (gold(question), ABSTAIN, "yes")[number % 3]}))
    return calls


def earned(number: int, calls: Calls) -> list[Rewards]:
    """Return what the episode has earned after each call, made in this process."""
    played = Played(number)
    found = []
    for tool, arguments in calls:
        getattr(played, tool)(**arguments)
        found.append(played.episode.rewards)
    assert played.episode.over
    played.episode.close()
    return found
