"""The page of a contest as a file: self-contained, safe against its content, equal for equals."""

from __future__ import annotations

import base64
import hashlib
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from math import comb
from pathlib import Path

import pytest

import mango_page
from pages import Reader
from worldquiz.errors import MissingExtra, RecordError
from worldquiz.mango.report.page import MOST_SCATTERED, build, render
from worldquiz.mango.scoring.contest import Contest

CONTEST = mango_page.contest()


@pytest.fixture(scope="module")
def html() -> str:
    return render(CONTEST)


@pytest.fixture(scope="module")
def page(html: str) -> Reader:
    return Reader(html)


@pytest.mark.slow
def test_tags_match(page: Reader) -> None:
    assert page.open == []


def test_identifiers_are_unique(page: Reader) -> None:
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(set(ids)) == len(ids)


def test_nothing_is_fetched_and_only_our_script_may_run(page: Reader) -> None:
    links = [attrs.get(key) or "" for _, attrs in page.tags for key in ("href", "src")]
    assert all(link == "" or link.startswith(("#", "data:")) for link in links)
    policy = next(attrs["content"] for _, attrs in page.tags if "http-equiv" in attrs)
    hashed = base64.b64encode(hashlib.sha256(page.scripts["code"].encode()).digest()).decode()
    assert policy is not None
    assert f"script-src 'sha256-{hashed}'" in policy
    assert "default-src 'none'" in policy


@pytest.mark.slow
def test_replies_and_names_cannot_break_out() -> None:
    nasty = mango_page.contest(nasty=mango_page.nasty)
    named = Contest(
        nasty.mazes, (replace(nasty.contestants[0], name=mango_page.NASTY,
                              settings={"note": mango_page.NASTY}),)
    )  # fmt: skip
    page = Reader(render(named))
    assert not any(tag == "img" for tag, _ in page.tags)
    assert mango_page.NASTY in page.text


@pytest.mark.slow
def test_a_mazes_names_cannot_break_out() -> None:
    maze = mango_page.maze(mango_page.NASTY)
    page = Reader(render(mango_page.contest([maze])))
    assert not any(tag == "img" for tag, _ in page.tags)
    assert [each["key"] for each in json.loads(page.scripts["index"])["worlds"]] == [
        mango_page.NASTY
    ]


def test_the_headline_counts_mazes_and_questions(page: Reader) -> None:
    asked = {(each.question.game, each.question.id, each.question.task)
             for each in CONTEST.contestants[0].marked}  # fmt: skip
    assert f"2 mazes and {len(asked)} questions" in page.text
    assert "2 answerers side by side" in page.text


@pytest.mark.slow
def test_one_contestant_has_no_pairs() -> None:
    page = Reader(render(mango_page.contest(alone=mango_page.mapper)))
    assert "How alone finds its way" in page.text
    assert "Table 1" not in page.text
    assert "Figure 3" not in page.text
    assert "Figure 2" in page.text


def test_both_tables_of_pairs_are_there_for_both_tasks(page: Reader) -> None:
    captions = [f"Table {n}: {score}, {task} finding"
                for n, score in (("1", "success"), ("9", "reasoning"))
                for task in ("destination", "route")]  # fmt: skip
    assert all(caption in page.text for caption in captions)


def test_every_figure_is_there(page: Reader) -> None:
    for number in (2, 3, 5, 6, 7):
        assert f"Figure {number}: " in page.text


@pytest.mark.slow
def test_a_crowd_is_scattered_against_the_first_only() -> None:
    few = mango_page.contest([mango_page.maze(size=5)], per_maze=2, one=mango_page.silent)
    names = [replace(few.contestants[0], name=f"m{number}") for number in range(5)]
    crowd = Contest(few.mazes, tuple(names))
    assert comb(len(crowd.contestants), 2) > MOST_SCATTERED
    assert render(crowd).count("Figure 3: ") == 4


