"""Tasks written by models behind a real server, with the loop and without, stopped and resumed."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from command import tree
from conftest import Cli
from modelserver import Failure, Reply, Request, Running, diverse, serving
from process import ended
from recalls import read_lines

pytest.importorskip("mujoco")
NEVER = 10**9  # tokens from which on prompts are cached: what is cached depends on who asked before
SETS = ("without", "first", "second")
OPTIONS = ("--tasks", 20, "--seed", 2)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small flat; of its own tasks there are few."""
    out = tmp_path_factory.mktemp("tea") / "data"
    ended(
        "tea", "build", "--preset", "tiny", "--scenes", 1, "--seed", 5, "--loops", 1,
        "--trajectories", 1, "--looks", 1, "--mirrors", 0, "--size", "320x240", "--out", out,
    )  # fmt: skip
    return out


def reached(data: Path, out: Path, server: Running) -> tuple[object, ...]:
    """Return the command that has a model write."""
    return (
        "tea", "write", data, *OPTIONS, "--out", out, "--model", "diverse",
        "--base-url", server.base_url, "--retries", 0, "--json",
    )  # fmt: skip


@pytest.fixture(scope="module")
def calm(data: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Running]:
    """What the diverse model writes when nobody disturbs it."""
    out = tmp_path_factory.mktemp("calm") / "diverse"
    with serving(diverse(), minimum=NEVER) as server:
        ended(*reached(data, out, server))
        return out, server


def scenes(out: Path) -> Any:
    return json.loads((out / "manifest.json").read_text())["scenes"]


def test_both_ways_write_as_many_tasks_from_the_same_first_pictures(
    calm: tuple[Path, Running],
) -> None:
    out, server = calm
    (told,) = scenes(out).values()
    counts = {part: one["tasks"] for part, one in told["parts"].items()}
    assert counts == {"without": 20, "first": 20, **{f"second-{n}": 4 for n in range(1, 6)}}
    asked = Counter(call.digest for call in server.calls)
    assert all(call.images == 1 for call in server.calls)
    views = {part: one["views"] for part, one in told["parts"].items()}
    twice = [digest for digest, count in asked.items() if count == 2]
    assert len(twice) == len(views["without"])  # words and picture alike
    assert views["first"][: len(views["without"])] == views["without"]
    for call in server.calls:  # no prompt tells which way asks
        words = set(call.prompt.lower().replace(".", " ").split())
        assert not words & {"tea", "loop", "first", "without", "second-1", "executed"}


def test_tasks_are_bound_to_what_their_view_shows(calm: tuple[Path, Running]) -> None:
    origins = set[str]()
    for name, told in scenes(calm[0]).items():
        folder = calm[0] / "scenes" / name
        things = json.loads((folder / "scene.json").read_text())["scene"]["things"]
        labels = {thing["id"]: thing["label"] for thing in things}
        seen = {view["id"]: {each["thing"] for each in view["sightings"]}
                for view in read_lines(folder / "views.jsonl")}  # fmt: skip
        tasks = read_lines(folder / "tasks.jsonl")
        own = [task for task in tasks if task["type"] == "command"]
        for task in own:
            thing = task["bind"]["object"]
            assert thing in seen[task["view"]]
            assert labels[thing] in task["command"]
        assert set(told["executed"]) <= {task["id"] for task in own if task["origin"] == "first"}
        origins |= {task["origin"].partition(" ")[0] for task in tasks}
    assert "reuse" in origins  # two commands about one thing, in two views, are rare here


def test_tables_measure_what_was_written_beside_the_papers(
    calm: tuple[Path, Running], tmp_path: Path, cli: Cli
) -> None:
    told = cli("tea", "tables", calm[0], "--jobs", 1, "--json").json
    assert told["paper"]["table_1"]["without"] == [0.307, 0.159]
    sets = [row for row in told["mir"] if row["set"] in SETS]
    assert all(row["optimal"] and row["tasks"] == 20 for row in sets)
    mean = {row["set"]: row["mean"] for row in told["means"]}
    assert all(0 < mean[name] <= 1 for name in SETS)
    for row in told["tests"]:
        one, two = row["difference"].split(" - ")
        assert row["mean"] == pytest.approx(mean[one] - mean[two])
        assert (row["scenes"], row["t"], row["p"]) == (1, None, None)  # one scene tells little
    printed = cli("tea", "tables", calm[0], "--jobs", 1).out
    assert "0.307 ± 0.159" in printed
    assert max(map(len, printed.splitlines())) <= 80
    twice = cli("tea", "tables", calm[0], calm[0], "--json")
    assert (twice.code, "as another folder, 'diverse'" in twice.err) == (2, True)
    other = cli("tea", "tables", tmp_path, "--json")
    assert (other.code, "not a finished folder of written tasks" in other.err) == (2, True)


def test_a_command_that_lost_its_model_asks_only_what_has_no_reply(
    data: Path, calm: tuple[Path, Running], tmp_path: Path, cli: Cli
) -> None:
    out, left, writer = tmp_path / "stopped", [5], diverse()

    def breaks(request: Request) -> Reply:
        left[0] -= 1
        return writer(request) if left[0] >= 0 else Failure(400, "no more")

    with serving(breaks, minimum=NEVER) as server:
        said = cli(*reached(data, out, server))
        assert (said.code, (out / "manifest.json").exists()) == (2, False)
    with serving(diverse(), minimum=NEVER) as server:
        assert cli(*reached(data, out, server)).code == 0
        assert len(server.calls) == len(calm[1].calls) - 5
        assert tree(out) == tree(calm[0])
        assert cli(*reached(data, out, server)).code == 0  # finished: nothing is asked again
        assert len(server.calls) == len(calm[1].calls) - 5
