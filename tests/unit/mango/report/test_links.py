"""Links: what joins two places, and where it points."""

from __future__ import annotations

import pytest

from mango_data import edge, maze_of
from worldquiz.mango.report.links import LinkKind, direction, links


@pytest.mark.parametrize(
    ("action", "towards"),
    [
        ("north", "north"), ("NE", "northeast"), ("up", "up"), ("d", "down"),
        ("climb down rope", "down"), ("go up", "up"), ("push pram east", "east"),
        ("stand up", None), ("in", None), ("pray", None), ("", None), ("north wall", None),
    ],
)  # fmt: skip
def test_a_move_says_where_it_points(action: str, towards: str | None) -> None:
    assert direction(action) == towards


def test_all_moves_between_two_places_are_one_link() -> None:
    maze = maze_of(
        edge("hall", "in", "attic", 3),
        edge("attic", "south", "hall", 2),
        edge("hall", "up", "attic", 1),
    )
    (link,) = links(maze)
    assert (link.one, link.other, link.there, link.back) == ("hall", "attic", (2, 0), (1,))
    assert (link.kind, link.towards) == (LinkKind.COMPASS, (0, -1))
    assert link.both_ways


def test_what_was_told_first_gives_the_direction() -> None:
    moves = (edge("a", "west", "b", 5), edge("a", "north", "b", 2), edge("a", "east", "b", None))
    assert [link.towards for link in links(maze_of(*moves))] == [(0, -1)]


def test_a_passage_that_bends_lies_between_its_directions() -> None:
    maze = maze_of(edge("house", "east", "yard", 1), edge("yard", "north", "house", 2))
    assert [link.towards for link in links(maze)] == [(1, 1)]


def test_a_passage_that_leads_the_same_way_twice_keeps_the_first() -> None:
    maze = maze_of(edge("a", "north", "b", 1), edge("b", "north", "a", 2))
    assert [link.towards for link in links(maze)] == [(0, -1)]


@pytest.mark.parametrize(
    ("action", "kind", "towards"),
    [
        ("up", LinkKind.VERTICAL, (0, -1)),
        ("down", LinkKind.VERTICAL, (0, 1)),
        ("pray", LinkKind.OTHER, None),
    ],
)
def test_climbs_and_other_moves(
    action: str, kind: LinkKind, towards: tuple[int, int] | None
) -> None:
    (link,) = links(maze_of(edge("a", action, "b", 1)))
    assert (link.kind, link.towards, link.both_ways) == (kind, towards, False)


def test_a_move_back_to_where_it_starts_is_no_link() -> None:
    assert links(maze_of(edge("a", "north", "a", 1))) == ()
