"""A report page for runs of any benchmark, made of their rows alone.

It shows each run's mean score by type with its interval, then every question with its answers, to
be filtered by type, by status and by whether runs disagree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.records import write_text
from worldquiz.report.html import page, safe
from worldquiz.report.labels import tag
from worldquiz.runs.scores import scores
from worldquiz.stats.intervals import RESAMPLES

Runs = Mapping[str, Sequence[Row]]


def build(runs: Runs, out: Path, *, resamples: int = RESAMPLES) -> Path:
    """Write the page about some runs, by name, and return its path.

    Raises `ValueError` without runs, `MissingExtra` without jinja2 or numpy, `RecordError` where
    the file cannot be written.
    """
    if not runs:
        raise ValueError("a report needs at least one run")
    write_text(out, render(runs, resamples=resamples))
    return out


def render(runs: Runs, *, resamples: int = RESAMPLES) -> str:
    """Return the page as HTML: equal rows, equal bytes."""
    scored = {name: scores(rows, resamples=resamples) for name, rows in runs.items()}
    types = sorted({type for found in scored.values() for type in found["by_type"]})
    entries = [
        {"name": name, "tag": tag(place), "colour": f"--run-{place % 8}", "scores": found}
        for place, (name, found) in enumerate(scored.items())
    ]
    values = {
        "title": ", ".join(runs),
        "entries": entries,
        "types": types,
        "statuses": [str(status) for status in AnswerStatus],
        "questions": safe(_questions(runs)),
    }
    return page(
        "rows.html.j2",
        values,
        package="worldquiz.report",
        scripts=("shared.js", "rows.js"),
        styles=("page.css",),
    )


def _questions(runs: Runs) -> list[dict[str, Any]]:
    """Return each question once, with every run's answer to it."""
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    for place, rows in enumerate(runs.values()):
        for row in rows:
            key = (row.world, row.type, row.question)
            shown = found.setdefault(key, _shown(row))
            shown["answers"].append(
                {"run": place, "reply": row.reply, "status": str(row.status), "score": row.score,
                 "answerable": row.answerable}
            )  # fmt: skip
    return list(found.values())


def _shown(row: Row) -> dict[str, Any]:
    return {
        "world": row.world, "type": row.type, "text": row.text, "choices": list(row.choices),
        "gold": row.gold, "answers": [],
    }  # fmt: skip
