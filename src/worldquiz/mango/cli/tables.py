"""Terminal tables of MANGO's scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.table import Table

from worldquiz.mango.minigames import Setting
from worldquiz.mango.rows import read_run_manifest
from worldquiz.mango.run import names, score_run
from worldquiz.mango.scores import LEVELS, MEANS
from worldquiz.page.terminal import plain, titled
from worldquiz.records import read_json
from worldquiz.runs.folder import SCORES

_SHORT = {
    "total_task": "total", "valid_task": "valid", "loose_score": "loose", "strict_score": "strict",
    "reasoning_score": "reasoning", "path_len": "len", "parsing_error": "unread",
    "id_error": "id", "step_num_error": "step", "ties": "ties",
}  # fmt: skip
"""The release's sums, and what their columns are called."""
TASKS = {"df": "destination finding", "rf": "route finding"}
_COLUMNS = {Setting.PLAIN: "w/o map", Setting.MAP: "w/ map"}
_LEGEND = (
    "DF: destination finding, RF: route finding; asked: questions in mazes; unread: ill-formed; "
    "weighted: success by route length."
)


def run_tables(runs: Sequence[Path]) -> Iterator[Table]:
    """Yield the scores of some finished runs as tables, under their names."""
    manifests = {run: read_run_manifest(run) for run in runs}
    for run, name in names(manifests).items():
        known = (run / SCORES).is_file()  # not of a run that goes on
        yield means_table(read_json(run / SCORES) if known else score_run(run), name)


def means_table(found: dict[str, Any], name: str) -> Table:
    """Return means over mazes as a table, with the baselines' under them."""
    table = titled(f"{name}: means over mazes with 95 % intervals" if name else "Means over mazes")
    table.padding = (0, 1, 0, 0)
    for column in ("", "asked", "unread", *MEANS):
        table.add_column(column, justify="left" if not column else "right", no_wrap=True)
    for task in TASKS:
        for level in LEVELS:
            cell = found[task][level]
            counts = (f"{cell['asked']:,} in {cell['mazes']}", f"{cell['ill_formed']:,}")
            means = (_mean(cell[score]["macro"], cell[score]["interval"]) for score in MEANS)
            table.add_row(f"{task.upper()} {level}", *counts, *means)
    table.add_section()
    for baseline, tasks in found["baselines"].items():
        for task in TASKS:
            cell = tasks[task]["all"]
            means = (number(cell[score]["macro"]) for score in MEANS)
            table.add_row(f"{baseline} {task.upper()}", "", "", *means)
    table.caption = _caption(found)
    return table


def _caption(found: dict[str, Any]) -> str:
    beyond = sum(game[task]["unanswerable"] for game in found["games"].values() for task in TASKS)
    knowledge = _mean(found["knowledge"], found["knowledge_ci"]).replace("\n", ", ")
    drawn = ""
    if "triplets" in found:
        accuracy, counts = found["triplets"]["accuracy"], found["triplets"]["micro"]
        drawn = (
            f"Of the drawn maps {number(accuracy['macro'])} of triplets are right, as a mean over "
            f"mazes ({counts['right']} of {counts['asked']}; the paper: 0.71 with five examples, "
            "0.06 with none). "
        )
    return (
        f"{drawn}Knowledge {knowledge} ({found['counted']:,} questions; 0: guessing or no answer, "
        f"1: all right). {_LEGEND} Under the line: baselines that have no map. {beyond:,} answers "
        "are left out, because the steps that were shown do not settle their questions."
    )


def table_14(players: dict[str, dict[str, Any]]) -> Table:
    """Return Table 14 of some players, by their names."""
    table = titled("Minigames: successes / asked")
    columns = [
        (name, setting) for name, told in players.items() for setting in Setting if setting in told
    ]
    table.add_column("")
    for name, setting in columns:
        table.add_column(f"{name}\n{_COLUMNS[setting]}", justify="right")
    for game in sorted({game for told in players.values() for game in told["games"]}):
        cells = (
            _cell(players[name]["games"].get(game, {}).get(setting)) for name, setting in columns
        )
        table.add_row(game, *cells)
    table.add_section()
    totals = [players[name][setting] for name, setting in columns]
    table.add_row("all", *map(_cell, totals))
    table.add_row("share", *(_mean(each["share"], each["interval"]) for each in totals))
    table.add_row("by chance", *(f"{each['chance']:.2f}" for each in totals))
    table.add_row("ill-formed", *(f"{each['ill_formed']:,}" for each in totals))
    table.caption = "Shares are of all minigames, with 95 % intervals over mazes."
    return table


def _cell(counts: dict[str, Any] | None) -> str:
    return "-" if counts is None else f"{counts['successes']:,}/{counts['asked']:,}"


def _mean(value: float | None, interval: tuple[float, float] | None) -> str:
    if interval is None:
        return number(value)
    low, high = (number(bound) for bound in interval)
    return f"{number(value)}\n{low}{'..' if '-' in low + high else '-'}{high}"


def number(value: float | None) -> str:
    """Return a score as tables show it."""
    return "-" if value is None else f"{value:.2f}"


def release_table(found: dict[str, Any]) -> Table:
    """Return the sums of the released evaluator as a table."""
    rows = [
        (f"{task.upper()} {game} {level}", *(f"{cell[key]:,.6g}" for key in _SHORT))
        for task in TASKS
        for game, levels in found.get(task, {}).items()
        if game != "summary" or len(found[task]) > 2  # of one game: its own figures again
        for level, cell in levels.items()
    ]
    table = plain(rows, "", *_SHORT.values())
    table.caption = (
        "ties: answers that the release scores by the order of a hash table, which changes from "
        "run to run; without any, its sums are these."
    )
    return table
