"""What is asked: limits, records, and how hard a question is by what was read."""

from __future__ import annotations

from mango_data import edge, maze_of
from worldquiz.mango.grade import Answer, Level, Task
from worldquiz.mango.paths import Route
from worldquiz.mango.questions import questions
from worldquiz.mango.scores import Book
from worldquiz.mango.settings import QuizSettings

ROUNDABOUT = maze_of(
    edge("attic", "down", "hall", 1),
    edge("hall", "down", "cellar", 2),
    edge("attic", "jump", "cellar", None, 5),  # the shortest route, which nobody takes
    steps=5,
)


def test_a_route_is_as_hard_as_the_steps_that_were_read_make_it() -> None:
    """After 3 steps the shortest route known is taken move by move; after 5 it is another."""
    levels = {}
    for steps in (3, 5):
        asked = questions(ROUNDABOUT, QuizSettings(steps=70, tasks="rf"), steps)
        (question,) = (q for q in asked if (q.source, q.target) == ("attic", "cellar"))
        answer = Answer(
            "toy", question.id, Task.RF, "attic", (), "cellar", None, steps, None, "a.jsonl:1"
        )
        found = Book(ROUNDABOUT, Route.SHORTEST).find(answer)
        assert found is not None
        assert (found.level(steps), found.shortest) == (question.level(steps), question.shortest)
        levels[steps] = found.level(steps), found.shortest
    assert levels == {3: (Level.EASY, 2), 5: (Level.HARD, 1)}


def test_any_route_makes_it_easy_for_good() -> None:
    asked = questions(ROUNDABOUT, QuizSettings(steps=70, tasks="rf", rf_easy="any"), 5)
    (question,) = (q for q in asked if (q.source, q.target) == ("attic", "cellar"))
    assert question.level(5) is Level.EASY


def test_an_answer_beyond_what_was_read_is_found_and_counts_nowhere() -> None:
    maze = maze_of(edge("a", "on", "b", 1), edge("b", "on", "c", 4), steps=4)
    (question,) = (
        each
        for each in questions(maze, QuizSettings(steps=70, tasks="rf"), 4)
        if (each.source, each.target) == ("a", "c")
    )
    answer = Answer("toy", question.id, Task.RF, "a", (), "c", None, 3, None, "a.jsonl:1")
    found = Book(maze, Route.SHORTEST).find(answer)
    assert found is not None
    assert found.level(3) is None
