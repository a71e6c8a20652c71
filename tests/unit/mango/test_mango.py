"""Published mazes: read as they are, and refused by file and entry where they contradict."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from worldquiz.errors import RecordError
from worldquiz.mango.maze import Sight
from worldquiz.mango.published import Home, Layout, games, read

WALK = "".join(
    f"===========\n==>STEP NUM: {number}\n==>ACT: {action}\n==>OBSERVATION: {text}\n\n"
    for number, action, text in ((0, "Init", "Hall\nA hall."), (1, "up", "Attic"), (2, "down", "H"))
)


def edge(source: str, action: str, target: str, forward: int, backward: int) -> dict[str, Any]:
    first = min(forward, backward)
    return {
        "src_node": source, "dst_node": target, "action": action,
        "seen_in_forward": forward, "seen_in_reversed": backward, "edge_min_step": first,
        "seen_in_forward_answerable": forward, "seen_in_reversed_answerable": backward,
        "edge_min_step_answerable": first,
    }  # fmt: skip


EDGES = [edge("hall", "up", "attic", 1, 2), edge("attic", "down", "hall", 2, 1)]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder of one published game, "toy", in both layouts."""
    files: dict[str, Any] = {
        "steps70/toy.edges.json": EDGES, "steps70/toy.locations.json": ["hall", "attic"],
        "steps70/toy.actions.json": ["up", "down"], "full/toy.edges.json": EDGES,
        "full/toy.nodes.json": ["attic", "hall"],
    }  # fmt: skip
    for name, value in files.items():
        path = tmp_path / "toy" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value), "utf-8")
    (tmp_path / "toy" / "steps70" / "toy.walkthrough").write_text(WALK, "utf-8")
    (tmp_path / "toy" / "full" / "toy.walkthrough_acts").write_text("1: up\n2: d\n", "utf-8")
    return tmp_path


def test_both_layouts_hold_the_same_maze(data: Path) -> None:
    short, full = (read(games(data, layout)[0]) for layout in (Layout.STEPS70, Layout.FULL))
    assert short.edges == full.edges
    assert short.steps == full.steps == 2
    assert short.places == ("hall", "attic")
    assert short.edges[1].seen == Sight(2, 1)
    assert [(step.action, step.observation) for step in short.walkthrough] == [
        ("Init", "Hall\nA hall."), ("up", "Attic"), ("down", "H"),
    ]  # fmt: skip


def flat(data: Path, *layouts: Layout) -> None:
    """Move a game's files into its own folder."""
    for layout in layouts:
        for file in sorted((data / "toy" / layout).iterdir()):
            file.replace(data / "toy" / file.name)
        (data / "toy" / layout).rmdir()


@pytest.mark.parametrize("layout", Layout)
def test_what_lies_flat_is_told_by_its_files(data: Path, layout: Layout) -> None:
    other = next(each for each in Layout if each is not layout)
    flat(data, layout)
    assert games(data, layout) == [Home("toy", data / "toy", layout)]
    assert games(data, other) == [Home("toy", data / "toy" / other, other)]
    for file in (data / "toy" / other).iterdir():
        file.unlink()
    for folder in (data, data / "toy"):
        assert games(folder) == games(folder, other, layout) == games(folder, layout)
        assert read(games(folder)[0]).edges
        with pytest.raises(RecordError, match=rf"layout {other}\); 1 have it in layout {layout}"):
            games(folder, other)


def test_the_first_layout_that_a_game_has(data: Path) -> None:
    assert games(data, Layout.FULL, Layout.STEPS70)[0].layout is Layout.FULL
    assert games(data, Layout.STEPS70, Layout.FULL)[0].layout is Layout.STEPS70
    (data / "toy" / "full").rename(data / "lost")
    assert games(data, Layout.FULL, Layout.STEPS70)[0].layout is Layout.STEPS70


