"""Baselines in whole runs: each agent's and answerer's law, on worlds of every level."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq

LEVELS = ("easy", "medium", "explore")


@pytest.fixture(scope="module", params=LEVELS)
def suite(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Two worlds of a level."""
    return wq.t2q.build(request.param, worlds=2, seed=9, out=tmp_path_factory.mktemp("suite"))


def scores(suite: Any, out: Path, agent: str, answerer: str, **options: Any) -> dict[str, Any]:
    return dict(suite.run(agent=agent, answerer=answerer, out=out, **options).scores)


def test_walkthroughs_win_every_task_and_the_explorer_sees_all(suite: Any, tmp_path: Path) -> None:
    won = scores(suite, tmp_path / "won", "walkthrough", "abstainer")
    seen = scores(suite, tmp_path / "seen", "explorer", "abstainer", max_steps=1000)
    assert (won["tsr"], won["knowledge"]) == (1, 0)
    assert seen["coverage"] == 1


@pytest.mark.parametrize("answerer", ["oracle", "worldgraph"])
@pytest.mark.parametrize("agent", ["random", "explorer"])
def test_upper_bounds_answer_what_was_shown_and_nothing_else(
    suite: Any, tmp_path: Path, agent: str, answerer: str
) -> None:
    found = scores(suite, tmp_path / "run", agent, answerer)
    assert found["accuracy_answerable"] == found["eus"] == 1
    assert found["false_answers"] in (0, None)


def test_the_idle_agent_gives_no_command(suite: Any, tmp_path: Path) -> None:
    found = scores(suite, tmp_path / "run", "idle", "abstainer")
    assert found["counts"]["commands"] == 0
    assert found["knowledge"] == 0


def test_the_random_agent_depends_on_its_seed(suite: Any, tmp_path: Path) -> None:
    def said(name: str, seed: int) -> str:
        suite.run(agent="random", answerer="abstainer", seed=seed, out=tmp_path / name)
        played = (tmp_path / name / "episodes.jsonl").read_text()
        return played.replace(f'"seed":{seed}', "")

    assert said("one", 3) == said("again", 3)
    assert said("one", 3) != said("other", 4)