@pytest.mark.slow
def test_what_differs_between_contestants_is_shown() -> None:
    few = mango_page.contest(one=mango_page.mapper, steps=12)
    more = mango_page.contest(two=mango_page.mapper)
    page = Reader(render(Contest(few.mazes, (*few.contestants, *more.contestants))))
    assert "What differs between the runs" in page.text
    assert "not all asked the same questions at the same levels" in page.text


@pytest.mark.slow
def test_few_mazes_are_warned_of(page: Reader) -> None:
    assert "With 2 mazes, intervals are rough" in page.text
    assert "no intervals" in Reader(render(mango_page.contest([mango_page.maze()]))).text


@pytest.mark.slow
def test_answers_that_count_nowhere_are_told() -> None:
    one = CONTEST.contestants[0]
    first = replace(one.marked[0], level=None)
    lost = replace(one, marked=(first, *one.marked[1:]))
    assert "count nowhere: 1 of A." in Reader(render(Contest(CONTEST.mazes, (lost,)))).text


@pytest.mark.slow
def test_usage_is_shown_where_there_is_any() -> None:
    used = {"calls": 1234, "input": 5, "cached_share": None, "output": 6, "cost": None}
    one = replace(CONTEST.contestants[0], usage=used)
    text = Reader(render(Contest(CONTEST.mazes, (one,)))).text
    assert "1,234" in text
    assert "prompt tokens" in text


def test_every_maze_is_embedded_once(page: Reader) -> None:
    assert [each["key"] for each in json.loads(page.scripts["index"])["worlds"]] == ["cave", "keep"]
    assert [json.loads(page.scripts[f"m{n}"])["name"] for n in (0, 1)] == ["cave", "keep"]


def test_mazes_that_nobody_was_asked_about_are_shown_all_the_same() -> None:
    alone = Contest({"cave": mango_page.maze()}, (replace(CONTEST.contestants[0], marked=()),))
    page = Reader(render(alone))
    assert json.loads(page.scripts["m0"])["questions"] == []


@pytest.mark.slow
def test_build_writes_the_file_and_returns_it(tmp_path: Path, html: str) -> None:
    out = tmp_path / "deep" / "page.html"
    assert build(CONTEST, out) == out
    assert out.read_text(encoding="utf-8") == html


@pytest.mark.slow
def test_a_place_that_cannot_be_written_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordError, match="cannot write"):
        build(CONTEST, tmp_path / "file" / "page.html")


def test_no_contestants_no_report(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="at least one answerer"):
        build(Contest({}, ()), tmp_path / "page.html")


@pytest.mark.slow
@pytest.mark.parametrize("library", ["jinja2", "matplotlib", "numpy"])
def test_a_missing_library_is_named_with_its_extra(
    library: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtra, match=rf"{library}.*worldquiz\[t2q\]"):
        build(CONTEST, tmp_path / "page.html")
    assert list(tmp_path.iterdir()) == []


def digests(seeds: Sequence[str]) -> set[str]:
    code = (
        "import sys, hashlib; sys.path.insert(0, sys.argv[1]); import mango_page;"
        "from worldquiz.mango.report.page import render;"
        "print(hashlib.sha256(render(mango_page.contest()).encode()).hexdigest())"
    )
    folder = str(Path(mango_page.__file__).parent)
    return {
        subprocess.run(
            [sys.executable, "-c", code, folder], env={"PYTHONHASHSEED": seed},
            capture_output=True, check=True, text=True,
        ).stdout
        for seed in seeds
    }  # fmt: skip


@pytest.mark.slow
def test_same_contest_same_bytes_whatever_the_hash_seed(html: str) -> None:
    here = hashlib.sha256(html.encode()).hexdigest()
    assert digests(["0", "1"]) == {here + "\n"}


@pytest.mark.slow
def test_importing_the_report_loads_no_heavy_library() -> None:
    code = (
        "import sys, worldquiz.mango.report.page;"
        "print(sorted({'jinja2', 'matplotlib', 'numpy', 'rapidfuzz'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
