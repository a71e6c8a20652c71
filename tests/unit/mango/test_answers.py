"""Answers on disk: both layouts, and every way in which a line can be wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mango_folder import df_row, rf_row, write_official, write_rows
from worldquiz.errors import RecordError
from worldquiz.mango.answers import read_answers, read_as_released
from worldquiz.mango.grade import Damaged, Task

ROWS = (df_row(0, 2), rf_row("hall", "attic", ("hall", "north", "kitchen")))


def test_the_release_s_files_are_the_same_answers(tmp_path: Path) -> None:
    root = write_official(tmp_path / "them", *ROWS)
    (root / "model_desti_finding_x" / "toy" / "exp_config.json").write_text("{}")
    theirs = {each.id: each for each in read_answers(root)}
    for ours in read_answers(write_rows(tmp_path / "a.jsonl", *ROWS)):
        found = theirs.pop(ours.id)
        assert (found.task, found.source, found.actions) == (ours.task, ours.source, ours.actions)
        assert (found.reply, found.steps, found.answerable_from) == (ours.reply, 6, 1)
    assert not theirs


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no answers"),
        ("\n\n", "holds no answers"),
        ('{"game": "toy"}\n', r"a.jsonl:1: task: is missing"),
        ('{"game":', r"a.jsonl:1: is no JSON"),
        ("7\n", r"a.jsonl:1: record: should be an object"),
        ("[" * 100_000, r"a.jsonl:1: is no JSON"),
        ('{"id": ' + "9" * 5_000 + "}", r"a.jsonl:1: is no JSON"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(RecordError, match=message):
        read_answers(path)


def test_no_answer_counts_twice(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "a.jsonl", ROWS[0], ROWS[1], ROWS[0])
    with pytest.raises(RecordError, match=r"a.jsonl:3: question .* answered already in .*:1;"):
        read_answers(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"src_node": None}, "src_node: should be a valid string"),
        ({"task": "sightseeing"}, "action_list|task 'sightseeing'"),
        ({"action_list": None}, "action_list: an answer of destination finding needs it"),
        ({"model_cutoff_num": "all"}, "model_cutoff_num: "),
    ],
)
def test_a_damaged_file_of_the_release_is_an_error_or_kept(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    root = write_official(tmp_path / "them", ROWS[0])
    file = next(root.rglob("*.json"))
    file.write_text(json.dumps(json.loads(file.read_text()) | change))
    if change.get("task"):
        assert len(read_answers(root)) == 1  # the folder says it
        return
    with pytest.raises(RecordError, match=message):
        read_answers(root)
    kept = read_as_released(root)
    assert isinstance(kept[0], Damaged)
    assert (kept[0].game, kept[0].task) == ("toy", Task.DF)
