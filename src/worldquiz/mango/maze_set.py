"""Python interface to mazes: build or open them, run an answerer on them, and score the run.

    mazes = worldquiz.mango.build(mazes=6, seed=7, out="mazes")     # generated, or your own:
    mazes = worldquiz.mango.build(mazes=["attic.csv"], out="mine")  # (`worldquiz.mango.maze`)
    run = mazes.run("mapper", out="runs/mapper")
    run.scores["rf"]["all"]["success"]["macro"]; run.frame(); run.report("report.html")

A custom answerer has a method ``answer(prompt: str) -> str``, sync or async, and gets the same
prompts as a model.

A run consists of items: questions about destinations and routes, minigames (choose the next move),
or parts of a map that is then searched for the answers. Each answered item is a row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from worldquiz.errors import KnobError, RecordError, did_you_mean
from worldquiz.exam.answerers import Who
from worldquiz.exam.data import QuizData
from worldquiz.facts.row import Row
from worldquiz.mango.grade import Rule
from worldquiz.mango.mazes import Maze
from worldquiz.mango.paths import fingerprint
from worldquiz.mango.published import STEPS, Home, Layout, chosen, games, laid, read, write
from worldquiz.mango.questions import MINIGAME, AskingPlan, kinds, planned
from worldquiz.mango.run import (
    BASELINES,
    Book,
    MazeRun,
    mazes_of,
    plan_replies,
    questions_of,
    quiz_items,
    read_run_manifest,
)
from worldquiz.mango.scores import by_paper, counted, document
from worldquiz.mango.settings import Knobs, QuizSettings
from worldquiz.rng import child_seed
from worldquiz.runs.items import Line, RunItem
from worldquiz.runs.rows import read_rows
from worldquiz.stats.row_scores import headline, usage_total


class MazeSet(QuizData):
    """A folder of mazes in MANGO's formats with walkthroughs: published, recorded or built."""

    name, place, settings, baselines = "mango", "maze", QuizSettings, BASELINES
    asks = ("steps", "per_maze", "seed")
    instructions = (
        "You read how somebody walked through a text game, step by step, and then tell where moves "
        "lead, and how to get from one place to another; some ways go back on the walkthrough's "
        "own."
    )

    def __init__(self, path: Path | str, layout: str | None = None) -> None:
        """Open a folder; `layout` is "steps70", "full", or None for the first that a maze has.

        Raises `RecordError` if there is no maze in it.
        """
        self.path = Path(path)
        if layout not in (None, *Layout):
            raise KnobError(f"layout {layout!r}: no such layout{did_you_mean(str(layout), Layout)}")
        self.layout = layout
        self._homes = games(self.path, *laid(self.layout))
        self.games = tuple(home.game for home in self._homes)

    @property
    def steps(self) -> int:
        """Default number of steps that are read: 70, or all for full maps."""
        if any(home.layout is Layout.STEPS70 for home in self._homes):
            return STEPS
        return max(read(home).steps for home in self._homes)

    def plan(self, given: QuizSettings) -> AskingPlan:
        """Return the questions of a run."""
        steps = self.steps if given.steps is None else given.steps
        mazes = chosen(self.path, given.games, self.layout)
        return planned(mazes, replace(given, steps=steps))

    def asked(self, who: Who, given: QuizSettings) -> MazeRun:
        """Return the run to carry out. By default it reads 70 steps, or all steps of full maps."""
        alone = given.shots is None and MINIGAME not in kinds(given.tasks)
        if isinstance(who, str) and who in BASELINES and not alone:
            raise KnobError(f"--answerer {who} cannot play minigames: use tasks df and rf only")
        plan, games = self.plan(given), tuple[RunItem, ...]()
        about = plan.record() | ({"layout": self.layout} if self.layout else {})
        if MINIGAME in kinds(given.tasks):
            from worldquiz.mango import minigames

            games = minigames.items(plan.mazes, plan.asked)
        if given.shots is not None:
            from worldquiz.mango.mapping import MapRun

            if given.walkthrough != "full":
                raise KnobError("--shots needs --walkthrough full")
            return MapRun(self.path, plan, games, about, who)
        every = (*quiz_items(plan), *games)
        replies = plan_replies(who, plan) if isinstance(who, str) else None
        return MazeRun(self.path, every, about, who, replies)

    def __repr__(self) -> str:
        return f"MazeSet({str(self.path)!r}, mazes={len(self.games)})"


