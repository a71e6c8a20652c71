"""Recorded mazes beside published ones: alignment, precision and recall on maps made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from worldquiz.errors import RecordError
from worldquiz.mango.maze.mango import Home, Layout
from worldquiz.mango.maze.maze import Edge, Maze, Sight
from worldquiz.mango.maze.recorder.record import Recording, read_off
from worldquiz.mango.maze.recorder.trace import GameTrace, ShownStep
from worldquiz.mango.maze.walkthrough import WalkStep
from worldquiz.mango.mazes.compare import Key, Share, aligned, compared, more, walk


def recording(*steps: tuple[str, int, str | None]) -> Recording:
    """Return what is recorded of steps: action, object, and the reverse that led back."""
    seen = tuple(
        ShownStep(n, action, f"Room {place}", (place,), "", False, f"Room {place}", back, ())
        for n, (action, place, back) in enumerate(steps)
    )
    commands = tuple(step.action for step in seen[1:])
    return read_off(GameTrace(Path("toy.z5"), commands, True, seen))


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
    assert (found.missing, found.lost, found.merged) == ((), (), ())


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


def test_a_move_is_replayed_only_where_the_published_walk_is_at_its_ends() -> None:
    def replays(*moves: tuple[int, Key]) -> list[bool]:
        maze = published((("hut", "north", "wood"), 1, None))
        found = compared(WALKED, maze, moves, lambda edge: edge.action != "jump")
        return [move.replayed for move in found.missing if move.edge.action in ("down", "jump")]

    told = [(1, ("hut", "north", "wood")), (3, ("wood", "up", "tree"))]
    assert replays(*told, (6, ("hut", "jump", "pit"))) == [True, False]
    elsewhere = (4, ("nest", "down", "tree")), (6, ("hut", "jump", "pit"))
    assert replays(told[0], (3, ("wood", "up", "branch")), *elsewhere) == [False, False]


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
    found = compared(WALKED, woods, moves, lambda edge: edge.action == "up")
    assert found.names["room 2"] == found.names["room 3"] == "wood"
    assert [(move.edge.action, move.replayed) for move in found.merged] == [
        ("up", True), ("down", False),
    ]  # fmt: skip
    assert found.shares["nodes"] == Share(4, 4, 3, 3)
    assert found.shares["edges"] == Share(2, 3, 2, 2)
    assert found.unmerged == Share(2, 5, 2, 2)
    assert more(found)["merged_by_published"][0] == {
        "source": "room 2", "action": "up", "target": "room 3", "step": 3, "imputed": False,
        "replayed": True,
    }  # fmt: skip


def test_a_place_that_no_published_move_names_is_the_one_that_its_stay_lies_in() -> None:
    moves = [(1, ("hut", "north", "wood")), (5, ("wood", "south", "hut"))]
    woods = published((("hut", "north", "wood"), 1, 5), (("wood", "south", "hut"), 5, 1))
    found = compared(WALKED, woods, moves, lambda edge: False)
    assert found.names["room 3"] == "wood"
    assert "room 4" not in found.names
    assert [move.edge.action for move in found.merged] == ["up", "down"]


def test_moves_that_become_one_count_once_even_when_confirmed() -> None:
    steps = recording(("Init", 1, None), ("up", 2, None), ("down", 3, None), ("up", 4, None))
    moves = [(2, ("tree", "down", "hut")), (3, ("hut", "jump", "pit"))]
    names = {"room 2": "tree", "room 3": "hut", "room 4": "pit"}
    found = compared(steps, published(((*moves[0][1],), 2, None)), moves, lambda edge: True)
    assert {place: found.names[place] for place in names} == names
    assert found.confirmed == Share(2, 3, 1, 1)


def walkthrough(*actions: str) -> tuple[WalkStep, ...]:
    return tuple(WalkStep(n, action, "") for n, action in enumerate(("Init", *actions)))


def alignment(maze: Maze, where: Sequence[str | None]) -> dict[str, str]:
    return dict(compared(replace(WALKED, where=tuple(where)), maze, None, lambda edge: True).names)


def test_a_walkthrough_is_followed_over_edges_that_tell_only_their_first_steps() -> None:
    steps = walkthrough("n", "look", "s", "look", "n", "look", "u")
    maze = published(
        (("hut", "north", "wood"), 1, 3), (("wood", "south", "hut"), 3, 1),
        (("wood", "up", "tree"), 7, None),
    )  # fmt: skip
    maze = replace(maze, walkthrough=steps, steps=7)
    where = ["a", "b", "c", "a", "d", "b", "e", "f"]
    assert alignment(maze, where) == {
        "a": "hut", "b": "wood", "c": "wood", "d": "hut", "e": "wood", "f": "tree",
    }  # fmt: skip


def test_a_move_that_leads_to_several_places_is_followed_only_where_it_is_told() -> None:
    maze = published(
        (("hut", "north", "wood"), 1, None), (("wood", "south", "hut"), 2, None),
        (("hut", "north", "pit"), 3, None), (("pit", "up", "hut"), 4, None),
    )  # fmt: skip
    maze = replace(maze, walkthrough=walkthrough("n", "s", "n", "u", "n", "look"), steps=6)
    assert alignment(maze, ["a", "b", "a", "c", "a", "d", "d"]) == {
        "a": "hut", "b": "wood", "c": "pit",
    }  # fmt: skip


def test_the_70_step_set_tells_of_70_steps_and_a_whole_map_of_all() -> None:
    far = replace(WALKED, maze=replace(WALKED.maze, edges=tuple(
        replace(edge, seen=Sight(80), told=Sight(80)) if edge.action == "jump" else edge
        for edge in WALKED.maze.edges
    )))  # fmt: skip
    short = replace(EXACT, edges=EXACT.edges[:4], walkthrough=walkthrough(*["z"] * 90), steps=90)
    assert compared(far, short, None, lambda edge: True).missing == ()
    whole = replace(short, edges=(*short.edges, published((("a", "b", "c"), 75, None)).edges[0]))
    missing = compared(far, whole, None, lambda edge: True).missing
    assert [move.edge.action for move in missing] == ["jump"]


def test_alignment_is_by_majority_and_ties_go_to_the_first() -> None:
    where = ("a", "b", "a", "b")
    stays = [(0, "x"), (1, "y"), (1, "z"), (2, "x"), (3, "z"), (2, "y")]
    assert aligned(where, stays) == {"a": "x", "b": "z"}
    assert aligned(("a", None), [(0, "n"), (0, "m"), (1, "k")]) == {"a": "n"}
    assert aligned(("a",), [(5, "x")]) == {}


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
    path.write_text("Cellar -->  --> Clearing, step 89, answerable 89\n")
    assert walk(home) == [(89, ("cellar", "", "clearing"))]
    path.write_text("Hall north\n")
    with pytest.raises(RecordError, match=r"toy\.map\.human:1: 'Hall north'"):
        walk(home)
