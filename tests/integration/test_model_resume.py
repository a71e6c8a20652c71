"""kill -9 amid a model's run: what is resumed has the same bytes, and asks no finished world again.

The model server outlives the kills, so it can tell who called when.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from deep import DEEP
from modelserver import Failure, Reply, Request, Running, perfect, serving
from modelserver.prompts import role_of
from process import answered, ended, killed_after
from worldquiz.llm.client import FEW

SHORT = ("--model", "m", "--memory", "in-context", "--max-steps", "4", "--batch", "3")
NEVER = 10**9  # tokens from which on prompts are cached: what is cached depends on who asked before
KILLS = (0.2, 0.4, 0.6, 0.8, 0.9) if DEEP else (0.5,)
"""After which share of the calls that are left a run is killed."""


def run(suite: Path, server: Running, out: Path, *more: object) -> list[object]:
    return ["t2q", "run", suite, *SHORT, "--base-url", server.base_url, "--out", out, *more]


def tree(folder: Path) -> dict[str, bytes]:
    """Return every file of a run, hidden ones too."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def worlds(out: Path) -> set[str]:
    """Return the worlds that are finished."""
    kept = [*out.glob("*rows.jsonl"), *out.glob("worlds/[!.]*/rows.jsonl")]
    return {json.loads(line)["world"] for path in kept for line in path.read_text().splitlines()}


def opening(out: Path, world: str) -> str:
    """Return what is read first in a world, which every prompt about it holds."""
    lines = map(json.loads, (out / "episodes.jsonl").read_text("utf-8").splitlines())
    first = next(line for line in lines if line["world"] == world)["steps"][0]["observation"]
    return str(first["text"]).strip()


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three worlds of three levels."""
    folder = tmp_path_factory.mktemp("suite") / "paper"
    ended("t2q", "build", "--preset", "paper", "--worlds", 1, "--seed", 7, "--jobs", 1,
          "--out", folder)  # fmt: skip
    return folder


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with serving(perfect(), minimum=NEVER) as running:
        yield running


@pytest.fixture(scope="module")
def calm(suite: Path, server: Running, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nobody disturbed."""
    out = tmp_path_factory.mktemp("calm") / "run"
    ended(*run(suite, server, out))
    return out


def test_a_killed_run_repeats_no_call_of_finished_worlds_and_ends_with_the_same_bytes(
    suite: Path, server: Running, calm: Path, tmp_path: Path
) -> None:
    """The command spreads the worlds over two processes, and goes on in one."""
    out, whole = tmp_path / "run", Counter(call.digest for call in server.calls)
    before, strikes = answered(server), 0
    for share in KILLS:
        enough = answered(server) + share * max(1, len(whole) - answered(server) + before)
        strikes += killed_after(server, enough, *run(suite, server, out, "--jobs", 2))
        answered(server)
    assert strikes
    finished, cut = worlds(out), len(server.calls)
    ended(*run(suite, server, out))
    assert finished < worlds(out)
    asked = Counter(call.digest for call in server.calls[before:])
    assert asked.keys() == whole.keys()
    assert (asked - whole).total() <= 2 * FEW * strikes  # calls that were under way, in 2 processes
    again = "\n".join(call.prompt for call in server.calls[cut:])
    assert not [name for name in finished if opening(out, name) in again]
    assert tree(out) == tree(calm)


def test_a_provider_that_fails_in_one_world_costs_that_world_only(
    suite: Path, server: Running, calm: Path, tmp_path: Path
) -> None:
    """And the number of connections changes no byte: the calm run had more."""
    out, honest = tmp_path / "run", perfect()
    victim = next(call.prompt[-900:-500] for call in server.calls if call.role == "batch")

    def failing(request: Request) -> Reply:
        struck = role_of(request) == "batch" and victim in request.prompt
        return Failure(500, "The server had an error") if struck else honest(request)

    with serving(failing, minimum=NEVER) as other:
        said = ended(*run(suite, other, out, "--retries", 1, "--connections", 2, "--json"))
    (reason,) = said.json["failed"]["reasons"]
    assert "500" in reason
    assert worlds(out) == worlds(calm)
    before = answered(server)
    ended(*run(suite, server, out, "--connections", 2, "--retry-failed"))
    asked = server.calls[before:]
    assert {call.role for call in asked} == {"batch"}
    assert all(victim in call.prompt for call in asked)
    assert tree(out) == tree(calm)
