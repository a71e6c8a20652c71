"""Mazes in MANGO's files: recognized, counted, checked, and refused by file and entry."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq
from command import Said, worldquiz
from conftest import no_file_beyond
from mango_data import mango_data
from mango_folder import Move, edge, write_maze

MOVES: tuple[Move, ...] = (("hall", "up", "attic", 1, 2), ("attic", "down", "hall", 2, 1))
TEXTS = ("Hall\nA hall.", "Attic", "H")


def mazes(root: Path, layout: str = "steps70", **more: Any) -> Path:
    return write_maze(root, MOVES, acts=("up", "down"), texts=TEXTS, layout=layout, **more)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder of one published game, "toy", in both layouts."""
    for layout in ("steps70", "full"):
        mazes(tmp_path / "data", layout)
    return tmp_path / "data"


def run(data: Path, *more: object) -> Said:
    out = data.with_name("run")
    return worldquiz("mango", "run", data, "--answerer", "keeper", "--out", out, *more, "--json")


def flat(data: Path, layout: str) -> Path:
    """Move a game's files into its own folder, and those of the other layout away."""
    other = {"full": "steps70", "steps70": "full"}[layout]
    for file in sorted((data / "toy" / layout).iterdir()):
        file.replace(data / "toy" / file.name)
    (data / "toy" / layout).rmdir()
    return (data / "toy" / other).rename(data.with_name("away"))


@pytest.mark.parametrize("layout", ["full", "steps70"])
def test_what_lies_flat_is_told_by_its_files(data: Path, layout: str) -> None:
    other = {"full": "steps70", "steps70": "full"}[layout]
    flat(data, layout)
    for folder in (data, data / "toy"):
        assert wq.load(folder).games == wq.mango.load(folder, layout).games == ("toy",)
        said = worldquiz("mango", "stats", folder, "--json").json["toy"]
        assert (said["locs"], said["edges"]) == (2, 2)
        with pytest.raises(wq.WorldquizError, match="is missing"):
            wq.mango.load(folder, other)


def test_other_folders_and_files_are_not_recognized(tmp_path: Path) -> None:
    (tmp_path / "cave").mkdir()
    (tmp_path / "cave" / "edges.json").write_text("[]")
    for path in (tmp_path, tmp_path / "cave", tmp_path / "nowhere"):
        with pytest.raises(wq.WorldquizError, match=r"no manifest.json|there is no such folder"):
            wq.load(path)
    with pytest.raises(wq.WorldquizError, match=r"GAME\.edges\.json"):
        wq.mango.load(tmp_path)
    with pytest.raises(wq.WorldquizError, match="no such folder of mazes"):
        wq.mango.load(tmp_path / "none")


def broken(change: Callable[[list[dict[str, Any]]], object]) -> str:
    edges = [edge(*move) for move in MOVES]
    change(edges)
    return json.dumps(edges)


WALK = "".join(
    f"===========\n==>STEP NUM: {number}\n==>ACT: {action}\n==>OBSERVATION: {text}\n\n"
    for number, action, text in zip(range(3), ("Init", "up", "down"), TEXTS, strict=True)
)


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("edges.json", broken(lambda e: e[1].update(edge_min_step=2)),
         "edges.json: edge 2: edge_min_step is 2, but must be the smaller of forward (2) and"),
        ("edges.json", broken(lambda e: e[0].pop("action")), "0.action: Field required"),
        ("edges.json", broken(lambda e: e[0].update(seen_in_forward="1")), "forward: Input"),
        ("edges.json", broken(lambda e: e[0].update(seen_in_forward=0)), "and at least 1"),
        ("edges.json", broken(lambda e: e.append(e[0])), "edge 3: 'hall' --> 'up' --> 'attic' is"),
        ("edges.json", broken(lambda e: e[0].update(dst_node="barn")), "'barn' is not in the list"),
        ("edges.json", broken(lambda e: e[0].update(action="hop")), "'hop' is not in the list"),
        ("edges.json", json.dumps([edge("hall", "up", "attic", 3, None)]),
         "edge 1: 'hall' --> 'up' --> 'attic' is shown at step 3, but the walkthrough has only 2"),
        ("edges.json", '[{"src_node": ', "at line 1 column 14): cut short or damaged"),
        ("edges.json", "{}", "edges.json: record: Input should be a valid array"),
        ("edges.json", "[3]", "edges.json: 0: Input should be an object"),
        ("locations.json", "[3]", "locations.json: 0: Input should be a valid string: 3"),
        ("walkthrough", WALK.replace("NUM: 2", "NUM: 3"), "walkthrough:13: expected step 2, found"),
        ("walkthrough", "nothing", "contains no steps"),
        ("walkthrough", WALK.replace("NUM: 0", "NUM: 1"), "walkthrough:2: expected step 0, found"),
    ],
)  # fmt: skip
def test_what_contradicts_is_refused(data: Path, name: str, text: str, complaint: str) -> None:
    file = data / "toy" / "steps70" / f"toy.{name}"
    file.write_text(text, "utf-8")
    said = run(data)
    assert said.code == 2
    assert complaint in said.err
    file.unlink()
    assert f"toy.{name}: is missing" in run(data, "--layout", "steps70").err


