"""Worlds that nobody has played, and guessers in them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping

from games import play
from worldquiz.t2q import Game
from worldquiz.t2q.agents.catalog import Seated
from worldquiz.t2q.agents.scripted import Idle
from worldquiz.t2q.builder import Plan, make
from worldquiz.t2q.grade import read
from worldquiz.t2q.question import Question
from worldquiz.t2q.quiz.ask import infer
from worldquiz.t2q.quiz.family import Draft
from worldquiz.t2q.rollout import examine
from worldquiz.t2q.suites import Bundle
from worldquiz.t2q.world.config import Budget


def fresh(
    level: str, seed: int, worlds: int, given: Mapping[str, str] | None = None
) -> list[Bundle]:
    """Return worlds of a preset with their tasks and questions, without writing them."""
    plan = Plan(level, seed, worlds, given or {})
    return [make(plan, slot) for slot in plan.slots]


def guessed(bundle: Bundle, guesser: Callable[[], object]) -> Iterator[tuple[Question, str, float]]:
    """Yield the questions that the start of a world leaves open, with a guess and its grade."""
    game, tasks = Game(bundle.spec), bundle.tasks
    begun = play(game, Idle(), tasks, seed=1, name="idle", budget=Budget(0))
    seated = Seated(guesser(), "guesser", bundle.spec.id)
    answers = asyncio.run(examine(seated, begun, bundle.questions))
    draft = Draft(bundle.spec, tasks, "", infer)
    for question, answer in zip(bundle.questions, answers, strict=True):
        if not draft.settled(question.requires):
            said = str(answer.reply)
            yield question, said, float(read(question, said, bundle.spec.kinds).right)
