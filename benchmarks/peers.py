"""Other planners on a world's goals, each in a process of its own that is ended in time."""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import resource
import signal
import tempfile
import warnings
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, TypeVar

import pddl

from worldquiz.model.facts import CARRIED, PLAYER_AT, Fact
from worldquiz.model.world import WorldSpec

MEMORY_GIB = 8
"""Each process may use so much."""

Result = TypeVar("Result")

Solve = Callable[[], int]
"""Find a plan and return its length."""


@dataclass(frozen=True, slots=True)
class Peer:
    """Another planner; `prepare` reads a world and a goal, which is not timed."""

    name: str
    library: str
    prepare: Callable[[WorldSpec, Fact], Solve]


def capped(work: Callable[[], Result], seconds: float) -> Result | str:
    """Return what `work` returns in a process of its own, or in words why it did not."""
    here, there = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(target=_work, args=(work, there))
    child.start()
    there.close()
    try:
        if not here.poll(seconds):
            return f"not solved in {seconds:g} s"
        result: Result | str = here.recv()
        return result
    except EOFError:
        return f"out of {MEMORY_GIB} GiB of memory"
    finally:
        _end(child)


def _work(work: Callable[[], object], pipe: Connection) -> None:
    os.setpgrp()  # so that planners it starts end with it
    limit = MEMORY_GIB << 30
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    try:
        pipe.send(work())
    except MemoryError:
        os._exit(1)
    except Exception as error:  # a peer's own failure is a result of the benchmark
        pipe.send(f"failed: {type(error).__name__}: {error}")


def _end(child: BaseProcess) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid or 0, signal.SIGKILL)
    child.kill()
    child.join()


def pyperplan(spec: WorldSpec, goal: Fact) -> Solve:
    """A* with h_max, on our trials the fastest of its optimal searches."""
    from pyperplan import planner

    folder = Path(tempfile.mkdtemp(prefix="worldquiz-pddl-"))
    (folder / "domain.pddl").write_text(pddl.DOMAIN)
    (folder / "problem.pddl").write_text(pddl.problem(spec.initial).text(goal))
    files = [str(folder / name) for name in ("domain.pddl", "problem.pddl")]
    search, heuristic = planner.SEARCHES["astar"], planner.HEURISTICS["hmax"]
    return lambda: len(planner.search_plan(*files, search, heuristic))


def fast_downward(spec: WorldSpec, goal: Fact) -> Solve:
    """Its optimal search (A* with LM-cut), as unified-planning calls it."""
    from unified_planning.io import PDDLReader
    from unified_planning.shortcuts import OneshotPlanner

    text = pddl.problem(spec.initial).text(goal)
    problem = PDDLReader().parse_problem_string(pddl.DOMAIN, text)

    def solve() -> int:
        with OneshotPlanner(name="fast-downward-opt") as planner:
            plan = planner.solve(problem).plan
        if plan is None:
            raise RuntimeError("no plan")
        return len(plan.actions)

    return solve


def textworld_bfs(spec: WorldSpec, goal: Fact) -> Solve:
    """Breadth-first search over TextWorld's own states and rules."""
    from textworld.logic import Proposition

    from worldquiz.worlds.textworld.inform import make

    maker, entities = make(spec)
    game = maker.build(validate=False)
    moves = [r for r in game.kb.rules.values() if not r.name.startswith(("look", "examine", "inv"))]
    constants = game.kb.types.constants_mapping
    start = game.world.state
    names = [entities[name].var for name in goal.args]
    if goal.predicate == PLAYER_AT.name:
        wanted = Proposition("at", [maker.player.var, *names])
    elif goal.predicate == CARRIED.name:
        wanted = Proposition("in", [*names, maker.inventory.var])
    else:
        wanted = Proposition(goal.predicate, names)
    return lambda: _breadth_first(start, moves, constants, wanted)


def _breadth_first(start: Any, rules: Sequence[Any], constants: Any, wanted: Any) -> int:
    depth = {frozenset(start.facts): 0}
    queue = deque([start])
    while queue:
        state = queue.popleft()
        after = depth[frozenset(state.facts)] + 1
        for action in state.all_applicable_actions(rules, constants):
            child = state.copy()
            child.apply(action)
            if child.is_fact(wanted):
                return after
            facts = frozenset(child.facts)
            if facts not in depth:
                depth[facts] = after
                queue.append(child)
    raise RuntimeError("no plan")


PEERS = (
    Peer("pyperplan", "pyperplan", pyperplan),
    Peer("Fast Downward", "up_fast_downward", fast_downward),
    Peer("BFS on TextWorld", "textworld", textworld_bfs),
)
