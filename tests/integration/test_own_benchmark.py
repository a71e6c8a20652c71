"""A stranger's benchmark is one package: examples/own_benchmark.py, installed, through every verb.

It is built, run, killed, resumed, scored, reported, exported, compared, and taken by a
person in a browser; nothing of worldquiz knows it but by its entry point.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq
from browser import browser, find
from command import tree
from command import worldquiz as here
from humanpage import CTRL, Page
from humanpage import serving as page_of
from modelserver import Reply, Request, Text, serving
from process import answered, ended, killed
from worldquiz.exam.exam import ExamRun

EXAMPLE = Path(__file__).parents[2] / "examples" / "own_benchmark.py"
NAME = "rooms_benchmark-1.0"
KILLS = f"""
import os, signal, sys
from pathlib import Path
import own_benchmark as own

class Reader:
    name = "own reader"
    def answer(self, prompt):
        Reader.asked = getattr(Reader, "asked", 0) + 1
        if Reader.asked > int(sys.argv[3]):
            os.kill(os.getpid(), {int(signal.SIGKILL)})
        trail, _, question = prompt.rpartition("\\n\\n")
        return own.reader(trail, question, ())

if __name__ == "__main__":
    run = own.Houses(sys.argv[1]).run(Reader(), out=sys.argv[2], label="one")
    print(run.scores["grade"])
"""
BUILDS = f"""
import os, sys
import own_benchmark as own
from worldquiz.exam import exam

