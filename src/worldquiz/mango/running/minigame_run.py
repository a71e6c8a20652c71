"""MANGO's minigames played, as ``worldquiz mango minigames`` has it done.

The run's folder is that of any run about mazes; its replies are in ``minigames.jsonl``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from worldquiz.mango.asking.tokens import ESTIMATE
from worldquiz.mango.games.minigames import (
    Games,
    Minigame,
    answerable,
    plan,
    played,
    prompts,
)
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.running.answerers import Answerer
from worldquiz.mango.running.folder import MINIGAMES as KIND
from worldquiz.mango.running.folder import read_mazes, read_run_manifest
from worldquiz.mango.running.replies import Replies, finished, key, used
from worldquiz.mango.running.run import MazeWork, names
from worldquiz.mango.scoring.minigames import Setting, table
from worldquiz.stats.intervals import RESAMPLES

REPLIES = "minigames.jsonl"


def minigame_work(mazes: Mapping[str, Maze], games: Games, answerer: Answerer) -> MazeWork:
    """Return the work of having minigames played. Raises `KnobError` where there is none."""
    every = plan(mazes, games)

    def task() -> Any:
        from worldquiz.mango.games.minigame_task import task_of

        return task_of(mazes, every)

    return MazeWork(
        KIND, mazes, prompts(mazes, every), answerer, games.record(), task,
        lambda _, kept: _scores(mazes, games, every, kept), REPLIES,
    )  # fmt: skip


def score_run(run: Path, *, resamples: int = RESAMPLES) -> dict[str, Any]:
    """Return the scores of a finished run from its records, with the usage.

    Raises `RecordError` for a folder that is no finished run of minigames.
    """
    replies = finished_minigames(run)
    mazes, games = read_mazes(run, kind=KIND), games_of(run)
    return _scores(mazes, games, plan(mazes, games), replies, resamples=resamples)


def finished_minigames(run: Path) -> Replies:
    """Return the replies of a finished run of minigames. Raises `RecordError` if it is none."""
    read_run_manifest(run, KIND)
    return finished(run, REPLIES)


def games_of(run: Path) -> Games:
    """Return which minigames a run played."""
    told = read_run_manifest(run, KIND)
    return Games(
        told["steps"], tuple(map(Setting, told["settings"])), told["per_maze"],
        told["seed"], told["tokens"], told["tokenizer"] or ESTIMATE,
    )  # fmt: skip


def _scores(
    mazes: Mapping[str, Maze],
    games: Games,
    every: Sequence[Minigame],
    replies: Replies,
    *,
    resamples: int = RESAMPLES,
) -> dict[str, Any]:
    found = [played(each, replies.lines[key(each.about())]["reply"]) for each in every]
    there = {name: len(answerable(maze, games)) for name, maze in mazes.items()}
    return {**table(found, there, resamples=resamples), "usage": used(replies)}


def compare(runs: Sequence[Path], *, resamples: int = RESAMPLES) -> dict[str, dict[str, Any]]:
    """Return several players' scores by their names: the columns of Table 14.

    Raises `RecordError` for a folder that is no finished run of minigames.
    """
    called = names({run: read_run_manifest(run, KIND) for run in runs})
    return {called[run]: score_run(run, resamples=resamples) for run in runs}
