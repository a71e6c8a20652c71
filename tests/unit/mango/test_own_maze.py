"""Mazes of one's own: labels in an example, and what is refused, by thing, value and place."""

from __future__ import annotations

import json
import re
from pathlib import Path
from time import process_time
from typing import Any

import networkx
import pytest

import worldquiz as wq
from command import worldquiz

HOUSE = """from,move,to
hall,north,kitchen
kitchen,south,hall
kitchen,up,attic
attic,down,kitchen
hall,jump,cellar
cellar,climb ladder,hall
"""
WALK = """move,place,text
,hall,You wake up in the hall.
N,kitchen,"Kitchen
It smells of bread."
open oven,kitchen,
u,,It is dark.
wait,attic,"Now you see: an attic."
"""


def written(folder: Path, moves: str = HOUSE, walk: str = "", name: str = "house.csv") -> Path:
    """Write a file of moves, with a walkthrough beside it; return where it lies."""
    (folder / name).write_text(moves)
    if walk:
        (folder / "house.walkthrough.csv").write_text(walk)
    return folder / name


def labels(folder: Path) -> dict[tuple[str, str], list[int]]:
    """Return the steps that take each move, its way back, and at which the text has told both."""
    edges = json.loads((folder / "house" / "full" / "house.edges.json").read_text())
    names = ("seen_in_forward", "seen_in_reversed", "edge_min_step_answerable")
    return {(e["src_node"], e["action"]): [e[name] for name in names] for e in edges}


def test_labels_follow_from_the_walkthrough_and_its_text(tmp_path: Path) -> None:
    said = worldquiz("mango", "build", "--from", written(tmp_path, walk=WALK), "--out",
                     tmp_path / "m", "--json")  # fmt: skip
    assert said.json == {"mazes": {"house": {"places": 4, "edges": 6, "imputed": 4, "steps": 4}}}
    assert labels(tmp_path / "m") == {
        ("hall", "north"): [1, 9999, 1], ("kitchen", "south"): [9999, 1, 1],
        ("kitchen", "up"): [3, 9999, 4], ("attic", "down"): [9999, 3, 4],
        ("hall", "jump"): [9999] * 3, ("cellar", "climb ladder"): [9999] * 3,
    }  # fmt: skip
    text = (tmp_path / "m" / "house" / "steps70" / "house.walkthrough").read_text()
    assert "ACT: north\n==>OBSERVATION: Kitchen\nIt smells of bread.\n" in text
    assert "ACT: open oven\n==>OBSERVATION: Kitchen\nYou are in the kitchen. From here" in text
    assert worldquiz("check", tmp_path / "m").code == 0
    asked = wq.load(tmp_path / "m").run("keeper", choice="published", out=tmp_path / "run").rows
    assert {row.gold for row in asked if row.type == "df"} == {"hall", "kitchen", "attic"}


GRAPH = networkx.DiGraph([("hall", "attic", {"move": "up"}), ("attic", "hall", {"move": "down"})])
ALONE, UNNAMED = GRAPH.copy(), GRAPH.copy()
ALONE.add_node("well")
UNNAMED.add_edge("attic", "roof")
TWO = [("hall", "up", "attic"), ("attic", "down", "hall")]


@pytest.mark.parametrize(
    ("edges", "more", "fault"),
    [
        ([], {}, "contains no moves: expected rows with columns from, move, to"),
        ([("hall", "up")], {}, "edge 1: no 'to': expected the columns from, move, to"),
        ([*TWO, {"from": "hall", "move": "", "to": "den"}], {}, "edge 3: 'move' must be one"),
        ([*TWO, ("den", "go\nup", "attic")], {}, "edge 3: 'move' must be one line"),
        ([*TWO, 3], {}, "edge 3: 3 is not a row with columns from, move, to"),
        ([*TWO, ("hall", "Up", "den")], {},
         "edge 3: 'Up' from 'hall' leads to 'den' here, but to 'attic' in edge 1: remove"),
        ([*TWO, TWO[0]], {}, "edge 3: 'up' from 'hall' leads to 'attic' here"),
        ([*TWO, ("Hall ", "in", "den")], {}, "edge 3: use one spelling for 'Hall ' and 'hall'"),
        ([*TWO, ("den", "out", "hall")], {}, "the move 'out' from 'den' is left out"),
        ([*TWO, ("a", "in", "b"), ("b", "out", "a")], {}, "the move 'in' from 'a' is left out"),
        (TWO, {"walkthrough": [("", "atic")]}, "start 'atic': no such place; did you mean 'attic'"),
        (TWO, {"walkthrough": []}, "the walkthrough never moves from one named place to another"),
        (TWO, {"walkthrough": [("up", "", "Dark.")]}, "never moves from one named place"),
        (TWO, {"walkthrough": ["up", "up"]}, "step 2, 'up' from 'attic': leads to another "
         "place in the walkthrough, but to no place on the map"),
        (TWO, {"walkthrough": [("up", "hall")]},
         "step 1, 'up' from 'hall': leads to 'hall' in the walkthrough, but to 'attic' on the map"),
        (TWO, {"walkthrough": [7]}, "row 1 of the walkthrough: 7 is not a row with columns move"),
        (networkx.Graph([("hall", "attic")]), {}, "the graph is not directed: pass a DiGraph or a"),
        (ALONE, {}, "place 'well' is isolated: no move leads to or from it"),
        (UNNAMED, {}, "edge 3: 'move' must be one line of text: ('attic', None, 'roof')"),
    ],
)  # fmt: skip
def test_what_cannot_be_a_maze_is_refused(edges: Any, more: dict[str, Any], fault: str) -> None:
    with pytest.raises(wq.WorldquizError, match=f"^tower: .*{re.escape(fault)}"):
        wq.mango.maze(edges, name="tower", **more)


