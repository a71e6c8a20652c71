"""Task2Quiz in Python: build a suite, or make one of your own worlds, and run agents on it.

suite = worldquiz.t2q.build("easy", worlds=3, seed=7, out="suite")
run = suite.run(agent=MyAgent(), answerer="worldgraph", out="runs/mine")
run = suite.run(model="openai/gpt-5.1", memory="mem0", out="runs/mem0")
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from worldquiz.errors import KnobError
from worldquiz.llm.client import AT_ONCE, NO_LIMITS, TIMEOUT, Reach
from worldquiz.llm.limits import Limits
from worldquiz.llm.price import Price
from worldquiz.memory.base import Granularity, Query, Wiring
from worldquiz.memory.setup import DEFAULT_EMBEDDER
from worldquiz.runs.executor import Done, silent
from worldquiz.runs.folder import MODEL
from worldquiz.runs.given import check_unused
from worldquiz.runs.life import live
from worldquiz.runs.run import Run
from worldquiz.runs.shard import Shard
from worldquiz.runs.sync import blocking
from worldquiz.t2q import budget as budgets
from worldquiz.t2q.builder import build as build_plan
from worldquiz.t2q.builder import write_suite
from worldquiz.t2q.llm.run import ModelRun
from worldquiz.t2q.llm.trial import Subject
from worldquiz.t2q.prompts.compose import Options
from worldquiz.t2q.run import ScriptedRun, Trial
from worldquiz.t2q.suites import Plan, Suite, open_suite
from worldquiz.t2q.world.config import WORLDS_PER_LEVEL


class T2QSuite(Suite):
    """Worlds with their tasks and questions, on which agents can be run."""

    def run(
        self,
        *,
        agent: object = None,
        answerer: object = None,
        model: str | None = None,
        out: Path | str,
        memory: object = "in-context",
        seed: int = 0,
        max_steps: int | None = None,
        budget: float | None = None,
        jobs: int = 1,
        base_url: str | None = None,
        memory_model: str | None = None,
        generate: Mapping[str, Any] | None = None,
        price: tuple[float, float, float] | None = None,
        connections: int | None = None,
        retries: int = 5,
        embedder: str = DEFAULT_EMBEDDER,
        granularity: str = Granularity.STEP,
        k: int = 10,
        query: str = Query.SHORT,
        recent: int = 4,
        explore: bool = False,
        bonus: bool = False,
        laws: bool = False,
        confidence: bool = False,
        batch: int = 1,
        constrained: bool = False,
        shard: str | None = None,
        limits: Limits = NO_LIMITS,
        timeout: int = TIMEOUT,
        retry_failed: bool = False,
        questions_at_once: int | None = None,
        engine: str | None = None,
        progress: Done = silent,
    ) -> Run:
        """Let an agent play every task and an answerer take every quiz; return the finished run.

        Give `agent` and `answerer`, or a `model` that takes the part of whichever is absent. Each,
        and `memory`, is a name or an object: an instance is copied for each world, a class or
        function is called for a fresh one. A run that was stopped goes on where it was.

        Args:
            agent: A name (see `worldquiz t2q agents`), or an object with ``act(observation)``.
            answerer: A name, or an object with ``answer(prompt)``.
            model: A language model, such as ``openai/gpt-5.1``.
            out: The folder of the run.
            memory: The model's memory: a name (`worldquiz t2q memories`) or an object.
            seed: Random seed of agents that draw at random.
            max_steps: Most commands in each task.
            budget: Most commands, as a multiple of the walkthroughs'; a task's rest goes to
                the next. Without either, the suite's own: 50 in each task of the preset "paper"
                and of worlds of your own, else that of the preset.
            jobs: Processes; no result depends on it. With a model each takes 0.5 GB, and they
                share out `connections` and `limits`: more are of use to a server that is faster
                than one process.
            base_url: An OpenAI-compatible server.
            memory_model: The model that memories call, if it is another one.
            generate: Settings of requests, by the names of OpenAI's protocol.
            price: US dollars per million tokens of prompts, cached prompts and replies.
            connections: Most calls at once.
            retries: Times to retry a failed call.
            embedder: For memories that embed.
            granularity: Size of one memory write: "step" or "task".
            k: Pieces that memory recalls at most.
            query: Text of a memory's query: "short" or "full".
            recent: Last turns of the task that are shown beside what memory recalls.
            explore: Ask for exploration.
            bonus: Promise a bonus for discoveries.
            laws: State the laws of every world.
            confidence: Ask for the probability of being right.
            batch: Questions asked at a time.
            constrained: Have the server hold replies to a JSON Schema of the form that the prompt
                asks for.
            shard: Which part to play alone, as "2/5"; `worldquiz.merge` joins the parts.
            limits: Most dollars and tokens of the run, and seconds of this call.
            timeout: Seconds that one attempt of a call may take.
            retry_failed: Try again what failed before.
            questions_at_once: Questions of one quiz that are asked at the same time, at most as
                many as `connections`; no result depends on it. By default 4 of a server of your
                own, 20 of a hosted provider.
            engine: "python" or "textworld", in which worlds are played; no result depends on it.
            progress: Called with the name of each world that is finished.

        Raises `worldquiz.WorldquizError` where the run cannot be made; extras, keys and the server
        are checked before `out` is touched.
        """
        allowed = budgets.budget(max_steps, budget, self.budget)
        wiring = Wiring.of(granularity, k, query, recent)
        options = Options(explore, bonus, laws, confidence, batch, constrained)
        known = Price(*price) if price else None
        reach = Reach.of(
            model, base_url, generate, connections or AT_ONCE, known, retries, limits, timeout,
            questions_at_once,
        )  # fmt: skip
        if reach is None:
            check_unused(
                "a model",
                memory=memory != "in-context",
                memory_model=memory_model,
                embedder=embedder != DEFAULT_EMBEDDER,
                **_changed(wiring, Wiring()),
                **_changed(options, Options()),
            )
            if agent is None or answerer is None:
                raise KnobError(
                    "give a model, or an agent and an answerer: one plays, one is asked"
                )
            work: Any = ScriptedRun(self, Trial(agent, answerer, seed, allowed, engine), jobs)
        else:
            subject = Subject(
                memory,
                wiring,
                options,
                embedder,
                MODEL if agent is None else agent,
                MODEL if answerer is None else answerer,
                seed,
                allowed,
                engine,
            )
            work = ModelRun(self, subject, reach, memory_model, jobs)
        part = Shard.read(shard) if shard is not None else None
        folder = Path(out)
        blocking(lambda: live(work, folder, progress, part, retry_failed=retry_failed))
        return Run(folder)

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
    games: bool = False,
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
        games: Compile each world for TextWorld, too.
        per_task_games: Compile one game for each task, as the paper packs them.
        jobs: Processes; no result depends on it.
        progress: Called with the name of each world that is finished.

    Raises `KnobError` where no world can meet the parameters, `RecordError` where `out` holds
    anything else, `MissingExtra` where games are asked for without TextWorld.
    """
    settings = {name: _text(value) for name, value in (parameters or {}).items()}
    plan = Plan(preset, seed, worlds, tuple(sorted(settings.items())), games, per_task_games)
    folder = Path(out)
    made = blocking(lambda: build_plan(plan, folder, jobs=jobs, done=progress))
    return T2QSuite(made.path, made.manifest)


