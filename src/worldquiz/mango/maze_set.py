"""Mazes in Python: built, opened, asked about.

    mazes = worldquiz.mango.build(mazes=6, seed=7, out="mazes")
    run = mazes.run("mapper", out="runs/mapper")
    run.scores["rf"]["all"]["success"]["macro"]; run.frame(); run.report("report.html")

An answerer of one's own has a method ``answer(prompt: str) -> str``, sync or async; it is given the
text that a model is sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from worldquiz.errors import KnobError, RecordError
from worldquiz.llm.client import AT_ONCE, NO_LIMITS, TIMEOUT, Reach
from worldquiz.llm.limits import Limits
from worldquiz.llm.price import Price
from worldquiz.llm.tokens import ESTIMATE
from worldquiz.mango.asking.ask import (
    PER_MAZE,
    RESERVE,
    STEPS,
    Asked,
    Budget,
    Sampling,
    Template,
    Text,
)
from worldquiz.mango.asking.plan import planned
from worldquiz.mango.games.minigames import Games
from worldquiz.mango.maze.generate import Knobs, generate
from worldquiz.mango.maze.mango import Home, Layout, games, laid, read
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.maze.write import write_both
from worldquiz.mango.mazes.record import size
from worldquiz.mango.mazes.selection import chosen, kinds
from worldquiz.mango.paths.pairs import Route
from worldquiz.mango.running.answerers import chosen_answerer
from worldquiz.mango.running.folder import fingerprint
from worldquiz.mango.running.run import MazeWork, maps, minigame_work, quiz
from worldquiz.rng import child_seed
from worldquiz.runs.executor import Done, silent
from worldquiz.runs.given import check_unused, one_of
from worldquiz.runs.life import live
from worldquiz.runs.run import Run
from worldquiz.runs.shard import Shard
from worldquiz.runs.sync import blocking


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
        model: str | None = None,
        base_url: str | None = None,
        generate: Mapping[str, Any] | None = None,
        connections: int = AT_ONCE,
        price: Price | str | None = None,
        retries: int = 5,
        limits: Limits = NO_LIMITS,
        timeout: int = TIMEOUT,
        retry_failed: bool = False,
        games: Sequence[str] = (),
        steps: int | None = None,
        tasks: Sequence[str] = ("df", "rf"),
        per_maze: int = PER_MAZE,
        sampling: str = Sampling.LEVELS,
        seed: int = 0,
        rf_easy: str = Route.SHORTEST,
        template: str = Template.PAPER,
        walkthrough: str = Text.FULL,
        tokens: int | None = None,
        window: int | None = None,
        reserve: int = RESERVE,
        tokenizer: str = ESTIMATE,
        constrained: bool = False,
        shard: str | None = None,
        progress: Done = silent,
    ) -> Run:
        """Have MANGO's questions answered, and return the finished run.

        Give an `answerer` (its name, an object, or a class or function that makes one) or a
        `model`. Options are those of ``worldquiz mango run`` (without `steps`, 70 are read, and all
        of full maps); `progress` is called with the id of each question that is answered. With
        `shard`, such as "2/5", only the mazes of that part are asked about. A run that was stopped
        goes on when it is given again. Raises `KnobError`, `CatalogError`, `MissingExtra` or
        `WorldError` before `out` is touched if the run cannot start, and `RecordError` where `out`
        holds anything else.
        """
        read = self.steps if steps is None else steps
        asked = Asked(
            read, kinds(tasks), per_maze, seed, one_of(Route, rf_easy, "rf_easy"),
            one_of(Template, template, "template"), one_of(Text, walkthrough, "walkthrough"),
            Budget.of(tokens, window, reserve, tokenizer), one_of(Sampling, sampling, "sampling"),
            constrained,
        )  # fmt: skip
        reach = Reach.of(model, base_url, generate, connections, price, retries, limits, timeout)
        work = self.quiz(answerer, reach, asked, games)
        return finish(work, Path(out), progress, shard, retry_failed=retry_failed)

    async def arun(self, answerer: object | None = None, **options: Any) -> Run:
        """Do what `run` does without blocking the event loop."""
        return await asyncio.to_thread(self.run, answerer, **options)

    def quiz(
        self, answerer: object | None, reach: Reach | None, asked: Asked, games: Sequence[str] = ()
    ) -> MazeWork:
        """Return the work of having the questions about some games (all if empty) answered."""
        if reach is None:
            check_unused("a model", constrained=asked.constrained)
        plan = cache(lambda: planned(chosen(self.path, games, self.layout), asked))
        who = chosen_answerer(answerer, reach, plan)
        return quiz(plan(), who)

    def minigames(
        self,
        answerer: object | None = None,
        *,
        out: Path | str,
        model: str | None = None,
        base_url: str | None = None,
        generate: Mapping[str, Any] | None = None,
        connections: int = AT_ONCE,
        price: Price | str | None = None,
        retries: int = 5,
        limits: Limits = NO_LIMITS,
        timeout: int = TIMEOUT,
        retry_failed: bool = False,
        games: Sequence[str] = (),
        which: Games | None = None,
        progress: Done = silent,
    ) -> Run:
        """Have MANGO's minigames played, and return the finished run; `which` says which ones.

        An `answerer` is an object, or a class or function that makes one. Raises what `run` raises.
        """
        reach = Reach.of(model, base_url, generate, connections, price, retries, limits, timeout)
        work = self.minigame_work(answerer, reach, which or Games(), games)
        return finish(work, Path(out), progress, retry_failed=retry_failed)

    def minigame_work(
        self, answerer: object | None, reach: Reach | None, which: Games, games: Sequence[str] = ()
    ) -> MazeWork:
        """Return the work of having minigames in some games (all if empty) played."""
        who = chosen_answerer(answerer, reach)
        return minigame_work(chosen(self.path, games, self.layout), which, who)

    def draw_maps(
        self,
        answerer: object | None = None,
        *,
        out: Path | str,
        shots: int = 5,
        model: str | None = None,
        base_url: str | None = None,
        generate: Mapping[str, Any] | None = None,
        connections: int = AT_ONCE,
        price: Price | str | None = None,
        retries: int = 5,
        limits: Limits = NO_LIMITS,
        timeout: int = TIMEOUT,
        retry_failed: bool = False,
        games: Sequence[str] = (),
        asked: Asked | None = None,
        progress: Done = silent,
    ) -> Run:
        """Have the maps drawn, search them for the answers, and return the finished run.

        `shots` is 5 (a step at a time, after five examples) or 0 (the whole walkthrough at once);
        `asked` says what the maps are searched for. Raises what `run` raises.
        """
        reach = Reach.of(model, base_url, generate, connections, price, retries, limits, timeout)
        work = self.map_work(answerer, reach, asked or Asked(), shots, games)
        return finish(work, Path(out), progress, retry_failed=retry_failed)

    def map_work(
        self,
        answerer: object | None,
        reach: Reach | None,
        asked: Asked,
        shots: int,
        games: Sequence[str] = (),
    ) -> MazeWork:
        """Return the work of having maps drawn of some games (all if empty), and searched."""
        who = chosen_answerer(answerer, reach)
        return maps(planned(chosen(self.path, games, self.layout), asked), shots, who)

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
    knobs = Knobs(size, branching, loops, one_way, confusable, non_compass)
    folder = Path(out)
    build_mazes(knobs, mazes, seed, folder)
    return MazeSet(folder)


def open_mazes(path: Path | str, layout: str | None = None) -> MazeSet:
    """Open a folder of mazes, "full" maps or the 70-step set. Raises `RecordError` for none."""
    return MazeSet(path, layout)


def build_mazes(knobs: Knobs, mazes: int, seed: int, out: Path) -> dict[str, dict[str, int]]:
    """Generate mazes into a folder, and return how large each is, by name.

    Raises `KnobError` for no mazes, `RecordError` where the folder holds anything else than these.
    """
    if mazes < 1:
        raise KnobError(f"mazes: {mazes} mazes; give 1 or more")
    made = [
        generate(knobs, child_seed(seed, "maze", number), name=f"maze-{number:02}")
        for number in range(mazes)
    ]
    _check_alone({maze.name: maze for maze in made}, out)
    for maze in made:
        write_both(maze, out)
    return {maze.name: size(maze) for maze in made}


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


def finish(
    work: MazeWork,
    out: Path,
    progress: Done = silent,
    shard: str | None = None,
    *,
    retry_failed: bool = False,
) -> Run:
    """Carry a run to its scores, also where an event loop runs already, and open it."""
    part = Shard.read(shard) if shard is not None else None
    blocking(
        lambda: live(work, out, progress, part, about=lambda key: key[0], retry_failed=retry_failed)
    )
    return Run(out)
