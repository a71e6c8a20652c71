"""Exploring in Python: an agent plays games, and MANGO's questions are about its own trajectory.

run = worldquiz.mango.explore("mazes", agent=MyAgent, steps=100, out="runs/mine")
run.scores["knowledge"], run.scores["knowledge_ceiling"], run.scores["coverage"]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from worldquiz.llm.client import AT_ONCE, NO_LIMITS, TIMEOUT, Reach
from worldquiz.llm.limits import Limits
from worldquiz.llm.price import Price
from worldquiz.mango.asking.ask import PER_MAZE, Asked
from worldquiz.mango.exploring.explore import STEPS, ExploringWork, answers_itself
from worldquiz.mango.exploring.grounds import grounds
from worldquiz.mango.maze.recorder.trace import PATIENCE
from worldquiz.mango.mazes.selection import kinds
from worldquiz.mango.running.answerers import MAPPER, chosen_answerer
from worldquiz.runs.executor import Done, silent
from worldquiz.runs.life import live
from worldquiz.runs.run import Run
from worldquiz.runs.store import fetched
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
    Raises what `MazeSet.run` raises.
    """
    reach = Reach.of(model, base_url, generate, connections, price, retries, limits, timeout)
    asked = Asked(steps, kinds(tasks), per_maze, seed)
    work = exploring_work(
        fetched(source), agent, asked, answerer=answerer, reach=reach, games=games,
        retry_failed=retry_failed,
    )  # fmt: skip
    return finished_run(work, fetched(out), progress, retry_failed=retry_failed)


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
) -> ExploringWork:
    """Return the work of having games explored, and asked about."""
    who = answerer
    if who is None and reach is None and not answers_itself(agent):
        who = MAPPER
    itself = who is None and reach is None
    found = grounds(source, games, patience=patience)
    return ExploringWork(
        found, agent, asked.steps, asked,
        None if itself else lambda plan: chosen_answerer(who, reach, lambda: plan), retry_failed,
    )  # fmt: skip


def finished_run(
    work: ExploringWork, out: Path, progress: Done = silent, *, retry_failed: bool = False
) -> Run:
    """Carry a run to its scores, also where an event loop runs already, and open it."""
    blocking(lambda: live(work, out, progress, retry_failed=retry_failed))
    return Run(out)
