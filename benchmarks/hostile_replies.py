"""What becomes of a question whose reply is hostile, or whose call fails?

    uv run python benchmarks/hostile_replies.py [--tasks FOLDER] [--inspect] [--json]

A model of the tests' server answers each question of a world of Task2Quiz, of a maze of MANGO and,
with `--tasks` (a folder of `worldquiz tea generate`), of TEA-Test by another kind of hostile reply
(`tests/modelserver/hostile.py`), through the command line or, with `--inspect`, through ``inspect
eval``. The table says what became of each.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from inspect_ai.log import read_eval_log
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from command import inspect, worldquiz
from modelserver import Reply, Request, Script, perfect, serving
from modelserver.hostile import KINDS, in_turn_hostile
from modelserver.prompts import role_of
from worldquiz.runs.losses import read_losses
from worldquiz.runs.run import Run

UNFINISHED, ERROR = "unfinished", "error in the log"
ENDS = (0, 3)
"""Exit codes of runs that have scores."""


def quizzed(kinds: Sequence[str]) -> Script:
    """Return a model that is hostile when it is asked, and right when it plays."""
    right = perfect()
    quiz = in_turn_hostile(kinds, right)

    def script(request: Request) -> Reply:
        return right(request) if role_of(request) == "act" else quiz(request)

    return script


def statuses(
    command: Sequence[object], kinds: Sequence[str], questions: int, folder: Path
) -> Iterator[tuple[str, str]]:
    """Yield what became of the question that met each kind; a run asks so many questions."""
    for start in range(0, len(kinds), questions):
        some = kinds[start : start + questions]
        run = folder / f"run-{KINDS.index(some[0])}-{len(some)}"
        with serving(quizzed(some)) as server:
            said = worldquiz(
                *command, "--model", "m", "--base-url", server.base_url, "--retries", 0,
                "--timeout", 5, "--connections", 1, "--out", run,
            )  # fmt: skip
        if said.code in ENDS:
            left = len(read_losses(run).unfinished)  # what leaves a question so stands last
            asked = [str(row.status) for row in Run(run).rows][: len(some) - left]
            yield from zip(some, asked + [UNFINISHED] * left, strict=True)
        elif len(some) == 1:
            yield some[0], UNFINISHED if "give the same command again" in said.err else said.err
        else:  # one of them leaves the whole world unfinished: each by itself
            for kind in some:
                yield from statuses(command, [kind], questions, folder)


def in_log(
    command: Sequence[object], kinds: Sequence[str], questions: int, folder: Path
) -> Iterator[tuple[str, str]]:
    """Yield what the logs of ``inspect eval`` say of the question that met each kind."""
    for start in range(0, len(kinds), questions):
        some = kinds[start : start + questions]
        logs = folder / f"logs-{KINDS.index(some[0])}-{len(some)}"
        with serving(quizzed(some)) as server:
            inspect(
                "eval", *command, "--model", "openai-api/test/m", "--max-retries", 0,
                "--attempt-timeout", 5, "--max-connections", 1, "--max-samples", 1,
                "--display", "none", "--log-dir", logs, env=server.env(),
            )  # fmt: skip
        (path,) = logs.glob("*.eval")
        told = _in_log(read_eval_log(str(path)), path)
        if told == [ERROR] and len(some) > 1:
            for kind in some:  # one of them leaves the whole world unfinished: each by itself
                yield from in_log(command, [kind], questions, folder)
        else:
            yield from zip(some, told, strict=False)


def _in_log(log: Any, path: Path) -> list[str]:
    """Return what became of the questions of a log, which must have scores, in their order."""
    if not log.eval.task.endswith("t2q"):
        found = [ERROR if sample.error else "scored" for sample in log.samples]
        assert set(found) == {ERROR} or log.results.scores, f"{path}: no scores"
        return found
    if log.samples[0].error:
        return [ERROR]
    return [str(row.status) for row in Run(path).rows]


def measure(folder: Path, tasks: Path | None, *, inspected: bool) -> list[dict[str, Any]]:
    """Return what became of each kind in each benchmark."""
    suite, mazes = folder / "suite", folder / "mazes"
    worldquiz("t2q", "build", "--preset", "easy", "--worlds", 1, "--seed", 11, "--out", suite)
    worldquiz("mango", "generate", "--mazes", 1, "--size", 8, "--seed", 1, "--out", mazes)
    commands: dict[str, tuple[Sequence[object], int]] = {
        "Task2Quiz": (("t2q", "run", suite, "--max-steps", 1), 23),
        "MANGO": (("mango", "run", mazes, "--per-maze", 8), 16),
        "TEA": (("tea", "run", tasks, "--tasks", 16, "--walks", 0), 16),
    }
    if inspected:
        commands = {
            "Task2Quiz": (("worldquiz/t2q", *given(suite=suite, max_steps=1)), 23),
            "MANGO": (("worldquiz/mango", *given(data=mazes, per_maze=8)), 16),
            "TEA": (("worldquiz/tea", *given(data=tasks, tasks=16)), 16),
        }
    if tasks is None:
        del commands["TEA"]
    found = {}
    for name, (command, questions) in commands.items():
        (folder / name).mkdir()
        ask = in_log if inspected else statuses
        found[name] = dict(ask(command, KINDS, questions, folder / name))
    return [{"kind": kind, **{name: told[kind] for name, told in found.items()}} for kind in KINDS]


def given(**options: object) -> Iterator[object]:
    """Yield the options of a task as inspect's command takes them."""
    for name, value in options.items():
        yield from ("-T", f"{name}={value}")


def show(lines: Sequence[dict[str, Any]], console: Console) -> None:
    """Print the table."""
    table = Table(*lines[0])
    for line in lines:
        table.add_row(*line.values())
    console.print(table)


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tasks", type=Path)
    parser.add_argument("--inspect", action="store_true")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    logging.getLogger("uvicorn.error").disabled = True  # a client that gives up is no error here
    with tempfile.TemporaryDirectory() as name:
        lines = measure(Path(name), asked.tasks, inspected=asked.inspect)
    if asked.json:
        print(json.dumps(lines, indent=2))
    else:
        show(lines, Console())


if __name__ == "__main__":
    main()
