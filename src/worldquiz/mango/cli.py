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
            "build": (f"{_HERE}:build", "Generate mazes, or convert your own."),
            "record": (f"{_HERE}:record", "Record mazes from Z-machine games."),
            "questions": (f"{_HERE}:questions", "Write all questions about each game."),
        },
        "Run": {
            "run": (f"{_HERE}:run", "Have MANGO's questions answered."),
            "import": (f"{_HERE}:import_", "Make a run from answers made elsewhere."),
        },
        "Paper's tables": {
            "stats": (
                f"{_HERE}:stats",
                "Count places, moves and questions (Tables 3, 5, 6).",
            ),
            "score": (f"{_HERE}:score", "Score a run by the paper's or the release's rules."),
            "tables": (f"{_HERE}:tables", "Write Tables 1, 2, 4, 9, 10 and 13 for runs."),
        },
    },
)

MAZES = argument("mazes", "MAZES", "A folder of mazes with their walkthroughs.")
GAMES = setting(QuizSettings, "games")
LAYOUT = option(
    "--layout",
    type=click.Choice(("steps70", "full")),
    help="Read full maps or the 70-step set (folders GAME/LAYOUT or GAME). Default: the 70-step "
    "set where a game has it; for stats and questions, the full map where a game has it.",
)
RELEASED = {
    f"{task.upper()} {score}": (f"{task}.summary.all.{score}_score_average", "")
    for task in ("df", "rf") for score in ("loose", "strict", "reasoning")
}  # fmt: skip
"""Averages of the released evaluator, by their keys."""


def left_out(folder: Path, layout: str | None) -> dict[str, str]:
    """Warn about the incomplete games in a folder; return the reason for each, by its name."""
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
"""Columns of a table of games: headings, and the keys of the counts."""


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
    """Write mazes in MANGO's file formats: generated mazes, or your own (--from).

    Each maze gets a walkthrough that shows all of it. A maze of your own may come with its own
    walkthrough: a file NAME.walkthrough.csv (move, place, text) beside it.
    """
    from worldquiz.mango.maze_set import build as built
    from worldquiz.mango.published import chosen

    if own and (mazes or seed is not None):
        raise KnobError("--from takes mazes of your own; leave out --seed and --mazes")
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
    help="Reverse moves to try in the game: of compass directions, up and down only (as in "
    "MANGO's published maps), or of any move (such as exit for enter).",
)
@JOBS
@ON
@JSON
def record(
    roms: Path, out: Path, reverses: str, jobs: int | None, on: str | None, json: bool
) -> None:
    """Record mazes from games, in MANGO's formats; exit code 1 if any game cannot be recorded.

    The commands are read from GAME.walkthrough_acts beside the game, one per line. Without this
    file, Jericho's own walkthrough is played.
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
    """Write all questions about each game: every simple path and every pair of places."""
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
@option("--steps", type=click.IntRange(1), help="Number of steps to read of each walkthrough.")
@GAMES
@JSON
def stats(
    mazes: Path, layout: str | None, steps: int | None, games: Sequence[str], json: bool
) -> None:
    """Count the places, moves and questions of each game, as Tables 3, 5 and 6 do.

    A pair of places is easy if the walkthrough takes all moves of some route between them, as in
    Table 3; with --steps, all moves of a shortest route, as in Tables 5 to 8.
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
        "walkthrough's last step is left out. In `mango run`, the text must also name its places."
    )
    tell({**found, "skipped": skipped}, [table(rows, "game", *COUNTED), prose(told)], json=json)


def maze_tables(folder: Path) -> Iterator[Any]:
    """Yield a table with the sizes of the mazes in a folder."""
    from worldquiz.mango.published import chosen

    yield from _sizes({name: maze.size for name, maze in chosen(folder, ()).items()})


def _sizes(found: Mapping[str, Mapping[str, int]]) -> Iterator[Any]:
    from worldquiz.page.terminal import prose, table

    rows = ((name, *(str(counts[key]) for key in SIZES)) for name, counts in found.items())
    yield table(rows, "maze", *SIZES.values())
    yield prose("Moves: on the whole map. Imputed: moves that the walkthrough does not make.")


@command
@MAZES
@RUN_OUT
@option(
    "--answerer",
    help="Answerer to run instead of a model: mapper (draws the map by rules and searches it), "
    "keeper (the upper bound, which is given the map), a baseline without a map (go, frequent, "
    "walk, sheet), or an answerer from an installed package.",
)
@settings(QuizSettings)
@LAYOUT
@JSON
def run(
    mazes: Path, out: Path | None, answerer: str | None, settings: QuizSettings,
    layout: str | None,    json: bool,
) -> None:  # fmt: skip
    """Ask a model, or another answerer, MANGO's questions. A stopped run can be resumed.

    Questions are about destinations and routes, or are minigames (choose the next move). With
    --shots, the model draws maps, which are then searched for destinations and routes.
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
    """Make a run from answers made elsewhere, to score and compare like any other run."""
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
    help="Scoring rules. paper: each stated move counts as the closest move of the maze, and "
    "ill-structured answers from models without 'gpt' in their name are left out. release: as "
    "in MANGO's released evaluator, faults included.",
)
@DATA
@JSON
def score(run: Path, compat: str, data: Path | None, json: bool) -> None:
    """Score a run by the rules of the paper, or of MANGO's released evaluator; nothing is written.

    To score by the rules of worldquiz, use `worldquiz score RUN`.
    """
    from worldquiz.mango.benchmark import QUIZ
    from worldquiz.mango.grade import Rule
    from worldquiz.mango.maze_set import score_run
    from worldquiz.mango.release import released
    from worldquiz.mango.run import read_run_manifest
    from worldquiz.page.findings import named_scores

    if read_run_manifest(run).get("choice") == "paired":
        warn("the run's questions are not the paper's; to ask those, use `run --choice published`")
    by_release = compat == "release"
    found = released(run, data) if by_release else score_run(run, Rule(compat), data)
    named = named_scores(found, RELEASED if by_release else QUIZ.paper)
    text = [", ".join(f"{name} {said}" for name, said in named.items() if said is not None)]
    ill = found.get("ill_structured", {"counted": True})
    if not ill["counted"] and (left := ill["df"] + ill["rf"]):
        text.append(f"ill-structured answers: {left} left out (the model's name has no 'gpt')")
    tell(found, text, json=json)


@command
@argument("runs", "RUN", "Runs of MANGO's questions.", nargs=-1, required=True)
@out("The folder to write the tables into.")
@option(
    "--compat", type=click.Choice(("paper",)), help="Score by the paper's rules, as `score` does."
)
@DATA
@JSON
def tables(
    runs: Sequence[Path], out: Path, compat: str | None, data: Path | None, json: bool
) -> None:
    """Write Tables 1, 2, 4, 9, 10 and 13, except those for which the runs have no data.

    Table 14 (minigames) and the numbers behind the figures are in the scores.json of each run.
    """
    from worldquiz.mango.grade import Rule
    from worldquiz.mango.scores import write_tables

    written = [*map(str, write_tables(runs, out, Rule(compat or Rule.EXACT), data))]
    tell({"files": written}, written, json=json)


SEED, FEW, PER_MAZE = 7, 2, 20


def demo(folder: Path, jobs: int) -> Iterator[tuple[str, Sequence[Run]]]:
    """Generate mazes, and run two answerers on them: a lower-bound baseline and the map builder."""
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
