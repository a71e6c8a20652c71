"""The verbs work on the folders of any benchmark, here on those of a stranger's."""

from __future__ import annotations

import json
import socket
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import people
import toy_benchmark
import worldquiz as wq
from conftest import Cli, Install


@pytest.fixture
def run(cli: Cli, toy: Path, tmp_path: Path) -> Path:
    """A run of who answers everything."""
    assert cli("run", toy, "--out", tmp_path / "all", "--answerer", "all").code == 0
    return tmp_path / "all"


@pytest.fixture
def idle(cli: Cli, toy: Path, tmp_path: Path) -> Path:
    """A run of who answers nothing."""
    assert cli("run", toy, "--out", tmp_path / "idle", "--answerer", "none").code == 0
    return tmp_path / "idle"


def test_run_hands_everything_to_the_folders_benchmark(cli: Cli, toy: Path, tmp_path: Path) -> None:
    said = cli("run", toy, "--answerer", "none", "--out", tmp_path / "r", "--json")
    assert said.json == {"answered": "none"}
    assert toy_benchmark.read(tmp_path / "r")["answerer"] == "none"


def test_help_behind_the_folder_is_that_of_its_benchmark(cli: Cli, toy: Path) -> None:
    assert "Who answers: all or none." in cli("run", toy, "--help").out
    own = cli("run", "--help")
    assert own.code == 0
    assert "worldquiz run FOLDER --help" in own.out
    assert cli("run").code == 2


def test_a_benchmark_is_in_the_help(cli: Cli, toy: Path) -> None:
    assert "Sums to be answered." in cli("--help").out
    assert cli("toy", "show", toy).out == cli("show", toy).out == "1+1, 0+2, 2+0, 3-1\n"


@pytest.mark.parametrize("fault", ["", "raise RuntimeError('of no use')", "1 +"])
def test_a_benchmark_that_cannot_be_imported_is_one_line_and_the_others_work(
    fault: str, cli: Cli, toy: Path, install: Install
) -> None:
    entry = {f"bad{len(fault)}": "bad_benchmark:BENCHMARK"}
    site = install("worldquiz.benchmarks", "bad", **entry)
    if fault:
        (site / "bad_benchmark.py").write_text(fault)
    said = cli("--help")
    assert (said.code, said.err.count("\n")) == (0, 1)
    assert said.err.startswith(f"worldquiz: the benchmark 'bad{len(fault)}' is left out: ")
    assert "Sums to be answered." in said.out
    assert cli("show", toy).code == 0


def test_check_says_what_may_be_trusted(cli: Cli, toy: Path, run: Path) -> None:
    told = cli("check", toy)
    assert (told.code, told.err) == (0, "")
    assert told.out.startswith(f"{toy}: list of sums, 1 file, 0.0 MB: may be trusted (names, ")
    found = cli("check", run, "--json").json
    assert (found["noun"], found["benchmark"], found["trusted"]) == ("toy run", "Toy", True)
    assert "may be trusted" in cli("check", toy, "--help").out


def test_check_names_the_file_that_may_not_be_trusted(cli: Cli, toy: Path) -> None:
    (toy / "passwords").symlink_to("/etc/passwd")
    told = cli("check", toy)
    assert (told.code, told.out) == (2, "")
    assert "passwords: links to a file outside the folder" in told.err
    found = cli("check", toy, "--json")
    assert (found.code, found.err, found.json["trusted"]) == (2, "", False)
    assert "links to a file outside the folder" in found.json["why"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("run", "--out", "x"), "Missing argument 'FOLDER'"),
        (("run", "RUN", "--out", "x"), "is a toy run, not data: use the data folder of the run"),
        (("check", "NOWHERE"), "there is no such folder"),
        (("score", "DATA"), "is a list of sums, not a run"),
        (("report", "NOWHERE"), "there is no such folder"),
        (("export", "DATA"), "is a list of sums, not a run"),
        (("show", "RUN", "w1"), "Got unexpected extra argument (w1)"),
        (("compare", "RUN", "NOWHERE"), "there is no such folder"),
    ],
)
def test_mistakes_say_what_to_do(
    cli: Cli, toy: Path, run: Path, words: tuple[str, ...], message: str
) -> None:
    named = {"RUN": run, "DATA": toy, "NOWHERE": toy / "nowhere"}
    said = cli(*(named.get(word, word) for word in words))
    assert (said.code, said.out) == (2, "")
    assert message in said.err
    assert said.err.count("\n") == 1


def test_a_report_is_of_one_run_or_several(cli: Cli, run: Path, idle: Path, tmp_path: Path) -> None:
    made = cli("report", run, "--out", tmp_path / "page.html", "--json")
    assert made.json == {"report": str(tmp_path / "page.html")}
    page = wq.load(run).report(tmp_path / "a.html", beside=wq.load(idle))
    assert "idle" in page.read_text()
    several = wq.load(run).report(tmp_path / "b.html", beside=[wq.load(idle)])
    assert page.read_bytes() == several.read_bytes()
    for one in (wq.load(run), run, str(run)):
        assert "1+1" in wq.report(one, tmp_path / "c.html").read_text()


def test_score_prints_the_document_that_it_writes(cli: Cli, run: Path, idle: Path) -> None:
    (run / "scores.json").unlink(missing_ok=True)
    said = cli("score", run, "--json")
    assert said.json == json.loads((run / "scores.json").read_text())
    assert said.json["grade"] == 1
    both = cli("score", run, idle, "--json").json
    assert {name: one["grade"] for name, one in both.items()} == {str(run): 1, str(idle): 0}


