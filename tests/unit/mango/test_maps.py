"""Published mazes, counted and turned into questions; the commands that do it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from conftest import Cli
from mango_data import edge, maze_of
from worldquiz.errors import KnobError
from worldquiz.mango.maze import Edge, Sight
from worldquiz.mango.paths import Route
from worldquiz.mango.published import Layout, write
from worldquiz.mango.stats import questions, row, stats
from worldquiz.mango.walkthrough import WalkStep

TOLD_LATER = Edge("b", "on", "c", Sight(4, None), Sight(6, None))
MAP = maze_of(edge("a", "on", "b", 1, 3), edge("b", "back", "a", None, 1), TOLD_LATER, steps=5)


def publish(folder: Path, name: str, edges: Sequence[Edge], steps: int) -> None:
    """Write a maze in the layout of full maps."""

    def step(at: int | None) -> int:
        return 9999 if at is None else at

    home = folder / name / "full"
    home.mkdir(parents=True)
    entries = [
        {
            "src_node": e.source, "dst_node": e.target, "action": e.action,
            "seen_in_forward": step(e.seen.forward), "seen_in_reversed": step(e.seen.backward),
            "edge_min_step": step(e.seen.first),
            "seen_in_forward_answerable": step(e.told.forward),
            "seen_in_reversed_answerable": step(e.told.backward),
            "edge_min_step_answerable": step(e.told.first),
        }
        for e in edges
    ]  # fmt: skip
    places = sorted({place for e in edges for place in (e.source, e.target)})
    (home / f"{name}.edges.json").write_text(json.dumps(entries))
    (home / f"{name}.nodes.json").write_text(json.dumps(places))
    acts = "".join(f"{n}: go\n" for n in range(1, steps + 1))
    (home / f"{name}.walkthrough_acts").write_text(acts)


WALKED = replace(
    MAP, name="toy", steps=8, walkthrough=tuple(WalkStep(n, "go", "Here.") for n in range(9))
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    publish(tmp_path / "data", "toy", MAP.edges, 8)
    return tmp_path / "data"


def test_stats_by_game(data: Path) -> None:
    assert stats(data)["toy"] == row(maze_of(*MAP.edges, steps=8), None, Route.ANY)
    with pytest.raises(KnobError, match="steps 0: give a number from 1"):
        stats(data, steps=0)
    with pytest.raises(
        KnobError, match="steps70 layout of toy ends at step 70; take --layout full"
    ):
        stats(write(WALKED, data).folder.parent.parent, Layout.STEPS70, 71)


def test_prefixes_count_by_the_shortest_route_and_whole_walks_by_any(data: Path) -> None:
    detour = (edge("a", "on", "b", 1), edge("b", "on", "c", 2), edge("a", "leap", "c", None, 3))
    publish(data, "way", detour, 8)
    assert stats(data)["way"] == row(maze_of(*detour, steps=8), None, Route.ANY)
    assert stats(data, steps=7)["way"] == row(maze_of(*detour, steps=8), 7, Route.SHORTEST)
    assert stats(data)["way"]["rf_hard"] == 0
    assert stats(data, steps=7)["way"]["rf_hard"] == 1
    assert stats(data, steps=7, rf_easy=Route.ANY)["way"]["rf_hard"] == 0
    short = write(replace(WALKED, name="short"), data)
    assert stats(data)["short"] == row(WALKED, 70, Route.SHORTEST)
    assert short.layout is Layout.STEPS70


def test_questions_of_a_prefix(data: Path, tmp_path: Path) -> None:
    whole = questions(data, tmp_path / "out")["toy"]
    lines = [len(Path(path).read_text().splitlines()) for path in whole["files"]]
    assert (whole["paths"], lines) == (4, [4, 6])
    assert questions(data, tmp_path / "out", steps=5)["toy"]["paths"] == 2


@pytest.mark.slow
def test_the_commands(cli: Cli, data: Path, tmp_path: Path) -> None:
    counted = ("mango", "stats", data)
    assert cli(*counted, "--json").json == {**stats(data), "skipped": {}}
    assert cli(*counted, "--steps", 3, "--rf-easy", "shortest", "--json").json == (
        {**stats(data, steps=3, rf_easy=Route.SHORTEST), "skipped": {}}
    )
    assert "toy" in cli(*counted).out
    written = ("mango", "questions", data, "--out", tmp_path / "o")
    assert cli(*written, "--json").json["toy"]["paths"] == 4
    assert "toy" in cli(*written).out
