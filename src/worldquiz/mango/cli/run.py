"""``worldquiz mango run``, ``map``, ``minigames``, ``import``, ``score`` and ``tables``.

Then the tables that a terminal shows of runs, and MANGO's part of ``worldquiz demo``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from worldquiz.cli.options import JSON, PATH, argument, command, option, out, setting, settings
from worldquiz.cli.shell import (
    progress,
    resumable,
    tables_of,
    tell,
    tell_run,
    waiting,
    warn,
    working,
)
from worldquiz.errors import KEPT
from worldquiz.mango.settings import MapSettings, MazeSettings, MinigameSettings, QuizSettings

if TYPE_CHECKING:
    from rich.table import Table

    from worldquiz.mango.published import Layout

MAZES = argument("mazes", "MAZES", "A folder of mazes with their walkthroughs.")
GAMES = setting(MazeSettings, "games")
LAYOUT = option(
    "--layout",
    type=click.Choice(("steps70", "full")),
    help="Read full maps, or the 70-step set (folders GAME/LAYOUT or GAME). Default: the 70-step "
    "set of each game that has it.",
)
RF_EASY = setting(QuizSettings, "rf_easy")
ABOUT = option(
    "--maze", "mazes", type=PATH, required=True,
    help="The folder of mazes that the answers are about.",
)  # fmt: skip
OUT = out("The folder to write the run into.")
ANSWERER = option("--answerer", help="An answerer of an installed package, instead of a model.")
TASKS, LEVELS = ("df", "rf"), ("all", "easy", "hard")
SCORES = ("success", "reasoning", "weighted")
SHOWN = {"plain": "w/o map", "map": "w/ map"}
"""Settings of minigames, as Table 14 calls them."""


def layout_of(told: str | None) -> Layout | None:
    """Return the layout that an option names."""
    from worldquiz.mango.published import Layout

    return None if told is None else Layout(told)


def left_out(folder: Path, layout: str | None) -> dict[str, str]:
    """Return which games of a folder are unfinished, by name, and say so."""
    from worldquiz.mango.published import laid, unfinished

    layouts = laid(layout_of(layout))
    skipped = {name: f"{path}: is missing" for name, path in unfinished(folder, *layouts).items()}
    warn(*(f"left out: {name} ({why})" for name, why in skipped.items()))
    return skipped


def _carried(
    work: str,
    mazes: Path,
    out: Path,
    answerer: str | None,
    settings: MazeSettings,
    layout: str | None,
    json: bool,
) -> None:
    """Carry a run to its scores and print them; `work` is the method of `MazeSet` that makes it."""
    from worldquiz.mango.maze_set import MazeSet, finish

    opened = MazeSet(mazes, layout)
    left_out(mazes, layout)
    found = getattr(opened, work)(answerer, settings)
    with working(settings.model or str(answerer), len(found.units), "replies are kept") as done:
        run = finish(found, out, settings, done)
    tell_run(run, settings.shard, json=json)


@command
@MAZES
@OUT
@option(
    "--answerer",
    help="Who answers, if no model does: mapper (draws the map by rules and searches it), keeper "
    "(the upper bound: is told the map), a baseline without a map (go, source, frequent, walk), or "
    "an answerer of an installed package.",
)
@settings(QuizSettings)
@LAYOUT
@JSON
def run(**given: Any) -> None:
    """Have MANGO's questions answered. A stopped run goes on where it was."""
    _carried("quiz", **given)


@command
@MAZES
@OUT
@ANSWERER
@settings(MinigameSettings)
@LAYOUT
@JSON
def minigames(**given: Any) -> None:
    """Have the next moves of walkthroughs chosen: MANGO's minigames. Stopped runs go on."""
    _carried("minigame_work", **given)


@command
@MAZES
@OUT
@ANSWERER
@settings(MapSettings)
@LAYOUT
@JSON
def map_(**given: Any) -> None:
    """Have a model draw the maps, then search them for the answers. Stopped runs go on."""
    _carried("map_work", **given)


