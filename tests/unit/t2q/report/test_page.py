"""The page as a file: self-contained, safe against its own content, and the same for equal runs."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import synthetic
from pages import Reader
from worldquiz.errors import MissingExtra, RecordError
from worldquiz.t2q.report.maps import draw
from worldquiz.t2q.report.page import build, render
from worldquiz.t2q.store import Bundle, Played, RunRecord

SCOUT = synthetic.run("scout", "reader")
IDLE = synthetic.run("idle", "abstainer")


@pytest.fixture(scope="module")
def html() -> str:
    return render([SCOUT, IDLE])


@pytest.fixture(scope="module")
def page(html: str) -> Reader:
    return Reader(html)


def test_tags_match(page: Reader) -> None:
    assert page.open == []


def test_sections_come_in_the_order_of_an_argument(page: Reader) -> None:
    order = [attrs["id"] for tag, attrs in page.tags if tag == "section" and "id" in attrs]
    assert order == [
        "commands", "scores", "reading", "floors", "types", "levels", "sources", "plots",
        "questions", "worlds",
    ]  # fmt: skip


def test_nothing_is_fetched(html: str, page: Reader) -> None:
    for _, attrs in page.tags:
        for name in ("src", "href", "xlink:href", "srcset", "action"):
            assert (attrs.get(name) or "#").startswith(("#", "data:,"))
    assert "@import" not in html
    assert "url(http" not in html


def test_only_the_pages_own_script_may_run(page: Reader) -> None:
    policy = next(a["content"] for t, a in page.tags if a.get("http-equiv")) or ""
    digest = base64.b64encode(hashlib.sha256(page.scripts["code"].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy


@pytest.mark.usefixtures("undrawn")
def test_replies_and_commands_cannot_break_out() -> None:
    html = render([synthetic.run(replies=synthetic.HOSTILE)])
    page = Reader(html)
    assert "onerror=alert" in html  # it is there, as text
    assert not any(tag == "img" for tag, _ in page.tags)
    reply = json.loads(page.scripts["w0"])["runs"]["0"]["results"][3][1]
    assert json.loads(page.scripts["w0"])["texts"][reply] == synthetic.NASTY


def test_names_cannot_break_out() -> None:
    page = Reader(render([synthetic.run("scout", synthetic.NASTY, note=synthetic.NASTY)]))
    assert not any(tag == "img" for tag, _ in page.tags)
    assert synthetic.NASTY in page.text


def test_the_headline_says_what_was_run(page: Reader) -> None:
    for word in (
        "2 worlds (easy, hard), 4 tasks and 12 questions", "d16e57" * 10, "worldquiz 0.1.0",
        "max steps 50", "seed 3",
    ):  # fmt: skip
        assert word in page.text


@pytest.mark.usefixtures("undrawn")
def test_settings_that_differ_are_shown_by_run() -> None:
    page = Reader(render([SCOUT, synthetic.run("idle", "abstainer", seed=4)]))
    table = page.text[page.text.index("What differs between the runs") :]
    assert re.search(r"seed .*scout .*3 .*idle .*4", table)


def test_counts_stand_beside_shares(page: Reader) -> None:
    for words in ("0.67 [0.16, 0.95] 8 of 12", "0.33 [0.05, 0.84] 4 of 12", "– 0 of 0"):
        assert words in page.text


def test_sources_of_correctness_add_up(page: Reader) -> None:
    assert "4 + 4 of 12; 50 %" in page.text
    assert "0 + 12 of 12; 0 %" in page.text


def test_baselines_are_marked_and_do_not_win(page: Reader) -> None:
    rows = [attrs.get("class") for tag, attrs in page.tags if tag == "tr"]
    assert {"agent", "lower-bound"} <= set(rows)
    assert "(best)" not in page.text


@pytest.mark.usefixtures("undrawn")
def test_best_and_second_are_marked_in_words_too() -> None:
    other = synthetic.run("scout", "guesser", replies=("attic",) * 6)
    text = Reader(render([SCOUT, other])).text
    assert "0.67 (best)" in text
    assert "(second)" in text


def test_paired_differences_are_shown_for_the_same_worlds(page: Reader) -> None:
    assert "paired by world" in page.text
    text = re.sub(r"\s+", " ", page.text)
    assert re.search(r"runs knowledge TSR .* A − B [+−]0\.\d\d .* \+0\.50", text)


@pytest.mark.usefixtures("undrawn")
def test_few_worlds_are_warned_of(page: Reader) -> None:
    assert "With 2 worlds, intervals are rough" in page.text
    one = Reader(render([synthetic.run(worlds=1)]))
    assert "no intervals" in one.text


@pytest.mark.usefixtures("undrawn")
def test_knowledge_is_first_and_replies_that_nobody_could_read_stand_apart(page: Reader) -> None:
    assert re.search(
        r"Scores.*agent \+ answerer\s+knowledge\s+knowledge ceiling\s+TSR", page.text, re.S
    )
    assert "Without an answer that could be read" not in page.text
    lost = synthetic.run(replies=(*synthetic.REPLIES[:5], ""))
    text = Reader(render([lost])).text
    assert "worth 0 in knowledge and no false answers: 2 questions of A." in text


@pytest.mark.usefixtures("undrawn")
def test_ungraded_questions_are_shown() -> None:
    text = Reader(render([synthetic.run(replies=synthetic.REPLIES[:5])])).text
    assert "Without a grade, and in no share above: 2 questions of A." in text


def test_every_world_is_embedded_once_for_all_runs(page: Reader) -> None:
    index = json.loads(page.scripts["index"])
    assert [world["key"] for world in index["worlds"]] == ["easy-00", "hard-01"]
    assert [(run["tag"], run["name"]) for run in index["runs"]] == [
        ("A", "scout + reader"), ("B", "idle + abstainer"),
    ]  # fmt: skip
    assert sorted(json.loads(page.scripts["w0"])["runs"]) == ["0", "1"]


def test_the_overview_counts_each_world(page: Reader) -> None:
    assert re.search(r"easy-00 3 2 6 1 4 2 0 6 0 hard-01 3 2 6 1 4 2 0 6 0", page.text)


def renamed(run: RunRecord) -> RunRecord:
    """The same run on a suite whose worlds have the same ids and other content."""

    def other(played: Played) -> Played:
        old = played.bundle
        bundle = Bundle(replace(old.spec, seed=99), old.tasks, old.questions)
        return Played(bundle, played.episodes, played.answers)

    return RunRecord(run.path, run.manifest, tuple(other(played) for played in run.worlds))


@pytest.mark.usefixtures("undrawn")
def test_runs_on_other_worlds_are_told_apart_and_warned_of() -> None:
    page = Reader(render([SCOUT, renamed(IDLE)]))
    keys = [world["key"] for world in json.loads(page.scripts["index"])["worlds"]]
    assert keys == ["easy-00", "hard-01", "easy-00 (2)", "hard-01 (2)"]
    assert "not all on the same worlds" in page.text
    assert "paired by world" not in page.text


@pytest.mark.usefixtures("undrawn")
def test_runs_on_fewer_worlds_can_stand_beside_others() -> None:
    page = Reader(render([SCOUT, synthetic.run("idle", "abstainer", worlds=1)]))
    assert "not played" in page.text
    assert sorted(json.loads(page.scripts["w1"])["runs"]) == ["0"]


@pytest.mark.usefixtures("undrawn")
def test_many_runs_have_letters_of_their_own() -> None:
    runs = [synthetic.run(answerer=f"reader-{n}", worlds=1) for n in range(28)]
    index = json.loads(Reader(render(runs)).scripts["index"])
    assert [run["tag"] for run in index["runs"]][24:] == ["Y", "Z", "AA", "AB"]


@pytest.mark.usefixtures("undrawn")
def test_build_writes_the_file_and_returns_it(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "report.html"
    assert build([SCOUT, IDLE], out) == out
    assert out.read_text(encoding="utf-8") == render([SCOUT, IDLE])


@pytest.mark.usefixtures("undrawn")
def test_a_place_that_cannot_be_written_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordError, match="cannot write"):
        build([SCOUT], tmp_path / "file" / "report.html")


def test_no_runs_no_report(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="at least one run"):
        build([], tmp_path / "report.html")


@pytest.mark.parametrize("library", ["jinja2", "matplotlib", "numpy"])
def test_a_missing_library_is_named_with_its_extra(
    library: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtra, match=rf"{library}.*worldquiz\[t2q\]"):
        build([synthetic.run(worlds=3)], tmp_path / "report.html")
    assert list(tmp_path.iterdir()) == []


def digests(seeds: Sequence[str]) -> set[str]:
    code = (
        "import sys, hashlib; sys.path.insert(0, sys.argv[1]); import synthetic;"
        "from worldquiz.t2q.report.page import render;"
        "runs = [synthetic.run(), synthetic.run('idle', 'abstainer')];"
        "print(hashlib.sha256(render(runs).encode()).hexdigest())"
    )
    folder = str(Path(synthetic.__file__).parent)
    command = [sys.executable, "-c", code, folder]
    return {
        subprocess.run(
            command, env={"PYTHONHASHSEED": seed}, capture_output=True, check=True, text=True
        ).stdout
        for seed in seeds
    }


@pytest.mark.slow
def test_same_runs_same_bytes_whatever_the_hash_seed(html: str) -> None:
    here = hashlib.sha256(html.encode()).hexdigest()
    assert digests(["0", "1"]) == {here + "\n"}


@pytest.mark.slow
def test_importing_the_report_loads_no_heavy_library() -> None:
    code = (
        "import sys, worldquiz.t2q.report.page as page;"
        "print(sorted({'jinja2', 'matplotlib', 'numpy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_explanation_tells_why_eus_alone_is_not_enough(page: Reader) -> None:
    assert "EUS alone can be gamed" in page.text


def test_maps_are_embedded_as_drawn(page: Reader) -> None:
    assert json.loads(page.scripts["w0"])["map"] == draw(synthetic.spec())


def test_a_page_of_one_run_speaks_of_one() -> None:
    one, two = synthetic.run("scout", "reader"), synthetic.run("idle", "abstainer")
    assert "What the run can do in its worlds, and what it knows" in render([one])
    assert "What each run can do in its worlds, and what it knows" in render([one, two])
