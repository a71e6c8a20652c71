"""``worldquiz mango build``, ``record``, ``questions`` and ``stats``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from worldquiz.cli.options import JOBS, JSON, ON, PATH, command, option, out, settings
from worldquiz.cli.shell import (
    FAULTY,
    resumable,
    tell,
    warn,
    workers,
    working,
)
from worldquiz.errors import KnobError, WorldError
from worldquiz.mango.cli.run import GAMES, LAYOUT, MAZES, left_out
from worldquiz.mango.settings import Knobs

if TYPE_CHECKING:
    from rich.table import Table

OUT = out("The folder to write the mazes into.")
STEPS = option(
    "--steps", type=click.IntRange(1), help="Read only so many steps of each walkthrough."
)
SIZES = ("places", "edges", "imputed", "steps")
HEADINGS = {
    "locs": "places", "edges": "moves", "avg_len_path": "mean path length", "steps": "steps",
    "df_easy": "DF easy", "df_hard": "DF hard", "rf_easy": "RF easy", "rf_hard": "RF hard",
}  # fmt: skip


@command
@OUT
@option(
    "--from", "own", type=PATH, multiple=True,
    help="A maze of your own: moves (from, move, to) in CSV, JSON or GraphML; may be repeated.",
)  # fmt: skip
@option("--seed", type=int, help="Random seed; equal seeds give equal mazes.")
@option("--mazes", type=click.IntRange(1), help="Number of mazes.  [default: 1]")
@settings(Knobs)
@JSON
def build(
    out: Path, own: Sequence[Path], seed: int | None, mazes: int | None, settings: Knobs, json: bool
) -> None:
    """Generate mazes by --seed, or take mazes of your own --from files.

    All become MANGO's files. A generated walkthrough shows all of its maze. Your own stands in
    NAME.walkthrough.csv beside NAME.csv (move, place, text), or one that shows all is made.
    """
    from worldquiz.mango.maze_set import build as built
    from worldquiz.mango.published import chosen

    if bool(own) == (seed is not None) or (own and (mazes or settings != Knobs())):
        raise KnobError("give --seed, for mazes of some parameters, or --from, for your own")
    built(mazes=own or mazes or 1, seed=seed or 0, out=out, knobs=settings)
    found = {name: maze.size for name, maze in chosen(out, ()).items()}
    tell({"mazes": found}, [_sizes(found)], json=json)


@command
@option("--roms", type=PATH, required=True, help="A folder of Z-machine games, or one game.")
@OUT
@option(
    "--reverses",
    type=click.Choice(("compass", "any")),
    default="compass",
    help="Which reverse moves to try in the game: those of compass directions, up and down (as "
    "MANGO's published maps do), or any (exit for enter).",
)
@option(
    "--patience",
    type=click.FloatRange(0.1),
    default=20.0,
    help="Seconds allowed for one step of a game.",
)
@GAMES
@JOBS
@ON
@JSON
def record(
    roms: Path, out: Path, reverses: str, patience: float, games: Sequence[str],
    jobs: int | None, on: str | None, json: bool,
) -> None:  # fmt: skip
    """Record mazes from games, in MANGO's formats; exit code 1 if some game cannot be recorded.

    A game is played by the commands in GAME.walkthrough_acts beside it, one a line, or else by
    Jericho's own walkthrough of it.
    """
    from worldquiz.mango.published import wanted_games
    from worldquiz.mango.recorder.record import record_all
    from worldquiz.mango.recorder.trace import stories
    from worldquiz.mango.recorder.words import Reverses
    from worldquiz.page.terminal import plain

    every = stories(roms)
    wanted = wanted_games(str(roms), {story.stem for story in every}, games)
    found = [story for story in every if story.stem in wanted]
    stopped = "the mazes that are finished are kept"
    with working("recording", len(found), on=on, jobs=jobs, stopped=stopped) as done:
        document = record_all(
            found, out, reverses=Reverses(reverses), jobs=workers(jobs), patience=patience,
            done=done,
        )  # fmt: skip
    faults = list(document["failed"].values())
    if not document["games"]:
        raise WorldError("\n".join(faults))
    warn(*faults)
    rows = [
        (game, *(str(each["size"][key]) for key in SIZES), str(len(each["unsure"])))
        for game, each in document["games"].items()
    ]
    tell(document, [plain(rows, "game", *SIZES, "unsure")], json=json)
    if faults:
        raise click.exceptions.Exit(FAULTY)


@command
@MAZES
@out("The folder to write the questions into.")
@LAYOUT
@STEPS
@GAMES
@JSON
def questions(
    mazes: Path, out: Path, layout: str | None, steps: int | None, games: Sequence[str], json: bool
) -> None:
    """Write all questions of each game: every simple path, every pair of places."""
    from worldquiz.mango.stats import questions as written
    from worldquiz.page.terminal import plain

    skipped = left_out(mazes, layout)
    with resumable("the games that are done are whole"):
        found = written(mazes, out, layout, steps, games)
    names = ("paths", "pairs", "bytes")
    rows = ((game, *(f"{row[name]:,}" for name in names)) for game, row in found.items())
    tell({**found, "skipped": skipped}, [plain(rows, "game", *names)], json=json)


@command
@MAZES
@LAYOUT
@STEPS
@GAMES
@option(
    "--rf-easy",
    type=click.Choice(("any", "shortest")),
    help="Which routes define the easy split of route finding: any, as in the data and Table 3, or "
    "shortest, as in the text and Tables 5-8. Default: any for whole walkthroughs, shortest for "
    "prefixes.",
)
@JSON
def stats(
    mazes: Path, layout: str | None, steps: int | None, games: Sequence[str], rf_easy: str | None,
    json: bool,
) -> None:  # fmt: skip
    """Count the places, moves and questions of each game, as Tables 3, 5 and 6 do."""
    from worldquiz.mango.stats import stats as counted
    from worldquiz.page.terminal import plain

    skipped = left_out(mazes, layout)
    found = counted(mazes, layout, steps, rf_easy, games)
    rows = (
        (game, *("-" if row[name] is None else str(row[name]) for name in HEADINGS))
        for game, row in found.items()
    )
    table = plain(rows, "game", *HEADINGS.values())
    table.caption = (
        "As the paper's tables count: a move from the step on at which the game shows it, without "
        "the walkthrough's last step. `mango run` asks what the text has told of."
    )
    tell({**found, "skipped": skipped}, [table], json=json)


def maze_tables(folder: Path) -> Iterator[Table]:
    """Yield how large the mazes of a folder are, as a table."""
    from worldquiz.mango.published import chosen

    yield _sizes({name: maze.size for name, maze in chosen(folder, ()).items()})


def _sizes(found: Mapping[str, Mapping[str, int]]) -> Table:
    from worldquiz.page.terminal import plain

    rows = ((name, *(str(counts[key]) for key in SIZES)) for name, counts in found.items())
    return plain(rows, "maze", *SIZES)
