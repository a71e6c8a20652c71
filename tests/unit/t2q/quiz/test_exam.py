"""What the exam says of each question beside its grade: its status, what the start settles."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import cast

import pytest

import synthetic
from fact_texts import facts
from guessing import worlds
from worldquiz.facts.question import (
    Description,
    Format,
    Question,
    Type,
    What,
    Where,
    Which,
    YesNo,
)
from worldquiz.facts.requirement import Seen
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.llm.model import Context, Reply
from worldquiz.t2q.agents import wording
from worldquiz.t2q.builder import Plan, bundle
from worldquiz.t2q.quiz.answerability import Checkpoints
from worldquiz.t2q.reader import Graph
from worldquiz.t2q.rows import question_rows
from worldquiz.t2q.scores import scores
from worldquiz.t2q.scoring.blind import (
    Table,
    chance,
    guessing_rates,
    kind_asked,
    paper_of,
    table,
    usual,
)
from worldquiz.t2q.store import Played, Trace

KINDS, ROOMS = synthetic.spec().kinds, len(synthetic.spec().rooms)
QUESTIONS = {question.id: question for question in synthetic.questions()}
FACT = facts("on(brass key, pine table)")[0]
SEEN_AT_ONCE = YesNo(
    "location-003", Type.LOCATION, "Was the brass key on the pine table?", True,
    Seen(FACT), ("brass key", "pine table"),
)  # fmt: skip


def played(agent: str) -> Played:
    """A world with one more question, which the first screen settles."""
    one = synthetic.played("easy-00", "easy", agent)
    bundle = replace(one.bundle, questions=(*one.bundle.questions, SEEN_AT_ONCE))
    last = replace(one.answers[0], question=SEEN_AT_ONCE.id, reply="yes")
    return Played(bundle, one.episodes, (*one.answers, last))


def rows(played: Played) -> list[Row]:
    return list(question_rows(played))


def test_what_the_start_settles_is_what_an_idle_agent_can_know() -> None:
    scouted, idled = rows(played("scout")), rows(played("idle"))
    settled = [row.measures["at_start"] for row in scouted]
    assert settled == [row.shown for row in idled] == [False] * 6 + [True]
    assert settled == [row.measures["at_start"] for row in idled]


def test_each_question_has_a_row_in_quiz_order_with_points_by_its_rate() -> None:
    """The scout: two right, one wrong; one answer to what was never shown; two abstentions."""
    scouted = played("scout")
    found, rates = rows(scouted), synthetic.rates()
    assert [row.item for row in found] == [each.id for each in scouted.bundle.questions]
    assert [row.reply for row in found] == [each.reply for each in scouted.answers]
    assert tuple(row.guess for row in found) == guessing_rates(scouted.bundle)
    earned = {row.item: row.points for row in found if row.points}
    assert earned == pytest.approx({
        "direction-001": -rates["direction-001"], **{
            row.item: 1 - rates[row.item] for row in found if row.correct == 1 and row.points},
    })  # fmt: skip
    assert {row.points for row in rows(played("idle"))} <= {0, None}


def test_a_question_without_an_answer_on_record_is_counted_and_not_graded() -> None:
    scouted = played("scout")
    *others, last = rows(replace(scouted, answers=scouted.answers[:-1]))
    assert (last.grade, last.unscored) == (None, "no answer on record")
    assert (last.reply, last.status) == ("", AnswerStatus.FAILED)
    assert others == rows(scouted)[:-1]


def test_by_the_paper_it_is_enough_to_have_reached_the_place() -> None:
    """The scout never opened the chest in the attic; it saw the attic in its second command."""
    (apple,) = (row for row in rows(played("scout")) if row.item == "location-001")
    assert (apple.shown, apple.grade) == (False, 1)  # it abstained
    assert apple.measures["paper"] == {"shown": [0, 2], "at_start": False}
    assert scores([apple])["eus"] == 1
    assert scores([apple], Checkpoints.PAPER)["eus"] == 0


@pytest.mark.parametrize(
    ("reply", "said", "found"),
    [
        ("attic", None, AnswerStatus.ANSWERED),
        ("non-answerable", None, AnswerStatus.ABSTAINED),
        (" ", None, AnswerStatus.UNREADABLE),
        (None, None, AnswerStatus.FAILED),
        ("attic", AnswerStatus.CUT, AnswerStatus.CUT),
        ("", AnswerStatus.OVERFLOW, AnswerStatus.OVERFLOW),
        ("", AnswerStatus.FILTERED, AnswerStatus.FILTERED),
    ],
)
def test_status(reply: str | None, said: AnswerStatus | None, found: AnswerStatus) -> None:
    one = played("scout")
    answers = () if reply is None else (replace(one.answers[0], reply=reply),)
    told = (Reply("location-001", "raw", said, "c"),) if said else ()
    trace = Trace(replies=told, contexts=(Context("c", ""),))
    assert rows(replace(one, answers=answers, trace=trace))[0].status is found


def test_a_guessing_rate_is_at_least_chance() -> None:
    for question in QUESTIONS.values():
        rates = [usual(question, KINDS, rooms) for rooms in (ROOMS, 2)]
        few, many = (-1.0 if rate is None else rate for rate in rates)
        assert (chance(question) or 0) <= few <= many <= 1
    assert chance(QUESTIONS["connectivity-001"]) == chance(QUESTIONS["location-002"]) == 0.5
    assert chance(QUESTIONS["location-001"]) is None


def test_a_guessing_rate_is_the_measured_one_where_that_is_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rates = {
        ("match", "yes_no", ""): [(20, 0.7)],
        ("location", "yes_no", ""): [(20, 0.3)],
        ("location", "where", ""): [(3, 0.4), (5, 0.1)],
        ("location", "where", "door"): [(20, 0.6)],
    }
    monkeypatch.setattr("worldquiz.t2q.scoring.blind.table", lambda: Table(1, rates))
    fits = replace(SEEN_AT_ONCE, type=Type.MATCH)
    place = Where("q", Type.LOCATION, "Where?", ("attic",), SEEN_AT_ONCE.requires, ())
    four = Which("q", Type.MATCH, "Which?", tuple("abcd"), "a", SEEN_AT_ONCE.requires, ())
    what = What("q", Type.DIRECTION, "Which way?", ("east",), SEEN_AT_ONCE.requires, ())
    kinds = Description("q", Type.LOCATION, "What?", (), SEEN_AT_ONCE.requires, ())
    asked = (fits, SEEN_AT_ONCE, four, place, what, kinds)
    found = [(chance(q), usual(q, KINDS, 5)) for q in asked]
    assert found == [(0.5, 0.7), (0.5, 0.5), (0.25, 0.25), (None, 0.1), (None, None), (None, None)]
    by_size = [usual(place, KINDS, rooms) for rooms in (2, 3, 4, 5, 6, 99)]
    assert by_size == [0.4, 0.4, 0.1, 0.1, 0.1, 0.1]
    assert usual(replace(place, about=("gate",)), {"gate": "door"}, 5) == 0.6
    assert usual(replace(place, about=("table",)), {"table": "supporter"}, 5) == 0.1


def test_a_question_is_of_the_kind_of_what_it_is_about() -> None:
    """Of a lock, not of its key; of a thing, not of where it is said to be; of its choices."""
    kinds = {"key": "key", "gate": "door", "attic": "room", "red chest": "container"}
    states = Which("q", Type.PROPERTY, "Which?", ("red chest", "gate"), "gate", Seen(FACT), ())
    for about, kind in ((("key", "gate"), "door"), (("attic", "key"), "key"), (("?",), "")):
        assert kind_asked(replace(SEEN_AT_ONCE, about=about), kinds) == kind
    assert kind_asked(states, kinds) == "door"
    assert kind_asked(replace(SEEN_AT_ONCE, about=()), kinds) == ""


def test_the_paper_of_a_world_is_its_sheet_its_tasks_and_its_first_screen() -> None:
    """What stands or lies in the first room, on a table, and in an open box, but no locks."""
    one = synthetic.played("easy-00", "easy", "scout").bundle
    more = facts(
        "kind(box, container)", "at(box, hall)", "open(box)", "unlocked(box)", "kind(coin, object)",
        "in(coin, box)", "kind(ball, object)", "at(ball, hall)",
    )  # fmt: skip
    spec = replace(one.spec, facts=tuple(sorted({*one.spec.facts, *more})))
    paper = paper_of(replace(one, spec=spec))
    assert paper.first == Graph(
        exits={"hall": {"north": None, "east": "oak door"}},
        place={"pine table": "hall", "brass key": "pine table", "box": "hall", "coin": "box",
               "ball": "hall"},
        lids={"oak door": False, "box": True},
    )  # fmt: skip
    assert paper.objectives == ("Go to the attic.", "Fetch the blue vase.")
    assert [asked.text for asked in paper.prompts] == [each.text for each in one.questions]


@pytest.mark.parametrize("level", ["easy", "explore"])
def test_whom_the_sheet_makes_sure_earns_nothing_by_it(level: str) -> None:
    """The rate of a question is no less than what the shipped guesser thinks of its best answer."""
    (one,) = map(bundle, worlds(Plan(level, 77, 1)).values())
    paper, surer = paper_of(one), 0
    rates = guessing_rates(one)
    for question, asked, rate in zip(one.questions, paper.prompts, rates, strict=True):
        guess = wording.guess(paper, asked)
        assert guess is not None
        plain = usual(question, one.spec.kinds, len(one.spec.rooms))
        assert plain is not None
        assert rate == max(plain, guess.trust)
        surer += guess.trust > plain
    assert 0 < surer < len(rates)


def test_what_is_no_question_has_no_chance() -> None:
    with pytest.raises(AssertionError, match="no question"):
        chance(cast("Question", "no question"))


def test_the_shipped_table_holds_shares_and_says_its_version() -> None:
    assert table().version >= 1
    assert table().rates
    for sizes in table().rates.values():
        assert [most for most, _ in sizes] == sorted({most for most, _ in sizes})
        assert all(0 <= rate <= 1 for _, rate in sizes)
    cells = {(type, form) for type, form, _ in table().rates}
    assert cells <= set(product(map(str, Type), map(str, Format)))
    assert all((*cell, "") in table().rates for cell in cells)
