"""What is asked: limits, records, and how hard a question is by what was read."""

from __future__ import annotations

import pytest

from mango_data import edge, maze_of
from worldquiz.errors import KnobError
from worldquiz.mango.grade import Answer, Level, Task
from worldquiz.mango.paths import Route
from worldquiz.mango.published import kinds
from worldquiz.mango.questions import Asked, Budget, Template, questions
from worldquiz.mango.scores import Book
from worldquiz.runs.given import one_of

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
        asked = questions(ROUNDABOUT, Asked(tasks=(Task.RF,)), steps)
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
    asked = questions(ROUNDABOUT, Asked(tasks=(Task.RF,), rf_easy=Route.ANY), 5)
    (question,) = (q for q in asked if (q.source, q.target) == ("attic", "cellar"))
    assert question.level(5) is Level.EASY


def test_an_answer_beyond_what_was_read_is_found_and_counts_nowhere() -> None:
    maze = maze_of(edge("a", "on", "b", 1), edge("b", "on", "c", 4), steps=4)
    (question,) = (
        q for q in questions(maze, Asked(tasks=(Task.RF,)), 4) if (q.source, q.target) == ("a", "c")
    )
    answer = Answer("toy", question.id, Task.RF, "a", (), "c", None, 3, None, "a.jsonl:1")
    found = Book(maze, Route.SHORTEST).find(answer)
    assert found is not None
    assert found.level(3) is None


def test_a_record_tells_only_what_bears_on_what_is_read() -> None:
    assert Asked().record()["budget"] is None
    assert Asked(budget=Budget(tokens=9)).record()["budget"] == {
        "tokens": 9,
        "tokenizer": "chars/3",
    }
    record = Asked(200, template=Template.RELEASE, budget=Budget(window=4096)).record()
    assert record["budget"] == {"window": 4096, "reserve": 512, "tokenizer": "chars/3"}
    assert (record["steps"], record["template"], record["walkthrough"]) == (200, "release", "full")


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: Asked(steps=-1), "give steps from 0"),
        (lambda: Asked(per_maze=0), "questions from 1"),
        (lambda: Budget(tokens=0), "tokens 0: give tokens from 1"),
        (lambda: Budget(window=0, reserve=0), "window 0: give tokens from 1"),
        (lambda: Budget(window=512), "reserve 512: a window of 512 tokens needs"),
        (lambda: Budget(window=512, reserve=-1), "reserve -1"),
        (lambda: kinds("df,fr"), "no task 'fr'"),
        (lambda: kinds(""), "give df, rf or both"),
        (lambda: one_of(Template, "relase", "template"), "did you mean 'release'"),
    ],
)
def test_mistakes_are_named(make: object, complaint: str) -> None:
    assert callable(make)
    with pytest.raises(KnobError, match=complaint):
        make()


def test_no_limit_at_all_is_no_budget() -> None:
    assert Budget.of(None, None, 512, "chars/4") is None
    assert Budget.of(None, 9_000, 512, "chars/4") == Budget(None, 9_000, 512, "chars/4")
