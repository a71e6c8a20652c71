"""kill -9 in the middle of a model's run: no call of a finished world is made again.

The model server outlives the kills, so it can tell who called when. Two kills by default;
``WORLDQUIZ_KILLS=20`` gives twenty, in rounds of at most five, each in a folder of its own.
"""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from command import worldquiz
from modelserver import Failure, Running, Script, perfect, serving
from modelserver.prompts import role_of
from process import PATIENCE, ended, killed_after
from worldquiz.llm.client import FEW
from worldquiz.llm.records import Purpose, Usage
from worldquiz.t2q.store import read_run

KILLS = int(os.environ.get("WORLDQUIZ_KILLS", "2"))
ROUND = 5  # kills of one run at most
BUILD = ("t2q", "build", "--preset", "paper", "--worlds", "1", "--seed", "7", "--jobs", "1")
SHORT = ("--model", "m", "--memory", "in-context", "--max-steps", "4", "--batch", "3")
NEVER = 10**9  # tokens from which on prompts are cached: what is cached depends on who asked before

Calls = Counter[str]  # by world


def run(suite: Path, server: Running, out: Path, *more: object) -> list[object]:
    return ["t2q", "run", suite, *SHORT, "--base-url", server.base_url, "--out", out, *more]


def done(*arguments: object) -> None:
    """Let a command of this process come to its end."""
    said = worldquiz(*arguments)
    assert said.code == 0, said.err


def tree(folder: Path) -> dict[str, bytes]:
    """Return every file of a run, hidden ones too."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def finished(out: Path) -> set[str]:
    """Return the worlds whose folders stand there whole."""
    return {path.name for path in out.glob("worlds/*") if not path.name.startswith(".")}


@dataclass
class Ledger:
    """Whose calls the server has served. Every prompt shows its world's first observation."""

    server: Running
    openings: dict[str, str]  # by world
    seen: int = 0  # calls that were told of before

    def news(self) -> Calls:
        """Return the calls since the last time, once the server has no more to do."""
        arrived, deadline = -1, time.monotonic() + PATIENCE
        while arrived != (stats := self.server.stats())["arrived"] or stats["ended"] < arrived:
            arrived = stats["arrived"]
            assert time.monotonic() < deadline, f"calls never end: {stats}"
            time.sleep(0.05)
        fresh, self.seen = self.server.calls[self.seen :], arrived
        return Counter(self._world(call.prompt) for call in fresh)

    def _world(self, prompt: str) -> str:
        found = [world for world, opening in self.openings.items() if opening in prompt]
        assert len(found) == 1, f"a prompt of {found}: {prompt[:200]}"
        return found[0]


@dataclass
class Killer:
    """Kills a command once the server has served some of the calls that it has yet to make."""

    ledger: Ledger
    whole: Calls  # what each world takes
    draw: random.Random
    partly: int = field(default=0)  # kills that left some worlds finished and others not
    strikes: int = field(default=0)  # of this run; each may cost the calls under way, FEW in a quiz
    done: Calls = field(default_factory=Counter)  # calls of this run, by world

    def strike(self, command: Sequence[object], out: Path) -> bool:
        """Kill a command and look at its calls; tell whether it was still running."""
        before = finished(out)
        self.strikes += 1
        unfinished = self.whole.keys() - before
        left = sum(max(1, self.whole[world] - self.done[world]) for world in unfinished)
        enough = self.ledger.seen + max(1, round(left * self.draw.uniform(0.15, 0.95)))
        in_time = killed_after(self.ledger.server, enough, *command)
        self.check(before, out)
        return in_time

    def check(self, before: set[str], out: Path) -> None:
        """Compare the calls made since the last look with an undisturbed run's."""
        calls, after = self.ledger.news(), finished(out)
        assert before <= after
        self.partly += 0 < len(after) < len(self.whole)
        for world, count in self.whole.items():
            if world in before:
                assert calls[world] == 0, f"{world} was finished and is asked again"
            else:
                assert calls[world] <= count
            self.done[world] += calls[world]
            assert self.done[world] <= count + FEW * self.strikes, "a kept call was made again"


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("suite") / "paper"
    done(*BUILD, "--out", folder)
    return folder


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with serving(perfect(), minimum=NEVER) as running:
        yield running


@dataclass(frozen=True)
class Calm:
    """A run that nobody disturbed."""

    out: Path
    openings: dict[str, str]
    calls: Calls


@pytest.fixture(scope="module")
def calm(suite: Path, server: Running, tmp_path_factory: pytest.TempPathFactory) -> Calm:
    out = tmp_path_factory.mktemp("calm") / "run"
    before = server.stats()["arrived"]
    done(*run(suite, server, out))
    openings = {
        played.bundle.spec.id: played.episodes[0].steps[0].observation.text.strip()
        for played in read_run(out).worlds
    }
    assert len(set(openings.values())) == len(openings) == 3
    return Calm(out, openings, Ledger(server, openings, before).news())


def test_the_server_and_the_records_count_the_same_calls(calm: Calm) -> None:
    counted = {
        played.bundle.spec.id: sum(usage.calls for usage in played.trace.usage)
        for played in read_run(calm.out).worlds
    }
    assert counted == calm.calls


def test_a_killed_run_repeats_no_call_of_finished_worlds_and_ends_with_the_same_bytes(
    suite: Path, server: Running, calm: Calm, tmp_path: Path
) -> None:
    """Every other command spreads the worlds over two processes."""
    ledger = Ledger(server, calm.openings, server.stats()["arrived"])
    killer = Killer(ledger, calm.calls, random.Random(3))
    expected, hits, rounds = tree(calm.out), 0, 0
    while hits < KILLS:
        out = tmp_path / f"round-{(rounds := rounds + 1)}"
        command, struck = run(suite, server, out), 0
        killer.strikes, killer.done = 0, Counter()
        while struck < min(ROUND, KILLS - hits):
            if not killer.strike([*command, "--jobs", 2 - struck % 2], out):
                break
            struck += 1
        hits += struck
        before = finished(out)
        done(*command)
        killer.check(before, out)
        assert tree(out) == expected
    assert killer.partly, "every kill came before the first world or after the last one"


def refusing(script: Script, opening: str) -> Script:
    """Fail whenever one world's quiz is asked, as often as it is tried again."""
    failure = Failure(500, "The server had an error while processing your request")
    return lambda request: (
        failure if role_of(request) == "batch" and opening in request.text else script(request)
    )


def test_a_provider_that_fails_in_one_world_costs_that_world_only(
    suite: Path, server: Running, calm: Calm, tmp_path: Path
) -> None:
    """And the number of connections changes no byte: the calm run had more."""
    out, victim = tmp_path / "run", "medium-00"
    with serving(refusing(perfect(), calm.openings[victim]), minimum=NEVER) as failing:
        said = ended(*run(suite, failing, out, "--retries", 1, "--connections", 2, "--json"))
    (reason,) = said.json["failed"]["reasons"]
    assert "500" in reason
    assert finished(out) == set(calm.openings)

    ledger = Ledger(server, calm.openings, server.stats()["arrived"])
    ended(*run(suite, server, out, "--connections", 2, "--retry-failed"))
    asked = sum(usage.calls for usage in quizzed(calm.out, victim))
    assert ledger.news() == {victim: asked}
    assert tree(out) == tree(calm.out)


def quizzed(out: Path, world: str) -> list[Usage]:
    """Return what a world's quiz took."""
    (played,) = (each for each in read_run(out).worlds if each.bundle.spec.id == world)
    return [usage for usage in played.trace.usage if usage.purpose is Purpose.QUIZ]
