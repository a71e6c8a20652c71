"""The paper's tables, of any runs: CSV, and the same rows in Markdown.

    table_1   success of each two contestants on what both were asked (Tables 1 and 11)
    table_9   their reasoning (Tables 9 and 12)
    table_2   what people earned
    table_4   answers that could not be read
    table_10  what makes mazes hard, one predictor at a time
    table_13  how far people agree
    means     of each contestant and baseline, with 95 % intervals (Figures 2, 5 and 6)
    games     of each contestant and maze (Figures 3 and 7)

A table of which runs have nothing is not written. Means are over mazes unless a column says
otherwise; each stands beside its counts.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from worldquiz.mango.running.replies import finished
from worldquiz.mango.running.run import read_contest
from worldquiz.mango.scoring.contest import (
    LEVELS,
    MEANS,
    Contest,
    Contestant,
    means,
    of,
    pair,
    record,
    table,
)
from worldquiz.mango.scoring.grade import Task
from worldquiz.mango.scoring.people import agreement, minutes
from worldquiz.mango.scoring.regression import regress
from worldquiz.records import write_text
from worldquiz.runs.folder import HUMAN

Row = dict[str, Any]


def write_tables(runs: Sequence[Path], out: Path, *, only: Sequence[str] = ()) -> list[Path]:
    """Write every table of some finished runs into a folder, and return the files.

    `only` names the games that they are about, all if empty. Raises as `read_contest` and
    `regress` do.
    """
    contest = read_contest(runs, only)
    written = []
    for name, rows in tables(runs, contest).items():
        for suffix, text in ((".csv", _csv(rows)), (".md", _markdown(name, rows))):
            write_text(out / f"{name}{suffix}", text)
            written.append(out / f"{name}{suffix}")
    return written


def tables(runs: Sequence[Path], contest: Contest) -> dict[str, list[Row]]:
    """Return the rows of every table that some finished runs can fill."""
    every = contest.contestants
    people = {run: each for run, each in zip(runs, every, strict=True)
              if each.settings.get("answerer") == HUMAN}  # fmt: skip
    cells = list(_cells((*every, *contest.baselines)))
    pairs = [(left.name, right.name, pair(left.scored, right.scored))
             for left, right in combinations(every, 2)]  # fmt: skip
    human = {each.name for each in people.values()}
    found = {
        "means": [row for cell in cells for row in _means(*cell)],
        "games": list(_games(every)),
        "table_4": list(_unread(every)),
        "table_1": [row for each in pairs for row in _paired(*each, "success")],
        "table_9": [row for each in pairs for row in _paired(*each, "reasoning")],
        "table_10": list(_predicted(regress(contest)["contestants"])),
        "table_2": [_person(*cell) for cell in cells if cell[0] in human],
        "table_13": list(_agreement(people)),
    }
    return {name: rows for name, rows in found.items() if rows}


def _cells(contestants: Sequence[Contestant]) -> Iterator[tuple[str, str, str, Mapping[str, Any]]]:
    for each in contestants:
        for task, levels in table(each.scored).items():
            for level, cell in levels.items():
                yield each.name, task, level, cell


def _means(name: str, task: str, level: str, cell: Mapping[str, Any]) -> Iterator[Row]:
    for score in MEANS:
        low, high = cell[score]["interval"] or (None, None)
        yield {
            "contestant": name, "task": task, "level": level, "score": score,
            "asked": cell["asked"], "mazes": cell["mazes"], "mean": cell[score]["macro"],
            "low": low, "high": high, "mean_over_answers": cell[score]["micro"],
        }  # fmt: skip


def _person(name: str, task: str, level: str, cell: Mapping[str, Any]) -> Row:
    """Return a row of Table 2: means over answers, as in the paper."""
    return {
        "contestant": name, "task": task, "level": level, "asked": cell["asked"],
        "mazes": cell["mazes"], "success": cell["success"]["micro"],
        "reasoning": cell["reasoning"]["micro"],
    }  # fmt: skip


def _games(contestants: Sequence[Contestant]) -> Iterator[Row]:
    for each in contestants:
        for task in Task:
            for level in LEVELS:
                for game, grades in of(each.marked, task, level).items():
                    found = record(grades)
                    yield {
                        "contestant": each.name, "game": game, "task": str(task),
                        "level": str(level), **{name: found[name] for name in ("asked", *MEANS)},
                    }  # fmt: skip


def _unread(contestants: Sequence[Contestant]) -> Iterator[Row]:
    """Yield Table 4: answers a maze, and how many of them could not be read."""
    for each in contestants:
        for task in Task:
            if games := of(each.marked, task):
                found = means(games, resamples=0)
                mazes, asked, ill = (found[name] for name in ("mazes", "asked", "ill_formed"))
                yield {
                    "contestant": each.name, "task": str(task), "mazes": mazes, "asked": asked,
                    "ill_formed": ill, "asked_a_maze": asked / mazes,
                    "ill_formed_a_maze": ill / mazes,
                }  # fmt: skip


def _paired(left: str, right: str, found: Mapping[str, Any], score: str) -> Iterator[Row]:
    for task in Task:
        for level in LEVELS:
            cell = found[str(task)][str(level)]
            gap = cell[score]["difference"] or {}
            yield {
                "task": str(task), "level": str(level), "left": left, "right": right,
                "asked": cell["asked"], "mazes": cell["mazes"], "left_mean": cell[score]["left"],
                "right_mean": cell[score]["right"], "difference": gap.get("value"),
                **{name: gap.get(name) for name in ("low", "high", "p")},
            }  # fmt: skip


def _predicted(contestants: Mapping[str, Any]) -> Iterator[Row]:
    """Yield Table 10, with reasoning beside success."""
    numbers = ("mazes", "beta", "low", "high", "p", "p_holm", "slope", "r2")
    for name, tasks in contestants.items():
        for task, levels in tasks.items():
            for level, scores in levels.items():
                for score, lines in scores.items():
                    for each in lines:
                        yield {
                            "contestant": name, "task": task, "level": level, "score": score,
                            "predictor": each.get("predictor", each.get("what")),
                            **{number: each.get(number) for number in numbers},
                            "refused": each.get("why"),
                        }  # fmt: skip


def _agreement(people: Mapping[Path, Contestant]) -> Iterator[Row]:
    if not people:
        return
    taken = minutes(line for run in people for line in finished(run).values())
    for task, levels in agreement([each.marked for each in people.values()]).items():
        for level, cell in levels.items():
            timed = taken[task] if level == "all" else {}
            yield {
                "task": task, "level": level, **cell, "minutes": timed.get("mean"),
                "timed": timed.get("answers"),
            }  # fmt: skip


def _csv(rows: Sequence[Row]) -> str:
    stream = io.StringIO()
    lines = csv.DictWriter(stream, rows[0], lineterminator="\n")
    lines.writeheader()
    for row in rows:
        lines.writerow({name: "" if cell is None else _told(cell, ".6g")
                        for name, cell in row.items()})  # fmt: skip
    return stream.getvalue()


def _markdown(name: str, rows: Sequence[Row]) -> str:
    header = list(rows[0])
    body = [["–" if cell is None else _told(cell, ".2f") for cell in row.values()] for row in rows]
    lines = [header, ["---"] * len(header), *body]
    shown = (" | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in line)
             for line in lines)  # fmt: skip
    return "\n".join([f"### {name}", "", *(f"| {line} |" for line in shown), ""])


def _told(cell: str | float, spec: str) -> str:
    return format(cell, spec) if isinstance(cell, float) else str(cell)