def test_a_list_of_actions_with_a_gap_is_refused(data: Path) -> None:
    (data / "toy" / "full" / "toy.walkthrough_acts").write_text("1: up\n3: d\n", "utf-8")
    said = run(data, "--layout", "full")
    assert "walkthrough_acts: ends with '3: d'; expected '2: ACTION'" in said.err


# Counting, as Tables 3, 5 and 6 do

ON = ("look",) * 5

MAP: tuple[Move, ...] = (
    ("a", "on", "b", 1, 3), ("b", "back", "a", None, 1), ("b", "on", "c", 4, None),
)  # fmt: skip
DETOUR: tuple[Move, ...] = (
    ("a", "on", "b", 1, None), ("b", "on", "c", 2, None), ("a", "leap", "c", None, 3),
    ("c", "fall", "a", 3, None),
)  # fmt: skip


def stats(data: Path, *more: object) -> Any:
    return worldquiz("mango", "stats", data, *more, "--json").json["way"]


def test_prefixes_count_by_the_shortest_route_and_whole_walks_by_any(tmp_path: Path) -> None:
    write_maze(tmp_path, DETOUR, name="way", acts=("on", "on", "fall", *ON), layout="full")
    assert stats(tmp_path)["rf_hard"] == 0
    assert stats(tmp_path, "--steps", 7)["rf_hard"] == 1
    assert "way" in worldquiz("mango", "stats", tmp_path).out


def test_questions_of_a_maze_and_counts_of_steps_that_there_are_not(tmp_path: Path) -> None:
    write_maze(tmp_path / "data", MAP, acts=("on", "look", "back", "on", *ON))
    asked = ("mango", "questions", tmp_path / "data", "--out", tmp_path / "out", "--json")
    whole = worldquiz(*asked).json["toy"]
    lines = [len(Path(path).read_text().splitlines()) for path in whole["files"]]
    assert (whole["paths"], lines) == (4, [4, 6])
    said = worldquiz("mango", "stats", tmp_path / "data", "--steps", 71)
    assert "steps70 layout of toy ends at step 70; use --layout full" in said.err


def test_a_full_disk_leaves_what_was_there(data: Path, tmp_path: Path) -> None:
    path = tmp_path / "out" / "toy.all2all.jsonl"
    path.parent.mkdir()
    path.write_text("before")
    with no_file_beyond(100):
        said = worldquiz("mango", "questions", data, "--out", path.parent)
    assert "cannot write" in said.err
    assert [each.read_text() for each in path.parent.iterdir()] == ["before"]


def test_limits_are_said_before_anything_is_searched(tmp_path: Path) -> None:
    row = [(f"p{n}", "north", f"p{n + 1}", 1, None) for n in range(2_001)]
    write_maze(tmp_path, row, name="line")
    for verb in (("stats",), ("questions", "--out", tmp_path / "out")):
        said = worldquiz("mango", verb[0], tmp_path, *verb[1:])
        assert "'line' has 2,002 places, more than the limit of 2,000" in said.err


# Checking


def test_a_move_that_its_step_does_not_take_is_named(data: Path) -> None:
    assert worldquiz("check", data).code == 0
    file = data / "toy" / "steps70" / "toy.edges.json"
    file.write_text(broken(lambda e: [each.update(seen_in_forward=9999, seen_in_reversed=2,
                                                  edge_min_step=2) for each in e[:1]]))  # fmt: skip
    assert worldquiz("check", data).code == 0
    file.write_text(file.read_text().replace('"seen_in_reversed": 2', '"seen_in_reversed": 1')
                    .replace('"edge_min_step": 2', '"edge_min_step": 1', 1))  # fmt: skip
    said = worldquiz("check", data)
    assert said.code == 2
    assert "is undone at step 1, but the walkthrough has 'up'" in said.err
    file.write_text(broken(len))  # as it was
    walk = data / "toy" / "steps70" / "toy.walkthrough"
    walk.write_text(walk.read_text().replace("ACT: down", "ACT: dance"))
    fault = "edge 1: by the map, 'hall' --> 'up' --> 'attic' is undone at step 2, but the"
    assert fault in worldquiz("check", data).err
    assert fault in run(data).err
    file.write_text(broken(lambda e: e[0].update(seen_in_reversed=9999)))
    fault = "edge 2: by the map, 'attic' --> 'down' --> 'hall' is taken at step 2, but the"
    assert fault in worldquiz("check", data).err
    walk.write_text(walk.read_text().replace("ACT: dance", "ACT: again"))
    assert "but the walkthrough has 'up'" in worldquiz("check", data).err


def test_the_published_mazes_agree() -> None:
    for game in sorted(path.parent for path in mango_data().glob("*/steps70")):
        assert worldquiz("check", game).code == 0