exam.write_json = lambda path, told: os.kill(os.getpid(), {int(signal.SIGKILL)})
own.Houses.build(sys.argv[1])
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder on the path in which the example is installed as a package with an entry point."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copy(EXAMPLE, folder)
    told = folder / f"{NAME}.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: rooms-benchmark\nVersion: 1.0\n")
    (told / "entry_points.txt").write_text(
        "[worldquiz.benchmarks]\nrooms = own_benchmark:BENCHMARK\n"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        patch.setenv("PYTHONPATH", str(folder), prepend=":")
        yield folder
    sys.modules.pop("own_benchmark", None)


def worldquiz(*told: object) -> str:
    """Run a command and return what it prints."""
    return ended(*told).out


def script(text: str, *told: object) -> subprocess.CompletedProcess[str]:
    """Run a script of a user of the benchmark."""
    line = [sys.executable, "-c", text, *map(str, told)]
    return subprocess.run(line, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def houses(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data") / "houses"
    worldquiz("rooms", "build", "--out", folder)
    return folder


@pytest.fixture(scope="module")
def runs(houses: Path) -> dict[str, Path]:
    """A finished run of each baseline."""
    found = {name: houses.parent / "runs" / name for name in ("abstainer", "guesser", "reader")}
    for name, out in found.items():
        worldquiz("run", houses, "--answerer", name, "--out", out)
    return found


def test_a_killed_build_is_finished_to_the_same_bytes(houses: Path, tmp_path: Path) -> None:
    out = tmp_path / "houses"
    assert script(BUILDS, out).returncode == -signal.SIGKILL
    assert sorted(tree(out)) == ["plan.json"]
    worldquiz("rooms", "build", "--out", out)
    assert tree(out) == tree(houses)


def test_a_run_with_an_object_is_killed_three_times_and_resumed_to_the_same_bytes(
    houses: Path, tmp_path: Path
) -> None:
    whole, killed, kept = tmp_path / "whole" / "run", tmp_path / "killed" / "run", 0
    assert float(script(KILLS, houses, whole, 10**6).stdout) == 1.0
    for enough in (0, 40, 20):
        assert script(KILLS, houses, killed, enough).returncode == -signal.SIGKILL
        journal = killed / ".rows.journal"
        found = len(journal.read_bytes().splitlines()) if journal.is_file() else 0
        assert kept <= found <= kept + enough  # nothing is lost; a house is asked from its start
        kept = found
    assert script(KILLS, houses, killed, 10**6).returncode == 0
    assert tree(killed) == tree(whole)
    assert json.loads(tree(killed)["manifest.json"])["answerer"] == "own reader"


def test_a_run_with_a_model_is_killed_and_resumed_to_the_same_bytes(
    houses: Path, tmp_path: Path
) -> None:
    own: Any = importlib.import_module("own_benchmark")

    def answers(request: Request) -> Reply:
        return Text(own.reader(*request.messages[-1].text.split("\n\n"), ()))

    whole, stopped = tmp_path / "whole" / "run", tmp_path / "stopped" / "run"
    with serving(answers, latency=0.02, minimum=10**9) as server:
        told = ("run", houses, "--model", "tester", "--base-url", server.base_url, "--out")
        journal = stopped / ".rows.journal"
        assert killed(lambda: journal.is_file() and journal.stat().st_size > 0, *told, stopped)
        kept = journal.read_bytes().count(b"\n")
        before = answered(server)
        assert here(*told, stopped).code == 0
        assert len(server.calls) - before == 124 - kept
        assert here(*told, whole).code == 0
    assert tree(stopped) == tree(whole)
    scores = json.loads(worldquiz("score", whole, "--json"))
    assert (scores["grade"], scores["counts"]["questions"]) == (1.0, 124)
    row = wq.Run(whole, own.BENCHMARK).rows[0]
    assert (row.answerer, row.calls) == ("tester", 1)
    assert (row.tokens or 0) > 50


def test_runs_are_shown_scored_compared_reported_and_exported(
    runs: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader, abstainer = runs["reader"], runs["abstainer"]
    assert "location" in worldquiz("show", reader)
    before = tree(reader)
    assert json.loads(worldquiz("score", reader, "--json"))["by_type"].keys() == {
        "location",
        "route",
    }
    assert tree(reader) == before
    found = json.loads(worldquiz("compare", reader, abstainer, "--json"))
    assert found["difference"] == pytest.approx(found["left"] - found["right"])
    assert found["difference"] > 0.2
    page = tmp_path / "page.html"
    worldquiz("report", *runs.values(), "--out", page)
    assert "Where is the anvil?" in page.read_text("utf-8")
    table = tmp_path / "rows.parquet"
    monkeypatch.setattr("worldquiz.export.rows.GROUP", 7)  # rows that are written together
    assert json.loads(worldquiz("export", *runs.values(), "--out", table, "--json"))["rows"] == 372
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_parquet(table)
    assert set(frame["benchmark"]) == {"rooms"}
    assert list(frame["item"]) == [row.item for path in runs.values() for row in wq.Run(path).rows]
    assert frame.groupby("run").grade.mean()["reader"] == 1.0
    assert (frame.shown == frame.step.notna()).all()


@pytest.mark.skipif(find() is None, reason="no Chromium on PATH")
def test_a_person_takes_it_in_a_browser_across_a_killed_server(site: Path, tmp_path: Path) -> None:
    own: Any = importlib.import_module("own_benchmark")
    run = own.Houses.build(tmp_path / "houses", houses=1).run("reader", out=tmp_path / "run").path
    rows, binary = wq.Run(run, own.BENCHMARK).rows, find()
    assert binary
    with browser(binary) as tab:
        with page_of(run, "--name", "Anna") as served:
            page = Page(tab, served.address)
            page.on()
            assert own.Houses(tmp_path / "houses").reading("house-00")[:60] in page.text
            for row in rows[:3]:  # the true answer, or that it cannot be answered
                if not row.shown:
                    page.on(CTRL)
                    continue
                page.press(str(row.choices.index(row.gold) + 1)) if row.choices else page.write(
                    row.gold
                )
                page.on()
            served.kill()
        with page_of(run, "--name", "Anna") as served:
            page = Page(tab, served.address)
            assert page.heading.startswith(f"Welcome back: 3 of {len(rows)}")
        assert page.tab.complaints() == []


def test_an_answerer_that_raises_loses_its_questions_and_any_text_is_kept(
    houses: Path, tmp_path: Path
) -> None:
    class Answers:
        def answer(self, prompt: str) -> str:
            if "Choose one of" in prompt:
                raise ValueError("boom")
            return "\ud83d"

    run = importlib.import_module("own_benchmark").Houses(houses).run(Answers, out=tmp_path / "r")
    told = [json.loads(line) for line in (tmp_path / "r" / "rows.jsonl").read_text().splitlines()]
    failed = {row["item"]: row["unscored"] for row in told if row["status"] == "failed"}
    assert set(failed) == {row["item"] for row in told if row["type"] == "route"}
    assert all("ValueError: boom" in reason for reason in failed.values())
    assert {row["reply"] for row in told} == {"", "\ufffd"}
    assert len(run.losses) == 1


def test_what_a_benchmark_says_wrongly_of_its_own_questions_is_named(
    houses: Path, runs: dict[str, Path], tmp_path: Path
) -> None:
    own: Any = importlib.import_module("own_benchmark")

    class Astray(own.Houses):  # type: ignore[misc]
        def items(self) -> Iterator[Any]:
            yield from (dataclasses.replace(each, gold="moon") for each in super().items())

    with pytest.raises(wq.WorldquizError, match=r"answer 'moon' is not among \("):
        Astray(houses).run("reader", out=tmp_path / "astray")

    class Bare(own.Houses):  # type: ignore[misc]
        def grade(self, item: Any, reply: str) -> Any:
            return reply == item.gold

    with pytest.raises(wq.WorldquizError, match="expected an ItemGrade, found a bool"):
        Bare(houses).run("reader", out=tmp_path / "bare")

    class Fewer(own.Houses):  # type: ignore[misc]
        def items(self) -> Iterator[Any]:
            yield from list(super().items())[1:]

    (kind,) = own.BENCHMARK.runs
    kind = dataclasses.replace(kind, exam=lambda run, data: ExamRun(Fewer(houses)))
    fewer = dataclasses.replace(own.BENCHMARK, runs=(kind,))
    with pytest.raises(wq.WorldquizError, match="is not in the run's data"):
        wq.Run(runs["reader"], fewer).regrade()


def test_a_run_goes_on_with_the_same_questions_only(
    houses: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = importlib.import_module("own_benchmark").Houses
    made(houses).run("guesser", out=tmp_path / "r")
    monkeypatch.setattr(made, "reading", lambda self, world: "Another trail.")
    with pytest.raises(wq.WorldquizError, match="code or state of the benchmark has changed"):
        made(houses).run("guesser", out=tmp_path / "r")
