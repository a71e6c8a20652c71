"""What the page embeds of a world, read back as the browser reads it."""

from __future__ import annotations

import json
from typing import Any

import pytest

import synthetic
from worldquiz.facts.knowledge_score import points
from worldquiz.report.html import Texts, embed
from worldquiz.t2q.quiz.exam import results
from worldquiz.t2q.report.payload import Shown, world_block
from worldquiz.t2q.store import Played


def block(*runs: Played) -> Any:
    shown = [Shown(place, played, results(played)) for place, played in enumerate(runs)]
    return json.loads(embed(world_block(runs[0].bundle, shown)))


@pytest.fixture(scope="module")
def both() -> Any:
    return block(*(synthetic.played("easy-00", "easy", who) for who in ("scout", "idle")))


def test_texts_are_numbered_once() -> None:
    texts = Texts()
    assert [texts("a"), texts("b"), texts("a")] == [0, 1, 0]
    assert texts.table == ["a", "b"]


def test_paragraphs_keep_their_lines_and_lose_only_blanks() -> None:
    texts = Texts()
    numbers = texts.paragraphs("one\ntwo\n\n\n\nthree\n\n")
    assert [texts.table[n] for n in numbers] == ["one\ntwo", "three"]


@pytest.mark.parametrize("nasty", [synthetic.NASTY, "<!--", "\u2028\x00", "\\u003c/script>"])
def test_embedded_json_cannot_close_its_element_and_reads_back(nasty: str) -> None:
    text = embed({"reply": nasty})
    assert "<" not in text
    assert json.loads(text) == {"reply": nasty}


def test_a_step_is_command_reading_paragraphs_inventory_and_room(both: Any) -> None:
    texts = both["texts"]
    outcome, steps = both["runs"]["0"]["episodes"][0]
    assert (outcome, len(steps)) == ("won", 3)
    start, refused, moved = steps
    assert start[:2] == [None, None]
    assert [texts[n] for n in start[2]] == [
        "-= Hall =-\nThis is the hall.",
        "There is a pine table.",
    ]
    assert (texts[refused[0]], refused[1]) == ("fly <b>away</b>", None)
    assert moved[0] == moved[1]
    assert [both["rooms"][step[4]] for step in steps] == ["hall", "hall", "attic"]
    assert texts[moved[3]] == "You are carrying nothing."


def test_each_episode_starts_where_the_world_starts(both: Any) -> None:
    assert both["rooms"][both["runs"]["0"]["episodes"][1][1][0][4]] == "hall"


def test_first_shown_facts_carry_their_moment(both: Any) -> None:
    first = {both["facts"][str(fact)]: (t, s) for t, s, fact in both["runs"]["0"]["first"]}
    assert first["listed(hall)"] == (0, 0)
    assert first["leads(hall, north, attic)"] == (0, 2)
    assert first["locked(oak door)"] == (1, 1)
    assert "in(red apple, iron chest)" not in first
    assert "player_at(attic)" not in first  # not true of the initial state


def test_results_carry_moment_reply_and_grade(both: Any) -> None:
    found = [
        (moment, both["texts"][reply], abstained, score)
        for moment, reply, abstained, score, _ in both["runs"]["0"]["results"]
    ]
    assert found == [
        (None, "non-answerable", 1, 1.0),
        (None, "yes", 0, 0.0),
        ([0, 2], "attic", 0, 1.0),
        ([0, 2], "south", 0, 0.0),
        (None, "non-answerable", 1, 1.0),
        ([1, 1], "yes", 0, 1.0),
    ]


def test_results_carry_the_points_of_the_knowledge_score(both: Any) -> None:
    played = synthetic.played("easy-00", "easy", "scout")
    told = [result[4] for result in both["runs"]["0"]["results"]]
    earned = [points(result) for result in results(played)]
    assert [each is None for each in told] == [each is None for each in earned]
    assert [each or 0 for each in told] == pytest.approx([each or 0 for each in earned], abs=1e-4)
    assert any(told)


def test_a_question_without_a_grade_says_why() -> None:
    cut = block(synthetic.played("easy-00", "easy", "scout", synthetic.REPLIES[:5]))
    assert cut["runs"]["0"]["results"][5][3] == "no answer on record"


def test_questions_and_tasks_are_the_bundles(both: Any) -> None:
    texts = both["texts"]
    id, type, kind, ask, choices, gold, about = both["questions"][2]
    assert (id, type, kind, about) == ("connectivity-001", "connectivity", "which", ["hall"])
    assert [texts[n] for n in (ask, *choices, gold)] == [
        "Which room is next to the hall?", "attic", "vault", "attic",
    ]  # fmt: skip
    objective, plan, proof = both["tasks"][1]
    assert (texts[objective], len(plan), proof) == ("Fetch the blue vase.", 5, "dependency")


def test_runs_share_one_map_and_one_table_of_texts(both: Any) -> None:
    alone = block(synthetic.played("easy-00", "easy", "scout"))
    assert alone["map"] == both["map"]
    assert both["texts"] == alone["texts"]  # the idle run says nothing that the scout's does not
    assert both["runs"]["1"]["sight"]["rooms"] == [1, 3]
