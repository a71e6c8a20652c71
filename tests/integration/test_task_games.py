"""One game per task, in the hands of plain TextWorld: the walkthrough wins there too."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest

import synthetic
from conftest import SpecOf
from deep import some
from worldquiz.facts.fact import LOCKED, parse
from worldquiz.t2q.tasks.planner import Planner
from worldquiz.t2q.tasks.targets import tasks
from worldquiz.t2q.textworld.inform import game_files, source
from worldquiz.t2q.world.spec import Task, Verb, WorldSpec


def play(spec: WorldSpec, task: Task, folder: Path) -> list[dict[str, object]]:
    """Play a task's walkthrough in its exported game as anybody would; return each game state."""
    import textworld

    for suffix, data in game_files(spec, task).items():
        (folder / f"{task.id}.{suffix}").write_bytes(data)
    wanted = textworld.EnvInfos(won=True, objective=True, max_score=True, feedback=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Jericho warns of every game that is not its own
        env = textworld.start(str(folder / f"{task.id}.z8"), wanted)
        start = env.reset()
    states = [start, *(env.step(command)[0] for command in task.walkthrough.commands)]
    env.close()
    return [dict(state) for state in states]


@pytest.mark.parametrize(("level", "seed"), [("medium", 22)])
def test_each_tasks_walkthrough_wins_in_plain_textworld(
    level: str, seed: int, spec_of: SpecOf, tmp_path: Path
) -> None:
    spec = spec_of(level, seed)
    for task in some(tasks(spec), 2):
        states = play(spec, task, tmp_path)
        assert [state["won"] for state in states] == [False] * (len(states) - 1) + [True]
        assert states[0]["objective"] == task.objective
        assert states[0]["max_score"] == 1
        assert task.objective in " ".join(str(states[0]["feedback"]).split())


@pytest.mark.parametrize(
    ("verb", "goals"),
    some(
        [
            (Verb.GO, ["player_at(cellar)"]),
            (Verb.FETCH, ["carried(red apple)"]),
            (Verb.FETCH, ["carried(red apple)", "carried(blue vase)"]),
            (Verb.OPEN, ["open(oak door)"]),
            (Verb.PUT, ["on(red apple, pine table)"]),
            (Verb.PUT, ["in(blue vase, iron chest)"]),
            (Verb.EAT, ["eaten(red apple)"]),
        ],
        3,
    ),
)
def test_goals_of_every_verb_can_be_told_textworld(
    verb: Verb, goals: list[str], tmp_path: Path
) -> None:
    spec = synthetic.spec()
    goal = tuple(map(parse, goals))
    plan = Planner(spec).plan(*goal)
    task = Task("x", verb, goal[0].args[0], goal, "Do it.", (), (), plan)
    states = play(spec, task, tmp_path)
    assert [state["won"] for state in states] == [False] * (len(states) - 1) + [True]


def test_the_leaks_are_closed_there_too(spec_of: SpecOf) -> None:
    spec = spec_of("medium", 22)
    assert list(LOCKED.of(spec.facts))
    text, _ = source(spec, tasks(spec)[0])
    assert "You have to unlock the" not in text
    assert "welded shut" not in text


def test_equal_tasks_have_equal_sources(spec_of: SpecOf) -> None:
    spec = spec_of("easy", 21)
    first, second = tasks(spec)[:2]
    assert source(spec, first)[0] == source(spec, first)[0]
    assert source(spec, first)[0] != source(spec, second)[0]


def test_textworlds_description_of_the_game_does_not_change(spec_of: SpecOf) -> None:
    spec = spec_of("easy", 21)
    task = tasks(spec)[0]
    assert game_files(spec, task)["json"] == game_files(spec, task)["json"]
    excluded = json.loads(game_files(spec, task)["json"])["grammar"]["names_to_exclude"]
    assert excluded == sorted(excluded, key=str)  # whatever the hash seed
