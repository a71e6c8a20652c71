"""The released evaluator's rules, each fault shown once."""

from __future__ import annotations

from typing import Any

import pytest

from mango_data import edge, maze_of
from worldquiz.mango.grade import Answer, Damaged, Question, Task
from worldquiz.mango.release import ReleaseWays, evaluate, judge

MAZE = maze_of(
    edge("hall", "north", "kitchen", 1),
    edge("kitchen", "north", "attic", 2),
    edge("hall", "Climb rope", "attic", 3),
)
WAYS = {"toy": ReleaseWays(MAZE)}


def told(*moves: tuple[str, str, str]) -> list[dict[str, str]]:
    keys = ("location_before", "action", "location_after")
    return [dict(zip(keys, move, strict=True)) for move in moves]


def asked(
    task: Task, reply: object, *, steps: int = 9, answerable: int | None = None, known: bool = True
) -> tuple[Answer, Question | None]:
    actions = ("north", "north") if task is Task.DF else ()
    answer = Answer("toy", "q", task, "hall", actions, "attic", reply, steps, answerable, "f")
    question = Question("toy", "q", task, "hall", actions, "attic", 2, 2, 2)
    return answer, question if known else None


MARS = told(("NOWHERE", "dance", "MARS"))
RIGHT = told(("hall", "north", "kitchen"), ("kitchen", "north", "attic"))


def test_destination_finding_never_looks_at_the_answer() -> None:
    for reply in (RIGHT, MARS, str(MARS)):
        found = judge(WAYS["toy"], asked(Task.DF, reply))
        assert (found.loose_score, found.strict_score, found.path_len) == (1, 1, 2)
    assert judge(WAYS["toy"], asked(Task.DF, RIGHT)).reasoning_score == 1
    assert judge(WAYS["toy"], asked(Task.DF, MARS)).reasoning_score == 0


def test_moves_match_any_action_of_the_maze_and_may_then_lead_nowhere() -> None:
    assert judge(WAYS["toy"], asked(Task.RF, told(("hall", "climb the rope", "")))).loose_score == 1
    below = told(("hall", "north", ""), ("kitchen", "climb", ""))
    assert judge(WAYS["toy"], asked(Task.RF, below)).loose_score == 0


def test_what_depends_on_the_order_of_a_hash_table_is_marked() -> None:
    """Under "strict" an unknown move becomes any move: here up, north or climb the rope."""
    entry = asked(Task.RF, told(("hall", "xyz", "")))
    found = judge(WAYS["toy"], entry)
    assert found.tie
    assert evaluate(WAYS, [entry])["toy"]["all"]["ties"] == 1
    assert not judge(WAYS["toy"], asked(Task.RF, RIGHT)).tie


@pytest.mark.parametrize(
    ("entry", "error"),
    [
        (asked(Task.RF, "north"), "parsing_error"),
        (asked(Task.RF, RIGHT, known=False), "id_error"),
        (asked(Task.RF, RIGHT, steps=1), "step_num_error"),
        (asked(Task.RF, RIGHT, answerable=9999), "step_num_error"),
        (asked(Task.RF, "", answerable=9999), "parsing_error"),
        (asked(Task.RF, "", known=False), "parsing_error"),
        (Damaged("toy", Task.RF, "f: is no JSON"), "parsing_error"),
    ],
)
def test_what_drops_out(entry: Any, error: str) -> None:
    assert judge(WAYS["toy"], entry).error == error
    assert judge(WAYS["toy"], entry).level is None


def test_unreadable_answers_leave_the_denominator() -> None:
    entries = [asked(Task.RF, RIGHT), asked(Task.RF, "no idea")]
    released = evaluate(WAYS, entries)["toy"]
    assert released["all"]["loose_score_average"] == 1
    assert released["easy"]["total_task"] == 1
