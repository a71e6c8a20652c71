"""Task2Quiz in Python: a suite on which agents are run.

suite = worldquiz.t2q.build("easy", worlds=3, seed=7, out="suite")
run = suite.run(agent=MyAgent(), answerer="worldgraph", out="runs/mine")
run = suite.run(model="openai/gpt-5.1", memory="mem0", out="runs/mem0")
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldquiz.errors import KnobError
from worldquiz.runs.executor import Done, blocking, silent
from worldquiz.runs.folder import MODEL, placed
from worldquiz.runs.given import name_of
from worldquiz.runs.life import live
from worldquiz.runs.run import Run
from worldquiz.t2q.agents.catalog import AGENTS, ANSWERERS
from worldquiz.t2q.run import WorldsRun
from worldquiz.t2q.settings import T2QSettings
from worldquiz.t2q.suites import Suite

if TYPE_CHECKING:
    from worldquiz.t2q.serve import ServedSuite


class T2QSuite(Suite):
    """Worlds with their tasks and questions, on which agents can be run."""

    def run(
        self,
        *,
        agent: object = None,
        answerer: object = None,
        out: Path | str | None = None,
        settings: T2QSettings | None = None,
        progress: Done = silent,
        **changes: Any,
    ) -> Run:
        """Let an agent play every task and an answerer take every quiz; return the finished run.

        Give `agent` and `answerer`, or a `model` in place of one or both. Agent, answerer and
        `memory` are each a name or an object: an instance is copied for each world, and a class or
        function is called for each world. A stopped run can be resumed.

        Args:
            agent: A name (see `worldquiz t2q agents`), or an object with ``act(observation)``.
            answerer: A name, or an object with ``answer(prompt)``.
            out: The folder of the run; by default it is beside the suite, and its path is printed.
            settings: Settings of the run.
            progress: Called with the name of each finished world.
            changes: Settings by name: the fields of `T2QSettings`, such as `model`, `memory` or
                `max_steps`. With a model, or without `jobs`, one process plays.

        Raises `TypeError` for an unknown setting, `worldquiz.WorldquizError` if the run cannot be
        made. Extras and API keys are checked before anything is written to `out`.
        """
        given = T2QSettings.of(settings, changes)
        agent, answerer = (MODEL if each is None else each for each in (agent, answerer))
        work = WorldsRun(self, agent, answerer, given)
        if work.reach is None and any(work.by_model):
            raise KnobError("choose a model, or both an agent and an answerer")
        names = (name_of(given.model if each == MODEL else each) for each in (agent, answerer))
        folder = placed(out, self.path, *dict.fromkeys(names), given.shard)
        blocking(lambda: live(work, folder, progress, given))
        return Run(folder)

    async def arun(self, **options: Any) -> Run:
        """Run as `run` does, without blocking the event loop."""
        return await asyncio.to_thread(partial(self.run, **options))

    def served(self, name: str, told: Mapping[str, str]) -> ServedSuite:
        """Return the worlds and tools that ``worldquiz serve`` offers to the agent called `name`.

        `told` may set ``max_steps``, ``budget``, ``wording`` or ``distractors``. Raises `KnobError`
        if a setting is invalid.
        """
        from worldquiz.serve.seats import read_settings
        from worldquiz.t2q.serve import ServedSuite

        ours = *AGENTS.names(), *ANSWERERS.names()
        known = {"max_steps": int, "budget": float, "wording": int, "distractors": int}
        given = T2QSettings.of(None, read_settings(name, ours, told, known))
        served = ServedSuite(self, name, name, given)
        _ = served.budget  # raises if it is invalid
        return served


def load(path: Path | str) -> T2QSuite:
    """Open a finished suite. Raises `RecordError` if it is missing or incomplete."""
    return T2QSuite.load(path)
