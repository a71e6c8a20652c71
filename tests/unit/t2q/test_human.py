"""T2Q's quiz for a person: what is shown depends on no truth, and the run is like any other."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, replace
from pathlib import Path

import pytest

import people
import synthetic
import worldquiz as wq
from fact_texts import facts
from played import RunRecord, episodes
from worldquiz.facts.requirement import Seen
from worldquiz.facts.row import ABSTAIN
from worldquiz.human.quiz import Quiz, quiz_of
from worldquiz.t2q.question import Question
from worldquiz.t2q.rollout import Played

RIGHT = [None, None, "attic", "north", None, "yes"]
"""What is right after the scout's episodes; None: not shown."""


def described(answer: str) -> Question:
    """A question about what there was on a table."""
    seen = Seen(facts("on(brass key, pine table)")[0])
    text = "What kinds of things were on the pine table?"
    about = ("pine table",)
    return Question("location-009", "location", text, seen, about, "description", (answer,))


def asking(*questions: Question) -> RunRecord:
    """A run on one world with other questions."""
    run = synthetic.run("scout", "reader", worlds=1)
    old = run.worlds[0]
    return replace(
        run, worlds=(Played(replace(old.bundle, questions=questions), old.episodes, ()),)
    )


def falsified(question: Question) -> Question:
    """Return a question with another truth and another requirement, asked in the same words."""
    other = Seen(facts("player_at(nowhere)")[0])
    false = {"yes_no": "no" if question.gold == "yes" else "yes", "description": "food"}
    answers = question.choices[-1:] or (false.get(question.format, "mars"),)
    return replace(question, answers=answers, requires=other, about=("x",))


def test_what_is_shown_depends_on_no_truth(tmp_path: Path) -> None:
    asked = (*synthetic.questions(), described("key"))

    def shown(quiz: Quiz) -> str:
        return json.dumps([quiz.reading("easy-00"), *map(asdict, quiz.asked)])

    told = [
        shown(quiz_of(people.worlds(tmp_path / str(number), asking(*questions)), "human"))
        for number, questions in enumerate((asked, tuple(map(falsified, asked))))
    ]
    assert told[0] == told[1]
    assert "revealed" not in told[0]
    assert re.search(r"# Task 1 of \d: (won|not won, no commands were left|given up)", told[0])


def test_right_answers_earn_all(tmp_path: Path) -> None:
    run = people.worlds(tmp_path / "run")
    told = people.sat(run, tmp_path / "out", RIGHT, "Anna")
    assert told["scores"]["eus"] == 1.0
    assert told["scores"]["knowledge"] == told["scores"]["ceiling"]
    assert (told["answers"], told["passed"], told["seconds"]) == (12, 6, 30.0)
    rows = wq.Run(tmp_path / "out").rows
    assert {(row.agent, row.answerer) for row in rows} == {("scout", "human (Anna)")}
    assert episodes(tmp_path / "out") == episodes(run)
    assert rows[0].reply == ABSTAIN


def test_a_model_that_played_keeps_its_name(tmp_path: Path) -> None:
    run = people.worlds(tmp_path / "run", synthetic.model_run())
    people.sat(run, tmp_path / "out", [None])
    made = wq.Run(tmp_path / "out")
    assert {(row.agent, row.answerer) for row in made.rows} == {("maker/m1", "human")}
    assert [row.reply for row in made.tasks] == [row.reply for row in wq.Run(run).tasks]


@pytest.mark.parametrize(("said", "right"), [("a key", 1.0), ("key, food", 0.0), ("nothing", 0.0)])
def test_kinds_are_told_in_words(tmp_path: Path, said: str, right: float) -> None:
    run = people.worlds(tmp_path / "run", asking(described("key")))
    assert people.sat(run, tmp_path / "out", [said])["scores"]["eus"] == right
