"""A sheet of questions for people to fill in, and the walkthroughs that they read.

The paper's authors answered a sample of questions, each a random part of it, and some questions
again by somebody else, to see how far they agree (arXiv 2403.19913, section 3.4). A sheet is a CSV
file, which any spreadsheet opens; `worldquiz.mango.people.human` reads what was filled in.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from worldquiz import rng
from worldquiz.errors import KnobError
from worldquiz.mango.asking.ask import STEPS, Asked, questions
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.paths.prefix import published
from worldquiz.mango.scoring.grade import Question, Task
from worldquiz.records import write_text

COLUMNS = (
    "game", "task", "source", "actions", "target", "steps", "id", "rater", "answer", "minutes",
)  # fmt: skip
BETWEEN = ", "
"""What stands between the actions of a question; no action has a comma."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Who is to be asked what. Equal values give equal sheets."""

    per_maze: int = 2  # questions of each task
    seed: int = 0
    steps: int = STEPS  # of the walkthrough that are read
    raters: tuple[str, ...] = ()  # who answer; () leaves it open
    twice: int = 0  # questions of each task that somebody else answers as well

    def __post_init__(self) -> None:
        """Raise `KnobError` where nobody could do that."""
        if self.twice and len(set(self.raters)) < 2:
            raise KnobError(f"--twice {self.twice}: needs two raters; name them with --rater")
        if self.twice < 0:
            raise KnobError(f"--twice {self.twice}: give a number from 0")


def sheet(mazes: Mapping[str, Maze], out: Path, wanted: Wanted) -> dict[str, object]:
    """Write a sheet, and beside it what is to be read of each maze; say what was written.

    Raises `KnobError` for a maze without its walkthrough's text.
    """
    asked = Asked(wanted.steps, per_maze=wanted.per_maze, seed=wanted.seed)
    every: list[Question] = []
    for name in sorted(mazes):
        if not mazes[name].walkthrough:
            raise KnobError(f"maze {name!r} has no walkthrough text here; give the steps70 layout")
        every += questions(mazes[name], asked, min(wanted.steps, mazes[name].steps))
    lines = _rows(every, wanted)
    folder = out.with_name(f"{out.stem}-walkthroughs")
    for name in sorted(mazes):
        write_text(folder / f"{name}.txt", reading(mazes[name], wanted.steps))
    write_text(out, _csv(lines))
    return {"sheet": str(out), "walkthroughs": str(folder), "questions": len(every),
            "rows": len(lines)}  # fmt: skip


def reading(maze: Maze, steps: int) -> str:
    """Return what a person reads of a maze, with the lists that a model is given."""
    shown = maze.prefix(steps)
    return (
        f"The allowed actions are: {', '.join(sorted(shown.actions))}.\n"
        f"The list of places are: {', '.join(sorted(shown.places))}.\n\n"
        f"{published(shown.walkthrough)}"
    )


def _rows(every: Sequence[Question], wanted: Wanted) -> list[dict[str, str]]:
    """Give each question to somebody, and some of them to somebody else as well."""
    draw = rng.child(wanted.seed, "raters")
    order = list(range(len(every)))
    draw.shuffle(order)
    raters = wanted.raters or ("",)
    first = {place: raters[rank % len(raters)] for rank, place in enumerate(order)}
    given = [(place, first[place]) for place in range(len(every))]
    for task in Task:
        mine = [place for place in range(len(every)) if every[place].task is task]
        again = sorted(draw.sample(mine, min(wanted.twice, len(mine))))
        others = {place: [name for name in raters if name != first[place]] for place in again}
        given += [(place, draw.choice(others[place])) for place in again]
    return [_row(every[place], rater, wanted.steps) for place, rater in given]


def _row(question: Question, rater: str, steps: int) -> dict[str, str]:
    df = question.task is Task.DF
    return {
        "game": question.game, "task": str(question.task), "source": question.source,
        "actions": BETWEEN.join(question.actions), "target": "" if df else question.target,
        "steps": str(steps), "id": question.id, "rater": rater, "answer": "", "minutes": "",
    }  # fmt: skip


def _csv(rows: Sequence[Mapping[str, str]]) -> str:
    stream = io.StringIO()
    table = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return stream.getvalue()