@command
@argument("answers", "ANSWERS", "A folder as MANGO's programs write it, or a JSONL file.")
@OUT
@ABOUT
@option("--name", help="What tables call the answerer. Default: the file's name.")
@GAMES
@LAYOUT
@RF_EASY
@JSON
def import_(
    answers: Path, out: Path, mazes: Path, name: str | None, games: Sequence[str],
    layout: str | None, rf_easy: str, json: bool,
) -> None:  # fmt: skip
    """Make a run of answers from elsewhere, which is scored and compared like any other."""
    from worldquiz.mango.answers import import_work
    from worldquiz.mango.maze_set import finish
    from worldquiz.mango.paths import Route

    about: dict[str, Any] = {"layout": layout_of(layout), "only": games}
    work = import_work(answers, mazes, name=name, easy=Route(rf_easy), **about)
    with working("importing", len(work.units)) as done:
        found = finish(work, out, MazeSettings(), done)
    tell(found.scores, tables_of([found]), json=json)


@command
@argument("run", "RUN", "A run of MANGO's questions, or of imported answers.")
@option(
    "--compat",
    type=click.Choice(("paper", "release")),
    required=True,
    help="Scoring rules. paper: a told move counts as the closest one of the maze. release: as "
    "MANGO's evaluator does it, with its faults.",
)
@JSON
def score(run: Path, compat: str, json: bool) -> None:
    """Score a run by the paper's rules or those of its released evaluator; nothing is written.

    `worldquiz score RUN` scores it by ours.
    """
    from worldquiz.mango.grade import Rule
    from worldquiz.mango.maze_set import score_run
    from worldquiz.mango.release import released

    with waiting("scoring"):
        found = released(run) if compat == "release" else score_run(run, Rule(compat))
    shown = release_table(found) if compat == "release" else means_table(found, "")
    tell(found, [shown], json=json)


@command
@argument("runs", "RUN", "Runs of MANGO's questions.", nargs=-1, required=True)
@out("The folder to write the tables into.")
@GAMES
@JSON
def tables(runs: Sequence[Path], out: Path, games: Sequence[str], json: bool) -> None:
    """Write Tables 1, 2, 4, 9, 10 and 13, as far as runs fill them, and the figures' numbers.

    Table 14 of minigames is `worldquiz score RUN RUN`.
    """
    from worldquiz.mango.tables import write_tables

    with waiting("computing"):
        written = [*map(str, write_tables(runs, out, only=games))]
    tell({"files": written}, written, json=json)


# ---- Tables for a terminal -----------------------------------------------------------------------


def run_tables(runs: Sequence[Path]) -> Iterator[Table]:
    """Yield the scores of some finished runs as tables, under their names."""
    from worldquiz.mango.maze_set import names, score_run
    from worldquiz.mango.rows import read_run_manifest
    from worldquiz.records import read_json
    from worldquiz.runs.folder import SCORES

    for run, name in names({run: read_run_manifest(run) for run in runs}).items():
        known = (run / SCORES).is_file()  # not of a run that goes on
        yield means_table(read_json(run / SCORES) if known else score_run(run), name)


def means_table(found: dict[str, Any], name: str) -> Table:
    """Return means over mazes as a table, with the baselines' under them."""
    from worldquiz.page.terminal import titled

    table = titled(f"{name}: means over mazes with 95 % intervals" if name else "Means over mazes")
    table.padding = (0, 1, 0, 0)
    for column in ("", "asked", "unread", "knowledge", *SCORES):
        table.add_column(column, justify="left" if not column else "right", no_wrap=True)
    for task in TASKS:
        for level in LEVELS:
            cell = found[task][level]
            counts = (f"{cell['asked']:,} in {cell['mazes']}", f"{cell['ill_formed']:,}")
            knowledge = _mean(cell["knowledge"], cell["knowledge_ci"])
            means = (_mean(cell[score]["macro"], cell[score]["interval"]) for score in SCORES)
            table.add_row(f"{task.upper()} {level}", *counts, knowledge, *means)
    table.add_section()
    for baseline, tasks in found["baselines"].items():
        for task in TASKS:
            cell = tasks[task]["all"]
            means = (number(cell[score]["macro"]) for score in SCORES)
            table.add_row(f"{baseline} {task.upper()}", "", "", number(cell["knowledge"]), *means)
    beyond = sum(game[task]["unanswerable"] for game in found["games"].values() for task in TASKS)
    knowledge = _mean(found["knowledge"], found["knowledge_ci"]).replace("\n", ", ")
    drawn = ""
    if told := found.get("triplets"):
        drawn = (
            f"Of the drawn maps {number(told['accuracy']['macro'])} of triplets are right, as a "
            f"mean over mazes ({told['micro']['right']} of {told['micro']['asked']}; the paper: "
            "0.71 with five examples, 0.06 with none). "
        )
    table.caption = (
        f"{drawn}Knowledge of both tasks {knowledge} ({found['counted']:,} questions; 0: guessing "
        "or no answer, 1: all right). DF: destination finding, RF: route finding; asked: questions "
        "in mazes; unread: ill-formed; weighted: success by route length. Under the line: "
        f"baselines that have no map. {beyond:,} answers are left out, because the steps that were "
        "shown do not settle their questions."
    )
    return table


