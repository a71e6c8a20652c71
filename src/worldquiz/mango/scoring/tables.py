"""The paper's tables, of any runs, as data (CSV) and to be read (Markdown).

    table_1   success of each two contestants on what both were asked (Tables 1 and 11)
    table_9   their reasoning (Tables 9 and 12)
    table_2   what people earned
    table_4   answers that could not be read
    table_10  what makes mazes hard, one predictor at a time
    table_13  how far people agree
    means     of each contestant and baseline, with 95 % intervals (Figures 2, 5 and 6)
    games     of each contestant and maze (Figures 3 and 7)

A table of which runs have nothing is not written. CSV has a row for each number, with its counts;
Markdown has the paper's layout. Means are over mazes unless a column says otherwise.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from worldquiz.errors import KnobError
from worldquiz.mango.running.run import read_contest
from worldquiz.mango.scoring.contest import LEVELS, MEANS, Contest, Contestant, of, pair, table
from worldquiz.mango.scoring.grade import Level, Task
from worldquiz.mango.scoring.people import RATERS, read_people
from worldquiz.mango.scoring.predictors import PREDICTORS, TITLES
from worldquiz.mango.scoring.regression import regress
from worldquiz.records import write_text
from worldquiz.report.labels import decimal

Cell = str | int | float | None
Row = tuple[Cell, ...]
Means = tuple[str, str, str, Mapping[str, Any]]
"""A contestant, a task, a level, and the means there."""
_PAIRED = {"table_1": "success", "table_9": "reasoning"}
_TASKS = {Task.DF: "Destination finding", Task.RF: "Route finding"}


@dataclass(frozen=True, slots=True)
class Table:
    """A table, as data and to be read."""

    name: str
    header: tuple[str, ...]
    rows: tuple[Row, ...]
    shown: str  # Markdown


def write_tables(
    runs: Sequence[Path], out: Path, *, more: Sequence[Table] = (), only: Sequence[str] = ()
) -> list[Path]:
    """Write every table of some finished runs into a folder, and `more`; return the files.

    `only` names the games that they are about, all if empty.

    Raises as `read_contest` and `regress` do, and `KnobError` for two tables of one name.
    """
    found = [*tables(runs, only), *more]
    names = [each.name for each in found]
    if len(set(names)) < len(names):
        raise KnobError(f"tables {', '.join(sorted(names))}: two have the same name")
    written = []
    for each in found:
        for suffix, text in ((".csv", _csv(each)), (".md", each.shown)):
            write_text(out / f"{each.name}{suffix}", text)
            written.append(out / f"{each.name}{suffix}")
    return written


def tables(runs: Sequence[Path], only: Sequence[str] = ()) -> Iterator[Table]:
    """Yield every table that some finished runs can fill; people's are of all games."""
    contest = read_contest(runs, only)
    cells = [list(_cells(each)) for each in contest.contestants]
    baselines = (_cells(each) for each in contest.baselines)
    yield _means(chain.from_iterable((*cells, *baselines)))
    yield _games(contest)
    yield _unread(contest)
    if len(contest.contestants) > 1:
        pairs = _pairs(contest)
        yield from (_paired(name, score, contest, pairs) for name, score in _PAIRED.items())
    yield _predicted(regress(contest))
    people = {run: some for run, some in zip(runs, cells, strict=True) if (run / RATERS).is_file()}
    if people:
        yield _people(chain.from_iterable(people.values()))
        yield _agreement(read_people(people) or {})


def _pairs(contest: Contest) -> dict[tuple[int, int], dict[str, Any]]:
    scored = [each.scored for each in contest.contestants]
    return {
        (left, right): pair(scored[left], scored[right])
        for right in range(len(scored))
        for left in range(right)
    }


def _paired(
    name: str, score: str, contest: Contest, pairs: Mapping[tuple[int, int], dict[str, Any]]
) -> Table:
    names = [each.name for each in contest.contestants]
    rows = [
        (str(task), str(level), names[left], names[right], *_side(cell, score))
        for task in Task
        for (left, right), found in pairs.items()
        for level in LEVELS
        for cell in (found[str(task)][str(level)],)
    ]
    header = ("task", "level", "left", "right", "asked", "mazes", "left_mean", "right_mean",
              "difference", "low", "high", "p")  # fmt: skip
    shown = "\n".join(_triangle(task, score, names, pairs) for task in Task)
    return Table(name, header, tuple(rows), shown)


