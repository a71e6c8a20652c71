"""Own kinds of task as objects: in every command, on record, named where unknown."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq
from command import tree
from conftest import Cli
from serving import module_of
from worldquiz.tea import Loops, TaskFolder, TaskKind

ROOT = Path(__file__).parents[2]
EXAMPLE = module_of("own_task_kind")
NEARER: TaskKind = EXAMPLE.NEARER
ANSWERS = EXAMPLE.ANSWERS
SMALL: dict[str, Any] = {
    "seed": 5, "scenes": 1, "loops": Loops(1, bouts=1, looks=4), "size": (320, 240),
}  # fmt: skip
LEAST: dict[str, Any] = {**SMALL, "scenes": 2, "loops": Loops(1, bouts=1, looks=4)}


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> TaskFolder:
    """A small apartment with tasks of an own kind among ours."""
    out = tmp_path_factory.mktemp("own") / "tasks"
    return wq.tea.build("tiny", **SMALL, kinds=[NEARER], out=out)


def test_an_own_kind_is_among_the_tasks_and_on_record(tasks: TaskFolder, cli: Cli) -> None:
    counts = tasks.summary["by_type"]
    assert counts["nearer"] > 3
    assert any(name.startswith("nearer-by-") for name in counts)  # recombination takes it up
    assert counts["depth"] > 3
    assert tasks.manifest["code"].keys() == {"kind nearer"}
    checked = cli("tea", "check", tasks.path, "--sample", 10, "--json", "--jobs", 1).json
    assert checked["no_rule"]["nearer"] == counts["nearer"]


def test_a_folder_with_an_own_kind_is_run_scored_reported_and_exported(
    tasks: TaskFolder, tmp_path: Path
) -> None:
    runs = {
        name: tasks.run(answerer=name, tasks=60, walks=1, out=tmp_path / name)
        for name in ("oracle", "random", "blind")
    }
    asked = [row for row in runs["oracle"].rows if row.type == "nearer"]
    assert {row.gold for row in asked} == set(ANSWERS)
    assert {row.choices for row in asked} == {ANSWERS}
    assert {row.grade for row in asked} == {1.0}
    assert runs["oracle"].scores["types"]["nearer"]["ill_formed"] == 0 < 3 < len(asked)
    for run in runs.values():
        assert {row.answer for row in run.rows if row.type == "nearer"} <= set(ANSWERS)
        assert run.export(tmp_path / "rows.parquet").stat().st_size > 1000
        told = run.scores
        assert wq.load(run.path).score() == told
    page = runs["oracle"].report(tmp_path / "page.html", beside=[runs["random"]])
    assert "nearer" in page.read_text()


def test_a_stopped_build_is_finished_with_the_same_kinds_or_not_at_all(
    tasks: TaskFolder, tmp_path: Path
) -> None:
    stopped = tmp_path / "stopped"
    shutil.copytree(tasks.path, stopped)
    (stopped / "manifest.json").unlink()
    shutil.rmtree(stopped / "scenes" / next(iter(tasks.manifest["scenes"])))
    before = tree(stopped)

    changed = replace(NEARER, words="Which is nearer in the picture: {object} or {other}?")
    for other in ([], [changed]):
        with pytest.raises(wq.WorldquizError, match="the code or state of the kind nearer has ch"):
            wq.tea.build("tiny", **SMALL, kinds=other, out=stopped)
    assert tree(stopped) == before
    wq.tea.build("tiny", **SMALL, kinds=[NEARER], out=stopped)
    assert tree(stopped) == tree(tasks.path)


def named(name: str) -> TaskKind:
    return replace(NEARER, type=replace(NEARER.type, name=name))


@pytest.mark.parametrize(
    ("kinds", "jobs", "words"),
    [
        ([named("depth")], 1, "kind of task 'depth': this name is taken"),
        ([NEARER, NEARER], 1, "kind of task 'nearer': this name is taken"),
        ([named("near-by-far")], 1, "'near-by-far': its name may have lower-case letters"),
        ([named("a/b")], 1, "'a/b': its name may have lower-case letters"),
        ([3], 1, "'int' is not a kind of task: 3 is not a TaskKind"),
        ([replace(NEARER, find=lambda moment: iter(()))], 2, "cannot be sent to other"),
    ],
)
def test_what_is_no_kind_of_task_leaves_no_folder(
    tmp_path: Path, kinds: Sequence[Any], jobs: int, words: str
) -> None:
    with pytest.raises(wq.WorldquizError, match=words):
        wq.tea.build("tiny", **LEAST, kinds=kinds, jobs=jobs, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_guide_runs_as_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(ROOT / "examples")
    names: dict[str, Any] = {}
    text = (ROOT / "docs" / "how-to" / "own-task-kind.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, "own-task-kind", "exec"), names)
    rows = [row for row in names["run"].rows if row.type == "nearer"]
    assert rows
    assert {row.grade for row in rows} == {1.0}
