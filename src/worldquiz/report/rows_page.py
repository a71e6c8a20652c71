"""A report page for runs of any benchmark, made of their rows alone.

It says first which run is best and how certain that is. Two runs are compared on the questions that
both were graded on, paired, with intervals by world; a lead is called clear only where the 95 %
interval of the difference lies above 0. Tables give each run's mean score by type of question with
its interval, and every question with its answers, to be searched and filtered.

Where some questions cannot be answered, the share known, the coverage and the false-answer rate
come before all this: a run that always abstains has a mean score above 0 there.

Runs of several benchmarks may stand on one page: each benchmark has a section, and questions are
never mixed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from worldquiz.facts.row import UNREAD, AnswerStatus, Row
from worldquiz.records import write_text
from worldquiz.report.canvas import colour
from worldquiz.report.html import many, page, safe
from worldquiz.report.labels import tag
from worldquiz.stats.intervals import RESAMPLES
from worldquiz.stats.row_scores import compare, recall_shares, scores

Runs = Mapping[str, Sequence[Row]]
Scored = Mapping[str, Mapping[str, Any]]
"""Runs by name, each with its document of `stats.row_scores.scores`."""
SHARES = {"known": "known", "coverage": "coverage", "overclaim": "false-answer rate"}
"""What the page calls the shares of `recall_shares`."""
LOST = (*UNREAD, AnswerStatus.FAILED)


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
        {
            **entry,
            "scores": scored[entry["name"]],
            "shares": recall_shares(mine[entry["name"]], resamples=resamples),
            **_spent(mine[entry["name"]]),
        }
        for entry in entries
        if entry["name"] in mine
    ]
    return {
        "benchmark": benchmark,
        "finding": [*_known(members), *finding(mine, scored, resamples=resamples)],
        "shares": SHARES if any(each["shares"] for each in members) else {},
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


def finding(runs: Mapping[str, Sequence[Row]], scored: Scored, *, resamples: int) -> list[str]:
    """Return sentences about runs of one benchmark, the most important first."""
    ranked = sorted(
        (name for name, found in scored.items() if found["score"] is not None),
        key=lambda name: (-scored[name]["score"], name),
    )
    if not ranked:
        return ["No question has a grade.", *_lost(scored)]
    if len(ranked) == 1:
        return [_alone(ranked[0], scored[ranked[0]]), *_lost(scored)]
    return [*_leader(runs, scored, ranked, resamples), *_lost(scored)]


def _known(members: Sequence[Mapping[str, Any]]) -> list[str]:
    """Say what runs know and how often they answer falsely, where a question is not answerable."""
    told = [
        f"{each['name']} {shares['known']['value']:.2f} ({shares['overclaim']['value']:.2f})"
        for each in members
        if (shares := each["shares"])
    ]
    return [f"Known (false-answer rate): {', '.join(told)}."] if told else []


def _alone(name: str, found: Mapping[str, Any]) -> str:
    counts = found["counts"]
    told = (
        f"{name} scores {_mean(found)} on {many(counts['scored'], 'question')} "
        f"about {many(counts['worlds'], 'world')}"
    )
    types = [each for each in found["by_type"].items() if each[1]["score"] is not None]
    if len(types) < 2:
        return f"{told}."
    best, worst = (pick(types, key=lambda each: each[1]["score"]) for pick in (max, min))
    return (
        f"{told}: most on {best[0]} ({best[1]['score']:.2f}), "
        f"least on {worst[0]} ({worst[1]['score']:.2f})."
    )


def _leader(
    runs: Mapping[str, Sequence[Row]], scored: Scored, ranked: Sequence[str], resamples: int
) -> list[str]:
    """Compare the run with the highest mean with each other one."""
    first, second = ranked[:2]
    means = f"{first} {_mean(scored[first])}, {second} {_mean(scored[second])}"
    found = {name: _compared(runs[first], runs[name], resamples) for name in ranked[1:]}
    doubts = [f"{name} ({doubt})" for name, each in found.items() if (doubt := _doubt(each))]
    if doubts:
        return [
            f"No run is clearly best. {first} has the highest mean ({means}), but its lead over "
            f"{_joined(doubts)} is not clear."
        ]
    lead = found[second]
    over = many(lead["questions"], "shared question")
    return [
        f"{first} is best: {_gap(lead)} more than {second} over {over} ({means}).",
        *_by_type(lead),
    ]


def _compared(left: Sequence[Row], right: Sequence[Row], resamples: int) -> dict[str, Any]:
    """Return how two runs differ, an empty document where they share no question."""
    try:
        return compare(left, right, resamples=resamples)
    except ValueError:
        return {}


def _doubt(found: Mapping[str, Any]) -> str:
    """Return why a lead is not clear, empty where it is."""
    if not found:
        return "no shared question"
    if found["ci"] is None:
        return "one world, so no interval"
    return _gap(found) if found["ci"][0] <= 0 else ""


def _gap(found: Mapping[str, Any]) -> str:
    low, high = found["ci"]
    return f"{found['difference']:.2f} [{low:.2f}, {high:.2f}]".replace("-", "−")


def _by_type(found: Mapping[str, Any]) -> list[str]:
    cells = found["by_type"]
    if len(cells) < 2:
        return []
    clear = [name for name, cell in cells.items() if cell["ci"] and cell["ci"][0] > 0]
    behind = [name for name, cell in cells.items() if cell["ci"] and cell["ci"][1] < 0]
    rest = [name for name in cells if name not in clear and name not in behind]
    parts = [
        f"clear on {_joined(clear)}" if clear else "clear on no single type",
        f"not clear on {_joined(rest)}" if rest and clear else "",
        f"reversed on {_joined(behind)}" if behind else "",
    ]
    return [f"The lead is {'; '.join(part for part in parts if part)}."]


def _lost(scored: Scored) -> list[str]:
    """Say how many replies hold no answer, where there are any."""
    found = []
    for name, each in scored.items():
        counts = each["counts"]
        lost = {status: counts[status] for status in LOST if counts[status]}
        if lost:
            words = ", ".join(f"{count:,} {status}" for status, count in lost.items())
            found.append(f"{name}, of {counts['questions']:,} replies: {words}.")
    return found


def _mean(found: Mapping[str, Any]) -> str:
    bounds = found["ci"]["score"]
    interval = f" [{bounds[0]:.2f}, {bounds[1]:.2f}]" if bounds else ""
    return f"{found['score']:.2f}{interval}"


def _joined(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