def suite(worlds: Iterable[object] = (), *, out: Path | str, opened_by: object = None) -> T2QSuite:
    """Make a suite of worlds of your own; one that stands in `out` already is opened.

    Each of `worlds` is a class or function that makes a world (see
    `worldquiz.t2q.world.base.World`), or the name of one: an entry point of ``worldquiz.worlds``,
    or ``module:attribute``. A world may have ``tasks`` and ``questions``; else they are made from
    its ``spec``. Where one function opens many worlds by their specs, give the specs, and that
    function as `opened_by`: it may ask for ``spec`` and ``folder``.

    Raises `CatalogError` for what is no world, `RecordError` where `out` holds anything else.
    """
    folder = Path(out)
    write_suite(worlds, folder, opened_by=opened_by)
    return load(folder)


def load(path: Path | str) -> T2QSuite:
    """Open a suite. Raises `RecordError` where there is none."""
    found = open_suite(Path(path))
    return T2QSuite(found.path, found.manifest)


def _changed(settings: Wiring | Options, plain: Wiring | Options) -> dict[str, bool]:
    """Return which settings are other than the plain ones."""
    was = asdict(plain)
    return {name: value != was[name] for name, value in asdict(settings).items()}


def _text(value: object) -> str:
    """Return a parameter's value as the command line takes it."""
    match value:
        case [low, high]:
            return f"{low}..{high}"
        case bool():
            return str(value).lower()
        case None:
            return "none"
    return str(value)
