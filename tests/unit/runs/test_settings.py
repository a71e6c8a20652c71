"""Settings of a run: declared once, checked by name and value, and offered at every door."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> wq.t2q.T2QSuite:
    return wq.t2q.build("easy", worlds=1, seed=5, out=tmp_path_factory.mktemp("data") / "suite")


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"conections": 3}, TypeError, "no setting 'conections'; did you mean 'connections'?"),
        ({"on_ice": 3}, TypeError, "no setting 'on_ice'; known: base_url, "),
        ({"max_steps": "20"}, wq.WorldquizError, "max_steps '20': must be a whole number"),
        ({"max_steps": -1}, wq.WorldquizError, "max_steps -1: must be 0 or more"),
        ({"max_steps": True}, wq.WorldquizError, "max_steps True: must be a whole number"),
        ({"budget": float("nan"), "model": 3}, wq.WorldquizError, "model 3: must be a string"),
        ({"explore": 1, "model": "m"}, wq.WorldquizError, "explore 1: must be true or false"),
        ({"granularity": "steps"}, wq.WorldquizError, "granularity 'steps': no such value; did"),
        ({"max_tokens": -1, "model": "m"}, wq.WorldquizError, "max_tokens -1: must be 0 or more"),
        ({"k": 3}, wq.WorldquizError, "k has no effect without a model"),
    ],
)
def test_what_cannot_be_is_named_before_a_folder_is_touched(
    suite: wq.t2q.T2QSuite, changes: dict[str, Any], error: type[Exception], words: str,
    tmp_path: Path,
) -> None:  # fmt: skip
    with pytest.raises(error) as told:
        suite.run(agent="idle", answerer="abstainer", out=tmp_path / "run", **changes)
    assert str(told.value).startswith(words)
    assert not (tmp_path / "run").exists()


def test_a_benchmark_takes_no_setting_that_it_has_no_use_for(tmp_path: Path) -> None:
    mazes = wq.mango.build(mazes=1, size=5, out=tmp_path / "mazes")
    with pytest.raises(TypeError, match="no setting 'jobs'"):
        mazes.run("mapper", out=tmp_path / "run", jobs=2)
    with pytest.raises(wq.WorldquizError, match="tokenizer has no effect without tokens"):
        mazes.run("mapper", out=tmp_path / "run", tokenizer="chars/4")
