"""Exploring in Python: an agent plays games, and MANGO's questions are about its own trajectory.

run = worldquiz.mango.explore("mazes", agent=MyAgent, steps=100, out="runs/mine")
run.scores["knowledge"], run.scores["knowledge_ceiling"], run.scores["coverage"]
worldquiz.mango.explore("mazes", agent="model", model="openai/gpt-5.1", memory="bm25", out="runs/m")
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from worldquiz.errors import KnobError
from worldquiz.llm.client import AT_ONCE, NO_LIMITS, TIMEOUT, Reach
from worldquiz.llm.limits import Limits
from worldquiz.llm.price import Price
from worldquiz.mango.asking.ask import PER_MAZE, Asked
from worldquiz.mango.exploring.explore import STEPS, ExploringWork, answers_itself
from worldquiz.mango.exploring.grounds import grounds
from worldquiz.mango.exploring.model_run import ModelExploring
from worldquiz.mango.maze.recorder.trace import PATIENCE
from worldquiz.mango.mazes.selection import kinds
from worldquiz.mango.running.answerers import MAPPER, chosen_answerer
from worldquiz.memory.base import Granularity, Query, Wiring
from worldquiz.memory.setup import DEFAULT_EMBEDDER, Setup
from worldquiz.runs.executor import Done, silent
from worldquiz.runs.folder import MODEL
from worldquiz.runs.given import check_unused
from worldquiz.runs.life import live
from worldquiz.runs.run import Run
from worldquiz.runs.sync import blocking

__all__ = ["STEPS", "explore", "exploring_work", "finished_run"]


def explore(
    source: Path | str,
    *,
    out: Path | str,
    agent: object = "frontier",
    answerer: object | None = None,
    steps: int = STEPS,
    model: str | None = None,
    base_url: str | None = None,
    generate: Mapping[str, Any] | None = None,
    connections: int = AT_ONCE,
    price: Price | str | None = None,
    retries: int = 5,
    limits: Limits = NO_LIMITS,
    timeout: int = TIMEOUT,
    questions_at_once: int | None = None,
    memory: object = "in-context",
    memory_model: str | None = None,
    embedder: str = DEFAULT_EMBEDDER,
    granularity: str = Granularity.STEP,
    k: int = 10,
    query: str = Query.SHORT,
    recent: int = 4,
    constrained: bool = False,
    jobs: int = 1,
    shard: str | None = None,
    retry_failed: bool = False,
    games: Sequence[str] = (),
    tasks: Sequence[str] = ("df", "rf"),
    per_maze: int = PER_MAZE,
    seed: int = 0,
    progress: Done = silent,
) -> Run:
    """Let an agent explore games, have the questions answered, and return the finished run.

    `source` is a folder of mazes, a suite of text worlds, a story file or a folder of them; `agent`
    a name, an object with a method ``act(text)``, or what makes one. It answers itself where it has
    a method ``answer(prompt)`` and no `answerer` or `model` is given; else the map builder does.
    The agent "model" is the `model` with a `memory`, which answers from that memory, unless an
    `answerer` is given. Raises what `MazeSet.run` raises.
    """
    reach = Reach.of(
        model, base_url, generate, connections, price, retries, limits, timeout, questions_at_once
    )
    asked = Asked(steps, kinds(tasks), per_maze, seed, constrained=constrained)
    setup = Setup(memory, Wiring.of(granularity, k, query, recent), embedder)
    work = exploring_work(
        Path(source), agent, asked, answerer=answerer, reach=reach, games=games,
        retry_failed=retry_failed, setup=setup, memory_model=memory_model, jobs=jobs,
    )  # fmt: skip
    return finished_run(work, Path(out), progress, shard, retry_failed=retry_failed)


def exploring_work(
    source: Path,
    agent: object,
    asked: Asked,
    *,
    answerer: object | None = None,
    reach: Reach | None = None,
    games: Sequence[str] = (),
    retry_failed: bool = False,
    patience: float = PATIENCE,
    setup: Setup | None = None,
    memory_model: str | None = None,
    jobs: int = 1,
) -> ExploringWork:
    """Return the work of having games explored, and asked about.

    Raises `KnobError` for the agent "model" without one, and for a memory of another agent.
    """
    explores = isinstance(agent, str) and agent == MODEL
    mind = Setup() if setup is None else setup
    if not explores:
        check_unused("agent 'model'", memory=mind != Setup(), memory_model=memory_model)
    elif reach is None:
        raise KnobError(f"agent {MODEL!r} needs a language model: give --model")
    elif jobs > 1:
        raise KnobError(f"--jobs {jobs}: a model explores all games at once: give --connections")
    who = answerer
    if who is None and reach is None and not answers_itself(agent):
        who = MAPPER
    itself = who is None and (explores or reach is None)
    reads = None if explores else reach
    more: dict[str, Any] = {
        "asked": asked, "retry_failed": retry_failed, "jobs": jobs,
        "chosen": None if itself else lambda plan: chosen_answerer(who, reads, lambda: plan),
    }  # fmt: skip
    found = grounds(source, games, patience=patience)
    if not explores or reach is None:
        return ExploringWork(found, agent, asked.steps, **more)
    return ModelExploring(
        found, agent, asked.steps, reach=reach, setup=mind, memory_model=memory_model, **more
    )


def finished_run(
    work: ExploringWork,
    out: Path,
    progress: Done = silent,
    shard: str | None = None,
    *,
    retry_failed: bool = False,
) -> Run:
    """Carry a run to its scores, also where an event loop runs already, and open it."""
    part = work.part(shard)
    blocking(lambda: live(work, out, progress, part, retry_failed=retry_failed))
    return Run(out)
