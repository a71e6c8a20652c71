"""Baselines, on flats made by hand: ceilings are 1, floors know nothing."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from recalls import WALK, answered, flat, recall, scored
from views import thing
from worldquiz.facts.question import gold, prompt
from worldquiz.runs.executor import silent
from worldquiz.runs.rows import write_rows
from worldquiz.tea.answering import Baseline
from worldquiz.tea.recall.baselines import NAMES, baseline
from worldquiz.tea.recall.quiz.exam import Standing
from worldquiz.tea.recall.reader import ViewReader
from worldquiz.tea.recall.run import RecallWork, rows
from worldquiz.tea.recall.walked import Recall, Walked


@cache
def two() -> Recall:
    """Return the quiz on two flats whose things look otherwise."""
    other = flat(thing("globe-1", room="hall-1"))
    paints = [each.paint for each in other.things]
    things = tuple(
        replace(each, paint=paint)
        for each, paint in zip(other.things, (*paints[5:], *paints[:5]), strict=True)
    )
    return recall(flat(), replace(other, id="other", things=things))


def told(quiz: Recall, name: str, error: float = 0.2) -> dict[str, Any]:
    return scored(quiz, answered(quiz, baseline(name, quiz, error)))


@pytest.mark.parametrize("name", ["oracle", "reader"])
def test_the_ceilings_are_right_on_everything(name: str) -> None:
    found = told(two(), name)
    assert found["eus"] == found["accuracy_answerable"] == 1.0
    assert found["overclaim"] == 0.0
    assert found["known"] == found["coverage"]
    assert found["counts"]["unclear"] > 0
    assert (
        found["counts"]["questions"] + found["counts"]["unclear"] == found["of_quiz"]["questions"]
    )


@pytest.mark.parametrize("name", ["prior", "blind", "random"])
def test_who_sees_nothing_claims_everything(name: str) -> None:
    found = told(two(), name)
    assert found["overclaim"] == 1.0
    assert found["known"] < found["coverage"]


def test_the_noisy_one_is_amiss_as_often_as_told() -> None:
    assert told(two(), "noisy", 0.0)["eus"] == 1.0
    assert told(two(), "noisy", 1.0)["eus"] == 0.0
    assert 0.5 < told(two(), "noisy", 0.3)["eus"] < 0.9


def test_answers_do_not_depend_on_what_was_answered_before() -> None:
    quiz = two()
    for name in NAMES:
        take = baseline(name, quiz)
        once = [take(flat_, item) for flat_ in quiz.flats.values() for item in flat_.asked]
        again = baseline(name, quiz)
        back = [again(flat_, item) for flat_ in list(quiz.flats.values())[::-1]
                for item in flat_.asked[::-1]]  # fmt: skip
        assert sorted(once) == sorted(back)


def test_the_reader_is_found_out_where_it_misses_a_view() -> None:
    quiz = two()
    flat_ = quiz.flats["row"]
    missed = ViewReader(Walked(flat_.scene, flat_.views[1:], flat_.items))
    wrong = [
        item
        for item in flat_.asked
        if flat_.standings[item.question.id] is Standing.ANSWERABLE
        and missed.answer(prompt(item.question)) != gold(item.question)
    ]
    assert wrong


def test_the_whole_quiz_is_the_same_for_any_walk() -> None:
    short = recall(flat(), views=WALK[:1])
    long = recall(flat())
    assert short.flats["row"].items == long.flats["row"].items
    first, last = (told(each, "oracle")["of_quiz"] for each in (short, long))
    assert first["questions"] == last["questions"]
    assert first["coverage"] < last["coverage"]


def test_a_settled_run_gives_back_the_reply_to_each_sheet(tmp_path: Path) -> None:
    quiz = two()
    work = RecallWork(quiz, Baseline("reader"))
    vars(work)["manifest"] = {"answerer": "reader"}
    lost, *rest = quiz.sheets
    replies = {"reply": "{}", "usage": {"calls": 1, "input": 2, "cached": 0, "output": 3,
                                        "cost": 0.5, "unknown": 0}}  # fmt: skip
    told = {id: {"id": id, **replies} for id in rest}
    told[lost] = {"id": lost, "reply": "", "status": "failed", "failure": "HTTP 500"}
    write_rows(tmp_path, rows(quiz, told, "reader"))
    kept = work.kept(tmp_path, silent)
    assert kept.lines == told
    assert kept.failed() == {lost: "HTTP 500"}
    before = (tmp_path / "rows.jsonl").read_bytes()
    kept.reopen(failed=True)
    kept.keep(told[lost])
    work.kept(tmp_path, silent).settle(work.units)
    assert (tmp_path / "rows.jsonl").read_bytes() == before
