"""A page about runs: equal rows give equal bytes, and no text of theirs can break out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pages import Reader
from worldquiz import AnswerStatus, Row
from worldquiz.page.asked import SIGNS, STATUSES, sign
from worldquiz.page.drawing import Drawing, DrawnPicture, DrawnStep
from worldquiz.page.findings import Share
from worldquiz.page.page import PageRun, build, page_run, render
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


def page(**runs: Sequence[Row]) -> str:
    return render([PageRun(name=name, rows=some) for name, some in runs.items()], resamples=200)


def said(**runs: Sequence[Row]) -> str:
    html = page(**runs)
    return Reader(html[html.index('<div class="findings">') : html.index('<div class="scroll"')]
                  .rsplit("</div>", 1)[0] + "</div>").text  # fmt: skip


def test_equal_rows_give_equal_bytes_and_other_rows_others(tmp_path: Path) -> None:
    runs = {"a": rows("a", [1, 0] * 16), "b": rows("b", [0, 0] * 16)}
    assert page(**runs) == page(**runs) != page(a=runs["a"])
    shown = [PageRun(name=name, rows=some) for name, some in runs.items()]
    assert build(shown, tmp_path / "p.html", resamples=200).read_text("utf-8") == page(**runs)


@pytest.fixture(scope="module")
def plain() -> Reader:
    return Reader(render([PageRun(name="a", rows=rows("a", [1.0, 0.0]), made={"a": "b"})],
                         resamples=0))  # fmt: skip


@settings(max_examples=30)
@given(HOSTILE, HOSTILE, HOSTILE)
def test_no_text_of_a_run_becomes_a_part_of_the_page(
    plain: Reader, name: str, text: str, reply: str
) -> None:
    some = rows(name, [1.0, 0.0], prompt=text, reply=reply, gold=text, cause=reply)
    run = PageRun(name=name, rows=some, made={"key": reply or "x"})
    read = Reader(render([run], resamples=0))
    assert [tag for tag, _ in read.tags] == [tag for tag, _ in plain.tags]
    assert read.open == plain.open
    assert read.scripts["code"] == plain.scripts["code"]
    block = json.loads(read.scripts["q0"])["questions"]
    assert block[0]["text"] == text
    assert block[0]["answers"][0]["reply"] == reply


def test_a_clear_lead_is_called_one_and_an_even_run_leaves_none() -> None:
    strong, weak = rows("strong", [1.0] * 30 + [0.0] * 2), rows("weak", [0.0] * 32)
    told = said(strong=strong, weak=weak)
    assert "strong has the highest mean score, 0.94 [" in told
    assert "The lead is clear on even and odd." in told
    told = said(a=rows("a", [1.0] * 32), b=rows("b", [1.0] * 31 + [0.0]), c=weak)
    assert "Its lead over b (" in told
    assert "It is clearly ahead of c (+1.00" in told


def test_what_cannot_be_compared_is_said() -> None:
    one, alone = rows("a", [1.0] * 8, worlds=1), rows("b", [0.0] * 8, worlds=1)
    assert "b (one world, so no interval)" in said(a=one, b=alone)
    apart = rows("b", [0.0] * 32)[16:]
    assert "b (no shared question)" in said(a=rows("a", [1.0] * 16), b=apart)
    other = rows("b", [0.0] * 32, prompt="Where else?", gold="cellar")  # another suite, same ids
    assert "b (not the same worlds)" in said(a=rows("a", [1.0] * 32), b=other)


def test_one_run_tells_its_best_and_worst_type_and_what_was_lost() -> None:
    some = rows("a", [1.0] * 8 + [0.0] * 8)
    told = said(a=some)
    assert "a: mean score 0.50" in told
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


def test_abstaining_earns_nothing_where_questions_cannot_be_answered() -> None:
    mute = quizzed("mute", AnswerStatus.ABSTAINED)
    read = Reader(page(bold=quizzed("bold", AnswerStatus.ANSWERED), mute=mute))
    assert "bold has the highest share known, 0.50" in read.text
    table = read.text[read.text.index("questions A bold") :].replace("Scores by", "|").split("|")[0]
    assert "1.00 4 of 4 8 B mute 0.00" in table
    assert "0.00 0 of 4 8 8 abstained" in table
    pointed = [replace(row, points=0.25) for row in mute]
    assert "mute: knowledge 0.25" in said(mute=pointed)


def test_questions_without_a_grade_are_in_no_share() -> None:
    some = quizzed("bold", AnswerStatus.ANSWERED)
    lost = [replace(row, unscored="no reply") for row in some]
    assert recall_shares([*some, *lost], resamples=0) == recall_shares(some, resamples=0)
    assert recall_shares(rows("a", [1.0, 0.0])) == {}
    every = recall_shares(rows("open", [1.0, 0.0]), resamples=0, always=True)
    assert [each["value"] for each in every.values()] == [0.5, 1.0, None]


def test_kinds_on_one_page_are_kept_apart() -> None:
    read = Reader(page(a=rows("a", [1.0] * 8), b=rows("b", [0.0] * 8, benchmark="toy")))
    assert "rooms a: mean score 1.00" in read.text
    assert "toy b: mean score 0.00" in read.text
    assert "more than" not in read.text
    blocks = [json.loads(read.scripts[f"q{place}"])["questions"] for place in range(16)]
    assert {len(each["answers"]) for block in blocks for each in block} == {1}
    worlds = json.loads(read.scripts["index"])["worlds"]
    assert [world["key"] for world in worlds[::8]] == ["rooms/w0", "toy/w0"]


def test_every_answer_has_a_letter_of_its_own_that_reads_back() -> None:
    grades = {None: 0, 0.0: 1, 0.5: 2, 1.0: 3}
    every = list(product(grades, STATUSES, (False, True)))
    letters = {sign(score, status, answerable=open_) for score, status, open_ in every}
    assert len(letters) == len(every)
    for score, status, open_ in every:
        code = SIGNS.index(sign(score, status, answerable=open_))
        assert (code & 3, bool(code & 4), STATUSES[code >> 3]) == (grades[score], open_, status)


def test_contestants_stand_first_with_the_papers_scores_and_baselines_are_folded() -> None:
    some = rows("x", [1.0] * 8, guess=0.25)
    runs = [
        PageRun(name="low", rows=rows("low", [0.0] * 8), bound="lower-bound"),
        PageRun(name="mine", rows=some, paper={"TSR": Share(0.75, (0.5, 1.0))}),
    ]
    html = render(runs, resamples=200)
    table = html[html.index("<table") : html.index("</table>")]
    assert table.index("mine") < table.index('<tbody class="bounds">') < table.index("low")
    text = Reader(table + "</table>").text
    assert "run mean score TSR chance questions" in text
    assert "B mine x 1.00 [0.68, 1.00] 0.75 [0.50, 1.00] 0.25 8 A low" in text
    assert "Show 1 baseline" in html


def test_a_run_is_a_bound_if_all_in_it_are_and_two_bounds_are_a_reference() -> None:
    some = rows("high", [1.0], agent="idle")
    bounds = {"idle": "lower-bound", "high": "upper-bound"}
    assert page_run("high", some, bounds).bound == "reference"
    assert page_run("high", some, {**bounds, "high": "lower-bound"}).bound == "lower-bound"
    assert page_run("high", some, {"idle": "lower-bound"}).bound == ""


def test_a_world_is_drawn_once_for_equal_texts_and_says_why_where_it_is_not() -> None:
    some = rows("a", [1.0], worlds=1)
    shot = DrawnPicture(uri="data:image/jpeg;base64,x", width=4, height=3)
    found = Drawing(svg="<svg/>", steps=(DrawnStep(step=0, text="> go", shows=(1,), picture=shot),),
                    about={"0": (1,)}, pictures={"0": (shot,)})  # fmt: skip
    drawn = [PageRun(name=name, rows=some, drawing=lambda _: found) for name in "ab"]
    block = json.loads(Reader(render(drawn, resamples=0)).scripts["q0"])
    assert block["texts"] == ["<svg/>", "> go", shot.uri]
    assert block["drawn"]["0"] == block["drawn"]["1"]
    assert block["drawn"]["0"]["steps"] == [[0, 0, 1, [1], None, [2, 4, 3, ""]]]
    undrawn = [PageRun(name="a", rows=some, drawing=lambda _: None)]
    block = json.loads(Reader(render(undrawn, resamples=0)).scripts["q0"])
    assert block["drawn"] == {}
    assert "--data" in block["why"]


def test_nothing_to_report_is_an_error_and_an_empty_run_is_a_page(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="at least one run"):
        build([], tmp_path / "page.html")
    assert "No question has a grade." in page(a=[])
