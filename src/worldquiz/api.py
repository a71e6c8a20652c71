"""The verbs that work on any folder, in Python."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError
from worldquiz.runs import run as runs
from worldquiz.runs.benchmark import DataKind, kind_of
from worldquiz.runs.losses import read_losses
from worldquiz.runs.run import Run
from worldquiz.stats import row_scores


def load(path: Path | str) -> Any:
    """Open a folder: a `Run`, or a benchmark's suite, mazes or scenes, which have a method `run`.

    Raises `RecordError` where there is none, and where no installed benchmark knows its kind.
    """
    folder = Path(path)
    _, kind = kind_of(folder)
    return kind.open(folder) if isinstance(kind, DataKind) else Run(folder)


def compare(left: Run | Path | str, right: Run | Path | str) -> dict[str, Any]:
    """Return how two runs differ on the questions that both were asked, in all and by type.

    Each cell: ``{"left", "right", "questions", "worlds", "difference", "ci", "p", "note"}``. The
    difference is the mean of left's scores minus right's, paired by question; its 95 % interval and
    p-value are drawn by world. Where these are None, ``note`` says why. "knowledge" holds the same
    of Task2Quiz's knowledge score, "failed" what failed in a run and is not compared. Raises
    `RecordError` where the runs share no question.
    """
    one, other = _run(left), _run(right)
    try:
        found = row_scores.compare(one.each_row(), other.each_row())
    except ValueError as error:
        raise RecordError(f"{one.path} and {other.path}: {error}") from error
    sides = {"left": one, "right": other}
    lost = {
        side: run.scores["failed"] for side, run in sides.items() if read_losses(run.path).failed
    }
    return found | ({"failed": lost} if lost else {})


def write_report(
    runs_: Run | Path | str | Iterable[Run | Path | str],
    out: Path | str = "report.html",
    *,
    data: Path | str | None = None,
) -> Path:
    """Write one self-contained page about a run, or some runs, and return its path.

    `data` is the folder that the runs are about, if it was moved. Raises `RecordError`.
    """
    several = [runs_] if isinstance(runs_, Run | Path | str) else runs_
    return runs.report(
        [_run(each) for each in several], Path(out), data=Path(data) if data else None
    )


def _run(run: Run | Path | str) -> Run:
    return run if isinstance(run, Run) else Run(run)
