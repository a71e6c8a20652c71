"""``worldquiz mango run``, ``import``, ``score`` and ``tables``; the demo."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from worldquiz.cli.options import (
    DATA,
    JSON,
    PATH,
    RUN_OUT,
    argument,
    command,
    option,
    out,
    setting,
    settings,
)
from worldquiz.cli.shell import ask, tables_of, tell, warn, working
from worldquiz.mango.settings import QuizSettings

if TYPE_CHECKING:
    from worldquiz.runs.run import Run

MAZES = argument("mazes", "MAZES", "A folder of mazes with their walkthroughs.")
GAMES = setting(QuizSettings, "games")
LAYOUT = option(
    "--layout",
    type=click.Choice(("steps70", "full")),
    help="Read full maps, or the 70-step set (folders GAME/LAYOUT or GAME). Default: the 70-step "
    "set of each game that has it; to count and to write questions, the full map.",
)
OUT = out("The folder to write the run into.")
RELEASED = {
    f"{task.upper()} {score}": (f"{task}.summary.all.{score}_score_average", "")
    for task in ("df", "rf") for score in ("loose", "strict", "reasoning")
}  # fmt: skip
"""Averages of the released evaluator, by their keys."""


def left_out(folder: Path, layout: str | None) -> dict[str, str]:
    """Return which games of a folder are unfinished, by name, and say so."""
    from worldquiz.mango.published import laid, unfinished

    lacking = unfinished(folder, *laid(layout))
    skipped = {name: f"{path}: is missing" for name, path in lacking.items()}
    warn(*(f"left out: {name} ({why})" for name, why in skipped.items()))
    return skipped


@command
@MAZES
@RUN_OUT
@option(
    "--answerer",
    help="Who answers, if no model does: mapper (draws the map by rules and searches it), keeper "
    "(the upper bound: is told the map), a baseline without a map (go, frequent, walk, sheet), or "
    "an answerer of an installed package.",
)
@settings(QuizSettings)
@LAYOUT
@JSON
def run(
    mazes: Path, out: Path | None, answerer: str | None, settings: QuizSettings,
    layout: str | None,    json: bool,
) -> None:  # fmt: skip
    """Have MANGO's questions answered. A stopped run goes on where it was.

    Questions are of destinations and routes, and minigames; a model answers them, or draws maps
    that are searched for the answers (--shots).
    """
    from worldquiz.mango.maze_set import MazeSet

    opened = MazeSet(mazes, layout)
    left_out(mazes, layout)
    ask(opened, answerer, settings, out, json=json)


@command
@argument("answers", "ANSWERS", "A folder as MANGO's programs write it, or a JSONL file.")
@OUT
@option(
    "--maze", "mazes", type=PATH, required=True,
    help="The folder of mazes that the answers are about.",
)  # fmt: skip
@option("--name", help="What rows call the answerer. Default: the file's name.")
@LAYOUT
@setting(QuizSettings, "rf_easy")
@JSON
def import_(
    answers: Path, out: Path, mazes: Path, name: str | None, layout: str | None, rf_easy: str,
    json: bool,
) -> None:  # fmt: skip
    """Make a run of answers from elsewhere, which is scored and compared like any other."""
    from worldquiz.mango.answers import import_work

    work = import_work(answers, mazes, name=name, layout=layout, easy=rf_easy)
    with working("importing", len(work.units)) as done:
        found = work.carried(out, None, done)
    tell(found.scores, tables_of([found]), json=json)


@command
@argument("run", "RUN", "A run of MANGO's questions, or of imported answers.")
@option(
    "--compat",
    type=click.Choice(("paper", "release")),
    required=True,
    help="Scoring rules. paper: a told move counts as the closest one of the maze, and "
    "ill-structured answers of models without 'gpt' in their name are left out. release: as "
    "MANGO's evaluator does it, with its faults.",
)
@DATA
@JSON
def score(run: Path, compat: str, data: Path | None, json: bool) -> None:
    """Score a run by the paper's rules or those of its released evaluator; nothing is written.

    `worldquiz score RUN` scores it by ours.
    """
    from worldquiz.mango.benchmark import QUIZ
    from worldquiz.mango.grade import Rule
    from worldquiz.mango.maze_set import score_run
    from worldquiz.mango.release import released
    from worldquiz.mango.rows import read_run_manifest
    from worldquiz.page.findings import named_scores

    if read_run_manifest(run).get("choice") == "paired":
        warn("these questions are not the paper's: ask with --choice published")
    by_release = compat == "release"
    found = released(run, data) if by_release else score_run(run, Rule(compat), data)
    named = named_scores(found, RELEASED if by_release else QUIZ.paper)
    text = [", ".join(f"{name} {said}" for name, said in named.items() if said is not None)]
    ill = found.get("ill_structured", {"counted": True})
    if not ill["counted"] and (left := ill["df"] + ill["rf"]):
        text.append(f"ill-structured answers: {left} left out, for the model's name has no 'gpt'")
    tell(found, text, json=json)


@command
@argument("runs", "RUN", "Runs of MANGO's questions.", nargs=-1, required=True)
@out("The folder to write the tables into.")
@option(
    "--compat", type=click.Choice(("paper",)), help="Score by the paper's rules, as `mango score`."
)
@DATA
@JSON
def tables(
    runs: Sequence[Path], out: Path, compat: str | None, data: Path | None, json: bool
) -> None:
    """Write Tables 1, 2, 4, 9, 10 and 13, as far as runs fill them.

    Table 14 of minigames, and the figures' numbers, are in the scores.json of each run.
    """
    from worldquiz.mango.grade import Rule
    from worldquiz.mango.tables import write_tables

    written = [*map(str, write_tables(runs, out, Rule(compat or Rule.EXACT), data))]
    tell({"files": written}, written, json=json)


SEED, FEW, PER_MAZE = 7, 2, 20


def demo(folder: Path, jobs: int) -> Iterator[tuple[str, Sequence[Run]]]:
    """Generate mazes, and have a lower bound and the map builder answer."""
    from worldquiz.mango.maze_set import build
    from worldquiz.mango.questions import require_libraries

    require_libraries()
    mazes = build(mazes=FEW, seed=SEED, out=folder / "mazes")
    runs: list[Run] = []
    for name in ("go", "mapper"):
        with working(f"MANGO: {name}", 2 * FEW * PER_MAZE, "replies are kept") as done:
            runs.append(mazes.run(name, out=folder / name, per_maze=PER_MAZE, progress=done))
    known = (f"{run.scores['knowledge']:.2f}" for run in runs)
    yield "always answering the same earns {}, drawing the map {}.".format(*known), runs
