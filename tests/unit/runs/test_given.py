"""Objects that a user passes: how they are made, and what stops a run at once."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq
from serving import module_of

OWN = module_of("own_benchmark")


class Odd:
    """Answers once with a text, then with what is none."""

    def __init__(self) -> None:
        self.replies: list[object] = [{"answer": "attic"}, "attic"]

    def act(self, observation: Any) -> object:
        return self.replies.pop()

    def answer(self, prompt: Any, pictures: Any = None) -> object:
        return self.replies.pop()


def acts(home: Path, suite: wq.t2q.T2QSuite) -> object:
    return suite.run(agent=Odd, answerer="constant", out=home / "run")


def answers(home: Path, suite: wq.t2q.T2QSuite) -> object:
    return suite.run(agent="idle", answerer=Odd, out=home / "run")


def mazes(home: Path, suite: object) -> object:
    return wq.mango.build(mazes=1, size=5, out=home / "mazes").run(Odd, out=home / "run")


def rooms(home: Path, suite: object) -> object:
    return OWN.Houses.build(home / "houses", houses=1).run(Odd, out=home / "run")


@pytest.mark.parametrize("run", [acts, answers, mazes, rooms])
def test_a_wrong_type_stops_a_run_at_once_and_names_the_line_to_mend(
    run: Callable[[Path, object], object], suite: Any, tmp_path: Path
) -> None:
    """What failed in another way is a failed question, and the run goes on."""
    told = r"returned \{.*\}, not a string, .*: see .* \(.*test_given\.py:\d+\); finished work is"
    with pytest.raises(wq.WorldquizError, match=told):
        run(tmp_path, wq.load(suite.path))
    assert not list((tmp_path / "run").glob("scores.json"))


class Counts:
    """Answers by how often it was asked."""

    asked = 0

    def answer(self, prompt: str) -> str:
        self.asked += 1
        return str(self.asked)


@pytest.mark.parametrize("who", [Counts, Counts(), lambda: Counts()])
def test_nothing_goes_from_one_world_to_the_next(who: object, tmp_path: Path) -> None:
    rows = OWN.Houses.build(tmp_path / "houses", houses=2).run(who, out=tmp_path / "run").rows
    for house in ("house-00", "house-01"):
        said = [row.reply for row in rows if row.world == house]
        assert said == [str(number) for number in range(1, len(said) + 1)]


class NeedsModel:
    def __init__(self, llm: object) -> None:
        self.llm = llm

    def act(self, observation: object) -> None:
        return None

    answer = act


def test_a_seed_is_given_to_no_other_parameter(suite: Any, tmp_path: Path) -> None:
    worlds, told = (
        wq.load(suite.path),
        r"'NeedsModel': needs the argument 'llm', but worldquiz passes only seed: pass",
    )
    for who in (
        {"agent": NeedsModel, "answerer": "constant"},
        {"agent": "idle", "answerer": NeedsModel},
    ):
        with pytest.raises(wq.WorldquizError, match=told):
            worlds.run(**who, out=tmp_path / "run")
    with pytest.raises(wq.WorldquizError, match=r"answerer=lambda: NeedsModel\(llm=\.\.\.\)"):
        wq.mango.build(mazes=1, size=5, out=tmp_path / "mazes").run(
            NeedsModel, out=tmp_path / "run"
        )
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("make", [os.getpid, lambda: 1 / 0])
def test_what_cannot_be_made_is_blamed(make: object, suite: Any, tmp_path: Path) -> None:
    with pytest.raises(wq.WorldquizError, match=r"agent .* (failed when it was made|cannot play)"):
        wq.load(suite.path).run(agent=make, answerer="constant", out=tmp_path / "run")


def test_a_guess_or_a_grade_that_is_no_share_is_named_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    houses = OWN.Houses.build(tmp_path / "houses", houses=1)
    monkeypatch.setattr(type(houses), "grade", lambda *_: OWN.ItemGrade("attic", 2.0))
    with pytest.raises(wq.WorldquizError, match=r"rooms: grade of house-00/.*: 2.0 is no"):
        houses.run("guesser", out=tmp_path / "graded")
    items = [replace(item, guess=1.7) for item in houses.items()]
    monkeypatch.setattr(type(houses), "items", lambda _: items)
    with pytest.raises(wq.WorldquizError, match=r"house-00/location/.*: guess: 1.7 is not betw"):
        houses.run("guesser", out=tmp_path / "guessed")
    assert not (tmp_path / "guessed").exists()