def minigame_tables(runs: Sequence[Path]) -> Iterator[Table]:
    """Yield Table 14 of some finished runs of minigames, by who played them."""
    from worldquiz.mango.maze_set import names, score_minigames
    from worldquiz.mango.rows import MINIGAMES, read_run_manifest
    from worldquiz.page.terminal import titled

    called = names({run: read_run_manifest(run, MINIGAMES) for run in runs})
    players = {called[run]: score_minigames(run) for run in runs}
    table = titled("Minigames: successes / asked")
    columns = [(name, shown) for name, told in players.items() for shown in SHOWN if shown in told]
    table.add_column("")
    for name, shown in columns:
        table.add_column(f"{name}\n{SHOWN[shown]}", justify="right")
    for game in sorted({game for told in players.values() for game in told["games"]}):
        cells = (_cell(players[name]["games"].get(game, {}).get(shown)) for name, shown in columns)
        table.add_row(game, *cells)
    table.add_section()
    totals = [players[name][shown] for name, shown in columns]
    table.add_row("all", *map(_cell, totals))
    table.add_row("share", *(_mean(each["share"], each["interval"]) for each in totals))
    table.add_row("by chance", *(f"{each['chance']:.2f}" for each in totals))
    table.add_row("ill-formed", *(f"{each['ill_formed']:,}" for each in totals))
    table.caption = "Shares are of all minigames, with 95 % intervals over mazes."
    yield table


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
    from worldquiz.page.terminal import plain

    names = {
        "total_task": "total", "valid_task": "valid", "loose_score": "loose",
        "strict_score": "strict", "reasoning_score": "reasoning", "path_len": "len",
        "parsing_error": "unread", "id_error": "id", "step_num_error": "step", "ties": "ties",
    }  # fmt: skip
    rows = [
        (f"{task.upper()} {game} {level}", *(f"{cell[key]:,.6g}" for key in names))
        for task in TASKS
        for game, levels in found.get(task, {}).items()
        if game != "summary" or len(found[task]) > 2  # of one game: its own figures again
        for level, cell in levels.items()
    ]
    table = plain(rows, "", *names.values())
    table.caption = (
        "ties: answers that the release scores by the order of a hash table, which changes from "
        "run to run; without any, its sums are these."
    )
    return table


# ---- The demo ------------------------------------------------------------------------------------

SEED, FEW, PER_MAZE = 7, 2, 20


def demo(folder: Path, jobs: int) -> Iterator[Any]:
    """Generate mazes, have a lower bound and the map builder answer, and write their report."""
    from worldquiz.mango.maze_set import build
    from worldquiz.mango.questions import require_libraries
    from worldquiz.page import html
    from worldquiz.page.terminal import means
    from worldquiz.runs.run import report

    require_libraries()
    html.require()
    home, runs = folder / "mango", []
    with resumable(KEPT), waiting("MANGO: generating mazes"):
        mazes = build(mazes=FEW, seed=SEED, out=home / "mazes")
    for name in ("go", "mapper"):
        with resumable(KEPT), progress(f"MANGO: {name}", 2 * FEW * PER_MAZE) as done:
            runs.append(mazes.run(name, out=home / name, per_maze=PER_MAZE, progress=done))
    with waiting("MANGO: writing the report"):
        page = report(runs, home / "report.html")
    yield {"mango": {"report": str(page), "runs": {run.name: run.scores for run in runs}}}
    count = len(runs[0].rows)
    yield f"MANGO: {count} questions about {FEW} mazes, which their walkthroughs show in full."
    yield means({run.name: run.each_row() for run in runs})
    yield f"report: {page}"
