"""Every graded answer of a model has one cause, and the cause is the right one.

What was shown, what the memory hands over and what is answered are varied one by one.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq
from modelserver import Reply, Request, Text, serving
from worldquiz.t2q import T2QSuite

PLAYED: dict[str, Any] = {"agent": "random", "max_steps": 6, "seed": 1}
"""Shows some of what is asked, and not all."""
Answered = Callable[[object, str], dict[bool, set[str | None]]]


class Recalls:
    """A memory of what it was told, as far as it says."""

    name = "recalls"

    def __init__(self) -> None:
        self.turns: list[str] = []

    def add(self, entry: Any) -> None:
        self.turns.append(entry.text)

    def recall(self, query: str) -> str:
        return "".join(self.turns)


class Forgets(Recalls):
    """A memory that says nothing."""

    def recall(self, query: str) -> str:
        return ""


class Misremembers(Recalls):
    """A memory that can be read, and tells of what nobody asks."""

    def recall(self, query: str) -> str:
        return "The tin key fits the red box.\n"


class Tells(Recalls):
    """A memory that tells all in words of its own beside the turns."""

    def recall(self, query: str) -> str:
        return "".join([*self.turns, "It was a dark and stormy night.\n"])


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> T2QSuite:
    """Return a suite of one world, in which no two questions have the same words."""
    return wq.t2q.build("medium", worlds=1, seed=9, out=tmp_path_factory.mktemp("one") / "suite")


@pytest.fixture(scope="module")
def asked(suite: T2QSuite, tmp_path_factory: pytest.TempPathFactory) -> dict[str, wq.Row]:
    """Return the questions of a world, by their words."""
    out = tmp_path_factory.mktemp("plain") / "run"
    rows = suite.run(**PLAYED, answerer="abstainer", out=out).rows
    assert {row.shown for row in rows} == {True, False}
    return {row.prompt: row for row in rows}


def wrong(row: wq.Row, suite: T2QSuite) -> str:
    """Return a reply that can be read and is wrong."""
    match row.format:
        case "yes_no":
            return "no" if row.gold == "yes" else "yes"
        case "which":
            return next(choice for choice in row.choices if choice != row.gold)
        case "description":
            return "food" if row.gold == "object" else "object"
        case "what":
            return "south" if row.gold == "north" else "north"
    bundle = suite.bundle(row.world)
    (asked,) = (each for each in bundle.questions if each.text == row.prompt)
    known = {*getattr(asked, "answers", ()), *asked.about}
    return next(place for place in bundle.spec.places if place not in known)


@pytest.fixture
def answered(
    suite: T2QSuite, asked: dict[str, wq.Row], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Answered:
    """Return a function that has a model with a memory answer, all rightly or all otherwise.

    It returns the causes of what was shown, and of what was not.
    """
    monkeypatch.setenv("OPENAI_API_KEY", "none")

    def sat(memory: object, how: str) -> dict[bool, set[str | None]]:
        def script(request: Request) -> Reply:
            (row,) = (row for words, row in asked.items() if f"\n{words}\n" in request.text)
            said = {"right": row.gold, "wrong": wrong(row, suite), "silent": "non-answerable"}
            return Text("" if how == "unread" else json.dumps({"answer": said[how], "reason": ""}))

        with serving(script) as server:
            run = suite.run(
                **PLAYED, model="m", base_url=server.base_url, memory=memory, out=tmp_path / "run"
            )
        causes = {shown: {row.cause for row in run.rows if row.shown is shown}
                  for shown in (True, False)}  # fmt: skip
        told = run.scores["attribution"]
        assert told["questions"] == len(run.rows) == told["exact"] + told["undecided"]
        return causes

    return sat


@pytest.mark.parametrize(
    ("memory", "how", "cause"),
    [
        (Recalls, "right", "known"),
        ("worldgraph", "right", "known"),
        (Recalls, "wrong", "reason"),
        (Recalls, "silent", "reason"),
        (Forgets, "right", "guessed"),
        (Misremembers, "right", "guessed"),
        (Forgets, "wrong", "remember"),
        (Misremembers, "silent", "remember"),
        (Tells, "right", "known or guessed"),  # what cannot be read line by line has bounds only
        (Tells, "wrong", "reason or remember"),
        (Recalls, "unread", "unread"),
        (Tells, "unread", "unread"),
    ],
)
def test_what_was_shown_is_laid_at_the_memory_or_the_model_and_the_rest_at_the_player(
    answered: Answered, memory: object, how: str, cause: str
) -> None:
    """Whatever the memory says: claiming what was not shown is a false answer."""
    never = {"silent": "explore", "unread": "unread"}.get(how, "overclaim")
    assert answered(memory, how) == {True: {cause}, False: {never}}
