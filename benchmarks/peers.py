"""Other planners on a world's goals, each in a process of its own that is ended in time."""

from __future__ import annotations

import contextlib
import importlib
import logging
import multiprocessing
import os
import resource
import signal
import tempfile
import time
import warnings
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pddl

from worldquiz.facts.fact import CARRIED, PLAYER_AT, Fact
from worldquiz.t2q.world.spec import WorldSpec

MEMORY_GIB = 8
"""Each process may use so much."""

Solve = Callable[[], int]
"""Find a plan and return its length."""


@dataclass(frozen=True, slots=True)
class Peer:
    """Another planner; `prepare` reads a world and a goal, which is not timed."""

    name: str
    modules: tuple[str, ...]  # imported beforehand, as nobody pays for that
    prepare: Callable[[WorldSpec, Fact], Solve]

    def load(self) -> bool:
        """Import what the peer needs; tell whether it is installed."""
        try:
            for module in self.modules:
                importlib.import_module(module)
        except ImportError:
            return False
        return True

    def attempt(self, spec: WorldSpec, goal: Fact, cap: float) -> tuple[float, int] | str:
        """Return the seconds taken and the plan's length, or in words why there is no plan."""

        def work(tell: Callable[[object], None]) -> None:
            solve = self.prepare(spec, goal)
            tell(None)
            start = time.perf_counter()
            length = solve()
            tell((time.perf_counter() - start, length))

        told: tuple[float, int] | str = watched(
            work, f"problem not read in {cap:g} s", f"not solved in {cap:g} s", cap
        )
        return told


def watched(
    work: Callable[[Callable[[object], None]], None], unready: str, late: str, cap: float
) -> Any:
    """Run `work` in a process of its own; return the second thing it tells, or why it does not.

    Each of the two may take `cap` seconds; `unready` and `late` say that it took longer.
    """
    here, there = multiprocessing.Pipe(duplex=False)
    with tempfile.TemporaryDirectory(prefix="worldquiz-bench-") as scratch:
        context = multiprocessing.get_context("fork")
        child = context.Process(target=_work, args=(work, there, scratch))
        child.start()
        there.close()
        try:
            for failure in (unready, late):
                if not here.poll(cap):
                    return failure
                told = here.recv()
                if isinstance(told, str):
                    return told
            return told
        except EOFError:
            return f"out of {MEMORY_GIB} GiB of memory"
        finally:
            _end(child)


def _work(work: Callable[[Callable[[object], None]], None], pipe: Connection, scratch: str) -> None:
    os.setpgrp()  # so that planners it starts end with it
    tempfile.tempdir = scratch
    limit = MEMORY_GIB << 30
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    try:
        work(pipe.send)
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

    folder = Path(tempfile.mkdtemp())
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

    from worldquiz.t2q.textworld.inform import make

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
    Peer("pyperplan", ("pyperplan.planner",), pyperplan),
    Peer("Fast Downward", ("unified_planning.io", "up_fast_downward"), fast_downward),
    Peer("BFS on TextWorld", ("textworld.generator.maker",), textworld_bfs),
)
