"""Where the points of a question go, in cases of which the truth is known.

A memory hands over a text of our making about where one thing was, and a model says what we let it
say. Of what can be read word for word the cause must be the truth; of prose the bounds must hold
it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq
from conftest import Cli
from modelserver import Reply, Request, Running, Text, serving
from worldquiz.facts.knowledge import lost_points
from worldquiz.t2q import T2QSuite

PROSE = "memory or misread"
SILENT = "non-answerable"


@dataclass
class Asked:
    """A question about the place of a thing, of an agent that saw everything."""

    row: wq.Row
    thing: str
    others: Sequence[str]  # holders and rooms where it was not
    turns: Sequence[str]

    @property
    def place(self) -> str:
        return self.row.gold

    def shows(self, turn: str) -> bool:
        return self.thing in turn and self.place in turn


@dataclass
class Keeps:
    """A memory that is asked for nothing, to collect what an agent did and saw."""

    turns: list[str] = field(default_factory=list)

    def add(self, entry: Any) -> None:
        self.turns.append(entry.text)

    def recall(self, query: str) -> str:
        return "".join(self.turns)


def every_turn(it: Asked) -> str:
    return "".join(it.turns)


def nothing(it: Asked) -> str:
    return ""


def one_turn(it: Asked) -> str:
    """Of the middle of a task: by it alone, somebody may have put the thing there."""
    late = (turn for turn in it.turns if not re.search(r", step [01]\]", turn))
    return next(filter(it.shows, late))


def other_turns(it: Asked) -> str:
    return "".join(turn for turn in it.turns if it.thing not in turn)


def later_turn(it: Asked) -> str:
    """A true turn, after the thing was moved."""
    seen = f"-= Vault =-\nThis is the vault. On the floor you see a {it.thing}."
    return f"[task 1, step 40] > look\n{seen}\nInventory: You are carrying nothing.\n"


def true_prose(it: Asked) -> str:
    return f"I remember the {it.thing}: I saw it at the {it.place} first.\n"


def poor_prose(it: Asked) -> str:
    return "It was a house with several rooms, and a dark and stormy night.\n"


def false_prose(it: Asked) -> str:
    return f"I remember the {it.thing}: I saw it at the {it.others[0]} first.\n"


def names(it: Asked) -> str:
    return f"{it.thing}, {it.place}, {', '.join(it.others)}\n"


def turns_and_prose(it: Asked) -> str:
    return every_turn(it) + poor_prose(it)


CASES = [
    # the memory hands over   the model says   the truth   what the row says
    (every_turn, "right", None, None),
    (every_turn, "wrong", "misread", "misread"),
    (every_turn, "mumbles", "unread", "unread"),
    ("in-context", "wrong", "misread", "misread"),
    (one_turn, "silent", "misread", "misread"),
    (other_turns, "right", None, None),  # a guess, of which nobody says that it was known
    (other_turns, "wrong", "memory", "memory"),
    (other_turns, "silent", "memory", "memory"),
    (later_turn, "wrong", "memory", "memory"),
    (nothing, "declines", "unread", "unread"),
    ("none", "wrong", "memory", "memory"),
    (true_prose, "wrong", "misread", PROSE),
    (true_prose, "silent", "misread", PROSE),
    (true_prose, "is cut", "unread", "unread"),
    (false_prose, "wrong", "memory", PROSE),
    (poor_prose, "silent", "memory", PROSE),
    (names, "silent", "memory", PROSE),
    (turns_and_prose, "wrong", "misread", PROSE),
]
UNSHOWN = [
    (false_prose, "wrong"),  # the memory made it up: a false answer, and no point is at stake
    (nothing, "right"),
    (nothing, "silent"),
    (nothing, "mumbles"),
]


@pytest.fixture(scope="module")
def asked(suite: T2QSuite, tmp_path_factory: pytest.TempPathFactory) -> Asked:
    """Return a question about a thing that its holder alone shows."""
    out = tmp_path_factory.mktemp("plain")
    told: dict[str, Keeps] = {}

    def remembers(services: Any) -> Keeps:
        return told.setdefault(services.world, Keeps())

    with serving(lambda request: Text(SILENT)) as server:
        run = played(suite, server, out / "run", remembers, agent="explorer")
    for row in run.rows:
        spec, turns = suite.bundle(row.world).spec, told[row.world].turns
        thing = max((name for name in spec.kinds if name in row.prompt), key=len)
        places = spec.of_kind("room", "container", "supporter")
        others = [place for place in places if place not in (row.gold, thing)]
        found = Asked(row, thing, others, turns)
        if row.format == "where" and row.worth and sum(map(found.shows, turns)) > 1:
            return found
    raise AssertionError("no such question")


def played(suite: T2QSuite, server: Running, out: Path, memory: object, **more: Any) -> wq.Run:
    return suite.run(model="m", base_url=server.base_url, memory=memory, out=out, **more)


@pytest.fixture
def answer(suite: T2QSuite, asked: Asked, tmp_path: Path) -> Callable[..., wq.Row]:
    """Return a function that has a model with a memory answer the question, and returns its row."""
    says = {"right": asked.place, "wrong": asked.others[0], "silent": SILENT}
    speaks = {
        "mumbles": Text("Well, well."), "declines": Text("I'm sorry, but I can't help with that."),
        "is cut": Text('{"answer": "the gr', finish="length"),
    }  # fmt: skip

    def answered(hands_over: Any, how: str, agent: str = "explorer") -> wq.Row:
        class Hands(Keeps):
            def recall(self, query: str) -> str:
                return str(hands_over(asked))

        def script(request: Request) -> Reply:
            if f"\n{asked.row.prompt}\n" in request.text:
                return speaks.get(how) or Text(json.dumps({"answer": says[how], "reason": ""}))
            return Text(SILENT)

        memory = hands_over if isinstance(hands_over, str) else Hands
        with serving(script) as server:
            run = played(suite, server, tmp_path / "run", memory, agent=agent)
        (row,) = (row for row in run.rows if (row.world, row.item) ==
                  (asked.row.world, asked.row.item))  # fmt: skip
        return row

    return answered


@pytest.mark.parametrize(("hands_over", "says", "truth", "told"), CASES)
def test_a_cause_is_the_truth_or_holds_it(
    answer: Callable[..., wq.Row], hands_over: Any, says: str, truth: str | None, told: str | None
) -> None:
    row = answer(hands_over, says)
    assert row.cause == told
    assert row.worth is not None
    lost = (1.0 if says == "wrong" else row.worth) / row.worth
    for cause, (least, most) in lost_points([row]).items():
        assert least <= (lost if cause == truth else 0) <= most
        assert told == PROSE or least == most


@pytest.mark.parametrize(("hands_over", "says"), UNSHOWN)
def test_what_was_not_shown_loses_its_worth_whatever_is_said(
    answer: Callable[..., wq.Row], hands_over: Any, says: str
) -> None:
    row = answer(hands_over, says, agent="idle")
    assert (row.cause, row.shown) == ("explore", False)
    assert lost_points([row])["explore"] == [1, 1]


def test_the_table_stands_in_the_terminal_in_scores_and_on_the_page(
    suite: T2QSuite, tmp_path: Path, cli: Cli
) -> None:
    run = suite.run(agent="random", answerer="constant", out=tmp_path / "run")
    for verb in ("score", "show"):
        assert "Where the points went" in cli(verb, run.path).out
    assert cli("score", run.path, "--json").json["lost"] == lost_points(run.rows)
    assert "Where the points went" in run.report(tmp_path / "page.html").read_text()


def test_where_no_memory_stands_between_a_wrong_answer_was_misread(
    suite: T2QSuite, asked: Asked, tmp_path: Path
) -> None:
    class Fool:
        def answer(self, prompt: Any) -> str:
            return asked.others[0] if prompt.text == asked.row.prompt else SILENT

    run = suite.run(agent="explorer", answerer=Fool, out=tmp_path / "run")
    causes = {row.cause for row in run.rows if row.prompt == asked.row.prompt}
    assert "misread" in causes
    assert {row.cause for row in run.rows if row.shown} == {"misread"}
