"""Agreement of people who answered the same quiz, found from their runs' folders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError
from worldquiz.runs.folder import HUMAN, SCORES
from worldquiz.runs.run import Run
from worldquiz.stats.agreement import agreement

_PERSONAL = {"name", "model", "generate", "price", "folder", "versions"}
"""What may differ between two people's manifests."""


def beside(run: Path) -> list[dict[str, Any]]:
    """Return how far a person agrees with each other one whose run lies beside theirs.

    Each: ``{"with", "questions", "error", "same"}`` (see `worldquiz.stats.agreement`).
    """
    mine = _person(run)
    found = []
    for other in sorted(run.resolve().parent.iterdir()):
        theirs = _person(other) if other != run.resolve() else None
        if mine and theirs and _quiz(mine) == _quiz(theirs) and (other / SCORES).is_file():
            both = agreement([earned(mine), earned(theirs)])
            called = theirs.manifest.get("name", other.name)
            found.append({"with": str(called), **asdict(both)})
    return found


def earned(run: Run) -> dict[tuple[str, str, str], float]:
    """Return the score of each graded answer by world, type and question.

    Raises `RecordError` for a run that is not finished.
    """
    return {(row.world, row.type, row.item): row.score for row in run.rows if row.score is not None}


def _person(path: Path) -> Run | None:
    """Return a person's run, None for any other folder."""
    try:
        run = Run(path)
        return run if run.manifest.get("answerer") == HUMAN else None
    except RecordError:
        return None


def _quiz(run: Run) -> Mapping[str, Any]:
    return {key: value for key, value in run.manifest.items() if key not in _PERSONAL}