def test_runs_stand_in_a_table_best_first(cli: Cli, run: Path, idle: Path) -> None:
    lines = [line.split() for line in cli("score", idle, run).out.splitlines()]
    assert [line for line in lines if len(line) == 5 and line[0] in ("all", "idle")] == [
        ["all", "1.00", "–", "–", "4"], ["idle", "0.00", "–", "–", "4"],
    ]  # fmt: skip
    assert cli("show", run).out == cli("score", run).out
    assert cli("show", run, "--json").json["manifest"]["kind"] == "toy-run"


def test_runs_of_any_kind_are_exported_row_by_row(
    cli: Cli, run: Path, idle: Path, tmp_path: Path
) -> None:
    from pyarrow import parquet

    target = tmp_path / "folders" / "that are missing" / "q.parquet"
    said = cli("export", run, idle, "--out", target, "--json")
    assert said.json == {"parquet": str(target), "rows": 8}
    assert str(target) in cli("export", run, idle, "--out", target).out
    table = parquet.read_table(target)
    assert {
        "run", "world", "item", "type", "format", "prompt", "choices", "gold", "reply",
        "shown", "grade", "status",
    } <= set(table.column_names)  # fmt: skip
    assert set(table["run"].to_pylist()) == {"all", "idle"}


@pytest.mark.parametrize("name", ["q.csv", "q.json", "q.PARQUET.gz"])
def test_a_table_of_another_format_is_refused(
    cli: Cli, run: Path, tmp_path: Path, name: str
) -> None:
    said = cli("export", run, "--out", tmp_path / name)
    assert (said.code, said.out) == (2, "")
    assert f"{name}: rows are written as Parquet: choose a name ending in .parquet; " in said.err
    assert ".frame().to_csv(" in said.err
    assert not list(tmp_path.glob("q*"))
    for good in ("q.parquet", "q.PARQUET", "q"):
        assert wq.load(run).export(tmp_path / good).is_file()


def test_two_runs_are_compared_question_by_question(cli: Cli, run: Path, idle: Path) -> None:
    found = cli("compare", run, idle, "--json").json
    assert (found["left"], found["right"], found["difference"]) == (1, 0, 1)
    assert sorted(found["by_type"]) == ["even", "odd"]
    assert "+1.00" in cli("compare", run, idle).out


def test_a_comparison_says_why_a_p_value_is_missing(
    cli: Cli, toy: Path, run: Path, idle: Path, tmp_path: Path
) -> None:
    found = cli("compare", run, idle, "--json").json
    assert (found["difference"], found["ci"], found["p"]) == (1, None, None)
    assert found["note"] == "3 worlds: too few for an interval"
    said = cli("compare", run, idle)
    assert ("+1.00" in said.out, said.err) == (True, "")
    assert said.out.count("3 worlds: too few for an interval") == 1
    other = toy_benchmark.write(tmp_path / "other", "toy-run", answerer="all", sums=[])
    said = cli("compare", run, other)
    assert said.code == 2
    told = f"{run} and {other}: the runs share no graded question: run both on the"
    assert told in said.err
    with pytest.raises(wq.WorldquizError, match="the runs share no graded question"):
        wq.compare(wq.load(run), other)


def test_a_demo_is_made_of_the_benchmarks_parts_that_can_run(
    cli: Cli, run: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)

    def lacking(folder: Path, jobs: int) -> Any:
        return wq.load(run).frame()

    two = {
        "toy": toy_benchmark.BENCHMARK,
        "bare": replace(toy_benchmark.BENCHMARK, name="bare", title="Bare", demo=lacking),
    }
    monkeypatch.setattr("worldquiz.runs.benchmark.benchmarks", lambda: two)
    said = cli("demo", "--out", tmp_path / "d", "--jobs", 1)
    page = tmp_path / "d" / "toy" / "report.html"
    assert said.out.startswith("Toy: 1 and 1 is 2.\nBare is left out: pandas is not installed")
    assert said.out.endswith(f"report: {page}\n")
    assert "1+1" in page.read_text()
    found = cli("demo", "--out", tmp_path / "d", "--jobs", 1, "--json").json
    assert found["toy"]["report"] == str(page)
    assert (found["toy"]["runs"].keys(), found["bare"].keys()) == ({"all"}, {"left_out"})
    monkeypatch.setattr("worldquiz.runs.benchmark.benchmarks", lambda: {"bare": two["bare"]})
    assert cli("demo", "--out", tmp_path / "d").code == 2


def test_show_prints_what_the_benchmark_says_of_a_folder_else_its_repr(
    cli: Cli, tmp_path: Path
) -> None:
    wq.mango.build(mazes=2, seed=7, out=tmp_path / "mazes")
    said = cli("show", tmp_path / "mazes")
    assert [line.split() for line in said.out.splitlines() if "maze-" in line] == [
        ["maze-00", "20", "44", "9", "37"],
        ["maze-01", "20", "44", "8", "37"],
    ]
    assert "MazeSet(" not in said.out


def test_a_person_whose_port_is_taken_leaves_no_folder(cli: Cli, tmp_path: Path) -> None:
    run = people.mazes(tmp_path / "run")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        said = cli("human", run, "--no-browser", "--port", taken.getsockname()[1])
    assert said.code == 2
    assert "choose another port, or 0 for any free one" in said.err
    assert not (tmp_path / "run-human").exists()
