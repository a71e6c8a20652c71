"""MANGO's questions for a person: a way told move by move is scored as one written by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import people
from worldquiz.human.agreement import beside
from worldquiz.human.quiz import quiz_of
from worldquiz.human.sitting import Sitting
from worldquiz.mango.human import _told
from worldquiz.mango.running.run import plan_of, read_contest
from worldquiz.mango.scoring.grade import Question, Task
from worldquiz.mango.scoring.people import RATERS, read_people, written
from worldquiz.runs.executor import silent

DF = Question("cave", "d" * 8, Task.DF, "hall", ("up", "north"), "attic", 2, 0, 0)
RF = Question("cave", "r" * 8, Task.RF, "hall", (), "attic", 2, 0, 0)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return people.mazes(tmp_path_factory.mktemp("mango") / "run")


def legs(run: Path) -> list[list[dict[str, str]]]:
    """Return what the map builder answered, as the page gives it, in the page's order."""
    told = [json.loads(line) for line in (run / "answers.jsonl").read_text("utf-8").splitlines()]
    return [
        [{"move": leg["action"], "place": leg["node"]} for leg in json.loads(line["reply"])]
        for line in told
    ]


def answer(run: Path, out: Path, said: list[Any], name: str = "human") -> dict[str, Any]:
    out.mkdir()
    one = Sitting(quiz_of(run, name), out, silent)
    for place, each in enumerate(said):
        one.answer(place, each, 30.0)
    return one.finish()


def test_what_is_shown_names_no_end(run: Path) -> None:
    sheet = quiz_of(run, "human")
    for item, asked in zip(sheet.items, plan_of(run).questions, strict=True):
        told = sheet.shown(item)
        if asked.task is Task.DF:
            assert set(told) == {"words", "form", "start", "moves"}
            words = told["words"].replace(asked.source, "").replace(", ".join(asked.actions), "")
            assert asked.target not in words
        else:
            assert set(told) == {"words", "form", "start", "target"}


def test_ways_with_their_places_earn_success_and_reasoning(run: Path, tmp_path: Path) -> None:
    told = answer(run, tmp_path / "out", legs(run))
    for task in ("df", "rf"):
        cell = told["scores"][task]["all"]
        assert (cell["success"]["micro"], cell["reasoning"]["micro"]) == (1.0, 1.0)
    assert {name for name in ("answers.jsonl", RATERS, "scores.json", "times.json")} <= {
        each.name for each in (tmp_path / "out").iterdir()
    }


def test_moves_alone_succeed_without_reasoning(run: Path, tmp_path: Path) -> None:
    bare = [[{**leg, "place": ""} for leg in way[:-1]] + [way[-1]] for way in legs(run)]
    told = answer(run, tmp_path / "out", bare)["scores"]
    assert told["df"]["all"]["success"]["micro"] == told["rf"]["all"]["success"]["micro"] == 1.0


def test_people_agree_as_those_do_who_fill_in_sheets(run: Path, tmp_path: Path) -> None:
    said = legs(run)
    answer(run, tmp_path / "a", said, "Anna")
    answer(run, tmp_path / "b", [None, *said[1:]], "Ben")
    found = read_people([tmp_path / "a", tmp_path / "b"])
    assert found is not None
    assert found["agreement"]["df"]["all"]["questions"] == 2
    assert found["agreement"]["df"]["all"]["success"] == 0.5
    assert found["minutes"]["rf"] == {"mean": 0.5, "answers": 4}
    [told] = beside(tmp_path / "b")
    assert (told["with"], told["questions"], told["error"]) == ("Anna", 4, 0.25)
    contest = read_contest([tmp_path / "a", tmp_path / "b", run])
    assert [each.name for each in contest.contestants[:2]] == ["human (Anna)", "human (Ben)"]


@pytest.mark.parametrize(
    ("asked", "said", "text"),
    [
        (DF, [("", ""), ("", "attic")], "attic"),
        (RF, [("up", ""), ("north", "")], "up, north"),
        (RF, [("up", "")], "up"),
        (RF, None, "?"),
        (DF, None, "?"),
    ],
)
def test_bare_answers_are_written_as_by_hand(
    asked: Question, said: list[tuple[str, str]] | None, text: str
) -> None:
    given = None if said is None else [{"move": move, "place": place} for move, place in said]
    told, reply = _told(asked, given)
    assert told == text
    assert written(told, asked.task).reply == reply


def test_a_way_with_places_is_written_whole() -> None:
    said = [{"move": "up", "place": "loft"}, {"move": "north", "place": "attic"}]
    whole = [
        {"prev_node": "hall", "action": "up", "node": "loft"},
        {"prev_node": "loft", "action": "north", "node": "attic"},
    ]
    for asked in (DF, RF):
        text, reply = _told(asked, said)
        assert reply == text
        assert json.loads(text) == whole
        assert not written(text, asked.task).bare


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (DF, []), (DF, [{"place": "attic"}]), (DF, [{"place": "loft"}, {"place": ""}]),
        (RF, []), (RF, [{"move": ""}]), (RF, [{"place": "attic"}]), (RF, "up"), (RF, ["up"]),
        (RF, [{"move": 3}]), (RF, [{"move": "up", "place": 3}]), (RF, [{"move": "up"}] * 501),
    ],
)  # fmt: skip
def test_what_is_no_way_is_refused(asked: Question, said: object) -> None:
    with pytest.raises(ValueError):
        _told(asked, said)
