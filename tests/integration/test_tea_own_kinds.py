"""A kind of task that the guide adds: built, evolved, asked and graded as the others are."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq
from conftest import Cli

GUIDE = Path(__file__).parents[2] / "docs" / "how-to" / "own-task-kind.md"


def test_the_kind_of_the_guide_is_a_kind_like_any_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli
) -> None:
    names: dict[str, Any] = {}
    (block,) = re.findall(r"^```python\n(.*?)^```$", GUIDE.read_text(), re.MULTILINE | re.DOTALL)
    exec(compile(block, "own-task-kind", "exec"), names)
    monkeypatch.setattr("worldquiz.tea.generate.KINDS", (*wq.tea.KINDS, names["nearer"]))
    loops = wq.tea.Loops(1, bouts=1, looks=4)
    tasks = wq.tea.build(
        "tiny", seed=5, scenes=1, loops=loops, size=(320, 240), out=tmp_path / "tasks"
    )
    counts = tasks.summary["by_type"]
    assert counts["nearer"] > 3
    assert any(name.startswith("nearer-by-") for name in counts)  # recombination takes it up
    checked = cli("tea", "check", tasks.path, "--sample", 10, "--json", "--jobs", 1).json
    assert checked["no_rule"]["nearer"] == counts["nearer"]
    run = tasks.run("oracle", tasks=60, walks=0, out=tmp_path / "oracle")
    asked = [row for row in run.rows if row.type == "nearer"]
    assert {row.gold for row in asked} == {"first", "second"}
    assert {row.choices for row in asked} == {("first", "second")}
    assert {row.grade for row in asked} == {1.0}
