"""The released evaluator's rules, each fault shown once, and what `fixed` changes."""

from __future__ import annotations

from typing import Any

import pytest

from mango_data import edge, maze_of
from worldquiz.mango.scoring.grade import Answer, Damaged, Question, Task
from worldquiz.mango.scoring.release import ReleaseWays, evaluate, judge, read_path

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
        found = judge(WAYS, asked(Task.DF, reply))
        assert (found.loose_score, found.strict_score, found.path_len) == (1, 1, 2)
    assert judge(WAYS, asked(Task.DF, RIGHT)).reasoning_score == 1
    assert judge(WAYS, asked(Task.DF, MARS)).reasoning_score == 0


def test_fixed_looks_at_it() -> None:
    found = judge(WAYS, asked(Task.DF, MARS), fixed=True)
    assert (found.loose_score, found.strict_score) == (0, 0)
    near = told(("hall", "north", "kitchen"), ("kitchen", "north", "Attics"))
    found = judge(WAYS, asked(Task.DF, near), fixed=True)
    assert found.loose_score == pytest.approx(5 / 6)
    assert found.strict_score == 0
    assert judge(WAYS, asked(Task.DF, RIGHT), fixed=True).strict_score == 1


def test_a_route_to_a_place_of_a_similar_name_earns_part() -> None:
    found = judge(WAYS, asked(Task.RF, told(("hall", "north", "kitchen"))))
    assert found.strict_score == 0
    assert found.loose_score == pytest.approx(1 / 7)  # kitchen, attic


def test_moves_match_any_action_of_the_maze_and_may_then_lead_nowhere() -> None:
    assert judge(WAYS, asked(Task.RF, told(("hall", "climb the rope", "")))).loose_score == 1
    below = told(("hall", "north", ""), ("kitchen", "climb", ""))
    assert judge(WAYS, asked(Task.RF, below)).loose_score == 0


def test_each_direction_has_its_reverse_verified_or_not() -> None:
    back = told(*[("", action, "") for action in ("north", "south", "north", "north")])
    assert judge(WAYS, asked(Task.RF, back)).strict_score == 1


def test_under_strict_an_unknown_move_becomes_the_first_action_of_the_alphabet() -> None:
    assert judge(WAYS, asked(Task.RF, told(("hall", "xyz", "")))).strict_score == 1


@pytest.mark.parametrize(
    ("entry", "error", "fixed"),
    [
        (asked(Task.RF, "north"), "parsing_error", "parsing_error"),
        (asked(Task.RF, RIGHT, known=False), "id_error", "id_error"),
        (asked(Task.RF, RIGHT, steps=1), "step_num_error", "step_num_error"),
        (asked(Task.RF, RIGHT, answerable=9999), "step_num_error", "step_num_error"),
        (asked(Task.RF, "", answerable=9999), "parsing_error", "step_num_error"),
        (asked(Task.RF, "", known=False), "parsing_error", "id_error"),
        (Damaged("toy", Task.RF, "f: is no JSON"), "parsing_error", "parsing_error"),
    ],
)
def test_what_drops_out(entry: Any, error: str, fixed: str) -> None:
    assert judge(WAYS, entry).error == error
    assert judge(WAYS, entry).level is None
    assert judge(WAYS, entry, fixed=True).error == fixed


def test_unreadable_answers_leave_the_denominator_unless_fixed() -> None:
    entries = [asked(Task.RF, RIGHT), asked(Task.RF, "no idea")]
    released = evaluate(WAYS, entries)["toy"]
    assert released["all"]["loose_score_average"] == 1
    assert released["easy"]["total_task"] == 1
    fixed = evaluate(WAYS, entries, fixed=True)["toy"]
    assert fixed["all"]["loose_score_average"] == 0.5
    assert fixed["easy"]["total_task"] == 2
    assert fixed["easy"]["parsing_error_average"] == 0.5


def test_the_summary_adds_the_games_up() -> None:
    found = evaluate(WAYS, [asked(Task.DF, RIGHT), asked(Task.DF, "")])
    assert found["summary"] == found["toy"]
    assert evaluate(WAYS, [])["summary"]["all"]["loose_score_average"] == 0


@pytest.mark.parametrize(
    "reply",
    [
        "no list", "[", "]", "][", "[]", "['north']", "[{'location_before': 'a'}]", None, 3,
        "[{'location_before': 'a', 'action': 'b', 'location_after': 'c [dark]'}]",
        "[{'location_before': 'a', 'action': 'b', 'location_after': None}]",
        "[__import__('os')]",
    ],
)  # fmt: skip
def test_what_the_release_cannot_read(reply: object) -> None:
    assert read_path(reply) is None


def test_what_the_release_reads() -> None:
    assert read_path(f"So: {RIGHT[:1]} or [x]") == (("hall", "north", "kitchen"),)
    paper = [{"prev_node": "hall", "action": "north", "node": "kitchen"}]
    assert read_path(paper) == (("hall", "north", "kitchen"),)