@pytest.mark.parametrize(
    ("name", "moves", "walk", "fault"),
    [
        ("house.csv", "", "", "house.csv: contains no move"),
        ("house.csv", "from,move,dest\nhall,up,attic\n", "", "edge 1: no 'to': expected"),
        ("house.csv", "hall,up,attic\n" * 2, "", "edge 1: no 'from': expected the columns"),
        ("house.csv", "from,move,to\nhall,up\n", "", "edge 1: 'to' must be one line of text"),
        ("house.csv", HOUSE, WALK.replace("u,,", "u,cellar,"), "house.csv: step 3, 'u' from 'ki"
         "tchen': leads to 'cellar' in the walkthrough, but to 'attic' on the map"),
        ("house.csv", HOUSE, "act,place\nup,attic\n",
         "row 1 of the walkthrough: no 'move': expected the columns move, place, text"),
        ("house.json", "[[", "", "house.json: is not JSON"),
        ("house.json", "3", "", "house.json: record: Input should be a valid array: 3"),
        ("house.json", '{"edges": []}', "", "house.json: record: Input should be a valid array"),
        ("house.graphml", "<graphml>", "", "house.graphml: is not GraphML: no element found"),
        ("house.txt", HOUSE, "", "house.txt: expected a .csv, .json or .graphml file"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_maze_is_refused_in_one_line(
    name: str, moves: str, walk: str, fault: str, tmp_path: Path
) -> None:
    path = written(tmp_path, moves, walk, name)
    said = worldquiz("mango", "build", "--from", path, "--out", tmp_path / "m")
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert str(path) in said.err
    assert fault in said.err
    assert not (tmp_path / "m").exists()


def test_files_and_options_that_do_not_go_together(tmp_path: Path) -> None:
    path, out = written(tmp_path), ("--out", tmp_path / "m")
    for wrong, fault in (
        (("--from", path, "--seed", 1), "leave out --seed and --mazes"),
        (("--from", path, "--mazes", 2), "leave out --seed and --mazes"),
        (("--from", path, "--size", 9), "parameters are for generated mazes only"),
        (
            ("--from", path, "--from", path),
            "expected 1 or more with different names, got house, house",
        ),
        (("--from", tmp_path / "none.csv"), "none.csv: no such file"),
    ):
        said = worldquiz("mango", "build", *wrong, *out)
        assert (said.code, fault in said.err) == (2, True), said.err
    assert worldquiz("mango", "build", "--from", path, *out).code == 0
    (tmp_path / "house.csv").write_text(HOUSE.replace("jump", "leap"))
    assert "a different maze 'house'" in worldquiz("mango", "build", "--from", path, *out).err


def test_a_way_of_no_return_is_walked_last() -> None:
    cave = [("hall", "down", "pit"), ("hall", "up", "attic"), ("attic", "down", "hall")]
    found = wq.mango.maze([*cave, ("pit", "dig", "grave")])
    assert [step.action for step in found.walkthrough] == ["Init", "up", "down", "down", "dig"]
    with pytest.raises(wq.WorldquizError, match="the move 'north' from 'hall' is left out"):
        wq.mango.maze([*cave, ("hall", "north", "moor")])


WAYS = {"east": (1, 0), "west": (-1, 0), "south": (0, 1), "north": (0, -1)}


def grid(size: int) -> list[tuple[str, str, str]]:
    """Return the moves of an open field, which has far too many paths to list."""
    places = {(x, y): f"field {x}.{y}" for x in range(size) for y in range(size)}
    return [
        (name, way, places[x + right, y + down])
        for (x, y), name in places.items()
        for way, (right, down) in WAYS.items()
        if (x + right, y + down) in places
    ]


@pytest.mark.parametrize(("size", "steps"), [(8, None), (8, 75), (20, 300)])
def test_an_open_field_is_asked_about(size: int, steps: int | None, tmp_path: Path) -> None:
    mazes = wq.mango.build(mazes=wq.mango.maze(grid(size)), out=tmp_path / "m")
    given: dict[str, Any] = {"per_maze": 24, "steps": steps or 10_000, "tasks": "df"}
    began = process_time()
    rows = mazes.run("keeper", out=tmp_path / "run", **given).rows
    assert process_time() - began < 10  # listing all paths takes hours
    assert [row.correct for row in rows] == [1.0] * 24
    asked = [(row.measures["source"], *row.measures["actions"]) for row in rows]
    assert len(set(asked)) == 24
    assert len({len(moves) for moves in asked}) > 5
    ends = {(source, way): target for source, way, target in grid(size)}
    for here, *moves in asked:  # from one of two places, moves may lead out of the field
        been = [here, *(here := ends.get((here, move), "") for move in moves)]
        assert "" in been or len(set(been)) == len(been)
    if steps is None:
        with pytest.raises(wq.WorldquizError, match="more than 20,000,000 simple paths"):
            mazes.run("keeper", out=tmp_path / "published", **given, choice="published")
    if steps:
        assert {row.level for row in rows} >= {"easy", "hard"}
    again = mazes.run("keeper", out=tmp_path / "again", **given)
    assert [row.item for row in again.rows] == [row.item for row in rows]
    other = mazes.run("keeper", out=tmp_path / "other", seed=1, **given)
    assert {row.item for row in other.rows} != {row.item for row in rows}
