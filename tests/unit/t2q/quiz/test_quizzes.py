"""Readable quizzes: equal worlds get equal quizzes in every version, unless a change is meant.

Read one to see what a change of rules does to a quiz. Where a change is meant, write them anew and
read the difference: ``WORLDQUIZ_GOLDEN=write pytest tests/unit/t2q/quiz/test_quizzes.py``.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from worldquiz.facts.evidence import Evidence
from worldquiz.facts.fact import SHUT
from worldquiz.facts.question import Format, Question, Type, Which
from worldquiz.facts.requirement import START, All, AnyOf, Reachable, Requirement, Seen
from worldquiz.t2q.quiz.ask import LIMIT, ask
from worldquiz.t2q.tasks.targets import tasks as tasks_of
from worldquiz.t2q.world.config import PRESETS, Knobs
from worldquiz.t2q.world.generate import generate

FOLDER = Path(__file__).parent / "quizzes"
MANY_LOCKS = replace(
    PRESETS["hard"], rooms=(18, 18), objects=(70, 70), containers=0.4, doors=0.9, lock_fraction=0.45
)
WORLDS: dict[str, tuple[Knobs, int]] = {
    "easy": (PRESETS["easy"], 11),
    "medium": (PRESETS["medium"], 12),
    "hard": (PRESETS["hard"], 13),
    "many-locks": (MANY_LOCKS, 15),
}

STATES = ("locked", "not locked", "open", "closed")


@cache
def quiz(name: str) -> tuple[Question, ...]:
    knobs, seed = WORLDS[name]
    spec = generate(knobs, seed, id=name)
    return ask(spec, tasks_of(spec))


def rendered(question: Question) -> Iterator[str]:
    yield f"{question.id} {question.kind}: {question.text}"
    yield f"    about {', '.join(question.about)}"
    for field in ("choices", "answer", "answers", "categories"):
        if hasattr(question, field):
            yield f"    {field}: {getattr(question, field)}"
    yield f"    {needed(question.requires)}"


def needed(requirement: Requirement) -> str:
    match requirement:
        case Seen(fact):
            return str(fact)
        case Reachable(source, target):
            return f"reachable({source}, {target})"
        case All(parts):
            return f"[{' and '.join(map(needed, parts))}]"
        case AnyOf(parts):
            return f"[{' or '.join(map(needed, parts))}]"


@pytest.mark.parametrize("name", WORLDS)
def test_the_quiz_is_as_it_was(name: str) -> None:
    path = FOLDER / f"{name}.txt"
    text = "\n".join(line for question in quiz(name) for line in rendered(question)) + "\n"
    if os.environ.get("WORLDQUIZ_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert text.splitlines() == path.read_text(encoding="utf-8").splitlines()


def test_every_sort_of_question_is_among_them() -> None:
    asked = [question for name in WORLDS for question in quiz(name)]
    sorts = {(question.type, question.kind) for question in asked}
    named = set(Type) - {Type.DIRECTION}
    assert sorts >= {(type, form) for type in named for form in ("yes_no", "which")}
    assert {question.kind for question in asked} == set(Format)
    assert len(quiz("hard")) == LIMIT


def test_who_saw_what_was_shut_can_choose_what_was_open_and_not_what_was_locked() -> None:
    """What is shut may be locked or not. What is open is not locked, but that was not seen."""
    settled: dict[str, set[bool]] = defaultdict(set)
    for seed in range(40):
        spec = generate(MANY_LOCKS, seed, id="w")
        seen = [fact for fact in spec.initial if fact.predicate == SHUT.name]
        evidence = Evidence(dict.fromkeys(seen, START))
        for question in ask(spec):
            if question.type is Type.PROPERTY and isinstance(question, Which):
                words = next(each for each in STATES if f"was {each}" in question.text)
                settled[words].add(evidence.earliest(question.requires) is not None)
    assert settled == {"locked": {False}, "not locked": {False}, "open": {True}, "closed": {True}}