def broken(change: Callable[[list[dict[str, Any]]], object]) -> str:
    edges = json.loads(json.dumps(EDGES))
    change(edges)
    return json.dumps(edges)


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("edges.json", broken(lambda e: e[1].update(edge_min_step=2)),
         r"edges\.json: edge 2: edge_min_step is 2, but the first of forward 2 and reversed 1 is"),
        ("edges.json", broken(lambda e: e[0].pop("action")), "edge 1: has no 'action'"),
        ("edges.json", broken(lambda e: e[0].update(seen_in_forward="1")), "'1', wanted int"),
        ("edges.json", broken(lambda e: e[0].update(seen_in_forward=0)), "wanted a step from 1"),
        ("edges.json", broken(lambda e: e.append(e[0])), "edge 3: 'hall' --> 'up' --> 'attic' st"),
        ("edges.json", broken(lambda e: e[0].update(dst_node="barn")), "'barn' is not among the p"),
        ("edges.json", broken(lambda e: e[0].update(action="hop")), "'hop' is not among the acti"),
        ("edges.json", json.dumps([edge("hall", "up", "attic", 3, 9999)]),
         "edge 1: 'hall' --> 'up' --> 'attic' is shown at step 3, and the walkthrough has 2"),
        ("edges.json", json.dumps([edge("hall", "up", "attic", 1, 7)]), "is shown at step 7, and"),
        ("edges.json", broken(lambda e: e[0].update(seen_in_forward_answerable=True)),
         "seen_in_forward_answerable True, wanted int"),
        ("edges.json", broken(lambda e: e[0].update(seen_in_forward=-1)), "-1, wanted a step"),
        ("edges.json", broken(lambda e: e[0].update(seen_in_forward_answerable=9999)),
         "edge 1: edge_min_step_answerable is 1, but the first of forward 9999 and reversed 2"),
        ("edges.json", '[{"src_node": ', r"edges\.json:1:15: Expecting value; the file is cut sho"),
        ("edges.json", "{}", "holds no list"),
        ("edges.json", "[3]", "edge 1: 3 is no object"),
        ("locations.json", "[3]", "entry 1: 3 is no text"),
        ("walkthrough", WALK.replace("NUM: 2", "NUM: 3"), "walkthrough:13: step 3 follows step 1"),
        ("walkthrough", "nothing", "no step here"),
        ("walkthrough", "", "no step here"),
        ("walkthrough", WALK.replace("NUM: 0", "NUM: 1"), "walkthrough:2: begins with step 1"),
        ("walkthrough", WALK[WALK.index("=", 40):], "walkthrough:5: begins with step 1, wanted 0"),
    ],
)  # fmt: skip
def test_what_contradicts_is_refused(data: Path, name: str, text: str, complaint: str) -> None:
    (data / "toy" / "steps70" / f"toy.{name}").write_text(text, "utf-8")
    with pytest.raises(RecordError, match=complaint):
        read(games(data, Layout.STEPS70)[0])


@pytest.mark.parametrize("name", ["locations.json", "actions.json", "walkthrough"])
def test_a_missing_file_is_named(data: Path, name: str) -> None:
    (data / "toy" / "steps70" / f"toy.{name}").unlink()
    with pytest.raises(RecordError, match=rf"toy\.{name}: is missing"):
        read(games(data, Layout.STEPS70)[0])


def test_a_list_of_actions_with_a_gap_is_refused(data: Path) -> None:
    (data / "toy" / "full" / "toy.walkthrough_acts").write_text("1: up\n3: d\n", "utf-8")
    with pytest.raises(RecordError, match="walkthrough_acts:2: action 3 follows action 1"):
        read(games(data, Layout.FULL)[0])


def test_a_folder_without_games_says_what_it_lacks(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"GAME\.edges\.json"):
        games(tmp_path, Layout.FULL)
    with pytest.raises(RecordError, match="no such folder"):
        games(tmp_path / "none", Layout.FULL)
