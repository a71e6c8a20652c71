"""``worldquiz play``: a person plays a world at the terminal, then takes the same quiz, timed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from worldquiz.cli.shell import INTERRUPTED, Json, SuiteFolder, err, out
from worldquiz.facts.episode import Episode
from worldquiz.records import read_json, write_json
from worldquiz.runs.folder import claimed, world_folder, write_folder
from worldquiz.t2q import pipeline as t2q
from worldquiz.t2q.agents.human import Human
from worldquiz.t2q.cli.scores import print_scores
from worldquiz.t2q.run import Trial, finish, sit, start
from worldquiz.t2q.store import Bundle, Played, write_played
from worldquiz.t2q.suite import Suite, open_suite

TIMES = "times.json"
"""Seconds a person took, beside the records: these never hold a clock's time."""


class _Stop(Exception):
    """The person pressed ctrl-C."""


class _Terminal(Console):
    """A console whose ctrl-C stops the program, where `Human` would take it for giving up."""

    def input(self, *args: Any, **options: Any) -> str:
        """Return a line that was typed."""
        try:
            return super().input(*args, **options)
        except KeyboardInterrupt:
            raise _Stop from None


def play(
    suite_folder: SuiteFolder,
    world: Annotated[
        list[str] | None, typer.Option(help="A world of the suite; the first if absent.")
    ] = None,
    out_folder: Annotated[Path, typer.Option("--out", help="Where the run goes.")] = Path(
        "worldquiz-play"
    ),
    max_steps: Annotated[int, typer.Option(min=0, help="Commands a task.")] = t2q.MAX_STEPS,
    json: Json = False,
) -> None:
    """Play a world yourself, then take its quiz. Ctrl-D gives a task up, ctrl-C stops for today."""
    suite = open_suite(suite_folder)
    suite.require_games()
    bundles = [suite.bundle(name) for name in dict.fromkeys(world or suite.worlds[:1])]
    trial = Trial("human", "human", max_steps=max_steps)
    console = _Terminal(stderr=json, highlight=False)
    with claimed(out_folder):
        start(suite, trial, [bundle.spec.id for bundle in bundles], out_folder)
        try:
            for bundle in bundles:
                _play(suite, trial, bundle, out_folder, console)
        except (_Stop, KeyboardInterrupt):
            err().print("\nstopped; worlds played to the end are kept: give the same command again")
            raise typer.Exit(INTERRUPTED) from None
        run = finish(out_folder)
    print_scores(run, json=json)
    if not json:
        out().print(f"run: {out_folder}", markup=False)


def _play(suite: Suite, trial: Trial, bundle: Bundle, folder: Path, console: Console) -> None:
    """Play one world, unless it has been; keep it and the time that it took."""
    name = bundle.spec.id
    target = world_folder(folder, name)
    if target.is_dir():
        return
    played, seconds = _timed(suite, bundle, trial, console)
    write_folder(target, partial(write_played, played=played))
    known = read_json(folder / TIMES) if (folder / TIMES).is_file() else {}
    write_json(folder / TIMES, {**known, name: seconds})
    console.print(f"{seconds['play']} s of playing, {seconds['quiz']} s for the quiz.")


def _timed(
    suite: Suite, bundle: Bundle, trial: Trial, console: Console
) -> tuple[Played, dict[str, float]]:
    """Let a person play and answer; return that, and the seconds that each took."""
    person, marks = Human(console), [time.monotonic()]

    def quiz(episodes: Sequence[Episode]) -> Human:
        marks.append(time.monotonic())
        return person

    with suite.opened(bundle) as game:
        console.print(
            f"World {bundle.spec.id}: {len(bundle.tasks)} tasks of up to {trial.max_steps} "
            f"commands, then {len(bundle.questions)} questions about how the world was at the "
            "start of each task."
        )
        played = asyncio.run(sit(game, bundle, trial, person, quiz))
    begun, between, ended = (*marks, time.monotonic())
    return played, {"play": round(between - begun, 1), "quiz": round(ended - between, 1)}
