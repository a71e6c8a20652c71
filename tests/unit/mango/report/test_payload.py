"""What the page embeds of a maze: only what was read, every answer with its grade and its steps."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import mango_page
from worldquiz.llm.reply_lists import read_moves
from worldquiz.mango.report.draw import draw
from worldquiz.mango.report.payload import MOST_LETTERS, MOST_MOVES, maze_block, read_steps, sheets
from worldquiz.mango.scoring.contest import Contest
from worldquiz.mango.scoring.grade import Task
from worldquiz.report.html import embed

CONTEST = mango_page.contest(steps=15)
MAZE = CONTEST.mazes["cave"]
BLOCK = maze_block(CONTEST, "cave")


def replied(reply: object) -> dict[str, object]:
    """Return the first answer of a block whose only answer is this reply."""
    only = mango_page.contest([MAZE], per_maze=1, one=lambda maze, question, steps: reply)
    answer: dict[str, object] = maze_block(only, "cave")["questions"][0]["answers"]["0"]
    return answer


def test_only_what_was_read_of_the_walkthrough_is_there() -> None:
    assert BLOCK["read"] == 15
    assert [step[0] for step in BLOCK["steps"]] == list(range(16))
    assert len(MAZE.walkthrough) > 16
    texts = json.dumps(BLOCK["steps"]) + json.dumps(BLOCK["texts"])
    assert "Init" in texts


def test_the_longest_reader_counts_and_a_whole_walkthrough_is_its_own_length() -> None:
    few, many = mango_page.contest([MAZE], steps=9), mango_page.contest([MAZE], steps=999)
    both = Contest(few.mazes, (*few.contestants, *many.contestants))
    assert read_steps(MAZE, sheets(few, "cave")) == 9
    assert read_steps(MAZE, sheets(both, "cave")) == MAZE.steps
    assert read_steps(MAZE, ()) == MAZE.steps
    routes = [each["routes"] for each in maze_block(both, "cave")["questions"]]
    assert {steps for route in routes for steps in route} == {"9", str(MAZE.steps)}


def test_every_question_is_there_once_with_everybodys_answer() -> None:
    asked = [marked.question for marked in CONTEST.contestants[0].marked
             if marked.question.game == "cave"]  # fmt: skip
    found = BLOCK["questions"]
    assert [(each["task"], each["id"]) for each in found] == [
        (str(each.task), each.id) for each in asked
    ]
    assert all(sorted(each["answers"]) == ["0", "1"] for each in found)


def test_an_answer_carries_its_grade_level_and_moves() -> None:
    for place, contestant in enumerate(CONTEST.contestants):
        marked = {each.question.id: each for each in contestant.marked}
        for question in BLOCK["questions"]:
            answer, given = question["answers"][str(place)], marked[question["id"]]
            assert answer["score"] == [
                given.grade.success, given.grade.reasoning, given.grade.weighted
            ]  # fmt: skip
            assert answer["level"] == str(given.level)
            told = read_moves(given.reply).moves[:MOST_MOVES]
            assert len(answer["moves"]) == len(told)


def test_the_steps_that_answer_a_question_were_read_and_end_at_its_place() -> None:
    for question in BLOCK["questions"]:
        route = question["routes"]["15"]
        assert route
        edges = [BLOCK["edges"][number] for number in route]
        assert BLOCK["places"][edges[-1][2]] == question["correct"][0]
        assert all(min(s for s in edge[5:] if s is not None) <= 15 for edge in edges)
        if question["task"] == "df":
            assert [edge[1] for edge in edges] == question["actions"]


def test_an_easy_question_is_answered_by_moves_that_were_taken() -> None:
    for question in BLOCK["questions"]:
        taken = all(
            BLOCK["edges"][number][5] is not None and BLOCK["edges"][number][5] <= 15
            for number in question["routes"]["15"]
        )
        assert (question["answers"]["0"]["level"] == "easy") == taken


def test_a_right_route_is_the_moves_that_were_told() -> None:
    for question in BLOCK["questions"]:
        answer = question["answers"]["0"]
        if answer["score"][1]:
            told = [[BLOCK["places"][BLOCK["edges"][n][0]], BLOCK["edges"][n][1],
                     BLOCK["places"][BLOCK["edges"][n][2]]] for n in answer["route"]]  # fmt: skip
            assert told == answer["moves"]


@pytest.mark.slow
def test_a_reply_that_is_no_more_than_its_moves_is_not_repeated() -> None:
    moves = [{"prev_node": "a", "action": "b", "node": "c"}]
    assert replied(json.dumps(moves))["reply"] is None
    assert replied(moves)["reply"] is None
    assert replied(None)["reply"] is None
    assert replied("I don't know")["reply"] is not None
    assert replied([1, 2])["reply"] is not None


def test_a_long_reply_and_a_long_route_are_cut_and_say_so() -> None:
    only = mango_page.contest([MAZE], per_maze=1, one=lambda *_: "x" * 90_000)
    block = maze_block(only, "cave")
    text = block["texts"][block["questions"][0]["answers"]["0"]["reply"]]
    assert len(text) < MOST_LETTERS + 50
    assert "87,000 letters" in text
    answer = replied([{"prev_node": "a", "action": "b", "node": "c" * 9_000}] * 500)
    assert answer["more"] == 500 - MOST_MOVES
    assert len(json.dumps(answer)) < 40_000


def test_questions_that_what_was_read_does_not_settle_are_shown_without_a_level() -> None:
    one = CONTEST.contestants[0]
    unsettled = replace(
        one, marked=tuple(replace(each, steps=0, level=None) for each in one.marked)
    )
    block = maze_block(Contest(CONTEST.mazes, (unsettled,)), "cave")
    assert {each["answers"]["0"]["level"] for each in block["questions"]} == {None}
    routes = {json.dumps(each["routes"]) for each in block["questions"]}
    assert routes == {'{"0": null}'}


def test_no_text_ends_the_script_that_holds_it() -> None:
    nasty = mango_page.contest([MAZE], nasty=mango_page.nasty)
    text = embed(maze_block(nasty, "cave"))
    assert "</script>" not in text
    found = json.loads(text)["questions"]
    route = next(each for each in found if each["task"] == str(Task.RF))
    assert route["answers"]["0"]["moves"] == [[mango_page.NASTY] * 3]


def test_the_map_is_that_of_the_whole_maze() -> None:
    assert BLOCK["map"] == draw(MAZE, 15)
    assert len(BLOCK["edges"]) == len(MAZE.edges)
