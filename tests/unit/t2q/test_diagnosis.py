"""Every graded answer of a model has one cause, and the cause is the right one."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

import games
from conftest import SpecOf
from worldquiz.errors import RecordError
from worldquiz.facts.fact import OPEN
from worldquiz.facts.question import (
    ABSTAIN,
    CATEGORIES,
    Answer,
    Description,
    Format,
    Graded,
    Question,
    Result,
    Score,
    Type,
    Unscored,
    Where,
    Which,
    YesNo,
    gold,
    prompt,
)
from worldquiz.facts.requirement import Moment, Seen
from worldquiz.facts.row import UNREAD, AnswerStatus
from worldquiz.llm.model import Context, Reply, Status
from worldquiz.memory.base import rendered
from worldquiz.t2q.reader import Reader
from worldquiz.t2q.reader.memory import read_context, render
from worldquiz.t2q.reader.questions import settled
from worldquiz.t2q.rows import diagnose, results
from worldquiz.t2q.store import Bundle, Cause, Played, Trace
from worldquiz.t2q.world.spec import WorldSpec

NEVER_MIND = Seen(OPEN("red box"))
WHERE = Where(
    "q",
    Type.LOCATION,
    "Where was the blue hat at the start?",
    ("red box", "attic"),
    NEVER_MIND,
    ("blue hat",),
)
SETTLES = "In the red box (container): blue hat (object); nothing else.\n"
SILENT = "The tin key fits the red box.\n"
WRONGLY = "In the iron safe (container): blue hat (object); nothing else.\n"
SHOWN = Moment(0, 3)


def causes(played: Played, results: tuple[Result, ...]) -> tuple[Cause | None, ...]:
    """Return the causes alone, one a result; none at all where no model answered."""
    found = diagnose(played, results) or ()
    assert all(finding is None or len(finding) == 1 for finding in found)
    return tuple(finding[0] if finding else None for finding in found)


def one(
    question: Question,
    context: str,
    score: Score,
    *,
    answerable: Moment | None = SHOWN,
    abstained: bool = False,
    status: AnswerStatus = AnswerStatus.ANSWERED,
) -> tuple[Played, tuple[Result, ...]]:
    """Return a world with one question, answered from one context."""
    spec = WorldSpec("toy", "easy", 1, "attic", (), ())
    reply = Reply(question.id, "", Status.CLEAN, "c")
    trace = Trace(replies=(reply,), contexts=(Context("c", context),))
    result = Result(
        "toy",
        "easy",
        question.id,
        question.type,
        Format(question.kind),
        answerable,
        "",
        abstained,
        score,
        status,
    )
    return Played(Bundle(spec, (), (question,)), (), (), trace), (result,)


def cause(context: str, value: float, question: Question = WHERE) -> Cause | None:
    return causes(*one(question, context, Graded(value)))[0]


@pytest.mark.parametrize(
    ("context", "value", "why"),
    [
        (SETTLES, 1.0, Cause.KNOWN),
        (SILENT, 1.0, Cause.GUESSED),
        ("", 1.0, Cause.GUESSED),
        (SETTLES, 0.0, Cause.REASON),
        (SILENT, 0.0, Cause.REMEMBER),
        ("", 0.0, Cause.REMEMBER),
        (WRONGLY, 0.0, Cause.REMEMBER),
        (WRONGLY, 1.0, Cause.GUESSED),
    ],
)
def test_what_was_shown_is_laid_at_the_memory_or_the_model(
    context: str, value: float, why: Cause
) -> None:
    assert cause(context, value) is why


def test_abstaining_from_what_was_recalled_is_a_fault_of_reason() -> None:
    played, found = one(WHERE, SETTLES, Graded(0.0), abstained=True)
    assert causes(played, found) == (Cause.REASON,)


@pytest.mark.parametrize(
    ("abstained", "value", "why"), [(True, 1.0, Cause.EXPLORE), (False, 0.0, Cause.OVERCLAIM)]
)
def test_what_was_never_shown_is_laid_at_the_player(
    abstained: bool, value: float, why: Cause
) -> None:
    never = one(WHERE, SETTLES, Graded(value), answerable=None, abstained=abstained)
    assert causes(*never) == (why,)


@pytest.mark.parametrize("status", UNREAD)
@pytest.mark.parametrize("answerable", [SHOWN, None])
def test_a_reply_that_holds_no_answer_is_a_cause_of_its_own(
    status: AnswerStatus, answerable: Moment | None
) -> None:
    lost = one(WHERE, SETTLES, Graded(0.0), answerable=answerable, status=status)
    assert causes(*lost) == (Cause.UNREAD,)


def test_what_has_no_grade_has_no_cause() -> None:
    assert diagnose(*one(WHERE, SETTLES, Unscored("no answer on record"))) == (None,)


def test_where_no_model_answered_there_is_no_diagnosis() -> None:
    played, found = one(WHERE, SETTLES, Graded(1.0))
    assert diagnose(replace(played, trace=Trace()), found) is None
    assert causes(replace(played, trace=Trace()), found) == ()


def test_a_missing_reply_or_context_is_named() -> None:
    played, found = one(WHERE, SETTLES, Graded(1.0))
    lost = replace(played.trace, contexts=())
    with pytest.raises(RecordError, match="world 'toy', question 'q': its context 'c' is not"):
        diagnose(replace(played, trace=lost), found)
    other = replace(played.trace, replies=(Reply("p", "", Status.CLEAN, "c"),))
    with pytest.raises(RecordError, match="world 'toy', question 'q': its reply is not"):
        diagnose(replace(played, trace=other), found)


class TestProse:
    """Of what cannot be read line by line, only the bounds are known, whatever names occur."""

    @pytest.mark.parametrize(
        "text",
        [
            "The Blue Hat lay in the Red\nBox.",
            "The blue hat lay in the iron safe.",
            "The attic is dark.",
            "Names that came up: attic, blue hat, red box.",
            f"{SETTLES}A red sky.",
            f"The blue hat is soft.\n{SILENT}",
        ],
    )
    @pytest.mark.parametrize(
        ("value", "between"),
        [(0.0, {Cause.REASON, Cause.REMEMBER}), (1.0, {Cause.KNOWN, Cause.GUESSED})],
    )
    def test_no_cause_is_guessed(self, text: str, value: float, between: set[Cause]) -> None:
        (found,) = diagnose(*one(WHERE, text, Graded(value))) or ()
        assert found
        assert set(found) == between

    @pytest.mark.parametrize(
        ("given", "why"),
        [
            ({"answerable": None}, Cause.OVERCLAIM),
            ({"answerable": None, "abstained": True}, Cause.EXPLORE),
            ({"status": AnswerStatus.UNREADABLE}, Cause.UNREAD),
        ],
    )
    def test_what_no_context_bears_on_is_exact(self, given: dict[str, Any], why: Cause) -> None:
        assert causes(*one(WHERE, "A red sky.", Graded(0.0), **given)) == (why,)

    def test_a_question_in_other_words_than_ours_cannot_be_read_either(self) -> None:
        own = replace(WHERE, text="Where did the hat lie?")
        (found,) = diagnose(*one(own, SETTLES, Graded(0.0))) or ()
        assert found == (Cause.REASON, Cause.REMEMBER)


@pytest.fixture(scope="module")
def hard(spec_of: SpecOf) -> Played:
    """A hard world, walked through, without answers."""
    return games.played(spec_of("hard", 906), "walkthrough", seed=1)


def turns_of(played: Played) -> list[str]:
    return [
        rendered(Moment(number, step), turn)
        for number, episode in enumerate(played.episodes)
        for step, turn in enumerate(episode.transcript)
    ]


def wrong(question: Question) -> str:
    """Return a reply that can be read and is wrong."""
    match question:
        case YesNo(answer=answer):
            return "no" if answer else "yes"
        case Which(choices=choices, answer=answer):
            return next(choice for choice in choices if choice != answer)
        case Description(categories=found):
            return next(category for category in CATEGORIES if {category} != set(found))
        case _:
            return "the moon"


def answered(played: Played, contexts: list[str], *, honest: bool) -> Played:
    """Answer each question from its context: what it settles, else abstain; or always wrongly."""
    answers, replies = [], []
    for number, (question, context) in enumerate(
        zip(played.bundle.questions, contexts, strict=True)
    ):
        reply = (
            (settled(read_context(context).graph, prompt(question)) or ABSTAIN)
            if honest
            else wrong(question)
        )
        answers.append(Answer(question.id, reply))
        replies.append(Reply(question.id, reply, Status.CLEAN, str(number)))
    shown = tuple(Context(str(number), text) for number, text in enumerate(contexts))
    trace = Trace(replies=tuple(replies), contexts=shown)
    return replace(played, answers=tuple(answers), trace=trace)


def test_a_perfect_reader_fails_only_by_what_its_memory_lost(hard: Played) -> None:
    turns = turns_of(hard)
    count = len(hard.bundle.questions)
    for kept in (turns, turns[len(turns) // 4 :], turns[::2], turns[:5], []):
        played = answered(hard, ["".join(kept)] * count, honest=True)
        graded = results(played)
        found = causes(played, graded)
        assert len(found) == count
        assert set(found) <= {Cause.KNOWN, Cause.EXPLORE, Cause.REMEMBER}
        lost = sum(result.score == Graded(0.0) for result in graded)
        assert Counter(found)[Cause.REMEMBER] == lost
        assert lost == 0 or kept is not turns


@pytest.mark.parametrize("form", ["turns", "sentences"])
def test_a_liar_with_everything_before_its_eyes_has_no_excuse(hard: Played, form: str) -> None:
    graph = Reader.of([episode.transcript for episode in hard.episodes]).graph
    text = render(graph) if form == "sentences" else "".join(turns_of(hard))
    played = answered(hard, [text] * len(hard.bundle.questions), honest=False)
    assert set(causes(played, results(played))) <= {Cause.REASON, Cause.OVERCLAIM}


def test_right_answers_without_memory_are_guesses(hard: Played) -> None:
    right = tuple(Answer(question.id, gold(question)) for question in hard.bundle.questions)
    played = replace(answered(hard, [""] * len(right), honest=True), answers=right)
    assert set(causes(played, results(played))) <= {Cause.GUESSED, Cause.OVERCLAIM}


@pytest.mark.parametrize("shared", [True, False])
def test_it_is_fast(hard: Played, shared: bool) -> None:
    """Limits are several times what was measured: only another order of growth fails."""
    turns, count = turns_of(hard), len(hard.bundle.questions)
    own = ["".join(turns[n % len(turns) : n % len(turns) + 10]) + "\n" * n for n in range(count)]
    played = answered(hard, ["".join(turns)] * count if shared else own, honest=False)
    graded = results(played)
    read_context.cache_clear()
    start = time.process_time()
    diagnose(played, graded)
    took = time.process_time() - start
    print(f"{count} questions, {'one context' if shared else 'own contexts'}: {took * 1000:.0f} ms")
    assert took < (0.1 if shared else 1.0)
