"""Guessers in worlds that nobody has played."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from worldquiz.facts.episode import Episode, Observation, Outcome, Step
from worldquiz.facts.fact import Fact
from worldquiz.facts.question import Answer
from worldquiz.facts.row import Row
from worldquiz.t2q import Task, WorldSpec
from worldquiz.t2q.agents.base import AnswersQuiz
from worldquiz.t2q.builder import Plan, drawn
from worldquiz.t2q.rollout import examine
from worldquiz.t2q.rows import question_rows
from worldquiz.t2q.store import Bundle, Played
from worldquiz.t2q.world.game import first_screen


def worlds(plan: Plan) -> dict[str, WorldSpec]:
    """Return the worlds of a plan by id."""
    return {slot.id: drawn(plan, slot) for slot in plan.slots}


def guessed(bundle: Bundle, make: Callable[[], AnswersQuiz]) -> list[Row]:
    """Grade a guesser in a world as if an agent had seen all of it. Nothing is compiled or played.

    The questions that the task list and the first screen settle are marked as such.
    """
    return all_seen(bundle, asyncio.run(examine(make(), unplayed(bundle), bundle.questions)))


def all_seen(bundle: Bundle, answers: Sequence[Answer]) -> list[Row]:
    """Return the rows of answers as if an agent had seen all of a world."""
    rows = question_rows(Played(bundle, unplayed(bundle), tuple(answers)))
    return [replace(row, shown=True) for row in rows]


def unplayed(bundle: Bundle) -> tuple[Episode, ...]:
    """Return episodes that end before any command, with what is shown; of the text, the room."""
    spec = bundle.spec
    shown = {*first_screen(spec)}
    return tuple(
        Episode(spec.id, task.id, "idle", spec.seed, Outcome.GAVE_UP, (_begun(spec, task, shown),))
        for task in bundle.tasks
    )


def _begun(spec: WorldSpec, task: Task, shown: set[Fact]) -> Step:
    screen = Observation(f"-= {spec.start.title()} =-", "", 0, False, task.objective)
    return Step(0, None, None, screen, tuple(sorted(shown | {*task.discloses})), (), ())
