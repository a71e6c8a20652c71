"""A page about runs: equal rows give equal bytes, and no text of theirs can break out."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import worldquiz as wq
from pages import Reader, written
from worldquiz import AnswerStatus, Row
from worldquiz.page.html import Drawing, DrawnPicture, DrawnStep
from worldquiz.page.page import MOST_WORLDS

PIECES = ["</script>", "<!--", "<script>", "<img src=x>", "{{ 7*7 }}", "]]>", "&lt;", '"', "'",
          "\\", "\n", "\u2028", "a", " "]  # fmt: skip
HOSTILE = st.lists(st.sampled_from(PIECES), max_size=5).map("".join)
Page = Callable[..., str]


def rows(run: str, grades: Sequence[float], *, worlds: int = 8, **more: Any) -> list[Row]:
    """Return a row for each grade, of types `even` and `odd` in turn, spread over worlds."""
    told = {"prompt": "Where?", "gold": "attic", "reply": "cellar", "answerer": run,
            "benchmark": "rooms", **more}  # fmt: skip
    return [
        Row(
            run=run, world=f"w{place % worlds}", item=str(place),
            type=("even", "odd")[place // worlds % 2], format="room", shown=True,
            status=AnswerStatus.ANSWERED, correct=grade, **told,
        )
        for place, grade in enumerate(grades)
    ]  # fmt: skip


def page(**runs: Sequence[Row]) -> str:
    with TemporaryDirectory() as home:
        return wq.report(written(Path(home), runs), Path(home) / "p.html").read_text("utf-8")


def said(**runs: Sequence[Row]) -> str:
    with TemporaryDirectory() as home:
        return findings_of(wq.report(written(Path(home), runs), Path(home) / "p.html"))


def findings_of(page: Path) -> str:
    html = page.read_text("utf-8")
    return Reader(html[html.index('<div class="findings">') : html.index('<div class="scroll"')]
                  .rsplit("</div>", 1)[0] + "</div>").text  # fmt: skip


def test_equal_rows_give_equal_bytes_and_other_rows_others() -> None:
    runs = {"a": rows("a", [1, 0] * 16), "b": rows("b", [0, 0] * 16)}
    assert page(**runs) == page(**runs) != page(a=runs["a"])


def hostile(text: str, reply: str) -> Reader:
    some = rows("b", [1.0, 0.0], prompt=text, reply=reply, gold=text)
    some = [replace(row, type=reply, world=text or "w") for row in some]
    with TemporaryDirectory() as home:
        runs = written(Path(home), {"a": some}, manifest={"key": reply or "x"})
        return Reader(wq.report(runs, Path(home) / "p.html").read_text("utf-8"))


@cache
def plain() -> Reader:
    return hostile("Where?", "b")


@settings(max_examples=20)
@given(HOSTILE, HOSTILE)
def test_no_text_of_a_run_becomes_a_part_of_the_page(text: str, reply: str) -> None:
    read = hostile(text, reply or "x")
    assert [tag for tag, _ in read.tags] == [tag for tag, _ in plain().tags]
    assert read.open == plain().open
    assert read.scripts["code"] == plain().scripts["code"]
    block = json.loads(read.scripts["data"])["worlds"][0]["questions"]
    assert block[0]["text"] == text
    assert block[0]["answers"][0]["reply"] == (reply or "x")


def test_a_clear_lead_is_called_one_and_an_even_run_leaves_none() -> None:
    strong, weak = rows("strong", [1.0] * 30 + [0.0] * 2), rows("weak", [0.0] * 32)
    told = said(strong=strong, weak=weak)
    assert "strong has the highest mean grade, 0.94 [" in told
    assert re.search(r"Its lead over weak \(\+0\.94 \[.{10}\]\) is clear\.", told)
    told = said(a=rows("a", [1.0] * 32), b=rows("b", [1.0] * 31 + [0.0]), c=weak)
    assert re.search(
        r"lead over c \(\+1\.00 .* is clear\. Its lead over b \(.* is not clear\.", told
    )


GRADES = st.lists(st.sampled_from([0.0, 1.0]), min_size=16, max_size=16)


@settings(max_examples=12)
@given(GRADES, GRADES, st.sampled_from([3, 8]))
def test_a_lead_is_clear_only_where_the_comparison_says_so(
    left: list[float], right: list[float], worlds: int
) -> None:
    runs = {"a": rows("a", left, worlds=worlds), "b": rows("b", right, worlds=worlds)}
    told = said(**runs)
    with TemporaryDirectory() as home:
        found = wq.compare(*written(Path(home), runs))
    if worlds == 3:
        assert (found["ci"], found["p"]) == (None, None)
        assert f", {found['note']}) is not clear." in told
        return
    (low, high), lead = found["ci"], found["difference"] > 0
    clear = (found["p"] or 1) < 0.05 and (low > 0 if lead else high < 0)
    assert (") is clear." in told, ") is not clear." in told) == (clear, not clear)


def test_baselines_lead_nothing_where_something_is_measured(tmp_path: Path) -> None:
    bounds = {"high": "upper-bound", "low": "lower-bound"}
    grades = {"high": [1.0] * 32, "mine": [1.0] * 24 + [0.0] * 8, "low": [0.0] * 32}
    some = {name: rows(name, given, guess=0.25) for name, given in grades.items()}
    runs = written(tmp_path, some, bounds=lambda: bounds, paper={"TSR": ("tsr", "")})
    (runs[1].path / "scores.json").write_text('{"tsr": 0.5}')
    html = runs[0].report(tmp_path / "p.html", beside=runs[1:]).read_text("utf-8")
    told = Reader(html).text
    assert "mine: knowledge 0.67 [" in told  # 24 * 0.75 less 8 * 0.25 points, of 32 * 0.75
    assert re.search(r"Its lead over low \(\+1\.00 \[.{10}\]\) is clear\.", told)
    table = html[html.index("<table") : html.index("</table>")]
    assert table.index("mine") < table.index('<tbody class="bounds">') < table.index("low")
    text = Reader(table + "</table>").text
    assert "run knowledge ceiling TSR questions" in text
    assert re.search(r"B mine 0\.67 \[0\.\d\d, 0\.\d\d\] 1\.00 \[.{10}\] 0\.50 32 A high", text)
    assert "Show 2 baselines" in html
    some |= {"both": rows("high", [1.0] * 32, agent="low", guess=0.25)}
    del some["mine"]
    one, *more = written(tmp_path / "two", some, bounds=lambda: bounds)
    told = findings_of(one.report(tmp_path / "p.html", beside=more))
    scale = (
        "for your own runs. Lower bound: low −0.33. Reference: both 1.00. Upper bound: high 1.00."
    )
    assert f"These are baselines only: the scale {scale}" in told
    assert not re.search("highest|lead", told)


@pytest.mark.parametrize("few", range(3, 9))
def test_long_lists_are_cut(few: int) -> None:
    runs = {name: rows(name, [1.0] * 31 + [0.0]) for name in "abcdefgh"[:few]}
    runs["a"] = rows("a", [1.0] * 32)
    assert (" more is not clear" in said(**runs)) == (few > 6)


def test_what_cannot_be_compared_is_said() -> None:
    one, alone = rows("a", [1.0] * 8, worlds=1), rows("b", [0.0] * 8, worlds=1)
    told = said(a=one, b=alone)
    assert "Its lead over b (+1.00, 1 world: too few for an interval) is not clear." in told
    apart = rows("b", [0.0] * 32)[16:]
    assert "b (no shared question)" in said(a=rows("a", [1.0] * 16), b=apart)


def test_one_run_tells_its_best_and_worst_type_and_what_was_lost() -> None:
    some = rows("a", [1.0] * 8 + [0.0] * 8)
    told = said(a=some)
    assert "a: mean grade 0.50" in told
    assert "(16 questions about 8 worlds)." in told
    assert "Highest on even (1.00), lowest on odd (0.00)." in told
    assert "unreadable" not in told
    lost = [replace(row, status=AnswerStatus.UNREADABLE) for row in some[:3]]
    assert "a: of 16 replies, 3 unreadable." in said(a=[*lost, *some[3:]])
    assert "No question has a grade." in said(a=[])


def quizzed(run: str, reply: AnswerStatus) -> list[Row]:
    """Return eight rows of four worlds: every other question is not answerable, all get a reply."""
    right = {True: reply is AnswerStatus.ANSWERED, False: reply is AnswerStatus.ABSTAINED}
    return [
        replace(row, shown=open_, status=reply, correct=float(right[open_]), guess=0.5)
        for place, row in enumerate(rows(run, [0.0] * 8, worlds=4))
        for open_ in (place % 2 == 0,)
    ]


def test_abstaining_earns_nothing_where_questions_cannot_be_answered() -> None:
    mute = quizzed("mute", AnswerStatus.ABSTAINED)
    read = Reader(page(bold=quizzed("bold", AnswerStatus.ANSWERED), mute=mute))
    assert "bold has the highest knowledge, 0.50" in read.text
    table = read.text[read.text.index("questions A bold") :].replace("Scores by", "|").split("|")[0]
    assert "run knowledge ceiling false answers questions" in read.text
    assert re.search(r"A bold 0\.50 0\.50 1\.00 8 B mute 0\.00 0\.50 0\.00 8 8 abstained", table)
    assert "do not count" not in read.text
    told = Reader(page(mute=[
        replace(row, guess=None if place < 4 else 0.5) for place, row in enumerate(mute)
    ])).text  # fmt: skip
    assert "4 questions do not count" in told
    assert "mute: knowledge 0.00 (4 questions about 4 worlds: too few for an interval)." in told


def test_kinds_on_one_page_are_kept_apart(tmp_path: Path) -> None:
    (one,) = written(tmp_path, {"a": rows("a", [1.0] * 8)})
    (two,) = written(tmp_path, {"b": rows("b", [0.0] * 8, benchmark="toy")}, noun="toy run")
    read = Reader(wq.report([one, two], tmp_path / "p.html").read_text("utf-8"))
    assert "rooms run a: mean grade 1.00" in read.text
    assert "toy run b: mean grade 0.00" in read.text
    assert "more than" not in read.text
    blocks = [world["questions"] for world in json.loads(read.scripts["data"])["worlds"]]
    assert len(blocks) == 16
    assert {len(each["answers"]) for block in blocks for each in block} == {1}
    worlds = json.loads(read.scripts["data"])["worlds"]
    assert [world["key"] for world in worlds[::8]] == ["rooms/w0", "toy/w0"]


@pytest.mark.parametrize("data", [{"suite": "%s"}, {"data": {"w0": "%s"}}])
def test_runs_on_other_data_are_kept_apart_and_said_to_be(tmp_path: Path, data: Any) -> None:
    some = [
        written(tmp_path / name, {name: rows(name, [grade] * 8)}, manifest=made)[0]
        for name, grade, told in (("a", 1.0, "1"), ("b", 0.0, "2"), ("c", 0.5, "1"))
        for made in [{"label": name, **json.loads(json.dumps(data) % told)}]
    ]
    read = Reader(wq.report(some, tmp_path / "p.html").read_text("utf-8"))
    assert "Not compared: a, c and b; their data have no world in common." in read.text
    assert "Not compared: b and a, c; their data" in read.text
    assert "rooms run on the data of b" in read.text
    assert "a has the highest mean grade, 1.00" in read.text
    assert "b: mean grade 0.00" in read.text


def test_of_many_worlds_those_are_shown_first_in_which_runs_disagree(tmp_path: Path) -> None:
    many, odd = 2 * MOST_WORLDS, {MOST_WORLDS, MOST_WORLDS + 7}
    one = rows("a", [1.0] * many, worlds=many)
    other = rows("b", [float(place not in odd) for place in range(many)], worlds=many)
    runs = written(tmp_path, {"a": one, "b": other})
    page = Reader(wq.report(runs, tmp_path / "p.html").read_text("utf-8"))
    shown = [world["key"] for world in json.loads(page.scripts["data"])["worlds"]]
    assert shown == [*(f"w{place}" for place in range(MOST_WORLDS - 2)), *(f"w{n}" for n in odd)]
    told = "questions of 200, failures and disagreements first. p.parquet beside"
    assert f"{told} it has those of {many - 200} more" in page.text
    assert len(pyarrow.parquet.read_table(tmp_path / "p.parquet")) == 2 * many


def test_a_world_is_drawn_once_for_equal_texts_and_says_why_where_it_is_not(tmp_path: Path) -> None:
    some = rows("a", [1.0], worlds=1)
    shot = DrawnPicture(uri="data:image/jpeg;base64,x", width=4, height=3)
    found = Drawing(svg="<svg/>", steps=(DrawnStep(step=0, text="> go", shows=(1,), picture=shot),),
                    about={"0": (1,)}, pictures={"0": (shot,)})  # fmt: skip

    def block(drawing: Drawing | None) -> Any:
        runs = written(tmp_path / str(drawing is None), {"a": some, "b": some},
                       drawings=lambda run, data: lambda world: drawing)  # fmt: skip
        page = wq.report(runs, tmp_path / "p.html").read_text("utf-8")
        return json.loads(Reader(page).scripts["q0"])

    told = block(found)
    assert told["texts"] == ["<svg/>", "> go", shot.uri]
    assert told["drawn"]["0"] == told["drawn"]["1"]
    assert told["drawn"]["0"]["steps"] == [[0, 0, 1, [1], None, [2, 4, 3, ""]]]
    told = block(None)
    assert told["drawn"] == {}
    assert "--data" in told["why"]


def test_nothing_to_report_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="at least one run"):
        wq.report([], tmp_path / "page.html")