def _side(cell: Mapping[str, Any], score: str) -> Row:
    both = cell[score]
    gap = both["difference"] or {}
    bounds = (gap.get(name) for name in ("value", "low", "high", "p"))
    return (cell["asked"], cell["mazes"], both["left"], both["right"], *bounds)


def _triangle(
    task: Task,
    score: str,
    names: Sequence[str],
    pairs: Mapping[tuple[int, int], dict[str, Any]],
) -> str:
    """Return pairs as the paper has them: easy questions lower left, hard ones upper right."""
    rows = []
    for row, name in enumerate(names):
        cells = [name]
        for column in range(len(names)):
            if row == column:
                cells.append("\\*")
                continue
            level = Level.EASY if column < row else Level.HARD
            cell = pairs[min(row, column), max(row, column)][str(task)][str(level)]
            sides = [cell[score]["left"], cell[score]["right"]]
            ours, theirs = sides if row < column else sides[::-1]
            cells.append(f"{decimal(ours)} \\| {decimal(theirs)} ({cell['asked']})")
        rows.append(cells)
    title = f"{_TASKS[task]}, {score}: easy lower left, hard upper right"
    note = "A cell is row \\| column on the questions that both were asked (how many)."
    return _markdown(title, ["", *names], rows, note)


def _means(cells: Iterable[Means]) -> Table:
    rows: list[Row] = []
    shown: list[list[str]] = []
    for name, task, level, cell in cells:
        for score in MEANS:
            mean = cell[score]
            low, high = mean["interval"] or (None, None)
            rows.append((name, task, level, score, cell["asked"], cell["mazes"], mean["macro"],
                         low, high, mean["micro"]))  # fmt: skip
        counts = [str(cell["asked"]), str(cell["mazes"])]
        scores = [_with(cell[score]["macro"], cell[score]["interval"]) for score in MEANS]
        shown.append([name, f"{task.upper()} {level}", *counts, *scores])
    header = ("contestant", "task", "level", "score", "asked", "mazes", "mean", "low", "high",
              "mean_over_answers")  # fmt: skip
    titles = ["", "", "asked", "mazes", *MEANS]
    return Table("means", header, tuple(rows), _markdown("Means over mazes", titles, shown))


def _games(contest: Contest) -> Table:
    rows: list[Row] = []
    for each in contest.contestants:
        for task in Task:
            for level in LEVELS:
                for game, found in of(each.scored, task, level).items():
                    means = found.record()
                    rows.append((each.name, game, str(task), str(level), found.asked,
                                 *(means[score] for score in MEANS)))  # fmt: skip
    header = ("contestant", "game", "task", "level", "asked", *MEANS)
    shown = [[str(cell) if not isinstance(cell, float) else decimal(cell) for cell in row]
             for row in rows]  # fmt: skip
    return Table("games", header, tuple(rows), _markdown("Means of each maze", header, shown))


def _unread(contest: Contest) -> Table:
    """Return Table 4: answers a maze, and how many of them could not be read."""
    rows: list[Row] = []
    for each in contest.contestants:
        for task in Task:
            games = of(each.scored, task, "all")
            asked, ill = (sum(getattr(found, name) for found in games.values())
                          for name in ("asked", "ill_formed"))  # fmt: skip
            if games:
                rows.append((each.name, str(task), len(games), asked, ill, asked / len(games),
                             ill / len(games)))  # fmt: skip
    header = ("contestant", "task", "mazes", "asked", "ill_formed", "asked_a_maze",
              "ill_formed_a_maze")  # fmt: skip
    shown = [[str(row[0]), str(row[1]).upper(), *(f"{row[at]:.2f}" for at in (5, 6))]
             for row in rows]  # fmt: skip
    titles = ["", "", "# answered", "# ill-structured"]
    return Table("table_4", header, tuple(rows), _markdown("Answers a maze", titles, shown))


def _predicted(found: Mapping[str, Any]) -> Table:
    """Return Table 10, of success; both scores are in the data."""
    rows: list[Row] = []
    for name, tasks in found["contestants"].items():
        for task, levels in tasks.items():
            for level in Level:
                for score, fit in levels.get(str(level), {}).items():
                    rows += [(name, task, str(level), score, *_line(each)) for each in fit]
    header = ("contestant", "task", "level", "score", "predictor", "mazes", "beta", "low", "high",
              "p", "p_holm", "slope", "r2", "refused")  # fmt: skip
    shown = "\n".join(_table_10(found["contestants"], level) for level in Level)
    return Table("table_10", header, tuple(rows), shown)


