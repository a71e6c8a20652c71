"""Task2Quiz (arXiv 2601.09503), section by section.

    2.1  environments     `environment`   parameters and a seed make a world
    2.2  tasks            `tasks`         targets, walkthroughs, Algorithm 1
    2.3  quiz             `questions`     facts of the initial state, with their checkpoints
    3.1  stage 1          `interact`      an agent meets every task of a world, in order
         stage 2          `examine`       an answerer answers from what the agent saw
    3.2  TSR, EUS         `scores`        from rows alone

`build` and `run` do this over a suite, on disk and in parallel. Where the paper is silent and what
we chose instead: docs/explanation/t2q.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from worldquiz.facts.episode import Episode
from worldquiz.facts.question import Answer, Question, prompt
from worldquiz.facts.row import Row
from worldquiz.plugins import lazy_names
from worldquiz.t2q import scoring
from worldquiz.t2q.agents.base import AnswersQuiz, PreviewsQuiz
from worldquiz.t2q.quiz.answerability import Checkpoints
from worldquiz.t2q.rollout import play_through
from worldquiz.t2q.store import Bundle
from worldquiz.t2q.world.spec import WorldSpec

if TYPE_CHECKING:
    from worldquiz.t2q.quiz.ask import ask as questions
    from worldquiz.t2q.tasks.targets import tasks
    from worldquiz.t2q.world.generate import generate as environment
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "environment": "worldquiz.t2q.world.generate:generate",
            "tasks": "worldquiz.t2q.tasks.targets:tasks",
            "questions": "worldquiz.t2q.quiz.ask:ask",
        },
    )

__all__ = ["bundle", "environment", "examine", "interact", "questions", "scores", "tasks"]


def bundle(spec: WorldSpec, *, share: float = 1) -> Bundle:
    """Return a world with its tasks and questions; equal worlds, equal bundles."""
    from worldquiz.t2q.quiz.ask import ask
    from worldquiz.t2q.tasks.targets import tasks

    made = tasks(spec, share=share)
    return Bundle(spec, made, ask(spec, made))


interact = play_through
"""Stage 1: one episode a task, in task order; the world starts over, the agent remembers."""


async def examine(
    answerer: AnswersQuiz, episodes: Sequence[Episode], questions: Sequence[Question]
) -> tuple[Answer, ...]:
    """Stage 2: every question of the world, from the transcripts and nothing else.

    An answerer may see the whole sheet first (`PreviewsQuiz`): nothing in it should help.
    """
    await answerer.study([episode.transcript for episode in episodes])
    if isinstance(answerer, PreviewsQuiz):
        await answerer.preview([prompt(question) for question in questions])
    return tuple([Answer(q.id, await answerer.answer(prompt(q))) for q in questions])


def scores(rows: Iterable[Row], checkpoints: Checkpoints = Checkpoints.LAWS) -> scoring.Scores:
    """Return task success, environment understanding, and what tells them apart, with counts.

    `checkpoints` says by which rule questions count as answerable.
    """
    return scoring.scores(scoring.sittings(rows, checkpoints))
