"""Mazes in Python: built, opened, asked about.

    mazes = worldquiz.mango.build(mazes=6, seed=7, out="mazes")
    run = mazes.run("mapper", out="runs/mapper")
    run.scores["rf"]["all"]["success"]["macro"]; run.frame(); run.report("report.html")

An answerer of one's own has a method ``answer(prompt: str) -> str``, sync or async; it is given the
text that a model is sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from worldquiz.errors import KnobError, RecordError
from worldquiz.llm.client import Reach
from worldquiz.mango.answerers import chosen_answerer
from worldquiz.mango.maze import Maze
from worldquiz.mango.published import Home, Layout, chosen, games, laid, read, write_both
from worldquiz.mango.questions import STEPS, planned
from worldquiz.mango.rows import fingerprint
from worldquiz.mango.run import MazeWork, maps, minigame_work, quiz
from worldquiz.mango.settings import MapSettings, MazeSettings, MinigameSettings, QuizSettings
from worldquiz.rng import child_seed
from worldquiz.runs.executor import Done, blocking, silent
from worldquiz.runs.given import one_of
from worldquiz.runs.life import live
from worldquiz.runs.run import Run

if TYPE_CHECKING:
    from worldquiz.mango.generate import Knobs

S = TypeVar("S", bound=MazeSettings)


class MazeSet:
    """A folder of mazes with their walkthroughs, in MANGO's files; published, recorded or built."""

    def __init__(self, path: Path | str, layout: str | None = None) -> None:
        """Open a folder, its mazes in a layout: "steps70", "full", or the first that each has.

        Raises `RecordError` where there is no maze in it.
        """
        self.path = Path(path)
        self.layout = None if layout is None else one_of(Layout, layout, "layout")
        self._homes = games(self.path, *laid(self.layout))
        self.games = tuple(home.game for home in self._homes)

    @property
    def steps(self) -> int:
        """Default number of steps that are read: 70, or all of full maps."""
        if any(home.layout is Layout.STEPS70 for home in self._homes):
            return STEPS
        return max(read(home).steps for home in self._homes)

    def run(
        self,
        answerer: object | None = None,
        *,
        out: Path | str,
        settings: QuizSettings | None = None,
        progress: Done = silent,
        **changes: Any,
    ) -> Run:
        """Have MANGO's questions answered, and return the finished run.

        Give an `answerer` (its name, an object, or a class or function that makes one) or a
        `model`. Settings are the fields of `QuizSettings`, by name or as an object with `changes`;
        without `steps`, 70 are read, and all of full maps. `progress` is called with the id of each
        question that is answered. With `shard`, such as "2/5", only the mazes of that part are
        asked about. A run that was stopped goes on when it is given again. Raises `TypeError` for
        an unknown setting, `KnobError`, `CatalogError`, `MissingExtra` or `WorldError` before `out`
        is touched if the run cannot start, and `RecordError` where `out` holds anything else.
        """
        given = QuizSettings.of(settings, changes)
        return finish(self.quiz(answerer, given), Path(out), given, progress)

    async def arun(self, answerer: object | None = None, **options: Any) -> Run:
        """Do what `run` does without blocking the event loop."""
        return await asyncio.to_thread(self.run, answerer, **options)

    def quiz(self, answerer: object | None, given: QuizSettings) -> MazeWork:
        """Return the work of having questions answered."""
        given = self._resolved(given)
        plan = cache(lambda: planned(chosen(self.path, given.games, self.layout), given))
        who = chosen_answerer(answerer, Reach.of(given), plan)
        return quiz(plan(), who)

    def minigames(
        self,
        answerer: object | None = None,
        *,
        out: Path | str,
        settings: MinigameSettings | None = None,
        progress: Done = silent,
        **changes: Any,
    ) -> Run:
        """Have MANGO's minigames played, and return the finished run.

        An `answerer` is an object, or a class or function that makes one. Settings are the fields
        of `MinigameSettings`. Raises what `run` raises.
        """
        given = MinigameSettings.of(settings, changes)
        return finish(self.minigame_work(answerer, given), Path(out), given, progress)

    def minigame_work(self, answerer: object | None, given: MinigameSettings) -> MazeWork:
        """Return the work of having minigames played."""
        who = chosen_answerer(answerer, Reach.of(given))
        mazes = chosen(self.path, given.games, self.layout)
        return minigame_work(mazes, self._resolved(given), who)

    def draw_maps(
        self,
        answerer: object | None = None,
        *,
        out: Path | str,
        settings: MapSettings | None = None,
        progress: Done = silent,
        **changes: Any,
    ) -> Run:
        """Have the maps drawn, search them for the answers, and return the finished run.

        Settings are the fields of `MapSettings`; `shots` is 5 (a step at a time, after five
        examples) or 0 (the whole walkthrough at once). Raises what `run` raises.
        """
        given = MapSettings.of(settings, changes)
        return finish(self.map_work(answerer, given), Path(out), given, progress)

    def map_work(self, answerer: object | None, given: MapSettings) -> MazeWork:
        """Return the work of having maps drawn and searched."""
        who = chosen_answerer(answerer, Reach.of(given))
        mazes = chosen(self.path, given.games, self.layout)
        return maps(planned(mazes, self._resolved(given)), given.shots, who)

    def _resolved(self, given: S) -> S:
        """Return settings that say how many steps of a walkthrough are read at most."""
        return given if given.steps is not None else replace(given, steps=self.steps)

    def __len__(self) -> int:
        return len(self.games)

    def __repr__(self) -> str:
        return f"MazeSet({str(self.path)!r}, mazes={len(self)})"


