"""Laws of reading walkthroughs: what the text settles is answered right, whatever the maze."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from mango_settled import told
from worldquiz.mango import guessing
from worldquiz.mango.grade import Ways, grade
from worldquiz.mango.mapper import Mapper
from worldquiz.mango.mazes import Edge, Maze, Sight
from worldquiz.mango.paths import Net, Route, paths
from worldquiz.mango.questions import Routes, destination
from worldquiz.mango.walkthrough import WalkStep

NAMES = ("attic", "barn", "cellar", "hall (1st floor)", "hall (2nd floor)", "street [west]")
TEXTS = {
    "": None,
    "A bare place.": None,
    "You are in the cellar.": "cellar",
    "This is the second floor of a hall.": "hall (2nd floor)",
}
"""Sentences, with the place that they speak of."""
BACK = {"north": "south", "south": "north", "up": "down", "down": "up", "jump": "climb"}


@st.composite
def walked(draw: st.DrawFn) -> Maze:
    """Draw a walk through places with names alike, told by headings, now and then by none.

    Under a heading any sentence may stand; without one none that says where one is not.
    """
    steps = draw(st.lists(st.tuples(
        st.sampled_from(NAMES), st.sampled_from(sorted(BACK)), st.booleans(),
        st.sampled_from(sorted(TEXTS))), min_size=2, max_size=9))  # fmt: skip
    texts = []
    seen: dict[tuple[str, str, str], int] = {}
    here = ""
    for number, (place, action, headed, text) in enumerate(steps):
        title = f"{place.partition('(')[0].title()}\n" if headed or not number else ""
        said = text if title or TEXTS[text] in (None, place) else ""
        texts.append(WalkStep(number, action if number else "Init", title + said))
        if number and place != here:
            seen.setdefault((here, action, place), number)
        here = place
    backs = draw(st.sets(st.sampled_from(sorted(seen)))) if seen else set()
    edges = {key: Sight(step, None) for key, step in seen.items()}
    for source, action, target in sorted(backs):
        key = (target, BACK[action], source)
        edges.setdefault(key, Sight(None, seen[source, action, target]))
    moves = tuple(Edge(a, b, c, sight, sight) for (a, b, c), sight in edges.items())
    maze = Maze("drawn", tuple(dict.fromkeys(place for place, *_ in steps)), moves)
    return replace(maze, walkthrough=tuple(texts), steps=len(texts) - 1)


@settings(deadline=None)
@given(walked())
def test_what_the_text_settles_is_answered_right(maze: Maze) -> None:
    ways, text = Ways(maze), told(maze)
    mapper = Mapper(maze.walkthrough, maze.places, maze.actions)
    net = Net(maze)
    for edges in paths(net):
        if text.path(edges):
            asked = destination("drawn", edges)
            legs = mapper.destination(asked.source, asked.actions)
            assert grade(ways, asked, guessing.told(asked, legs))["success"] == 1, asked
    routes = Routes(maze, Route.ANY)
    for source, target in permutations(maze.places, 2):
        if text.pair(source, target):
            way = routes.question(source, target)
            assert way is not None
            legs = mapper.route(source, target)
            assert grade(ways, way, guessing.told(way, legs))["success"] == 1, (source, target)


@given(walked(), st.randoms(use_true_random=False))
def test_no_order_of_names_matters(maze: Maze, random: object) -> None:
    places = list(maze.places)
    random.shuffle(places)  # type: ignore[attr-defined]
    one, other = (Mapper(maze.walkthrough, each, maze.actions) for each in (maze.places, places))
    for pair in permutations(places, 2):
        assert one.route(*pair) == other.route(*pair)
