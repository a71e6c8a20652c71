"""Tasks on disk: what is written is read, and damage is named."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from worldquiz import records
from worldquiz.errors import RecordError
from worldquiz.tea.data import Folder, folders, read_tasks, write_tasks
from worldquiz.tea.taskgraph import (
    Box2,
    Box3,
    Choice,
    Count,
    Crop,
    Given,
    Goal,
    Instance,
    Metres,
    Truth,
    Word,
)

TRUTHS: tuple[Truth, ...] = (
    Word("mug"), Choice("left", ("left", "right")), Count(3), Metres(1.254), Box2((1, 2, 3, 4)),
    Box3((0.1, 0.2, 1.5), (1.0, 0.5, 0.25)), Goal("mug-1", 1.0),
)  # fmt: skip


def task(truth: Truth, **given: Given) -> Instance:
    return Instance(
        f"depth/flat-0/0000-ego/{truth.kind}", "depth", "flat-0", "0000-ego", {"object": "mug-1"},
        "How far?", truth, {name.replace("_", "."): told for name, told in given.items()},
    )  # fmt: skip


def test_tasks_come_back_as_they_were(tmp_path: Path) -> None:
    tasks = tuple(task(truth, object_picture=Crop("0000-ego", (1, 2, 3, 4))) for truth in TRUTHS)
    write_tasks(tmp_path / "tasks.parquet", tasks)
    assert read_tasks(tmp_path / "tasks.parquet") == tasks


def test_a_task_of_another_scene_is_refused(tmp_path: Path) -> None:
    for name in ("flat-0", "flat-1"):
        (tmp_path / name).mkdir()
        write_tasks(tmp_path / name / "tasks.parquet", [task(truth) for truth in TRUTHS])
    assert len(Folder(tmp_path / "flat-0").tasks) == len(TRUTHS)
    with pytest.raises(RecordError, match="is of another scene, 'flat-0'"):
        Folder(tmp_path / "flat-1").tasks  # noqa: B018


def test_a_small_table_that_stands_for_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = replace(task(Word("mug")), command="x" * 100_000)
    write_tasks(tmp_path / "tasks.parquet", [many] * 1_000)
    assert (tmp_path / "tasks.parquet").stat().st_size < 100_000
    monkeypatch.setattr(records, "MOST_BYTES", 50_000_000)
    with pytest.raises(RecordError, match="the limit is 50,000,000"):
        read_tasks(tmp_path / "tasks.parquet")
    monkeypatch.setattr(records, "MOST_RECORDS", 999)
    with pytest.raises(RecordError, match="has 1,000 rows; the limit is 999"):
        read_tasks(tmp_path / "tasks.parquet")


def test_a_folder_that_is_not_finished_says_so(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="no finished folder of TEA tasks"):
        folders(tmp_path)
    (tmp_path / "manifest.json").write_text(json.dumps({"kind": "suite"}))
    with pytest.raises(RecordError, match="wanted a finished folder of TEA tasks"):
        folders(tmp_path)
