"""The commands of ``worldquiz mango``, and the demo."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from worldquiz.cli import LazyGroup
from worldquiz.cli.options import (
    DATA,
    JOBS,
    JSON,
    ON,
    PATH,
    RUN_OUT,
    argument,
    command,
    option,
    out,
    seed_of,
    setting,
    settings,
)
from worldquiz.cli.shell import (
    FAULTY,
    ask,
    resumable,
    tables_of,
    tell,
    warn,
    workers,
    working,
)
from worldquiz.errors import KnobError, WorldError
from worldquiz.mango.settings import Knobs, QuizSettings

if TYPE_CHECKING:
    from worldquiz.runs.run import Run

_HERE = "worldquiz.mango.cli"
commands = LazyGroup(
    "MANGO: mazes read from walkthroughs, and questions about destinations and routes.",
    {
        "Make": {
            "build": (f"{_HERE}:build", "Generate mazes, or take your own."),
            "record": (f"{_HERE}:record", "Record mazes from Z-machine games."),
            "questions": (f"{_HERE}:questions", "Write all questions of each game."),
        },
        "Run": {
            "run": (f"{_HERE}:run", "Have MANGO's questions answered."),
            "import": (f"{_HERE}:import_", "Make a run of answers from elsewhere."),
        },
        "Paper's tables": {
            "stats": (
                f"{_HERE}:stats",
                "Count places, moves and questions (Tables 3, 5, 6).",
            ),
            "score": (f"{_HERE}:score", "Score a run by the paper's or the release's rules."),
            "tables": (f"{_HERE}:tables", "Write Tables 1, 2, 4, 9, 10 and 13 of runs."),
        },
    },
)

MAZES = argument("mazes", "MAZES", "A folder of mazes with their walkthroughs.")
GAMES = setting(QuizSettings, "games")
LAYOUT = option(
    "--layout",
    type=click.Choice(("steps70", "full")),
    help="Read full maps, or the 70-step set (folders GAME/LAYOUT or GAME). Default: the 70-step "
    "set of each game that has it; to count and to write questions, the full map.",
)
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


SIZES = {"places": "places", "edges": "moves", "imputed": "imputed", "steps": "steps"}
COUNTED = {
    "places": ("locs",), "moves": ("edges",), "mean path length": ("avg_len_path",),
    "steps": ("steps",), "DF easy / hard": ("df_easy", "df_hard"),
    "RF easy / hard": ("rf_easy", "rf_hard"),
}  # fmt: skip
"""What a table tells of each game: headings, and the keys of the counts."""


@command
@out("The folder to write the mazes into.")
@option(
    "--from", "own", type=PATH, multiple=True,
    help="A maze of your own: moves (from, move, to) in CSV, JSON or GraphML; may be repeated.",
)  # fmt: skip
@option(
    "--seed", type=int,
    help="Random seed; equal seeds give equal mazes. Default: 15 digits drawn at random and "
    "printed.",
)  # fmt: skip
@option("--mazes", type=click.IntRange(1), help="Number of mazes; by default 1.")
@settings(Knobs)
@JSON
def build(
    out: Path, own: Sequence[Path], seed: int | None, mazes: int | None, settings: Knobs, json: bool
) -> None:
    """Write mazes in MANGO's files: generated ones, or your own --from files.

    Each has a walkthrough that shows all of it; of your own, NAME.walkthrough.csv beside the file
    (move, place, text) is taken instead.
    """
    from worldquiz.mango.maze_set import build as built
    from worldquiz.mango.published import chosen

    if own and (mazes or seed is not None):
        raise KnobError("--from is for mazes of your own: leave out --seed and --mazes")
    drawn = 0 if own else seed_of(seed, out)
    built(mazes=own or mazes or 1, seed=drawn, out=out, knobs=settings)
    found = {name: maze.size for name, maze in chosen(out, ()).items()}
    tell({"mazes": found}, _sizes(found), json=json)


@command
@option("--roms", type=PATH, required=True, help="A folder of Z-machine games, or one game.")
@out("The folder to write the mazes into.")
@option(
    "--reverses",
    type=click.Choice(("compass", "any")),
    default="compass",
    help="Which reverse moves to try in the game: those of compass directions, up and down (as "
    "MANGO's published maps do), or any (exit for enter).",
)
@JOBS
@ON
@JSON
def record(
    roms: Path, out: Path, reverses: str, jobs: int | None, on: str | None, json: bool
) -> None:
    """Record mazes from games, in MANGO's formats; exit code 1 if some game cannot be recorded.

    A game is played by the commands in GAME.walkthrough_acts beside it, one a line, or else by
    Jericho's own walkthrough of it.
    """
    from worldquiz.mango.recorder.record import record_all
    from worldquiz.mango.recorder.trace import stories

    found = stories(roms)
    stopped = "the mazes that are finished are kept"
    with working("recording", len(found), on=on, jobs=jobs, stopped=stopped) as done:
        document = record_all(
            found, out, any_reverse=reverses == "any", jobs=workers(jobs), done=done
        )
    faults = list(document["failed"].values())
    if not document["games"]:
        raise WorldError("\n".join(faults))
    warn(*faults)
    tell(document, _sizes(document["games"]), json=json)
    if faults:
        raise click.exceptions.Exit(FAULTY)


@command
@MAZES
@out("The folder to write the questions into.")
@LAYOUT
@GAMES
@JSON
def questions(mazes: Path, out: Path, layout: str | None, games: Sequence[str], json: bool) -> None:
    """Write all questions of each game: every simple path, every pair of places."""
    from worldquiz.mango.stats import questions as written
    from worldquiz.page.terminal import table

    skipped = left_out(mazes, layout)
    with resumable("the games that are done are whole"):
        found = written(mazes, out, layout, games)
    names = ("paths", "pairs", "bytes")
    rows = ((game, *(f"{row[name]:,}" for name in names)) for game, row in found.items())
    tell({**found, "skipped": skipped}, [table(rows, "game", *names)], json=json)


@command
@MAZES
@LAYOUT
@option("--steps", type=click.IntRange(1), help="Read only so many steps of each walkthrough.")
@GAMES
@JSON
def stats(
    mazes: Path, layout: str | None, steps: int | None, games: Sequence[str], json: bool
) -> None:
    """Count the places, moves and questions of each game, as Tables 3, 5 and 6 do.

    A route is easy if any is, as in the data and Table 3; of prefixes, if a shortest one is, as in
    the paper's text and Tables 5 to 8.
    """
    from worldquiz.mango.stats import stats as counted
    from worldquiz.page.terminal import prose, table

    skipped = left_out(mazes, layout)
    found = counted(mazes, layout, steps, games)
    rows = [
        (game, *(" / ".join("-" if row[name] is None else str(row[name]) for name in names)
                 for names in COUNTED.values()))
        for game, row in found.items()
    ]  # fmt: skip
    told = (
        "As in the paper's tables, a move counts from the step at which the game shows it, and the "
        "walkthrough's last step is left out. `mango run` asks what the text has told of."
    )
    tell({**found, "skipped": skipped}, [table(rows, "game", *COUNTED), prose(told)], json=json)


def maze_tables(folder: Path) -> Iterator[Any]:
    """Yield how large the mazes of a folder are, as a table."""
    from worldquiz.mango.published import chosen

    yield from _sizes({name: maze.size for name, maze in chosen(folder, ()).items()})


def _sizes(found: Mapping[str, Mapping[str, int]]) -> Iterator[Any]:
    from worldquiz.page.terminal import prose, table

    rows = ((name, *(str(counts[key]) for key in SIZES)) for name, counts in found.items())
    yield table(rows, "maze", *SIZES.values())
    yield prose("Moves of the whole map. Imputed: moves that the walkthrough does not make.")


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
    """Have MANGO's questions answered. A stopped run can be resumed.

    Questions are of destinations and routes, and minigames; a model answers them, or draws maps
    that are searched for the answers (--shots).
    """
    from worldquiz.mango.maze_set import MazeSet

    opened = MazeSet(mazes, layout)
    left_out(mazes, layout)
    ask(opened, answerer, settings, out, json=json)


@command
@argument("answers", "ANSWERS", "A folder as MANGO's programs write it, or a JSONL file.")
@out("The folder to write the run into.")
@option(
    "--maze", "mazes", type=PATH, required=True,
    help="The folder of mazes that the answers are about.",
)  # fmt: skip
@option("--name", help="Name of the answerer in rows. Default: the file's name.")
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
    from worldquiz.mango.run import read_run_manifest
    from worldquiz.page.findings import named_scores

    if read_run_manifest(run).get("choice") == "paired":
        warn("these are not the paper's questions: for those, run with --choice published")
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
    from worldquiz.mango.scores import write_tables

    written = [*map(str, write_tables(runs, out, Rule(compat or Rule.EXACT), data))]
    tell({"files": written}, written, json=json)


SEED, FEW, PER_MAZE = 7, 2, 20


def demo(folder: Path, jobs: int) -> Iterator[tuple[str, Sequence[Run]]]:
    """Generate mazes, and run a lower bound and the map builder on them."""
    from worldquiz.mango.maze_set import build
    from worldquiz.mango.questions import require_libraries

    require_libraries()
    mazes = build(mazes=FEW, seed=SEED, out=folder / "mazes")
    runs: list[Run] = []
    for name in ("go", "mapper"):
        with working(f"MANGO: {name}", 2 * FEW * PER_MAZE, "replies are kept") as done:
            runs.append(mazes.run(name, out=folder / name, per_maze=PER_MAZE, progress=done))
    known = (f"{run.scores['knowledge']:.2f}" for run in runs)
    yield "knowledge is {} for a constant answer, {} for a drawn map.".format(*known), runs
