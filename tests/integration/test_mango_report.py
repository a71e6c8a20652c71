"""``worldquiz report`` for runs of ``worldquiz mango run``, with nothing but the runs' folders."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import synthetic
from pages import Reader
from worldquiz.cli import app
from worldquiz.errors import RecordError
from worldquiz.records import write_json
from worldquiz.runs.folder import world_folder
from worldquiz.t2q.store import write_played


def call(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(each) for each in arguments])


def run(mazes: Path, out: Path, steps: int) -> Path:
    done = call("mango", "run", mazes, "--answerer", "mapper", "--out", out, "--steps", steps,
                "--per-maze", 6, "--json")  # fmt: skip
    assert done.exit_code == 0, done.output
    return out


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    root = tmp_path_factory.mktemp("runs")
    knobs = ("--seed", 7, "--mazes", 2, "--size", 9)
    assert call("mango", "build", "--out", root / "mazes", *knobs).exit_code == 0
    found = [
        run(root / "mazes", root / name, steps) for name, steps in (("long", 99), ("short", 9))
    ]
    shutil.rmtree(root / "mazes")
    return found


def test_runs_become_one_page(runs: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    done = call("report", *runs, "--out", out, "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout) == {"report": str(out)}
    page = Reader(out.read_text("utf-8"))
    assert "mapper (long)" in page.text
    assert "mapper (short)" in page.text
    assert "Table 1: success, destination finding" in page.text
    assert json.loads(page.scripts["m0"])["questions"]


def test_the_same_runs_give_the_same_bytes(runs: list[Path], tmp_path: Path) -> None:
    for name in ("one", "two"):
        assert call("report", *runs, "--out", tmp_path / name).exit_code == 0
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_runs_of_two_benchmarks_stand_on_one_page_and_are_not_compared(
    runs: list[Path], tmp_path: Path
) -> None:
    other = tmp_path / "other"
    played = synthetic.played("easy-00", "easy", "scout")
    manifest = {"kind": "run", "agent": "scout", "answerer": "reader", "worlds": ["easy-00"]}
    write_played(world_folder(other, "easy-00"), played)
    write_json(other / "manifest.json", manifest)
    done = call("report", *runs, other, "--out", tmp_path / "page.html")
    assert done.exit_code == 0
    page = Reader((tmp_path / "page.html").read_text("utf-8"))
    index = json.loads(page.scripts["index"])
    assert index["benchmarks"] == ["mango", "t2q"]
    assert {world["key"].partition("/")[0] for world in index["worlds"]} == {"mango", "t2q"}
    assert "knows more than" not in page.text.partition("t2q :")[2]


def test_runs_of_two_kinds_of_one_benchmark_are_refused(runs: list[Path], tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "manifest.json").write_text('{"kind": "mango-minigames"}', "utf-8")
    done = call("report", runs[0], other, "--out", tmp_path / "page.html")
    assert isinstance(done.exception, RecordError)
    assert str(done.exception) == (
        f"{runs[0]} is a MANGO run and {other} a run of MANGO's minigames: write a page for each "
        "kind"
    )
    assert not (tmp_path / "page.html").exists()
