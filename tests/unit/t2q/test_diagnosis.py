"""Every graded answer of a model has one cause, and the cause is the right one."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

import synthetic
from conftest import WorldOf
from worldquiz.facts.fact import OPEN
from worldquiz.facts.question import (
    ABSTAIN,
    CATEGORIES,
    Answer,
    Description,
    Question,
    Type,
    Where,
    Which,
    YesNo,
    gold,
    prompt,
)
from worldquiz.facts.requirement import Moment, Seen
from worldquiz.facts.row import UNREAD, AnswerStatus, Row
from worldquiz.llm.model import Context, Reply, Status
from worldquiz.memory.base import rendered
from worldquiz.t2q import rows
from worldquiz.t2q.agents import catalog
from worldquiz.t2q.agents.base import Brief
from worldquiz.t2q.budget import PerTask
from worldquiz.t2q.quiz.ask import ask
from worldquiz.t2q.reader import Reader
from worldquiz.t2q.reader.memory import read_context, render
from worldquiz.t2q.reader.questions import settled
from worldquiz.t2q.rollout import play
from worldquiz.t2q.rows import question_rows
from worldquiz.t2q.store import Bundle, Cause, Played, Trace
from worldquiz.t2q.tasks.targets import tasks as tasks_of

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


def causes(rows: Iterable[Row]) -> list[str | None]:
    """Return the causes of questions, each of one alone."""
    found = [row.cause for row in rows]
    assert not any(" or " in (each or "") for each in found)
    return found


def cause(context: str, value: float, question: Question = WHERE, **more: Any) -> set[str]:
    """Return the causes between which a graded answer from a context lies."""
    row = synthetic.row(value, **more)
    return set(rows.cause(row, question, Context("c", context)))


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
    assert cause(context, value) == {why}


def test_abstaining_from_what_was_recalled_is_a_fault_of_reason() -> None:
    assert cause(SETTLES, 0, status=AnswerStatus.ABSTAINED) == {Cause.REASON}


ELSEWHERE = [
    ({"shown": False, "status": AnswerStatus.ABSTAINED}, Cause.EXPLORE),
    ({"shown": False}, Cause.OVERCLAIM),
    *(({"shown": shown, "status": lost}, Cause.UNREAD)
      for lost in UNREAD for shown in (True, False)),
]  # fmt: skip


@pytest.mark.parametrize("context", [SETTLES, "A red sky."])
@pytest.mark.parametrize(("given", "why"), ELSEWHERE)
def test_what_no_context_bears_on_is_laid_at_the_player_or_the_reply(
    context: str, given: dict[str, Any], why: Cause
) -> None:
    assert cause(context, 0, **given) == {why}


def test_where_no_model_answered_or_nothing_is_graded_there_is_no_cause() -> None:
    played = synthetic.played("easy-00", "easy", "scout")
    assert set(causes(question_rows(played))) == {None}
    (world,) = synthetic.model_run(worlds=1, replies=synthetic.REPLIES[:5]).worlds
    assert [bool(row.cause) for row in question_rows(world)] == [True] * 5 + [False]


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
        assert cause(text, value) == between

    def test_a_question_in_other_words_than_ours_cannot_be_read_either(self) -> None:
        own = replace(WHERE, text="Where did the hat lie?")
        assert cause(SETTLES, 0, own) == {Cause.REASON, Cause.REMEMBER}


@pytest.fixture(scope="module")
def hard(world_of: WorldOf) -> Played:
    """A hard world, walked through, without answers."""
    world = world_of("hard", 906)
    spec = world.spec
    bundle = Bundle(spec, tasks_of(spec), ask(spec))
    agent = catalog.agent("walkthrough", Brief(spec, bundle.tasks, bundle.questions, 1))
    episodes = play(world, agent, bundle.tasks, seed=1, name="walkthrough", budget=PerTask(60))
    world.close()
    return Played(bundle, episodes, ())


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
        graded = list(question_rows(played))
        found = causes(graded)
        assert len(found) == count
        assert set(found) <= {Cause.KNOWN, Cause.EXPLORE, Cause.REMEMBER}
        lost = sum(row.score == 0 for row in graded)
        assert Counter(found)[Cause.REMEMBER] == lost
        assert lost == 0 or kept is not turns


@pytest.mark.parametrize("form", ["turns", "sentences"])
def test_a_liar_with_everything_before_its_eyes_has_no_excuse(hard: Played, form: str) -> None:
    graph = Reader.of([episode.transcript for episode in hard.episodes]).graph
    text = render(graph) if form == "sentences" else "".join(turns_of(hard))
    played = answered(hard, [text] * len(hard.bundle.questions), honest=False)
    assert set(causes(question_rows(played))) <= {Cause.REASON, Cause.OVERCLAIM}


def test_right_answers_without_memory_are_guesses(hard: Played) -> None:
    right = tuple(Answer(question.id, gold(question)) for question in hard.bundle.questions)
    played = replace(answered(hard, [""] * len(right), honest=True), answers=right)
    assert set(causes(question_rows(played))) <= {Cause.GUESSED, Cause.OVERCLAIM}


@pytest.mark.parametrize("shared", [True, False])
def test_it_is_fast(hard: Played, shared: bool) -> None:
    """Limits are several times what was measured: only another order of growth fails."""
    turns, count = turns_of(hard), len(hard.bundle.questions)
    own = ["".join(turns[n % len(turns) : n % len(turns) + 10]) + "\n" * n for n in range(count)]
    played = answered(hard, ["".join(turns)] * count if shared else own, honest=False)
    list(question_rows(hard))  # guessing rates are kept
    read_context.cache_clear()
    start = time.process_time()
    list(question_rows(played))
    took = time.process_time() - start
    print(f"{count} questions, {'one context' if shared else 'own contexts'}: {took * 1000:.0f} ms")
    assert took < (0.3 if shared else 1.5)
