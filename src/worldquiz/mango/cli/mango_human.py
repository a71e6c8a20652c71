"""``worldquiz mango sheet`` and ``human``: people answer MANGO's questions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table

from worldquiz.cli.shell import Json, emit, out, waiting
from worldquiz.mango.asking.ask import STEPS
from worldquiz.mango.cli.score_tables import paper_table
from worldquiz.mango.mazes.selection import chosen
from worldquiz.mango.people.human import NAME, import_human
from worldquiz.mango.people.sheet import Wanted
from worldquiz.mango.people.sheet import sheet as write_sheet

Steps = Annotated[int, typer.Option(min=0, help="Steps of each walkthrough that are read.")]
Games = Annotated[list[str] | None, typer.Option(help="Only this game; may be repeated.")]


def sheet(
    data: Annotated[
        Path, typer.Argument(metavar="DATA_DIR", help="A folder of mazes with walkthroughs.")
    ],
    out_file: Annotated[Path, typer.Option("--out", help="The CSV file to write.")],
    per_maze: Annotated[int, typer.Option(min=1, help="Questions of each task a maze.")] = 2,
    seed: Annotated[int, typer.Option(help="Equal seeds give equal sheets.")] = 0,
    steps: Steps = STEPS,
    game: Games = None,
    rater: Annotated[
        list[str] | None, typer.Option(help="Who answers; may be repeated: each gets a part.")
    ] = None,
    twice: Annotated[
        int, typer.Option(min=0, help="Questions of each task that a second rater answers too.")
    ] = 0,
    json: Json = False,
) -> None:
    """Write questions for people to fill in, and beside them what is to be read."""
    mazes = chosen(data, ",".join(game or ()))
    wanted = Wanted(per_maze, seed, steps, tuple(rater or ()), twice)
    with waiting("writing"):
        found = write_sheet(mazes, out_file, wanted)
    if json:
        emit(found)
        return
    out().print(
        f"{found['rows']} lines in {found['sheet']}, what is to be read in "
        f"{found['walkthroughs']}. Write answers as 'place -> move -> place', moves with commas "
        "between (rf), a place (df), or ? for 'does not know'; then: worldquiz mango human.",
        markup=False,
        soft_wrap=True,
    )


def human(
    answers: Annotated[
        Path, typer.Argument(metavar="ANSWERS", help="A sheet filled in (CSV), or JSONL.")
    ],
    maze: Annotated[Path, typer.Option("--maze", help="The folder of mazes they are about.")],
    out_folder: Annotated[Path, typer.Option("--out", help="Where the run goes.")],
    name: Annotated[str, typer.Option(help="How tables call it.")] = NAME,
    steps: Annotated[
        int, typer.Option(min=0, help="Steps that were read, where a line does not say.")
    ] = STEPS,
    by_rater: Annotated[
        bool, typer.Option("--by-rater", help="A run for each rater: OUT/RATER.")
    ] = False,
    json: Json = False,
) -> None:
    """Make people's answers into a run that is scored and shown like a model's."""
    with waiting("scoring"):
        found = import_human(
            answers, chosen(maze, ""), out_folder, name=name, steps=steps, by_rater=by_rater
        )
    if json:
        emit(found)
        return
    for title, scores in found["scores"].items():
        out().print(paper_table(scores, title))
    out().print(_agreement(found))
    out().print(
        f"{found['answers']} answers of {len(found['raters'])}; {found['bare']} without a "
        f"trajectory, so without reasoning; {found['unknown']} '?'; {found['blank']} left blank.",
        markup=False,
        soft_wrap=True,
    )


def _agreement(found: dict[str, Any]) -> Table:
    """Return Table 13 of the paper, with the minutes of section 3.4."""
    table = Table(
        title="Mean squared error between raters of the same question, and minutes an answer",
        title_justify="left",
        box=box.SIMPLE_HEAD,
    )
    for column in ("", "questions", "success", "reasoning", "minutes", "timed"):
        table.add_column(column, justify="right" if column else "left")
    for task, levels in found["agreement"].items():
        for level, cell in levels.items():
            timed = found["minutes"][task] if level == "all" else {"mean": None, "answers": None}
            table.add_row(
                f"{task.upper()} {level}", str(cell["questions"]), _number(cell["success"], 4),
                _number(cell["reasoning"], 4), _number(timed["mean"], 1),
                "" if timed["answers"] is None else str(timed["answers"]),
            )  # fmt: skip
    return table


def _number(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:.{digits}f}"