def build(
    *,
    mazes: int | Maze | Path | str | Iterable[Maze | Path | str] = 6,
    seed: int = 0,
    out: Path | str,
    knobs: Knobs | None = None,
    **changes: Any,
) -> MazeSet:
    """Write generated or custom mazes, each with a walkthrough.

    If `mazes` is a number, mazes are generated, with walkthroughs that show all of each; equal
    seeds give equal bytes. Parameters are the fields of `Knobs` (`size`, `branching`, `loops`,
    `one_way`, `confusable`, `non_compass`), by name or as an object with `changes`. Custom mazes
    come from `worldquiz.mango.maze` or from files of moves. Raises `KnobError`, `WorldError` for a
    maze that contradicts itself, and `RecordError` if the folder contains anything else.
    """
    from worldquiz.mango.edge_list import read_maze
    from worldquiz.mango.generate import generate

    given, folder = Knobs.of(knobs, changes), Path(out)
    if isinstance(mazes, int):
        every = [
            generate(given, child_seed(seed, "maze", number), name=f"maze-{number:02}")
            for number in range(mazes)
        ]
    elif given != Knobs():
        raise KnobError("parameters are for generated mazes only: leave them out for custom mazes")
    else:
        some = [mazes] if isinstance(mazes, Maze | Path | str) else mazes
        every = [each if isinstance(each, Maze) else read_maze(Path(each)) for each in some]
    made = {maze.name: maze for maze in every}
    if not made or len({name.casefold() for name in made}) < len(every):
        names = ", ".join(sorted(each.name for each in every)) or "none"
        raise KnobError(f"mazes: expected 1 or more with different names, got {names}")
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.name not in made:
            raise RecordError(f"{out}: already contains {path.name!r}: choose another folder")
        try:
            there = read(Home(path.name, path / Layout.STEPS70, Layout.STEPS70))
        except RecordError:  # it was only half written
            continue
        if fingerprint(there) != fingerprint(made[path.name]):
            raise RecordError(
                f"{out}: already contains a different maze {path.name!r} (other seed or settings): "
                "choose another folder"
            )
    for maze in made.values():
        write(maze, folder)
    return MazeSet(folder)


load = MazeSet
"""Opens a folder: ``worldquiz.mango.load(path)``."""


def score_run(run: Path, rule: Rule = Rule.EXACT, data: Path | None = None) -> dict[str, Any]:
    """Return the scores of a finished run, computed from its rows, and its usage of the model.

    They include the accuracy of a model's triplets, if it drew maps, and Table 14 for minigames.
    With `Rule.PAPER`, replies are graded again on the run's mazes; `data` is the folder of these
    mazes, if it was moved. Raises `RecordError` if the run is not finished.
    """
    manifest, asked = read_run_manifest(run), questions_of(run)
    found: dict[str, Any] = {}
    if rule is Rule.PAPER:
        mazes = mazes_of(run, data)
        book = cache(lambda game: Book(mazes[game], rule))
        asked, found["ill_structured"] = by_paper(asked, book, manifest)
    if asked:
        found |= document(asked)
    rows = tuple(read_rows(run))
    if "shots" in manifest:
        from worldquiz.mango import mapping

        found["triplets"] = mapping.table(rows)
    if played := [row for row in rows if row.type == MINIGAME]:
        from worldquiz.mango import minigames

        found |= headline([*counted(asked), *counted(played)])
        found["minigames"] = minigames.table(played)
    usage = usage_total([row.usage for row in rows if row.usage])
    return {"compat": str(rule), "rf_easy": manifest["rf_easy"], **found, "usage": usage}


def grader(run: Path, data: Path | None = None) -> Callable[[Row, Line], Row]:
    """Return a function that grades replies again. Raises `RecordError` for a run that drew maps.

    `data` is the folder of the run's mazes, if it was moved.
    """
    if "shots" in read_run_manifest(run):
        raise RecordError(f"{run}: a run with --shots cannot be graded again: make a new run")
    mazes = mazes_of(run, data)
    book = cache(lambda game: Book(mazes[game]))

    def again(row: Row, line: Line) -> Row:
        if row.type == MINIGAME:
            from worldquiz.mango import minigames

            return replace(row, **minigames.graded(row.choices, row.gold, line))
        return book(row.world).again(row, line, row.answerer)

    return again
