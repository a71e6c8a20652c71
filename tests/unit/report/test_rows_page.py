"""A page of any runs' rows: equal rows give equal bytes, and no text of theirs can break out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pages import Reader
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.report.findings import text
from worldquiz.report.rows_page import _entry, _group, build, first, render
from worldquiz.stats.row_scores import recall_shares

PIECES = ["</script>", "<!--", "<script>", "<img src=x>", "{{ 7*7 }}", "]]>", "&lt;", '"', "'",
          "\\", "\n", "\u2028", "a", " "]  # fmt: skip
HOSTILE = st.lists(st.sampled_from(PIECES), max_size=5).map("".join)


def rows(
    run: str, grades: Sequence[float], *, benchmark: str = "rooms", worlds: int = 8, **more: object
) -> list[Row]:
    """Return a row for each grade, of types `even` and `odd` in turn, spread over worlds."""
    told = {"prompt": "Where?", "gold": "attic", "reply": "cellar", "answerer": run, **more}
    return [
        Row(
            run=run, benchmark=benchmark, world=f"w{place % worlds}", item=str(place),
            type=("even", "odd")[place // worlds % 2], format="room", shown=True,
            status=AnswerStatus.ANSWERED, correct=grade, **told,  # type: ignore[arg-type]
        )
        for place, grade in enumerate(grades)
    ]  # fmt: skip


def said(**runs: Sequence[Row]) -> str:
    entries = [_entry(place, name, some) for place, (name, some) in enumerate(runs.items())]
    screen = first(_group("rooms", entries, runs, 500), runs, 500)
    return " ".join(text(sentence) for sentence in screen["findings"])


def test_equal_rows_give_equal_bytes_and_other_rows_others() -> None:
    runs = {"a": rows("a", [1, 0] * 16), "b": rows("b", [0, 0] * 16)}
    assert render(runs, resamples=200) == render(dict(runs), resamples=200)
    assert render(runs, resamples=200) != render({"a": runs["a"]}, resamples=200)


@pytest.fixture(scope="module")
def plain() -> Reader:
    return Reader(render({"a": rows("a", [1.0, 0.0])}, resamples=0))


@settings(max_examples=50)
@given(HOSTILE, HOSTILE, HOSTILE)
def test_no_text_of_a_run_becomes_a_part_of_the_page(
    plain: Reader, name: str, text: str, reply: str
) -> None:
    some = rows(name, [1.0, 0.0], prompt=text, reply=reply, gold=text, cause=reply)
    page = Reader(render({name: some}, resamples=0))
    assert [tag for tag, _ in page.tags] == [tag for tag, _ in plain.tags]
    assert page.open == plain.open
    assert page.scripts["code"] == plain.scripts["code"]
    block = json.loads(page.scripts["q0"])
    assert block[0]["text"] == text
    assert block[0]["answers"][0]["reply"] == reply


def test_a_clear_lead_is_called_one() -> None:
    told = said(strong=rows("strong", [1.0] * 30 + [0.0] * 2), weak=rows("weak", [0.0] * 32))
    assert told.startswith("A strong scores more than B weak of the same worlds: +0.94 [")
    assert "The lead is clear on even and odd." in told


def test_overlapping_runs_have_no_best() -> None:
    left, right = rows("left", [1, 0, 1, 0, 1] * 6), rows("right", [0, 1, 1, 0, 0, 1] * 5)
    told = said(left=left, right=right)
    assert told.startswith("No run clearly scores most. A left has the highest mean score, 0.")
    assert "but its lead over B right (+0." in told


def test_a_third_run_that_is_even_leaves_no_best() -> None:
    told = said(a=rows("a", [1.0] * 32), b=rows("b", [1.0] * 31 + [0.0]), c=rows("c", [0.0] * 32))
    assert "No run clearly scores most." in told
    assert "C c (" not in told
    assert "A a scores more than C c of the same worlds: +1.00" in told


def test_what_cannot_be_compared_is_said() -> None:
    one, alone = rows("a", [1.0] * 8, worlds=1), rows("b", [0.0] * 8, worlds=1)
    assert "B b (one world, so no interval)" in said(a=one, b=alone)
    apart = rows("b", [0.0] * 32)[16:]
    assert "B b (no shared question)" in said(a=rows("a", [1.0] * 16), b=apart)


def test_one_run_tells_its_best_and_worst_type_and_what_was_lost() -> None:
    some = rows("a", [1.0] * 8 + [0.0] * 8)
    told = said(a=some)
    assert told.startswith("A a scores 0.50")
    assert "(16 questions about 8 worlds)." in told
    assert "Most on even (1.00), least on odd (0.00)." in told
    assert "unreadable" not in told
    lost = [replace(row, status=AnswerStatus.UNREADABLE) for row in some[:3]]
    assert "a, of 16 replies: 3 unreadable." in said(a=[*lost, *some[3:]])


def quizzed(run: str, reply: AnswerStatus) -> list[Row]:
    """Return eight rows of four worlds: every other question is not answerable, all get a reply."""
    right = {True: reply is AnswerStatus.ANSWERED, False: reply is AnswerStatus.ABSTAINED}
    return [
        replace(row, shown=open_, status=reply, correct=float(right[open_]))
        for place, row in enumerate(rows(run, [0.0] * 8, worlds=4))
        for open_ in (place % 2 == 0,)
    ]


def test_known_and_false_answers_stand_first_where_questions_cannot_be_answered() -> None:
    runs = {
        "bold": quizzed("bold", AnswerStatus.ANSWERED),
        "mute": quizzed("mute", AnswerStatus.ABSTAINED),
        "mumbling": quizzed("mumbling", AnswerStatus.UNREADABLE),
    }
    html = render(runs, resamples=200)
    known = "Known (false-answer rate): bold 0.50 (1.00), mute 0.00 (0.00), mumbling 0.00 (0.00)."
    assert known in html
    assert html.index(known) < html.index("What was known")
    assert html.index("What was known") < html.index("Scores by type of question")
    assert recall_shares(runs["bold"], resamples=0)["coverage"]["value"] == 0.5


def test_a_run_that_was_shown_all_has_shares_beside_one_that_was_not() -> None:
    some = [replace(row, shown=place > 0) for place, row in enumerate(rows("shut", [1.0] * 4))]
    page = Reader(render({"shut": some, "open": rows("open", [1.0, 1.0, 0.0, 0.0])}, resamples=0))
    assert "Known (false-answer rate): shut 0.75 (1.00), open 0.50 (–)." in page.text
    every = recall_shares(rows("open", [1.0, 0.0]), resamples=0, always=True)
    assert [each["value"] for each in every.values()] == [0.5, 1.0, None]


def test_a_quiz_that_can_all_be_answered_has_no_such_shares() -> None:
    assert recall_shares(rows("a", [1.0, 0.0])) == {}
    assert "What was known" not in render({"a": rows("a", [1.0, 0.0])}, resamples=0)


def test_questions_without_a_grade_are_in_no_share() -> None:
    some = quizzed("bold", AnswerStatus.ANSWERED)
    lost = [replace(row, unscored="no reply") for row in some]
    assert recall_shares([*some, *lost], resamples=0) == recall_shares(some, resamples=0)


def test_benchmarks_on_one_page_are_kept_apart() -> None:
    runs = {"a": rows("a", [1.0] * 8), "b": rows("b", [0.0] * 8, benchmark="toy")}
    page = Reader(render(runs, resamples=200))
    assert "Scores by type of question: rooms" in page.text
    assert "Scores by type of question: toy" in page.text
    assert "more than" not in page.text
    blocks = [json.loads(page.scripts[f"q{place}"]) for place in range(16)]
    assert {len(each["answers"]) for block in blocks for each in block} == {1}
    worlds = json.loads(page.scripts["index"])["worlds"]
    assert [world["key"] for world in worlds[::8]] == ["rooms/w0", "toy/w0"]
    assert [world["benchmark"] for world in worlds[::8]] == ["rooms", "toy"]


def test_nothing_to_report_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="at least one run"):
        build({}, tmp_path / "page.html")
