"""Every command that prints a table: 80 columns, at most seven of them, the same everywhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

import people
import synthetic
import worldquiz as wq
from command import worldquiz


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Data and runs of each benchmark."""
    folder = tmp_path_factory.mktemp("home")
    wq.t2q.build("paper", worlds=1, seed=3, out=folder / "suite")
    wq.t2q.build("explore", worlds=1, seed=3, out=folder / "explore")
    suite = wq.t2q.load(folder / "suite")
    for agent in ("random", "walkthrough"):
        suite.run(agent=agent, answerer="sheet", out=folder / f"{agent}-with-a-long-name")
    synthetic.model_run().written(folder / "model")
    people.mazes(folder / "mapper")
    people.tasks(folder / "noisy")
    people.views(folder / "views")
    return folder


COMMANDS: Sequence[Sequence[str]] = (
    ("t2q", "agents"), ("t2q", "memories"), ("t2q", "show", "suite"), ("t2q", "stats", "suite"),
    ("t2q", "stats", "explore"), ("t2q", "checkpoints", "random-with-a-long-name"),
    ("show", "model"), ("show", "mapper"), ("show", "noisy"), ("show", "views"),
    ("show", "mazes-of-mapper"), ("mango", "stats", "mazes-of-mapper"),
    ("score", "random-with-a-long-name", "walkthrough-with-a-long-name", "model"),
    ("compare", "random-with-a-long-name", "walkthrough-with-a-long-name"),
    ("tea", "mir", "noisy-data"),
)  # fmt: skip


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_line_is_wider_than_80_columns_and_no_table_has_more_than_seven(
    words: Sequence[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    told = set()
    for columns in ("40", "80", "120"):
        monkeypatch.setenv("COLUMNS", columns)
        said = worldquiz(*words)
        assert said.code in (0, 1), said.err
        told.add(said.out)
    (text,) = told
    assert [line for line in text.splitlines() if len(line) > 80] == []
    assert "──" in text
    for heading in re.findall(r"^(.*)\n─+$", text, re.MULTILINE):
        assert len(re.split(r"\s{2,}", heading.strip())) <= 7
