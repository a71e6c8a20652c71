"""A report page for runs of any benchmark, made of their rows alone.

It says first which run is best and how certain that is; then each run's mean score by type with its
interval; then every question with its answers, to be searched and filtered. Runs of several
benchmarks may stand on one page: each benchmark has a section, and questions are never mixed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.records import write_text
from worldquiz.report.canvas import colour
from worldquiz.report.html import page, safe
from worldquiz.report.labels import tag
from worldquiz.report.rows_finding import finding
from worldquiz.stats.intervals import RESAMPLES
from worldquiz.stats.row_scores import scores

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
    entries = [_entry(place, name, rows) for place, (name, rows) in enumerate(runs.items())]
    groups = [_group(name, entries, runs, resamples) for name in _benchmarks(runs)]
    rows = [row for each in runs.values() for row in each]
    values = {
        "title": ", ".join(runs),
        "entries": entries,
        "groups": groups,
        "types": sorted({row.type for row in rows}),
        "statuses": [str(each) for each in AnswerStatus if any(row.status is each for row in rows)],
        "data": safe({"questions": _questions(runs), "runs": [each["tag"] for each in entries]}),
    }
    return page(
        "rows.html.j2",
        values,
        package="worldquiz.report",
        scripts=("shared.js", "rows.js"),
        styles=("page.css", "rows.css"),
    )


def _entry(place: int, name: str, rows: Sequence[Row]) -> dict[str, Any]:
    """Return what the page calls a run."""
    who = dict.fromkeys(row.answerer for row in rows)
    agents = dict.fromkeys(row.agent for row in rows if row.agent)
    told = [f"agent {', '.join(agents)}"] if agents else []
    told += [", ".join(who)] if who and list(who) != [name] else []
    return {"name": name, "tag": tag(place), "colour": colour(place), "who": " · ".join(told)}


def _benchmarks(runs: Runs) -> list[str]:
    return sorted({_benchmark(rows) for rows in runs.values()})


def _benchmark(rows: Sequence[Row]) -> str:
    return rows[0].benchmark if rows else ""


def _group(
    benchmark: str, entries: Sequence[Mapping[str, Any]], runs: Runs, resamples: int
) -> dict[str, Any]:
    """Return the runs of one benchmark with their scores, and what comes out of them."""
    mine = {name: rows for name, rows in runs.items() if _benchmark(rows) == benchmark}
    scored = {name: scores(rows, resamples=resamples) for name, rows in mine.items()}
    members = [
        {**entry, "scores": scored[entry["name"]], **_spent(mine[entry["name"]])}
        for entry in entries
        if entry["name"] in mine
    ]
    return {
        "benchmark": benchmark,
        "finding": finding(mine, scored, resamples=resamples),
        "entries": members,
        "types": sorted({type for found in scored.values() for type in found["by_type"]}),
        "chance": _chance([row for rows in mine.values() for row in rows]),
        "spends": any(each["tokens"] is not None for each in members),
    }


def _spent(rows: Sequence[Row]) -> dict[str, Any]:
    """Return tokens and dollars of a run, None where no row tells any."""
    tokens = [row.tokens for row in rows if row.tokens is not None]
    costs = [row.cost for row in rows if row.cost is not None]
    return {"tokens": sum(tokens) if tokens else None, "cost": sum(costs) if costs else None}


def _chance(rows: Sequence[Row]) -> float | None:
    """Return the mean score of a guesser, None unless all questions tell it."""
    known = [row.chance for row in rows if row.chance is not None]
    return sum(known) / len(known) if rows and len(known) == len(rows) else None


def _questions(runs: Runs) -> list[dict[str, Any]]:
    """Return each question once, with every run's answer to it."""
    found: dict[tuple[str, str, str, str], dict[str, Any]] = {}
    for place, rows in enumerate(runs.values()):
        for row in rows:
            key = (row.benchmark, row.world, row.type, row.question)
            found.setdefault(key, _shown(key, row))["answers"].append(
                {"run": place, "reply": row.reply, "status": str(row.status), "score": row.score,
                 "answerable": row.answerable, "why": row.cause or row.unscored}
            )  # fmt: skip
    return list(found.values())


def _shown(key: tuple[str, ...], row: Row) -> dict[str, Any]:
    return {
        "key": list(key), "world": row.world, "type": row.type, "text": row.text,
        "choices": list(row.choices), "gold": row.gold, "answers": [],
    }  # fmt: skip
