"""The moves that answer a question, and the moves that an answer tells."""

from __future__ import annotations

from collections.abc import Sequence

from mango_data import edge, maze_of
from worldquiz.llm.reply_lists import ToldMove
from worldquiz.mango.grade import Guide, Question, Task

#   attic -east-> loft        the way by the yard is as short, but one of its moves is imputed
#     |             |
#   hall  -east-> yard
MAZE = maze_of(
    edge("Hall", "north", "attic", 1),  # 0
    edge("attic", "east", "loft", 2),  # 1
    edge("Hall", "east", "yard", None, 1),  # 2
    edge("yard", "north", "loft", 1),  # 3
    edge("loft", "jump", "hall", 5),  # 4: a place that only differs in its case is the same
    edge("hall", "north", "cellar", 9),  # 5: north leads to two places
)
GUIDE = Guide(MAZE)


def route(source: str, target: str) -> Question:
    return Question("toy", "id", Task.RF, source, (), target, 2, 1, 1)


def destination(source: str, actions: Sequence[str], target: str) -> Question:
    return Question("toy", "id", Task.DF, source, tuple(actions), target, len(actions), 1, 1)


def test_a_shortest_route_that_was_taken_comes_before_one_with_imputed_moves() -> None:
    assert GUIDE.answer(route("Hall", "loft"), 9) == [0, 1]


def test_only_what_was_told_by_a_step_is_used() -> None:
    assert GUIDE.answer(route("Hall", "loft"), 1) == [2, 3]
    assert GUIDE.answer(route("Hall", "loft"), 0) is None
    assert GUIDE.answer(route("loft", "attic"), 4) is None
    assert GUIDE.answer(route("loft", "attic"), 5) == [4, 0]


def test_a_place_is_reached_from_itself_without_moves() -> None:
    assert GUIDE.answer(route("loft", "loft"), 9) == []


def test_the_moves_that_were_asked_for_lead_to_the_questions_own_place() -> None:
    assert GUIDE.answer(destination("Hall", ["north"], "attic"), 9) == [0]
    assert GUIDE.answer(destination("Hall", ["north"], "cellar"), 9) == [5]
    assert GUIDE.answer(destination("Hall", ["north", "east"], "loft"), 9) == [0, 1]
    assert GUIDE.answer(destination("Hall", ["west"], "loft"), 9) is None


def test_all_places_that_are_correct_are_named_the_questions_own_first() -> None:
    assert GUIDE.correct(destination("Hall", ["north"], "cellar")) == ["cellar", "attic"]
    assert GUIDE.correct(route("Hall", "loft")) == ["loft"]


def test_told_moves_are_followed_up_to_the_first_that_cannot_be_taken() -> None:
    told = [ToldMove("hall", "Walk North", "cellar"), ToldMove("x", "y", "z")]
    assert GUIDE.told(destination("Hall", ["north"], "attic"), told) == [5]
    lost = [ToldMove("?", "north", "attic"), ToldMove("?", "e", "?")]
    assert GUIDE.told(route("Hall", "loft"), lost) == [0, 1]


def test_told_moves_from_a_dead_end_lead_nowhere() -> None:
    assert GUIDE.told(route("cellar", "hall"), [ToldMove("cellar", "up", "hall")]) == []
    assert GUIDE.told(route("nowhere", "hall"), [ToldMove("nowhere", "up", "hall")]) == []
