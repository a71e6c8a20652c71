"""``worldquiz mango regress``: what makes mazes and questions hard for those who answered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table

from worldquiz.cli.shell import Json, emit, out, progress, resumable
from worldquiz.mango.running.run import read_contest
from worldquiz.mango.scoring.predictors import TITLES
from worldquiz.mango.scoring.regression import SCORES
from worldquiz.mango.scoring.regression import regress as regress_contest

Runs = Annotated[list[Path], typer.Argument(metavar="RUN...", help="Runs of MANGO's questions.")]


def regress(
    runs: Runs,
    score: Annotated[
        str, typer.Option(help="Score that the tables show: success or reasoning.")
    ] = SCORES[0],
    json: Json = False,
) -> None:
    """Fit what makes mazes hard: each predictor by itself (Table 10), then all answers at once."""
    if score not in SCORES:
        raise typer.BadParameter(f"{score!r}: give {' or '.join(SCORES)}", param_hint="--score")
    contest = read_contest(runs)
    with (
        resumable("nothing is written by this command"),
        progress("fitting", len(contest.contestants)) as done,
    ):
        found = regress_contest(contest, done=done)
    if json:
        emit(found)
        return
    for name, tasks in found["contestants"].items():
        for table in _tables(name, tasks, score):
            out().print(table)


def _tables(name: str, tasks: dict[str, Any], score: str) -> Iterator[Table]:
    yield _lines(name, tasks, score)
    for task, levels in tasks.items():
        for level, scores in levels.items():
            yield _mixed(f"{name}: {task.upper()}, {level}, {score}", scores[score]["mixed"])


def _lines(name: str, tasks: dict[str, Any], score: str) -> Table:
    """Return single-variable lines as Table 10 has them."""
    table = _table(f"{name}: {score} over one predictor at a time, a point a maze")
    for column in ("", "predictor", "mazes", "beta", "95 %", "p", "p, Holm", "R²"):
        table.add_column(column, justify="left" if column in ("", "predictor") else "right")
    for task, levels in tasks.items():
        for level, scores in levels.items():
            for each in scores[score]["lines"]:
                table.add_row(f"{task.upper()} {level}", *_line(each))
            table.add_section()
    table.caption = "beta: change of the score for one standard deviation of the predictor."
    return table


def _line(each: dict[str, Any]) -> tuple[str, ...]:
    if each["kind"] == "refused":
        return (TITLES[each["what"]], "", "-", "", each["why"], "", "")
    return (
        TITLES[each["predictor"]], str(each["mazes"]), _signed(each["beta"]), _range(each),
        _p(each["p"]), _p(each["p_holm"]), f"{each['r2']:.2f}",
    )  # fmt: skip


def _mixed(title: str, found: dict[str, Any]) -> Table:
    table = _table(f"{title}: all answers at once")
    for column in ("", "effect of", "beta", "95 %", "p", "p, Holm", "VIF"):
        table.add_column(column, justify="left" if column in ("", "effect of") else "right")
    if found["kind"] == "refused":
        table.caption = f"Refused: {found['why']}."
        return table
    for term in found["terms"]:
        where = "within mazes" if term["within"] else "between mazes"
        table.add_row(
            where, _titled(term), _signed(term["beta"]), _range(term), _p(term["p"]),
            _p(term["p_holm"]), f"{term['inflation']:.1f}",
        )  # fmt: skip
    shared = found["between"] / (found["between"] + found["error"])
    table.caption = (
        f"{found['questions']:,} answers, {found['mazes']} mazes, mean {found['mean']:.2f}; "
        f"{shared:.0%} of what is left unexplained lies between mazes."
    ) + "".join(
        f" Not told: {_plain(each['what'])}: {_plain(each['why'])}." for each in found["refused"]
    )
    return table


def _titled(term: dict[str, Any]) -> str:
    if len(term["members"]) > 1:
        return f"{_plain(term['name'])} (not told apart)"
    return f"{_plain(term['name'])} ({term['unit']:.3g} more)"


def _plain(text: str) -> str:
    """Return a text with its predictors named as the paper does."""
    return re.sub(r"\w+", lambda word: TITLES.get(word[0], word[0].replace("_", " ")), text)


def _table(title: str) -> Table:
    return Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)


def _signed(value: float) -> str:
    return f"{value:+.3f}"


def _range(each: dict[str, Any]) -> str:
    return f"{each['low']:+.3f} to {each['high']:+.3f}"


def _p(value: float) -> str:
    return "<0.001" if value < 0.001 else f"{value:.3f}"
