"""Budgets: what an agent may give in a world, by the suite or by who starts the run."""

from __future__ import annotations

import json
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq


def given(run: Path) -> list[list[tuple[int, int]]]:
    """Return for each world and task the commands that were given, and the walkthrough's."""
    found: dict[str, list[tuple[int, int]]] = {}
    for task in wq.load(run).tasks:
        found.setdefault(task.world, []).append(
            (task.measures["commands"], task.measures["walkthrough"])
        )
    return list(found.values())


@pytest.fixture(scope="module")
def easy(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Three easy worlds."""
    return wq.t2q.build("easy", worlds=3, seed=2, out=tmp_path_factory.mktemp("easy"))


@pytest.mark.parametrize("agent", ["random", "explorer", "walkthrough", "idle"])
@pytest.mark.parametrize("times", [None, 1.1, 4])
def test_after_each_task_no_agent_has_given_more_than_its_walkthroughs_allow(
    easy: Any, tmp_path: Path, agent: str, times: float | None
) -> None:
    easy.run(agent=agent, answerer="abstainer", budget=times, out=tmp_path / "run")
    for tasks in given(tmp_path / "run"):
        for number in range(1, len(tasks) + 1):
            spent = sum(commands for commands, _ in tasks[:number])
            plans = sum(plan for _, plan in tasks[:number])
            assert spent <= ceil(Fraction(str(times or 1.5)) * plans)


def test_a_limit_for_each_task_is_the_same_for_all(easy: Any, tmp_path: Path) -> None:
    easy.run(agent="random", answerer="abstainer", max_steps=7, out=tmp_path / "run")
    assert max(commands for tasks in given(tmp_path / "run") for commands, _ in tasks) == 7


@pytest.mark.parametrize(
    ("preset", "parameters", "budget"),
    [("easy", {}, 1.5), ("explore", {}, 3), ("explore", {"budget": 2}, 2), ("paper", {}, None)],
)
def test_each_suite_has_a_budget(
    tmp_path: Path, preset: str, parameters: dict[str, float], budget: float | None
) -> None:
    suite = wq.t2q.build(preset, worlds=1, out=tmp_path / "suite", parameters=parameters)
    run = suite.run(agent="idle", answerer="abstainer", out=tmp_path / "run")
    manifest = json.loads((run.path / "manifest.json").read_text())
    assert manifest.get("budget") == budget
    assert manifest["max_steps"] == (50 if budget is None else None)
