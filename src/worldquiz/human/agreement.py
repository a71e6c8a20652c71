"""How far people agree who answered the same quiz, found from their runs' folders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError
from worldquiz.facts.question import Graded
from worldquiz.records import read_json, read_records
from worldquiz.runs.executor import silent
from worldquiz.runs.folder import MANIFEST
from worldquiz.runs.journal import Lines, by_id
from worldquiz.stats.agreement import agreement
from worldquiz.t2q.quiz.exam import results
from worldquiz.t2q.store import read_run
from worldquiz.tea.taskgraph import Goal, Instance

HUMAN, SCORES = "human", "scores.json"
_ANSWERERS = {"run": "answerer", "mango": "answerer", "tea-run": "answerer"}
"""Where a manifest says who answered."""
_APART = {"folder", "name", "model", "versions", "answerer", "reader", "taker"}
"""What may differ between two people's manifests."""


def beside(run: Path) -> list[dict[str, Any]]:
    """Return how far a person agrees with each other one whose run lies beside theirs.

    Each: ``{"with", "questions", "error", "same"}`` (see `worldquiz.stats.agreement`).
    """
    mine = _manifest(run)
    found = []
    for other in sorted(run.resolve().parent.iterdir()):
        theirs = _manifest(other) if other != run.resolve() else None
        if mine and theirs and _quiz(mine) == _quiz(theirs) and (other / SCORES).is_file():
            both = agreement([earned(run), earned(other)])
            found.append({"with": str(theirs.get("name", other.name)), **asdict(both)})
    return found


def earned(run: Path) -> dict[tuple[str, ...], float]:
    """Return what each answer of a finished run earned, 0..1. Raises `RecordError`."""
    kind = read_json(run / MANIFEST).get("kind")
    match kind:
        case "run":
            return {
                (result.world, result.question): result.score.value
                for played in read_run(run).worlds
                for result in results(played)
                if isinstance(result.score, Graded)
            }
        case "mango":
            return _of_mazes(run)
        case "tea-run":
            return _of_scenes(run)
    raise RecordError(f"{run}: tells not what each answer earned")


def _of_mazes(run: Path) -> dict[tuple[str, ...], float]:
    from worldquiz.mango.scoring.read_contest import read_contest

    marked = read_contest([run]).contestants[0].marked
    return {
        (each.question.game, str(each.question.task), each.question.id): each.grade.success
        for each in marked
    }


def _of_scenes(run: Path) -> dict[tuple[str, ...], float]:
    from worldquiz.tea.exam.exam import scored
    from worldquiz.tea.exam.run import TASKS_FILE
    from worldquiz.tea.exam.walk import read
    from worldquiz.tea.scoring.navigation import success

    lines = Lines(run, by_id, silent).lines
    return {
        (task.id,): float(success(read(lines[task.id])))
        if isinstance(task.truth, Goal)
        else scored(task, lines[task.id]["reply"]).score
        for task in read_records(run / TASKS_FILE, "task", Instance)
    }


def _manifest(run: Path) -> dict[str, Any] | None:
    """Return the manifest of a person's run, None for any other folder."""
    try:
        told = read_json(run / MANIFEST)
    except RecordError:
        return None
    if not isinstance(told, dict) or told.get("kind") not in _ANSWERERS:
        return None
    return told if told.get(_ANSWERERS[told["kind"]]) == HUMAN else None


def _quiz(manifest: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in manifest.items() if key not in _APART}
