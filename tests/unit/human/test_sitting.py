"""A sitting: answers kept at once, time by what was looked at, back until all is handed in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from people import Riddles
from worldquiz.human.sitting import LONGEST, Sitting
from worldquiz.runs.executor import silent
from worldquiz.runs.journal import whole_lines

JOURNAL = ".answers.journal"


def sit(out: Path) -> Sitting:
    return Sitting(Riddles(), out, silent)


def lines(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "answers.jsonl").read_text("utf-8").splitlines()]


def test_an_answer_is_kept_before_anything_else_happens(tmp_path: Path) -> None:
    sit(tmp_path).answer(0, "fire", 2.5)
    kept = json.loads(whole_lines((tmp_path / JOURNAL).read_bytes())[0])
    told = {"id": "one", "reply": "fire", "said": "fire", "seconds": 2.5, "changes": 0}
    assert kept == told


def test_another_process_goes_on_where_the_last_one_was_killed(tmp_path: Path) -> None:
    first = sit(tmp_path)
    first.answer(1, "water", 1.0)
    with (tmp_path / JOURNAL).open("ab") as stream:
        stream.write(b'{"id": "half a li')
    again = sit(tmp_path)
    told = again.state()
    assert told["answered"] == [False, True, False]
    assert again.shown(1)["said"] == "water"
    again.answer(1, "water", 2.0)
    assert [line["seconds"] for line in again.lines.values()] == [3.0]


def test_going_back_counts_the_last_answer_all_the_time_and_the_changes(tmp_path: Path) -> None:
    one = sit(tmp_path)
    one.answer(0, "fire", 2.0)
    one.answer(0, "fire", 1.0)
    one.answer(0, None, 4.0)
    for number in (1, 2):
        one.answer(number, "x", 0.5)
    assert one.finish()["changed"] == 1
    kept = {line["id"]: line for line in lines(tmp_path)}
    assert kept["one"] == {"id": "one", "reply": "", "said": None, "seconds": 7.0, "changes": 1}


def test_what_is_handed_in_is_in_order_and_final(tmp_path: Path) -> None:
    one = sit(tmp_path)
    for number in range(3):
        one.answer(number, None if number else "fire", 1.0)
    told = one.finish()
    assert [line["id"] for line in lines(tmp_path)] == ["three", "one", "two"]
    assert (told["answers"], told["passed"], told["seconds"]) == (3, 2, 3.0)
    assert told["scores"] == {"answered": 1}
    assert one.headline() == [("answered", "1")]
    assert not (tmp_path / JOURNAL).exists()
    with pytest.raises(ValueError, match="handed in"):
        one.answer(0, "earth", 1.0)
    again = sit(tmp_path)
    assert again.complete
    assert again.finish() == told


def test_nothing_is_handed_in_while_something_is_left(tmp_path: Path) -> None:
    one = sit(tmp_path)
    one.answer(0, "fire", 1.0)
    with pytest.raises(ValueError, match="2 are not answered"):
        one.finish()
    assert (tmp_path / JOURNAL).exists()


@pytest.mark.parametrize("said", ["", "   ", 5, ["x"], {"a": 1}, "x" * 501])
def test_what_is_no_answer_is_told_and_not_kept(tmp_path: Path, said: object) -> None:
    one = sit(tmp_path)
    with pytest.raises(ValueError):
        one.answer(0, said, 1.0)
    assert not one.lines


def test_nobody_is_there_after_an_hour(tmp_path: Path) -> None:
    one = sit(tmp_path)
    one.answer(0, "fire", 1e9)
    assert [line["seconds"] for line in one.lines.values()] == [LONGEST]


@pytest.mark.parametrize("place", [-1, 3, 10**30])
def test_there_are_no_other_questions(tmp_path: Path, place: int) -> None:
    one = sit(tmp_path)
    for act in (one.shown, lambda n: one.answer(n, "x", 1)):
        with pytest.raises(IndexError):
            act(place)
    with pytest.raises(IndexError):
        one.reading(place)
