"""T2Q's quiz for a person: what is shown depends on no truth, and the run is like any other."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import people
import synthetic
from fact_texts import facts
from played import RunRecord, read_run
from worldquiz.facts.question import ABSTAIN, Description, Question, Type, What, Where, Which, YesNo
from worldquiz.facts.requirement import Seen
from worldquiz.human.agreement import beside
from worldquiz.human.quiz import quiz_of
from worldquiz.human.sitting import Sitting
from worldquiz.runs.executor import silent
from worldquiz.t2q.human import WorldsSheet
from worldquiz.t2q.store import Played

RIGHT = [None, None, "attic", "north", None, "yes"]
"""What is right after the scout's episodes; None: not shown."""


def described(*categories: str) -> Description:
    """A question about what there was on a table."""
    seen = Seen(facts("on(brass key, pine table)")[0])
    text = "What kinds of things were on the pine table?"
    return Description("location-009", Type.LOCATION, text, categories, seen, ("pine table",))


def asking(*questions: Question) -> RunRecord:
    """A run on one world with other questions."""
    run = synthetic.run("scout", "reader", worlds=1)
    old = run.worlds[0]
    return replace(
        run, worlds=(Played(replace(old.bundle, questions=questions), old.episodes, ()),)
    )


def sit(run: Path, out: Path, name: str = "human") -> Sitting:
    out.mkdir()
    return Sitting(quiz_of(run, name), out, silent)


def answer(run: Path, out: Path, said: list[Any], name: str = "human") -> dict[str, Any]:
    """Answer both worlds in the same way, and hand in."""
    one = sit(run, out, name)
    for place in range(len(one.sheet.items)):
        one.answer(place, said[place % len(said)], 1.5)
    return one.finish()


def falsified(question: Question) -> Question:
    """Return a question with another truth and another requirement, asked in the same words."""
    other = Seen(facts("player_at(nowhere)")[0])
    match question:
        case YesNo():
            return replace(question, answer=not question.answer, requires=other, about=("x",))
        case Which():
            return replace(question, answer=question.choices[-1], requires=other, about=("x",))
        case Where() | What():
            return replace(question, answers=("mars",), requires=other, about=("x",))
        case Description():
            return replace(question, categories=("food",), requires=other, about=("x",))


def test_what_is_shown_depends_on_no_truth(tmp_path: Path) -> None:
    asked = (*synthetic.questions(), described("key"))
    told: list[str] = []
    for questions in (asked, tuple(map(falsified, asked))):
        run = asking(*questions).written(tmp_path / str(len(told)))
        sheet = WorldsSheet(run, "human")
        told.append(json.dumps([sheet.reading(0), *(sheet.shown(each) for each in sheet.items)]))
    assert told[0] == told[1]
    assert "revealed" not in told[0]


def test_right_answers_earn_all(tmp_path: Path) -> None:
    run = people.worlds(tmp_path / "run")
    told = answer(run, tmp_path / "out", RIGHT)
    assert told["scores"]["eus"] == 1.0
    assert told["scores"]["known"] == 0.5
    assert (told["answers"], told["passed"], told["seconds"]) == (12, 6, 18.0)
    made = read_run(tmp_path / "out")
    before = read_run(run)
    assert [each.episodes for each in made.worlds] == [each.episodes for each in before.worlds]
    assert [each.bundle for each in made.worlds] == [each.bundle for each in before.worlds]
    assert made.worlds[0].answers[0].reply == ABSTAIN


def test_the_run_is_one_of_its_own_and_people_are_set_beside_each_other(tmp_path: Path) -> None:
    run = people.worlds(tmp_path / "run")
    answer(run, tmp_path / "a", RIGHT, "Anna")
    answer(run, tmp_path / "b", [None, None, "attic", "south", None, "yes"], "Ben")
    runs = [read_run(tmp_path / name) for name in "ab"]
    assert [run.name for run in runs] == ["scout + human (Anna)", "scout + human (Ben)"]
    [told] = beside(tmp_path / "a")
    assert told == {"with": "Ben", "questions": 12, "error": 2 / 12, "same": 10 / 12}


def test_people_who_read_other_episodes_are_not_compared(tmp_path: Path) -> None:
    for agent in ("scout", "idle"):
        run = people.worlds(tmp_path / agent, synthetic.run(agent, "reader"))
        answer(run, tmp_path / f"{agent}-human", [None])
    assert beside(tmp_path / "scout-human") == []


def test_a_model_that_played_keeps_its_name_and_what_playing_cost(tmp_path: Path) -> None:
    run = people.worlds(tmp_path / "run", synthetic.model_run())
    answer(run, tmp_path / "out", [None])
    made = read_run(tmp_path / "out")
    assert made.name == "maker/m1 + human"
    assert made.worlds[0].trace.moves
    assert not made.worlds[0].trace.replies
    assert [str(each.purpose) for each in made.worlds[0].trace.usage] == ["act"]


@pytest.mark.parametrize(
    ("said", "reply"),
    [(["key"], "key"), (["food", "object"], "object, food"), (["nothing"], "nothing")],
)
def test_kinds_are_told_in_order(tmp_path: Path, said: list[str], reply: str) -> None:
    run = people.worlds(tmp_path / "run", asking(described("key")))
    one = sit(run, tmp_path / "out")
    one.answer(0, said, 1)
    assert [line["reply"] for line in one.lines.values()] == [reply]


@pytest.mark.parametrize("said", [[], ["cow"], ["nothing", "key"], "key", [["key"]], [{}]])
def test_no_other_kinds_are_taken(tmp_path: Path, said: object) -> None:
    one = sit(people.worlds(tmp_path / "run", asking(described("key"))), tmp_path / "out")
    with pytest.raises(ValueError):
        one.answer(0, said, 1)


@pytest.mark.parametrize("said", ["cellar", "", ["attic"], 1, {"attic": 1}])
def test_only_a_choice_is_chosen(tmp_path: Path, said: object) -> None:
    one = sit(people.worlds(tmp_path / "run"), tmp_path / "out")
    with pytest.raises(ValueError, match="choose"):
        one.answer(2, said, 1)
