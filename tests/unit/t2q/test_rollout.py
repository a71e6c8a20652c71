"""Playing: how a task ends, what an agent is told of it, and what is on record."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from serving import many_rooms
from worldquiz.t2q import T2QSuite

Played = Callable[..., list[dict[str, Any]]]


class Says:
    """An agent that gives the same commands in each task, then gives up."""

    name = "says"

    def __init__(self, *commands: str) -> None:
        self._commands, self._left = commands, list[str]()
        self.begun, self.seen, self.ended = list[str](), list[str](), list[str]()

    async def begin(self, observation: Any) -> None:
        self._left = list(self._commands)
        self.begun.append(observation.text)

    async def act(self, observation: Any) -> str | None:
        self.seen.append(observation.text)
        return self._left.pop(0) if self._left else None

    def end(self, observation: Any) -> None:
        self.ended.append(observation.text)


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> T2QSuite:
    """A world of a hall and an attic with a lamp; two tasks want the lamp."""
    return many_rooms(tmp_path_factory.mktemp("rooms") / "suite", 1)


@pytest.fixture
def played(rooms: T2QSuite, tmp_path: Path) -> Played:
    """Return a function that has an agent play, and returns its episodes."""

    def play(agent: Says, **given: Any) -> list[dict[str, Any]]:
        def says() -> Says:
            return agent

        run = rooms.run(agent=says, answerer="abstainer", out=tmp_path / "run", **given)
        lines = (run.path / "episodes.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines]

    return play


def ends(episodes: list[dict[str, Any]]) -> list[tuple[str, int]]:
    """Return the outcome of each episode, and how many commands were given."""
    return [(each["outcome"], len(each["steps"]) - 1) for each in episodes]


def test_a_won_episode_holds_commands_observations_and_what_changed(played: Played) -> None:
    episode = played(Says("dance", "go north", "take lamp", "take lamp"))[0]
    assert (episode["world"], episode["task"]) == ("toy-0", "fetch-lamp")
    assert ends([episode]) == [("won", 3)]
    reset, refused, walked, taken = episode["steps"]
    assert (reset["index"], reset["action"], reset["command"]) == (0, None, None)
    assert (refused["action"], refused["command"]) == ("dance", None)
    assert (refused["added"], refused["removed"]) == ([], [])
    assert {"leads(hall, north, attic)", "at(lamp, attic)"} <= {*walked["revealed"]}
    assert (taken["index"], taken["command"], taken["observation"]["score"]) == (3, "take lamp", 1)
    assert (taken["added"], taken["removed"]) == (["carried(lamp)"], ["at(lamp, attic)"])


@pytest.mark.parametrize(
    ("commands", "most", "end"),
    [
        (["dance"], 10, ("gave_up", 1)),
        (["dance"] * 3, 2, ("step_limit", 2)),
        (["go north", "take lamp"], 2, ("won", 2)),  # at the limit
        (["take lamp"], 0, ("step_limit", 0)),
    ],
)
def test_an_episode_ends_when_it_is_won_given_up_or_out_of_commands(
    played: Played, commands: list[str], most: int, end: tuple[str, int]
) -> None:
    agent = Says(*commands)
    assert ends(played(agent, max_steps=most)) == [end, end]
    assert len(agent.seen) == 2 * min(len(commands) + (end[0] == "gave_up"), most)


def test_one_agent_plays_all_tasks_from_the_start_and_sees_what_is_recorded(
    played: Played,
) -> None:
    agent = Says("go north", "take lamp")
    episodes = played(agent)
    assert ends(episodes) == [("won", 2), ("won", 2)]
    hall, attic = (
        "You are in the hall. You see nothing here.",
        "You are in the attic. You see a lamp here.",
    )
    assert agent.begun == [hall, hall]
    assert agent.seen == [hall, attic] * 2
    assert agent.ended == ["Taken."] * 2
    shown = [step["observation"]["text"] for step in episodes[0]["steps"]]
    assert shown == [hall, attic, "Taken."]
