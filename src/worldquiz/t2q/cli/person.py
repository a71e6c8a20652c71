"""A person's run at the terminal: worlds are played, then their quizzes are taken."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from worldquiz.cli.shell import stopped_code, warn
from worldquiz.errors import AGAIN
from worldquiz.facts.episode import Episode
from worldquiz.records import read_json, write_json
from worldquiz.runs.folder import HUMAN
from worldquiz.runs.life import live
from worldquiz.t2q.agents.human import Human
from worldquiz.t2q.budget import Budget, PerTask, walkthrough
from worldquiz.t2q.budget import budget as budget_of
from worldquiz.t2q.run import OnSuite, Trial, sit
from worldquiz.t2q.run_folder import PlayedWorlds
from worldquiz.t2q.store import Bundle, Played
from worldquiz.t2q.suites import open_suite

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


@dataclass(frozen=True)
class PersonRun(OnSuite):
    """A run of a person at the terminal, on some worlds of a suite."""

    worlds: Sequence[str]
    budget: Budget
    console: Console
    engine: str | None = None

    @property
    def units(self) -> Sequence[str]:
        """The worlds that are played."""
        return self.worlds

    @property
    def trial(self) -> Trial:
        """The person acts and answers."""
        return Trial(HUMAN, HUMAN, budget=self.budget, engine=self.engine)

    @property
    def manifest(self) -> dict[str, Any]:
        """Manifest of the run."""
        return self.stated(self.trial.record())

    def require(self) -> None:
        """Check that the worlds are there and can be played."""
        self.suite.first_opened(self.engine)
        for world in self.worlds:
            self.suite.entry(world)

    def produce(self, left: Sequence[str], kept: PlayedWorlds, out: Path) -> None:
        """Let the person play; keep each world, and the time that it took."""
        for world in left:
            played, seconds = self._timed(self.suite.bundle(world))
            kept.keep_played(played)
            known = read_json(out / TIMES) if (out / TIMES).is_file() else {}
            write_json(out / TIMES, {**known, world: seconds})
            self.console.print(f"{seconds['play']} s of playing, {seconds['quiz']} s for the quiz.")

    def _most(self, bundle: Bundle) -> str:
        """Say how many commands there are."""
        if isinstance(self.budget, PerTask):
            return f"{self.budget.commands} commands"
        return f"{self.budget.of(walkthrough(bundle.tasks))} commands together"

    def _timed(self, bundle: Bundle) -> tuple[Played, dict[str, float]]:
        """Let a person play and answer; return that, and the seconds that each took."""
        person, marks = Human(self.console), [time.monotonic()]

        def quiz(episodes: Sequence[Episode]) -> Human:
            marks.append(time.monotonic())
            return person

        with self.suite.opened(bundle, self.engine) as game:
            self.console.print(
                f"World {bundle.spec.id}: {len(bundle.tasks)} tasks of up to {self._most(bundle)}, "
                f"then {len(bundle.questions)} questions about how the world was at the start of "
                "each task."
            )
            played = asyncio.run(sit(game, bundle, self.trial, person, quiz))
        begun, between, ended = (*marks, time.monotonic())
        return played, {"play": round(between - begun, 1), "quiz": round(ended - between, 1)}


def played(
    folder: Path,
    world: Sequence[str],
    out: Path,
    max_steps: int | None,
    times: float | None,
    engine: str | None,
    *,
    json: bool,
) -> dict[str, Any]:
    """Let a person play worlds of a suite (the first if none is named), and return the scores."""
    suite = open_suite(folder)
    worlds = tuple(dict.fromkeys(world or suite.worlds[:1]))
    allowed = budget_of(max_steps, times, suite.budget)
    console = _Terminal(stderr=json, highlight=False)
    try:
        return live(PersonRun(suite, worlds, allowed, console, engine), out)
    except (_Stop, EOFError, KeyboardInterrupt):
        warn(f"\nstopped; worlds played to the end are kept: {AGAIN}")
        raise click.exceptions.Exit(stopped_code()) from None
