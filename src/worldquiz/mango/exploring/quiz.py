"""The quiz about trajectories: asked once all games are explored, and scored.

What an agent answered itself, and what needs no model, can be asked again from the records alone.
So shards are joined without their quizzes, and the whole is asked.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from worldquiz.mango.asking.ask import Asked
from worldquiz.mango.asking.plan import AskingPlan, planned_if_any
from worldquiz.mango.asking.prompts import Prompts
from worldquiz.mango.exploring.records import (
    QUIZ,
    quiz_of,
    read_explored_manifest,
    read_trajectories,
)
from worldquiz.mango.exploring.scores import scores
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.running.answerers import Answerer, chosen_answerer
from worldquiz.mango.running.folder import fingerprints
from worldquiz.mango.running.replies import Replies, key
from worldquiz.mango.running.run import asked_of, quiz
from worldquiz.records import read_json
from worldquiz.runs.executor import silent
from worldquiz.runs.folder import MANIFEST, MODEL, SCORES
from worldquiz.runs.life import live

_OF_ANSWERER = ("answerer", "model", "generate", "price", "memory")
"""What a manifest says of an agent that answers itself."""


@dataclass(frozen=True, slots=True)
class OwnReplies:
    """An agent that answered when it had explored."""

    about: Mapping[str, Any]  # what a manifest says of it
    lines: Mapping[Any, Mapping[str, Any]]

    def record(self) -> Mapping[str, Any]:
        """Return who it is."""
        return self.about

    def require(self) -> None:
        """Need nothing beyond what scoring needs."""

    def answer(
        self, prompts: Prompts[Any], kept: Replies, out: Path, task: Callable[[], Any]
    ) -> None:
        """Keep the replies."""
        for item in prompts.items.values():
            about = prompts.about(item)
            if kept.find(about) is None:
                kept.keep(self.lines[key(about)])


def plan_about(mazes: Mapping[str, Maze], asked: Asked) -> AskingPlan:
    """Return what is asked about some trajectories, each read to its end."""
    return planned_if_any({name: each for name, each in mazes.items() if each.edges}, asked)


def quizzed(
    out: Path,
    games: Sequence[str],
    asked: Asked,
    answerer: Callable[[AskingPlan, Mapping[Any, Any]], Answerer],
    *,
    retry_failed: bool = False,
) -> dict[str, Any]:
    """Have the questions about a run's trajectories answered, and return the scores.

    `answerer` is told the plan, and what the agent replied itself.
    """
    mazes, replies = read_trajectories(out, games)
    plan = plan_about(mazes, asked)
    _clear_stale(out / QUIZ, plan)
    if plan.questions:
        live(quiz(plan, answerer(plan, replies)), out / QUIZ, silent, retry_failed=retry_failed)
    return scores(out, out / QUIZ if plan.questions else None)


def score_explored(run: Path) -> dict[str, Any]:
    """Return the scores of a run from its records; of joined shards, the quiz is asked first.

    Raises `RecordError` where games are not explored, or a model was to answer and was not asked.
    """
    told = read_explored_manifest(run)
    who = told.get("answerer")
    itself = who == told["agent"]
    asked = (run / QUIZ / MANIFEST).is_file() or (run / SCORES).is_file()
    if asked or (who in (None, MODEL) and not itself):
        return scores(run, quiz_of(run))
    about = {name: told[name] for name in _OF_ANSWERER if name in told}

    def answerer(plan: AskingPlan, replies: Mapping[Any, Any]) -> Answerer:
        return OwnReplies(about, replies) if itself else chosen_answerer(who, None, lambda: plan)

    return quizzed(run, tuple(told["games"]), asked_of(told), answerer)


def _clear_stale(folder: Path, plan: AskingPlan) -> None:
    """Remove what was asked about other trajectories: a game that had failed was tried again."""
    manifest = folder / MANIFEST
    if manifest.is_file() and read_json(manifest).get("mazes") != fingerprints(plan.mazes):
        shutil.rmtree(folder)
