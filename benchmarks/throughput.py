"""Time 30 worlds with a model, and compare that with the longest world and with inspect alone.

    uv run python benchmarks/throughput.py [--worlds 10] [--latency 0.2] [--memory in-context]
                                           [--connections 60]
                                           [--folder DIR] [--json]

A model server for testing (`tests/modelserver`, a separate process) replies after `--latency`
seconds. Two programs call it, each in a fresh process:

* ``worldquiz t2q run`` on `--worlds` worlds per level, with all worlds at once and all questions of
  a quiz at once;
* inspect alone: one sample per world sends prompts of the same number and lengths, one after
  another, and does nothing else.

It prints the wall time beside two critical paths, which are the longest world's time at that
latency: with all calls in turn (old), and with the questions asked at once (new). It also prints
CPU per call, including process start, and peak memory (of the first process only). Linux only.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import ceil
from operator import add
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from modelserver import apart  # noqa: E402
from worldquiz.facts.row import Purpose  # noqa: E402
from worldquiz.runs.run import Run  # noqa: E402
from worldquiz.t2q import build  # noqa: E402

SEED = 7


@dataclass(frozen=True, slots=True)
class Measured:
    """One process: `wall` and `cpu` in seconds, `peak` in MB."""

    calls: int
    wall: float
    cpu: float
    peak: float

    @property
    def cpu_per_call(self) -> float:
        """Milliseconds."""
        return 1000 * self.cpu / self.calls


def measured(command: Sequence[str], env: Mapping[str, str], calls: Any) -> Measured:
    """Run a command to its end; `calls` then returns its number of calls."""
    began = time.perf_counter()
    process = subprocess.Popen(command, env={**os.environ, **env}, stdout=subprocess.DEVNULL)
    peak, ended = 0.0, 0
    while not ended:  # `used` would give at least the peak of our own process
        peak = max(peak, highest(process.pid))
        time.sleep(0.02)
        ended, status, used = os.wait4(process.pid, os.WNOHANG)
    wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)}: exit status {process.returncode}")
    return Measured(calls(), wall, used.ru_utime + used.ru_stime, peak)


def highest(process: int) -> float:
    """Return the peak memory of a process so far, in MB; 0 if it has ended."""
    try:
        told = Path(f"/proc/{process}/status").read_text("utf-8")
    except OSError:
        return 0.0
    lines = [line for line in told.splitlines() if line.startswith("VmHWM:")]
    return int(lines[0].split()[1]) / 1024 if lines else 0.0


def ours(suite: Path, out: Path, memory: str, latency: float, more: Sequence[object]) -> Measured:
    """Measure ``worldquiz t2q run``."""
    with apart("--latency", latency) as server:
        asked = ["--model", "m", "--base-url", server.base_url, "--memory", memory]
        command = [sys.executable, "-m", "worldquiz", "t2q", "run", str(suite), *asked]
        command += ["--out", str(out), *map(str, more)]
        return measured(command, {}, lambda: server.stats()["ended"])


def inspects_own(run: Run, folder: Path, latency: float) -> Measured:
    """Measure inspect alone, in one process, with as many prompts per world as a run sent."""
    with apart("--latency", latency) as server:
        command = [sys.executable, __file__, "--replay", str(folder)]
        (folder / "prompts.json").write_text(json.dumps(prompts_of(run)), "utf-8")
        return measured(command, server.env(), lambda: server.stats()["ended"])


def prompts_of(run: Run) -> dict[str, list[str]]:
    """Return prompts by world: the quiz's, and for each command a part of one of them."""
    lines = map(json.loads, (run.path / "contexts.jsonl").read_text("utf-8").splitlines())
    contexts = {line["id"]: line["text"] for line in lines}
    found: dict[str, list[str]] = {}
    for row in run.rows:
        context = contexts[row.measures["context"]]
        found.setdefault(row.world, []).append(f"{context}\n{row.prompt}")
    for row in run.tasks:
        whole = found[row.world][0]
        moves = [whole[: len(whole) * n // 100] for n in range(row.measures["commands"])]
        found[row.world] += moves
    return found


def replay(folder: Path) -> None:
    """Send every prompt through inspect, and do nothing else."""
    from inspect_ai import Task, eval
    from inspect_ai.dataset import Sample
    from inspect_ai.model import get_model
    from inspect_ai.solver import Generate, Solver, TaskState, solver

    prompts = json.loads((folder / "prompts.json").read_text("utf-8"))

    @solver
    def sends() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            model = get_model()
            for prompt in prompts[str(state.sample_id)]:
                await model.generate(prompt)
            return state

        return solve

    (log,) = eval(
        Task([Sample(input=world, id=world) for world in prompts], solver=sends()),
        model="openai-api/test/m",
        log_dir=str(folder / "logs"),
        display="none",
        log_realtime=False,
        log_model_api=False,
        max_samples=len(prompts),
        max_connections=len(prompts),
    )
    if log.status != "success":
        raise SystemExit(f"inspect alone: {log.status}: {log.error}")


def critical_paths(run: Run, connections: int) -> tuple[int, int]:
    """Return the longest world's number of calls in turn, without and with concurrent questions.

    Commands, and a memory's calls, always follow one another.
    """
    used = [row.measures["usage"] for row in run.tasks if "usage" in row.measures]
    worlds = [{name: told["calls"] for name, told in each.items()} for each in used]
    quizzes = [calls.pop(str(Purpose.QUIZ), 0) for calls in worlds]
    rest = [sum(calls.values()) for calls in worlds]
    return (
        max(map(add, rest, quizzes)),
        max(other + ceil(quiz / connections) for other, quiz in zip(rest, quizzes, strict=True)),
    )


def measure(
    folder: Path,
    worlds: int,
    latency: float,
    memory: str,
    connections: int,
) -> dict[str, Any]:
    """Measure both programs, and return all figures."""
    suite = build("paper", seed=SEED, worlds=worlds, out=folder / "suite", jobs=os.cpu_count() or 1)
    out = folder / "run"
    more = ("--connections", connections)
    mine = ours(suite.path, out, memory, latency, more)
    found = Run(out)
    plain = inspects_own(found, folder, latency)
    old, new = critical_paths(found, connections)
    return {
        "memory": memory,
        "worlds": len(suite.worlds),
        "latency": latency,
        "connections": connections,
        "old_critical_path": round(old * latency, 2),
        "new_critical_path": round(new * latency, 2),
        "ours": rounded(mine),
        "inspect": rounded(plain),
        "wall_over_old": round(mine.wall / old / latency, 3) if latency else None,
        "wall_over_new": round(mine.wall / new / latency, 3) if latency else None,
        "inspect_over_old": round(plain.wall / old / latency, 3) if latency else None,
        "cpu_over_inspect": round(mine.cpu / plain.cpu, 3),
        "cpu_per_call_over_inspect": round(mine.cpu_per_call / plain.cpu_per_call, 3),
        "load": os.getloadavg()[0],
        "cores": os.cpu_count(),
    }


def rounded(found: Measured) -> dict[str, float]:
    """Return a process's figures, as printed."""
    figures = {key: round(value, 2) for key, value in asdict(found).items()}
    return {**figures, "cpu_ms_per_call": round(found.cpu_per_call, 2)}


def table_of(told: Mapping[str, Any]) -> Table:
    """Return the figures as a table."""
    table = Table(
        title=f"{told['worlds']} worlds, {told['memory']}, {1000 * told['latency']:g} ms latency"
    )
    for title in ("", "worldquiz", "inspect alone", "ratio"):
        table.add_column(title, justify="left" if not title else "right")
    mine, plain = told["ours"], told["inspect"]
    rows = {
        "calls": "calls", "wall, s": "wall", "CPU, s": "cpu",
        "CPU of each, ms": "cpu_ms_per_call", "peak memory, MB": "peak",
    }  # fmt: skip
    for name, key in rows.items():
        values = [f"{one[key]:g}" for one in (mine, plain)]
        table.add_row(name, *values, f"{mine[key] / plain[key]:.2f}")
    table.add_row(
        f"wall / old critical path of {told['old_critical_path']:g} s",
        f"{told['wall_over_old']}", f"{told['inspect_over_old']}",
    )  # fmt: skip
    table.add_row(
        f"wall / new critical path of {told['new_critical_path']:g} s",
        f"{told['wall_over_new']}", "",
    )  # fmt: skip
    table.add_row("load of the machine", f"{told['load']:.1f}", "")
    return table


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--worlds", type=int, default=10, help="worlds per level")
    parser.add_argument("--latency", type=float, default=0.2, help="server delay in seconds")
    parser.add_argument("--memory", default="in-context")
    parser.add_argument("--connections", type=int, default=60, help="most calls at once")
    parser.add_argument("--folder", type=Path, help="folder that keeps suite and run")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--replay", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.replay:
        replay(options.replay)
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        told = measure(folder, options.worlds, options.latency, options.memory, options.connections)
    if options.json:
        print(json.dumps(told, indent=2))
        return
    Console().print(table_of(told))


if __name__ == "__main__":
    main()
