"""The drawing of a maze: what steps tell of, what questions are about, and that names are text."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path
from typing import Any

import people
import worldquiz as wq
from mango_folder import Move, write_maze

NASTY = "</script><img src=x onerror=alert(1)> & \"'"


def drawn(run: wq.Run, world: str) -> Any:
    assert run.kind.drawings is not None
    return run.kind.drawings(run.path, None)(world)


def files(run: wq.Run) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the moves and places of a run's maze."""
    home = run.path.with_name(f"mazes-of-{run.path.name}") / "maze-00" / "steps70"
    edges, places = (json.loads((home / f"maze-00.{name}.json").read_text("utf-8"))
                     for name in ("edges", "locations"))  # fmt: skip
    return edges, places


def test_steps_tell_of_every_move_once_in_the_order_of_the_walkthrough(tmp_path: Path) -> None:
    run = wq.load(people.mazes(tmp_path / "run"))
    found, (edges, places) = drawn(run, "maze-00"), files(run)
    first = {part: step.step for step in found.steps for part in step.shows}
    assert {n: first.get(n) for n, _ in enumerate(edges)} == {
        n: each["edge_min_step_answerable"] for n, each in enumerate(edges)
    }
    assert set(range(len(edges), len(edges) + len(places))) <= first.keys()
    assert found.steps[1].text.startswith("> ")
    assert drawn(run, "elsewhere") is None


def test_a_question_is_about_a_route_and_its_ends(tmp_path: Path) -> None:
    run = wq.load(people.mazes(tmp_path / "run"))
    found, (edges, places) = drawn(run, "maze-00"), files(run)
    assert len(found.about) == 4
    for parts in found.about.values():
        route = [edges[n] for n in parts if n < len(edges)]
        assert all(one["dst_node"] == two["src_node"] for one, two in pairwise(route))
        ends = {places[n - len(edges)] for n in parts if n >= len(edges)}
        assert ends == {route[0]["src_node"], route[-1]["dst_node"]}


def svg(folder: Path, *moves: Move) -> str:
    """Return the drawing of a maze with some moves."""
    mazes = wq.mango.load(write_maze(folder / "data", moves))
    told = drawn(mazes.run("go", out=folder / "run"), "toy").svg
    ET.fromstring(told)
    return str(told)


def test_one_way_moves_have_an_arrow_and_others_do_not(tmp_path: Path) -> None:
    one = svg(tmp_path / "one", ("a", "north", "b", 1, None))
    both = svg(tmp_path / "both", ("a", "north", "b", 1, 2), ("b", "south", "a", 2, 1))
    assert (one.count('Z"'), both.count('Z"')) == (1, 0)


def test_moves_without_a_line_are_told_in_the_box_that_they_leave(tmp_path: Path) -> None:
    told = svg(
        tmp_path, ("hall", "up", "roof", 1, None), ("hall", "wave", "hall", 2, None),
        ("hall", "north", "attic", 3, None), ("hall", "pray", "attic", 4, None),
    )  # fmt: skip
    for said in ("▲ up: roof", "→ wave: back here", "→ pray: attic"):
        assert f">{said}</text>" in told
    assert "north: attic" not in told


def test_names_are_text(tmp_path: Path) -> None:
    told = svg(tmp_path, (NASTY, "north", "b", 1, None), ("b", NASTY, "c", 2, None))
    assert "<img" not in told
