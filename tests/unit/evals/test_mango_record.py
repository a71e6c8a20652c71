"""Recorded mazes beside published ones: alignment, precision and recall on maps made by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from worldquiz.errors import RecordError
from worldquiz.evals.mango.record import (
    Key,
    Share,
    aligned,
    commands_for,
    compared,
    stories,
    walk,
)
from worldquiz.model.maze import Edge, Maze, Sight
from worldquiz.worlds.maze.mango import Home, Layout
from worldquiz.worlds.maze.recorder.record import Recording, read_off
from worldquiz.worlds.maze.recorder.trace import Seen, Trace


def recording(*steps: tuple[str, int, str | None]) -> Recording:
    """Return what is recorded of steps: action, object, and the reverse that led back."""
    seen = tuple(
        Seen(n, action, f"Room {place}", place, "", 0, False, f"Room {place}", back, ())
        for n, (action, place, back) in enumerate(steps)
    )
    commands = tuple(step.action for step in seen[1:])
    return read_off(Trace(Path("toy.z5"), commands, True, seen))


WALKED = recording(
    ("Init", 1, None), ("north", 2, "south"), ("look", 2, None), ("up", 3, "down"),
    ("down", 2, "up"), ("south", 1, "north"), ("jump", 4, None),
)  # fmt: skip


def published(*edges: tuple[Key, int | None, int | None]) -> Maze:
    found = tuple(
        Edge(source, action, target, Sight(forward, back), Sight(forward, back))
        for (source, action, target), forward, back in edges
    )
    places = tuple(dict.fromkeys(end for e in found for end in (e.source, e.target)))
    return Maze("toy", places, found, (), 6)


EXACT = published(
    (("hut", "north", "wood"), 1, 5), (("wood", "up", "tree"), 3, 4),
    (("tree", "down", "wood"), 4, 3), (("wood", "south", "hut"), 5, 1),
    (("hut", "jump", "pit"), 6, None),
)  # fmt: skip


def test_the_same_map_in_other_names_is_exact() -> None:
    found = compared(WALKED, EXACT, None, lambda edge: False)
    assert found.names == {"room 1": "hut", "room 2": "wood", "room 3": "tree", "room 4": "pit"}
    for share in found.shares.values():
        assert (share.right, share.found) == (share.recorded, share.published)
    assert (found.missing, found.lost, found.merged) == ((), (), 0)


def test_a_move_that_the_published_map_lacks_is_replayed_and_told_apart() -> None:
    lacking = published(*[
        ((e.source, e.action, e.target), e.seen.forward, e.seen.backward)
        for e in EXACT.edges if e.action != "south"
    ])  # fmt: skip
    found = compared(WALKED, lacking, None, lambda edge: True)
    assert found.shares["edges"] == Share(4, 5, 4, 4)
    assert found.shares["edges"].precision == 0.8
    assert found.confirmed.precision == 1.0
    assert [missing.edge.action for missing in found.missing] == ["south"]


def test_an_edge_that_was_not_recorded_costs_recall() -> None:
    more = published(*[
        *(((e.source, e.action, e.target), e.seen.forward, e.seen.backward) for e in EXACT.edges),
        (("pit", "up", "hut"), None, 6),
    ])  # fmt: skip
    found = compared(WALKED, more, None, lambda edge: False)
    assert found.lost == (("pit", "up", "hut"),)
    assert found.shares["imputed"] == Share(0, 0, 0, 1)
    assert found.shares["imputed"].precision is None
    assert found.shares["imputed"].recall == 0.0


def test_places_that_the_published_map_holds_for_one_are_merged() -> None:
    woods = published((("hut", "north", "wood"), 1, None), (("hut", "jump", "pit"), 6, None))
    moves = [
        (1, ("hut", "north", "wood")), (3, ("wood", "up", "wood")), (6, ("hut", "jump", "pit"))
    ]  # fmt: skip
    found = compared(WALKED, woods, moves, lambda edge: False)
    assert found.names["room 2"] == found.names["room 3"] == "wood"
    assert found.merged == 2
    assert found.shares["nodes"] == Share(4, 4, 3, 3)


def test_alignment_is_by_majority_and_ties_go_by_name() -> None:
    where = ("a", "b", "a", "b")
    steps = [(1, ("x", "go", "y")), (2, ("y", "go", "x")), (3, ("x", "go", "z"))]
    assert aligned(where, steps) == {"a": "x", "b": "y"}
    assert aligned(("a", "b"), [(1, ("n", "go", "p")), (1, ("m", "go", "o"))]) == {
        "a": "m",
        "b": "o",
    }
    assert aligned(("a",), [(5, ("x", "go", "y"))]) == {}


def test_only_the_steps_of_the_published_map_are_compared() -> None:
    short = Maze("toy", ("hut", "wood"), EXACT.edges[:1], (), 1)
    found = compared(WALKED, short, None, lambda edge: False)
    assert {m.edge.action for m in found.missing} == {"south"}
    assert found.shares["forward"] == Share(1, 1, 1, 1)


def test_a_published_walk_is_read_in_lower_case(tmp_path: Path) -> None:
    home = Home("toy", tmp_path, Layout.FULL)
    assert walk(home) is None
    path = tmp_path / "toy.map.human"
    path.write_text("Hall --> north --> Up a Tree, in leaves, step 3, answerable 4\n")
    assert walk(home) == [(3, ("hall", "north", "up a tree, in leaves"))]
    path.write_text("Hall north\n")
    with pytest.raises(RecordError, match=r"toy\.map\.human:1: 'Hall north'"):
        walk(home)


def test_commands_lie_beside_the_game_with_or_without_numbers(tmp_path: Path) -> None:
    story = tmp_path / "toy.z5"
    assert commands_for(story, None) is None
    acts = tmp_path / "toy.walkthrough_acts"
    acts.write_text("1: n\n2: take 1: one\n")
    assert commands_for(story, None) == ("n", "take 1: one")
    acts.write_text("n\n\n take lamp \n")
    assert commands_for(story, None) == ("n", "take lamp")
    acts.write_bytes(b"\xff")
    with pytest.raises(RecordError, match=r"toy\.walkthrough_acts: cannot be read"):
        commands_for(story, None)


def test_a_folder_of_games_is_listed_by_name(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="no such folder"):
        stories(tmp_path / "none")
    (tmp_path / "README").write_text("")
    with pytest.raises(RecordError, match="no story file here"):
        stories(tmp_path)
    for name in ("b.z5", "a.Z3"):
        (tmp_path / name).write_bytes(b"")
    assert [path.name for path in stories(tmp_path)] == ["a.Z3", "b.z5"]
    (tmp_path / "b.z8").write_bytes(b"")
    with pytest.raises(RecordError, match="two games are called 'b'"):
        stories(tmp_path)
