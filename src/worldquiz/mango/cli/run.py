"""``worldquiz mango run``, ``minigames``, ``map``, ``import``, ``score`` and ``tables``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from worldquiz.cli.options import JSON, PATH, argument, command, option, out, setting, settings
from worldquiz.cli.shell import tables_of, tell, tell_run, waiting, warn, working
from worldquiz.mango.settings import MapSettings, MazeSettings, MinigameSettings, QuizSettings

MAZES = argument("mazes", "MAZES", "A folder of mazes with their walkthroughs.")
GAMES = setting(MazeSettings, "games")
LAYOUT = option(
    "--layout",
    type=click.Choice(("steps70", "full")),
    help="Read full maps, or the 70-step set (folders GAME/LAYOUT or GAME). Default: the 70-step "
    "set of each game that has it.",
)
RF_EASY = setting(QuizSettings, "rf_easy")
OUT = out("The folder to write the run into.")
ANSWERER = option("--answerer", help="An answerer of an installed package, instead of a model.")


def left_out(folder: Path, layout: str | None) -> dict[str, str]:
    """Return which games of a folder are unfinished, by name, and say so."""
    from worldquiz.mango.published import Layout, laid, unfinished

    layouts = laid(None if layout is None else Layout(layout))
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
@option(
    "--maze",
    type=PATH,
    required=True,
    help="The folder of mazes that the answers are about.",
)
@option("--name", help="What tables call the answerer. Default: the file's name.")
@GAMES
@LAYOUT
@RF_EASY
@JSON
def import_(
    answers: Path,
    out: Path,
    maze: Path,
    name: str | None,
    games: Sequence[str],
    layout: str | None,
    rf_easy: str,
    json: bool,
) -> None:
    """Make a run of answers from elsewhere, which is scored and compared like any other."""
    from worldquiz.mango.answers import import_work
    from worldquiz.mango.maze_set import finish
    from worldquiz.mango.paths import Route
    from worldquiz.mango.published import Layout

    laid = None if layout is None else Layout(layout)
    work = import_work(answers, maze, name=name, layout=laid, easy=Route(rf_easy), only=games)
    with working("importing", len(work.units)) as done:
        found = finish(work, out, MazeSettings(), done)
    tell(found.scores, tables_of([found]), json=json)


@command
@argument(
    "answers", "ANSWERS",
    "A JSONL file of answers, or a folder as MANGO's programs write it. (For a run: `worldquiz "
    "score RUN`. To compare models: `mango import`, then `worldquiz compare`.)",
)  # fmt: skip
@option(
    "--maze",
    type=PATH,
    required=True,
    help="The folder of mazes that the answers are about.",
)
@option(
    "--layout",
    type=click.Choice(("steps70", "full")),
    default="steps70",
    help="How a game's folder is laid out.",
)
@GAMES
@option(
    "--compat",
    type=click.Choice(("exact", "paper", "release")),
    default="exact",
    help="Scoring rules. exact: a told move counts as the one that it names. paper: as the closest "
    "one of the maze. release: as MANGO's evaluator does it, with its faults.",
)
@option(
    "--rf-easy",
    type=click.Choice(("any", "shortest")),
    help="Which routes define the easy split of route finding: shortest (default) or any (default "
    "for the release).",
)
@JSON
def score(
    answers: Path,
    maze: Path,
    layout: str,
    games: Sequence[str],
    compat: str,
    rf_easy: str | None,
    json: bool,
) -> None:
    """Score a file of answers, by our rules, the paper's or those of its released evaluator."""
    from worldquiz.mango.cli.tables import means_table, release_table
    from worldquiz.mango.paths import Route
    from worldquiz.mango.published import Layout

    about: dict[str, Any] = {"layout": Layout(layout), "only": games}
    with waiting("scoring"):
        if compat == "release":
            from worldquiz.mango.release import released

            found = released(answers, maze, easy=Route(rf_easy or Route.ANY), **about)
            shown = release_table(found)
        else:
            from worldquiz.mango.answers import score as scored
            from worldquiz.mango.grade import Rule

            easy = Route(rf_easy or Route.SHORTEST)
            found = scored(answers, maze, rule=Rule(compat), easy=easy, **about)
            shown = means_table(found, "")
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
