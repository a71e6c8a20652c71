"""The parts of the page that only runs with language models have; each is empty without data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from worldquiz.facts.question import Type
from worldquiz.llm.records import Purpose, Status
from worldquiz.t2q.report import figures, reasons
from worldquiz.t2q.report.entries import Entry
from worldquiz.t2q.report.model_tables import DOING
from worldquiz.t2q.report.tables import podium
from worldquiz.t2q.scoring import COUNTED
from worldquiz.t2q.trace import Cause

ABBREVIATIONS = {
    Type.LOCATION: "Loc.",
    Type.CONNECTIVITY: "Conn.",
    Type.DIRECTION: "Dir.",
    Type.MATCH: "Match",
    Type.PROPERTY: "Prop.",
}
"""What the paper's Table 2 calls the types."""
BESIDE = ("known", "coverage", "overclaim")
"""Our shares beside Table 2's."""


def sections(entries: Sequence[Entry]) -> dict[str, dict[str, Any]]:
    """Return what the page's template needs, by section; a section without runs is empty.

    Raises `MissingExtra` without matplotlib.
    """
    return {
        "paper": _paper([entry for entry in entries if entry.row.models], entries),
        "reasons": _reasons(_having(entries, "attribution")),
        "calls": _calls(_having(entries, "usage")),
        "sure": _sure(_having(entries, "calibration")),
    }


def _having(entries: Sequence[Entry], part: str) -> list[Entry]:
    return [entry for entry in entries if part in entry.row.scores]


def _paper(models: Sequence[Entry], entries: Sequence[Entry]) -> dict[str, Any]:
    """Return Table 2, the models' runs first, and the paper's figures."""
    if not models:
        return {}
    others = [entry for entry in entries if not entry.row.models]
    columns = [("", "tsr"), *((str(type), "eus") for type in Type), ("", "eus")]
    columns += [("", key) for key in BESIDE]
    rows = [entry.row for entry in entries]
    marks = {
        (name, key): podium(rows, key, "by_type" if name else None, name) for name, key in columns
    }
    shown = [entry.tagged for entry in models]
    return {
        "groups": [group for group in (models, others) if group],
        "abbreviations": list(ABBREVIATIONS.values()),
        "columns": columns,
        "counted": COUNTED,
        "marks": marks,
        "figure4": figures.by_level(shown),
        "figure5": figures.by_method([*shown, *(entry.tagged for entry in others)]),
        "figure6": figures.by_type(shown),
        "figure8": figures.by_answerability(shown),
    }


def _reasons(runs: Sequence[Entry]) -> dict[str, Any]:
    if not runs:
        return {}
    return {
        "runs": runs,
        "reasons": [(cause, *reasons.REASONS[cause]) for cause in Cause],
        "plot": reasons.causes([run.tagged for run in runs]),
    }


def _calls(runs: Sequence[Entry]) -> dict[str, Any]:
    if not runs:
        return {}
    return {
        "runs": runs,
        "busy": _busy,
        "statuses": list(Status),
    }


def _busy(run: Entry) -> list[tuple[Purpose, str]]:
    """Return what a run called a model for, and its name."""
    used = run.row.scores["usage"]["by_purpose"]
    return [(purpose, name) for purpose, name in DOING.items() if used[purpose]["calls"]]


def _sure(runs: Sequence[Entry]) -> dict[str, Any]:
    if not runs:
        return {}
    return {"runs": runs, "plot": reasons.confidence([run.tagged for run in runs])}
