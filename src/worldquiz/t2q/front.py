"""Task2Quiz in Python: build a suite, or make one of your own worlds, and run agents on it.

suite = worldquiz.t2q.build("easy", worlds=3, seed=7, out="suite")
run = suite.run(agent=MyAgent(), answerer="worldgraph", out="runs/mine")
run = suite.run(model="openai/gpt-5.1", memory="mem0", out="runs/mem0")
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldquiz.runs.executor import Done, blocking, silent
from worldquiz.runs.folder import MODEL
from worldquiz.runs.life import live
from worldquiz.runs.run import Run
from worldquiz.t2q.run import WorldsRun
from worldquiz.t2q.settings import T2QSettings
from worldquiz.t2q.suites import Suite, open_suite
from worldquiz.t2q.world.config import WORLDS_PER_LEVEL

if TYPE_CHECKING:
    from worldquiz.t2q.serve import ServedSuite


class T2QSuite(Suite):
    """Worlds with their tasks and questions, on which agents can be run."""

    def run(
        self,
        *,
        agent: object = None,
        answerer: object = None,
        out: Path | str,
        settings: T2QSettings | None = None,
        progress: Done = silent,
        **changes: Any,
    ) -> Run:
        """Let an agent play every task and an answerer take every quiz; return the finished run.

        Give `agent` and `answerer`, or a `model` that takes the part of whichever is absent. Each,
        and `memory`, is a name or an object: an instance is copied for each world, a class or
        function is called for a fresh one. A run that was stopped goes on where it was.

        Args:
            agent: A name (see `worldquiz t2q agents`), or an object with ``act(observation)``.
            answerer: A name, or an object with ``answer(prompt)``.
            out: The folder of the run.
            settings: Settings of the run.
            progress: Called with the name of each world that is finished.
            changes: Settings by name: the fields of `T2QSettings`, such as `model`, `memory` or
                `max_steps`. Without `jobs`, and with a model, one process plays.

        Raises `TypeError` for an unknown setting, `worldquiz.WorldquizError` where the run cannot
        be made; extras and keys are checked before `out` is touched.
        """
        given = T2QSettings.of(settings, changes)
        agent, answerer = (MODEL if each is None else each for each in (agent, answerer))
        work, folder = WorldsRun(self, agent, answerer, given), Path(out)
        blocking(lambda: live(work, folder, progress, given))
        return Run(folder)

    def served(self, name: str, told: Mapping[str, str]) -> ServedSuite:
        """Return what ``worldquiz serve`` serves of it to an agent of some name."""
        from worldquiz.t2q.serve import serve

        return serve(self, name, told)

    async def arun(self, **options: Any) -> Run:
        """Do as `run`, without blocking the event loop."""
        return await asyncio.to_thread(partial(self.run, **options))


def build(
    preset: str,
    *,
    worlds: int = WORLDS_PER_LEVEL,
    seed: int = 0,
    out: Path | str,
    parameters: Mapping[str, Any] | None = None,
    per_task_games: bool = False,
    jobs: int = 1,
    progress: Done = silent,
) -> T2QSuite:
    """Build a suite of text games with tasks and questions, or finish one that was begun.

    Args:
        preset: "easy", "medium", "hard", "paper" for these three, or "explore".
        worlds: Worlds a level.
        seed: Equal seeds give equal suites.
        out: The folder of the suite.
        parameters: Changes to the preset in every level: ``{"rooms": (4, 5)}``.
        per_task_games: Compile a game of each task for TextWorld, as the paper packs them.
        jobs: Processes; no result depends on it.
        progress: Called with the name of each world that is finished.

    Raises `KnobError` where no world can meet the parameters, `RecordError` where `out` holds
    anything else, `MissingExtra` where games are asked for without TextWorld.
    """
    from worldquiz.t2q.builder import Plan
    from worldquiz.t2q.builder import build as build_plan

    settings = {
        name: "..".join(map(str, value)) if isinstance(value, tuple | list) else str(value).lower()
        for name, value in (parameters or {}).items()
    }
    plan = Plan(preset, seed, worlds, settings, per_task_games)
    folder = Path(out)
    blocking(lambda: build_plan(plan, folder, jobs=jobs, done=progress))
    return load(folder)


def suite(worlds: Iterable[object] = (), *, out: Path | str, opened_by: object = None) -> T2QSuite:
    """Make a suite of worlds of your own; one that stands in `out` already is opened.

    Each of `worlds` is a class or function that makes a world (see
    `worldquiz.t2q.world.spec.World`), or the name of one: an entry point of ``worldquiz.worlds``,
    or ``module:attribute``. A world may have ``tasks`` and ``questions``; else they are made from
    its ``spec``. Where one function opens many worlds by their specs, give the specs, and that
    function as `opened_by`: it may ask for ``spec`` and ``folder``.

    Raises `CatalogError` for what is no world, `RecordError` where `out` holds anything else.
    """
    from worldquiz.t2q.builder import write_suite

    folder = Path(out)
    write_suite(worlds, folder, opened_by=opened_by)
    return load(folder)


def load(path: Path | str) -> T2QSuite:
    """Open a suite. Raises `RecordError` where there is none."""
    found = open_suite(Path(path))
    return T2QSuite(found.path, found.manifest)