def _line(each: Mapping[str, Any]) -> Row:
    if each["kind"] == "refused":
        return (each["what"], *(None for _ in range(8)), each["why"])
    names = ("predictor", "mazes", "beta", "low", "high", "p", "p_holm", "slope", "r2")
    return (*(each[name] for name in names), None)


def _table_10(contestants: Mapping[str, Any], level: Level) -> str:
    columns = [(name, task) for name in contestants for task in contestants[name]]
    cells: dict[tuple[str, str, str], list[str]] = {}
    for name, task in columns:
        fits = contestants[name][task].get(str(level), {}).get("success", [])
        for each in fits:
            if each["kind"] == "line":
                p = f"{each['p']:.3f}"
                cells[name, task, each["predictor"]] = [f"{each['beta']:.3f}", p]
    rows = []
    for predictor in PREDICTORS[level]:
        pairs = [cells.get((*column, predictor), ["–", "–"]) for column in columns]
        rows.append([TITLES[predictor], *(cell for two in pairs for cell in two)])
    titles = [""]
    for name, task in columns:
        titles += [f"{name}, {task.upper()}: β", "p"]
    note = "β: change of the mean success for one standard deviation of the predictor."
    return _markdown(f"Success on {level} questions, one point per maze", titles, rows, note)


def _people(cells: Iterable[Means]) -> Table:
    """Return Table 2."""
    rows: list[Row] = []
    shown: list[list[str]] = []
    for name, task, level, cell in cells:
        means = [cell[score]["micro"] for score in ("success", "reasoning")]
        rows.append((name, task, level, cell["asked"], cell["mazes"], *means))
        scores = (decimal(mean, 4) for mean in means)
        shown.append([name, task.upper(), f"{level} ({cell['asked']})", *scores])
    header = ("contestant", "task", "level", "asked", "mazes", "success", "reasoning")
    titles = ["", "task", "difficulty", "success rate", "reasoning accuracy"]
    note = "Means over answers, as in the paper."
    return Table("table_2", header, tuple(rows), _markdown("People", titles, shown, note))


def _agreement(found: Mapping[str, Any]) -> Table:
    rows: list[Row] = []
    shown = []
    for task, levels in found["agreement"].items():
        taken = found["minutes"][task]
        for level, cell in levels.items():
            timed = (taken["mean"], taken["answers"]) if level == "all" else (None, None)
            rows.append(
                (task, level, cell["questions"], cell["success"], cell["reasoning"], *timed)
            )
        both = [levels[level][name] for level in levels for name in ("success", "reasoning")]
        minutes = f"{decimal(taken['mean'], 1)} ({taken['answers']})"
        shown.append([task.upper(), *(decimal(each, 4) for each in both), minutes])
    header = ("task", "level", "questions", "success", "reasoning", "minutes", "timed")
    titles = ["", *(f"{level} {name}" for level in LEVELS for name in ("SR", "RA")), "minutes"]
    title = "Agreement of people: mean squared error"
    return Table("table_13", header, tuple(rows), _markdown(title, titles, shown))


def _cells(contestant: Contestant) -> Iterator[Means]:
    for task, levels in table(contestant.scored).items():
        for level, cell in levels.items():
            yield contestant.name, task, level, cell


def _csv(found: Table) -> str:
    stream = io.StringIO()
    lines = csv.writer(stream, lineterminator="\n")
    lines.writerow(found.header)
    lines.writerows([_plain(cell) for cell in row] for row in found.rows)
    return stream.getvalue()


def _plain(cell: Cell) -> Cell:
    if cell is None:
        return ""
    return f"{cell:.6g}" if isinstance(cell, float) else cell


def _markdown(
    title: str, header: Sequence[str], rows: Sequence[Sequence[str]], note: str = ""
) -> str:
    ruler = ["---", *("---:" for _ in header[1:])]
    lines = [f"| {' | '.join(_escaped(cells))} |" for cells in (header, ruler, *rows)]
    return "\n".join([f"### {title}", "", *lines, "", *([note, ""] if note else [])])


def _escaped(cells: Sequence[str]) -> list[str]:
    """Return cells whose own bars do not end them; those that are escaped already stay."""
    return [cell.replace("\\|", "|").replace("|", "\\|").replace("\n", " ") for cell in cells]


def _with(value: float | None, interval: Sequence[float] | None) -> str:
    if interval is None:
        return decimal(value)
    return f"{decimal(value)} [{decimal(interval[0])}, {decimal(interval[1])}]"