def build(
    *,
    mazes: int = 6,
    seed: int = 0,
    out: Path | str,
    size: int = 20,
    branching: int = 3,
    loops: float = 0.2,
    one_way: float = 0.0,
    confusable: float = 0.0,
    non_compass: float = 0.0,
) -> MazeSet:
    """Generate mazes, each with a walkthrough that shows all of it; equal seeds, equal bytes.

    `size` counts places, `branching` passages a place; `loops` is the share of passages beyond a
    tree; the last three are shares of passages or places. Raises `KnobError`.
    """
    from worldquiz.mango.generate import Knobs

    knobs = Knobs(size, branching, loops, one_way, confusable, non_compass)
    folder = Path(out)
    build_mazes(knobs, mazes, seed, folder)
    return MazeSet(folder)


def load(path: Path | str, layout: str | None = None) -> MazeSet:
    """Open a folder of mazes, "full" maps or the 70-step set. Raises `RecordError` for none."""
    return MazeSet(path, layout)


def build_mazes(knobs: Knobs, mazes: int, seed: int, out: Path) -> dict[str, dict[str, int]]:
    """Generate mazes into a folder, and return how large each is, by name.

    Raises `KnobError` for no mazes, `RecordError` where the folder holds anything else than these.
    """
    from worldquiz.mango.generate import generate

    if mazes < 1:
        raise KnobError(f"mazes: {mazes} mazes; give 1 or more")
    made = [
        generate(knobs, child_seed(seed, "maze", number), name=f"maze-{number:02}")
        for number in range(mazes)
    ]
    _check_alone({maze.name: maze for maze in made}, out)
    for maze in made:
        write_both(maze, out)
    return {maze.name: maze.size for maze in made}


def _check_alone(known: Mapping[str, Maze], out: Path) -> None:
    """Raise `RecordError` where a folder holds something that these mazes would join or replace."""
    for path in sorted(out.iterdir()) if out.is_dir() else ():
        if path.name not in known:
            raise RecordError(f"{out}: holds {path.name!r} already: choose another folder")
        try:
            there = read(Home(path.name, path / Layout.STEPS70, Layout.STEPS70))
        except RecordError:  # it was only half written
            continue
        if fingerprint(there) != fingerprint(known[path.name]):
            raise RecordError(
                f"{out}: holds another maze {path.name!r} already (other seed or settings): choose "
                "another folder"
            )


def finish(work: MazeWork, out: Path, given: MazeSettings, progress: Done = silent) -> Run:
    """Carry a run to its scores, also where an event loop runs already, and open it."""
    blocking(lambda: live(work, out, progress, given.shard, retry_failed=given.retry_failed))
    return Run(out)
