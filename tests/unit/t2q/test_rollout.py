"""Playing: how a task ends, what an agent is told of it, and what is on record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq

MOST = 10


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A suite of one world, a hall and an attic with a lamp, whose task is to take the lamp."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(Path(__file__).parents[3] / "examples"))
        yield wq.t2q.suite(worlds=["own_world:TwoRooms"], out=tmp_path_factory.mktemp("rooms"))


class Says:
    """Gives the same commands in each task, then gives up; answers with all that it was told."""

    def __init__(self, *commands: str) -> None:
        self.commands, self.left = commands, list[str]()
        self.told: list[tuple[str, str]] = []

    def begin(self, observation: Any) -> None:
        self.left = list(self.commands)
        self.told.append(("begin", observation.text))

    def act(self, observation: Any) -> str | None:
        self.told.append(("act", observation.text))
        return self.left.pop(0) if self.left else None

    def end(self, observation: Any) -> None:
        self.told.append(("end", observation.text))

    def answer(self, prompt: Any) -> str:
        return str(self.told)


@pytest.mark.parametrize(
    ("commands", "most", "outcome", "given", "refused"),
    [
        (("dance", "go north", "take lamp", "go south"), MOST, "won", 3, 1),
        (("dance",), MOST, "gave_up", 1, 1),
        ((), MOST, "gave_up", 0, 0),
        (("dance", "dance", "go north"), 2, "step_limit", 2, 2),
        (("go north", "take lamp"), 2, "won", 2, 0),
        (("go north", "take lamp"), 0, "step_limit", 0, 0),
    ],
)
def test_a_task_ends_when_it_is_won_or_given_up_or_after_so_many_commands(
    rooms: Any, tmp_path: Path, commands: tuple[str, ...], most: int, outcome: str, given: int,
    refused: int,
) -> None:  # fmt: skip
    run = rooms.run(agent=Says(*commands), answerer="abstainer", max_steps=most, out=tmp_path)
    (task,) = run.tasks
    found = [task.measures[key] for key in ("outcome", "commands", "refused")]
    assert found == [outcome, given, refused]
    assert task.reply == "; ".join(commands[:given])
    assert task.correct == float(outcome == "won")


def test_the_first_act_gets_the_observation_of_begin_and_end_gets_the_last(
    rooms: Any, tmp_path: Path
) -> None:
    both = Says("dance", "go north")
    run = rooms.run(agent=both, answerer=both, max_steps=2, out=tmp_path)
    start = "You are in the hall. You see nothing here."
    attic = "You are in the attic. You see a lamp here."
    told = [("begin", start), ("act", start), ("act", "You cannot do that."), ("end", attic)]
    assert {row.reply for row in run.rows} == {str(told)}


def test_one_agent_plays_all_tasks_of_a_world_and_each_starts_afresh(
    suite: Any, tmp_path: Path
) -> None:
    both = Says("go north", "go south", "go east", "go west")
    run = wq.t2q.load(suite.path).run(agent=both, answerer=both, max_steps=4, out=tmp_path)
    for world in suite.worlds:
        tasks = [task for task in run.tasks if task.world == world]
        (reply,) = {row.reply for row in run.rows if row.world == world}
        assert reply.count("('begin'") == len(tasks)


def test_a_task_that_is_met_at_the_start_is_won_without_a_command(tmp_path: Path) -> None:
    (tmp_path / "met.py").write_text(
        "from dataclasses import replace\nimport own_world\n\n"
        "class Met(own_world.TwoRooms):\n"
        "    tasks = (replace(own_world.TASK, goal=(own_world.PLAYER_AT('hall'),)),)\n"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(Path(__file__).parents[3] / "examples"))
        patch.syspath_prepend(str(tmp_path))
        suite = wq.t2q.suite(worlds=["met:Met"], out=tmp_path / "suite")
        run = suite.run(agent=Says("go north"), answerer="abstainer", out=tmp_path / "run")
    assert [(task.measures["commands"], task.correct) for task in run.tasks] == [(0, 1.0)]
