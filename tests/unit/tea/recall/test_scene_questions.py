"""Each kind of question: what it asks, what settles it, and what hints at it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import pytest

from recalls import EAST, NORTH, SOUTH, WEST, answered, around, flat, look, recall
from views import sighting, thing
from worldquiz.facts.question import ABSTAIN, Which, gold
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.tea.recall.quiz.exam import Standing, ask, standing
from worldquiz.tea.recall.quiz.kinds import CATALOGUE, FlatQuestion, kinds
from worldquiz.tea.recall.quiz.questions import side
from worldquiz.tea.recall.quiz.shown import evidence
from worldquiz.tea.recall.walked import Walked
from worldquiz_scenes.scene import Scene
from worldquiz_scenes.view import View


@cache
def quiz(scene: Scene | None = None) -> Mapping[str, FlatQuestion]:
    return {item.question.id: item for item in ask(scene or flat(), kinds(), each=None)}


def of(kind: str, scene: Scene | None = None) -> list[FlatQuestion]:
    return [item for item in quiz(scene).values() if item.kind == kind]


def after(item: FlatQuestion, *views: View) -> Standing:
    return standing(item, evidence(flat(), views))


def offered(item: FlatQuestion) -> tuple[str, ...]:
    assert isinstance(item.question, Which)
    return item.question.choices


def test_a_room_is_settled_by_the_thing_and_what_tells_the_room() -> None:
    item = quiz()["room/row/mug-1"]
    assert item.question.text == "In which room is the mug?"
    assert gold(item.question) == "kitchen"
    assert after(item) is Standing.NOT_SHOWN
    assert after(item, look(0, 2, 2, NORTH, "mug-1")) is Standing.UNCLEAR
    assert after(item, look(0, 2, 2, NORTH, sighting("mug-1", 100), "stove-1")) is Standing.UNCLEAR
    assert after(item, look(0, 2, 2, NORTH, "mug-1", "stove-1")) is Standing.ANSWERABLE


def test_a_thing_that_stands_twice_in_a_flat_is_not_told_by_its_label() -> None:
    second = flat(thing("mug-2", room="hall-1"))
    assert not [item for item in quiz(second).values() if " mug" in item.question.text]


def test_a_support_must_be_in_the_picture() -> None:
    item = next(each for each in of("support") if "mug-1" in each.question.about)
    assert gold(item.question) == "cabinet"
    assert after(item, look(0, 2, 2, NORTH, "cabinet-1")) is Standing.NOT_SHOWN
    assert after(item, look(0, 2, 2, NORTH, "mug-1")) is Standing.UNCLEAR
    assert after(item, look(0, 2, 2, NORTH, "mug-1", "cabinet-1")) is Standing.ANSWERABLE


def test_a_count_wants_the_room_and_all_that_is_counted() -> None:
    item = quiz()["count/row/kitchen-1/chair"]
    assert gold(item.question) == "2"
    assert gold(quiz()["count/row/hall-1/chair"].question) == "0"
    around_it = [*around(0, 1, 2, "stove-1"), *around(10, 3.5, 3.5), *around(20, 3.5, 0.5)]
    chairs = look(30, 2, 3, SOUTH, "chair-1", "chair-2")
    assert after(item, chairs) is Standing.NOT_SHOWN
    assert after(item, *around_it) is Standing.UNCLEAR
    assert after(item, *around_it, chairs) is Standing.ANSWERABLE


def test_looks_are_settled_by_a_clear_view() -> None:
    colour, pattern = quiz()["colour/row/kettle-1"], quiz()["pattern/row/vase-1"]
    assert (gold(colour.question), gold(pattern.question)) == ("black", "stripes")
    assert "colour/row/vase-1" not in quiz()  # striped: no one colour
    assert "pattern/row/kettle-1" not in quiz()  # kettles are plain
    assert after(colour, look(0, 2, 2, NORTH, sighting("kettle-1", 80))) is Standing.UNCLEAR
    assert after(colour, look(0, 2, 2, NORTH, "kettle-1")) is Standing.ANSWERABLE


def test_a_doorway_is_asked_beside_rooms_without_one() -> None:
    item = quiz()["doorway/row/kitchen-1/hall-1"]
    assert gold(item.question) == "hall"
    assert offered(item) == ("bathroom", "bedroom", "hall")
    assert after(item, look(0, 2, 2, WEST, "stove-1")) is Standing.NOT_SHOWN
    assert after(item, look(0, 2, 2, EAST)) is Standing.UNCLEAR
    seen = look(0, 2, 2, EAST, "stove-1", "shoe-rack-1")
    assert after(item, seen) is Standing.ANSWERABLE


def test_presence_names_every_label_once() -> None:
    named = Counter(label for item in of("presence") for label in offered(item))
    assert set(named.values()) == {1}
    for item in of("presence"):
        there = [label in {t.label for t in flat().things} for label in offered(item)]
        assert sorted(there) == [False, True]


def test_presence_is_settled_by_one_clear_view_and_hinted_at_by_a_whole_flat() -> None:
    item = next(each for each in of("presence") if gold(each.question) == "mug")
    assert after(item, look(0, 2, 2, NORTH, "stove-1")) is Standing.NOT_SHOWN
    assert after(item, look(0, 2, 2, NORTH, "mug-1")) is Standing.ANSWERABLE
    spots = [(1, 2), (3.5, 3), (5, 2), (6.5, 1), (8, 2), (10, 2), (12, 2), (13, 3)]
    whole = [view for n, spot in enumerate(spots) for view in around(10 * n, *spot)]
    assert after(item, *whole) is Standing.UNCLEAR


@pytest.mark.parametrize(
    ("at", "way"),
    [((2, 5), "ahead"), ((-3, 0.2), "left"), ((3, 0), "right"), ((0.1, -4), "behind"),
     ((2, 2), None)],
)  # fmt: skip
def test_sides_are_those_of_who_stands_and_faces(at: tuple[float, float], way: str | None) -> None:
    stand, face, other = (
        thing("stand-1", (0, 0, 0)), thing("face-1", (0.8, 4, 0)), thing("other-1", (*at, 0))
    )  # fmt: skip
    assert side(stand, face, other) == way


def test_what_is_nearer_is_so_by_far() -> None:
    things = flat().thing
    for item in of("nearer")[:12]:
        stand, one, two = (things[id] for id in item.question.about)
        far = sorted(
            (abs(complex(*each.position[:2]) - complex(*stand.position[:2])), each.label)
            for each in (one, two)
        )
        assert far[0][1] == gold(item.question)
        assert far[1][0] > 1.6 * far[0][0]
        clearly = [look(n, 2, 2, NORTH, id) for n, id in enumerate(item.question.about)]
        assert after(item, *clearly[:2]) is Standing.NOT_SHOWN
        assert after(item, *clearly) is Standing.ANSWERABLE


def test_the_right_answer_is_offered_once() -> None:
    for item in quiz().values():
        assert Counter(offered(item))[gold(item.question)] == 1
        assert len(set(offered(item))) == len(offered(item)) >= 2


def test_a_draw_is_even_over_answers_and_the_same_every_time() -> None:
    scene = flat(*(thing(f"{label}-1", room="hall-1") for label in ("globe", "phone", "radio")))
    drawn = ask(scene, kinds(), each=6, seed=3)
    assert drawn == ask(replace(scene, things=tuple(scene.things)), kinds(), each=6, seed=3)
    assert {item.question.id for item in drawn} <= set(quiz(scene))
    for kind in CATALOGUE.names():
        answers = Counter(gold(item.question) for item in drawn if item.kind == kind)
        assert sum(answers.values()) <= 6
    assert drawn != ask(scene, kinds(), each=6, seed=4)


def rows(says: Mapping[str, str], *views: View) -> dict[str, Row]:
    """Return the rows of some replies, by question."""
    made = recall(flat(), views=views)
    items = tuple(quiz()[id] for id in says)
    vars(made)["flats"] = {"row": Walked(flat(), views, items)}
    return {row.item: row for row in answered(made, lambda _, item: says[item.question.id])}


def test_what_is_unclear_is_no_row() -> None:
    first, second, third = (f"colour/row/{name}-1" for name in ("kettle", "stool", "shoe-rack"))
    views = [look(0, 2, 2, NORTH, "kettle-1", sighting("stool-1", 90))]
    found = rows({first: "black", second: "red", third: ABSTAIN}, *views)
    assert found.keys() == {first, third}
    assert (found[first].score, found[third].score) == (1.0, 1.0)
    assert (found[first].shown, found[first].step, found[third].shown) == (True, 1, False)
    assert found[third].status is AnswerStatus.ABSTAINED


def test_claiming_what_was_not_shown_is_wrong_even_where_it_is_true() -> None:
    (row,) = rows({"colour/row/kettle-1": "black"}, look(0, 2, 2, EAST)).values()
    assert (row.correct, row.score) == (1.0, 0.0)
    assert row.status is AnswerStatus.ANSWERED
