"""``worldquiz mango check``: do mazes, walkthroughs and questions agree?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Annotated, Any

import typer

from worldquiz.cli.shell import FAULTY, Json, first_faults, tell, working
from worldquiz.cli.tables import plain
from worldquiz.mango.asking.ask import Asked
from worldquiz.mango.asking.plan import planned
from worldquiz.mango.cli.options import Data, Games, Laid, RfEasy, Seed, Tasks, left_out
from worldquiz.mango.maze_set import MazeSet
from worldquiz.mango.mazes.check import MazeVerdict, checked
from worldquiz.mango.mazes.selection import chosen, kinds
from worldquiz.mango.paths.pairs import Route
from worldquiz.report.html import many


def check(
    data: Data,
    game: Games = None,
    layout: Laid = None,
    steps: Annotated[
        int | None,
        typer.Option(
            min=0, help="Read so many steps of each walkthrough. Default: 70; of full maps, all."
        ),
    ] = None,
    tasks: Tasks = "df,rf",
    per_maze: Annotated[
        int, typer.Option(min=1, help="Check at most so many questions of each task and maze.")
    ] = 500,
    seed: Seed = 0,
    rf_easy: RfEasy = Route.SHORTEST,
    json: Json = False,
) -> None:
    """Compute answers and labels again by an independent method; exit code 1 if any differs."""
    mazes = MazeSet(data, layout)
    left_out(data, layout)
    asked = Asked(mazes.steps if steps is None else steps, kinds(tasks), per_maze, seed, rf_easy)
    plan = planned(chosen(data, game or (), layout), asked)
    verdicts = []
    with working("checking", len(plan.mazes)) as done:
        for name, maze in plan.mazes.items():
            questions = [each for each in plan.questions if each.game == name]
            verdicts.append(checked(maze, questions, plan.steps(name), rf_easy))
            done(name)
    tell(_document(verdicts), _lines(verdicts), json=json)
    if any(each.faults for each in verdicts):
        raise typer.Exit(FAULTY)


def _document(verdicts: Sequence[MazeVerdict]) -> dict[str, Any]:
    return {
        "mazes": len(verdicts),
        "edges": sum(each.edges for each in verdicts),
        "questions": sum(each.questions for each in verdicts),
        "sound": not any(each.faults for each in verdicts),
        "by_maze": {each.maze: asdict(each) for each in verdicts},
    }


def _lines(verdicts: Sequence[MazeVerdict]) -> Iterator[Any]:
    rows = [
        (each.maze, str(each.edges), str(each.questions), str(len(each.faults)))
        for each in verdicts
    ]
    yield plain(rows, "maze", "edges", "questions", "faults")
    faults = [f"{each.maze}: {fault}" for each in verdicts for fault in each.faults]
    yield from first_faults(faults)
    if not faults:
        count = sum(each.questions for each in verdicts)
        yield f"{many(count, 'question')} and all edges agree with the second computation."
