"""A report page for runs of any benchmark, made of their rows alone.

It says first which run is best and how certain that is (`report.findings`). Two runs are compared
on the questions that both were graded on, paired. Tables give each run's mean score by type of
question with its interval, and every question with its answers, to be searched and filtered.

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
from worldquiz.report import asked
from worldquiz.report.canvas import colour
from worldquiz.report.findings import Gaps, Share, Side, Terms
from worldquiz.report.first_screen import first_screen
from worldquiz.report.html import many, page, safe
from worldquiz.report.labels import decimal, tag
from worldquiz.stats.intervals import RESAMPLES, Difference
from worldquiz.stats.row_scores import compare, recall_shares, scores

Runs = Mapping[str, Sequence[Row]]
Group = Mapping[str, Any]
"""The runs of one benchmark, each with its document of `stats.row_scores.scores`."""
SHARES = {"known": "known", "coverage": "coverage", "overclaim": "false-answer rate"}
"""What the page calls the shares of `recall_shares`."""
TERMS = {
    "knowledge": Terms(),
    "score": Terms(knowing="mean score", knows="scores", corrected=False),
}
"""What the page calls the score of runs with points, and of those without."""
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
    worlds, blocks = asked.of_rows(runs)
    values = {
        "title": ", ".join(runs),
        "brand": "report",
        "boxed": False,
        "lead": "",
        "firsts": [first(group, runs, resamples, several=len(groups) > 1) for group in groups],
        "notes": (),
        "common": (),
        "differing": (),
        "contents": _contents(groups),
        "entries": entries,
        "groups": groups,
        "index": safe(asked.index(worlds, [_told(each) for each in entries])),
        "blocks": [safe(block) for block in blocks],
    }
    return page(
        "rows.html.j2",
        values,
        package="worldquiz.report",
        scripts=("shared.js", "questions.js", "list.js"),
        styles=("page.css", "questions.css", "rows.css"),
    )


def _entry(place: int, name: str, rows: Sequence[Row]) -> dict[str, Any]:
    """Return what the page calls a run."""
    who = dict.fromkeys(row.answerer for row in rows)
    agents = dict.fromkeys(row.agent for row in rows if row.agent)
    told = [f"agent {', '.join(agents)}"] if agents else []
    told += [", ".join(who)] if who and list(who) != [name] else []
    return {
        "name": name, "tag": tag(place), "place": place, "colour": colour(place),
        "who": " · ".join(told),
    }  # fmt: skip


def _told(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the page's script knows of a run."""
    return {key: entry[key] for key in ("tag", "name", "colour")}


def _benchmarks(runs: Runs) -> list[str]:
    return sorted({_benchmark(rows) for rows in runs.values()})


def _benchmark(rows: Sequence[Row]) -> str:
    return rows[0].benchmark if rows else ""


def _group(
    benchmark: str, entries: Sequence[Mapping[str, Any]], runs: Runs, resamples: int
) -> dict[str, Any]:
    """Return the runs of one benchmark with their scores, and what comes out of them."""
    mine = {name: rows for name, rows in runs.items() if _benchmark(rows) == benchmark}
    hidden = any(not row.shown and row.score is not None for rows in mine.values() for row in rows)
    members = [
        {
            **entry,
            "scores": scores(mine[entry["name"]], resamples=resamples),
            "shares": recall_shares(mine[entry["name"]], resamples=resamples, always=hidden),
            **_spent(mine[entry["name"]]),
        }
        for entry in entries
        if entry["name"] in mine
    ]
    return {
        "benchmark": benchmark,
        "shares": SHARES if any(each["shares"] for each in members) else {},
        "entries": members,
        "types": sorted({type for each in members for type in each["scores"]["by_type"]}),
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
    known = [row.guess for row in rows if row.guess is not None]
    return sum(known) / len(known) if rows and len(known) == len(rows) else None


def first(group: Group, runs: Runs, resamples: int, *, several: bool = False) -> dict[str, Any]:
    """Return what the page says first of the runs of one benchmark."""
    members = group["entries"]
    key = "knowledge" if any("knowledge" in each["scores"] for each in members) else "score"

    def paired(left: Side, right: Side) -> Gaps:
        return _gaps(runs[left.name], runs[right.name], key, resamples)

    sides = [
        Side(each["tag"], each["name"], each["place"], knowing=_share(each["scores"], key))
        for each in members
    ]
    of = group["benchmark"] if several else ""
    told = [*_known(members), *_strengths(members), *_lost(members)]
    return first_screen(sides, paired, TERMS[key], of=of, more=told)


def _share(found: Mapping[str, Any], key: str) -> Share | None:
    if found.get(key) is None:
        return None
    counted = found["counts"]["counted" if key == "knowledge" else "scored"]
    worlds = found["counts"]["worlds"]
    interval = found["ci"][key]
    count = f"{many(counted, 'question')} about {many(worlds, 'world')}"
    return Share(found[key], tuple(interval) if interval else None, count)


def _gaps(left: Sequence[Row], right: Sequence[Row], key: str, resamples: int) -> Gaps:
    """Return how two runs differ on the questions of both, in all and by type."""
    try:
        found = compare(left, right, resamples=resamples)
    except ValueError:
        return Gaps(why="no shared question")
    cell = found["knowledge"] if key == "knowledge" else found
    types = {name: _difference(each) for name, each in cell["by_type"].items()}
    return Gaps(_difference(cell), types=types, why="one world, so no interval")


def _difference(cell: Mapping[str, Any]) -> Difference | None:
    if not cell["ci"]:
        return None
    low, high = cell["ci"]
    return Difference(cell["difference"], low, high, cell["p"])


def _known(members: Sequence[Mapping[str, Any]]) -> list[str]:
    """Say what runs know and how often they answer falsely, where a question is not answerable."""
    told = [
        f"{each['name']} {decimal(shares['known']['value'])} "
        f"({decimal(shares['overclaim']['value'])})"
        for each in members
        if (shares := each["shares"])
    ]
    return [f"Known (false-answer rate): {', '.join(told)}."] if told else []


def _strengths(members: Sequence[Mapping[str, Any]]) -> list[str]:
    """Say on which type of question a run that stands alone is best, and on which worst."""
    if len(members) > 1:
        return []
    by_type = members[0]["scores"]["by_type"]
    types = [(name, each["score"]) for name, each in by_type.items() if each["score"] is not None]
    if len({value for _, value in types}) < 2:
        return []
    best, worst = (pick(types, key=lambda each: each[1]) for pick in (max, min))
    return [f"Most on {best[0]} ({best[1]:.2f}), least on {worst[0]} ({worst[1]:.2f})."]


def _lost(members: Sequence[Mapping[str, Any]]) -> list[str]:
    """Say how many replies hold no answer, where there are any."""
    found = []
    for each in members:
        counts = each["scores"]["counts"]
        lost = {status: counts[status] for status in LOST if counts[status]}
        if lost:
            words = ", ".join(f"{count:,} {status}" for status, count in lost.items())
            found.append(f"{each['name']}, of {counts['questions']:,} replies: {words}.")
    return found


def _contents(groups: Sequence[Group]) -> list[tuple[str, str]]:
    """Return the sections of the page by their names there."""
    of = {
        place: f": {each['benchmark']}" if len(groups) > 1 else ""
        for place, each in enumerate(groups, 1)
    }
    scores_ = [(f"scores-{place}", f"Scores{name}") for place, name in of.items()]
    return [*scores_, ("questions", "Questions")]
