"""What `worldquiz check` believes of folders of every kind, whole and spoilt."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import people
import worldquiz as wq
from command import worldquiz

MAKES: dict[str, Callable[[Path], object]] = {
    "suite": lambda path: wq.t2q.build("easy", worlds=1, seed=5, out=path),
    "folder of mazes": lambda path: wq.mango.build(mazes=1, seed=5, out=path),
    "Task2Quiz run": people.worlds,
    "MANGO run": people.mazes,
    "TEA run": people.tasks,
    "TEA recall run": people.views,
}
RUNS = [noun for noun in MAKES if noun.endswith("run")]


def trusted(folder: Path) -> dict[str, Any]:
    """Return how a folder that may be trusted is described."""
    said = worldquiz("check", folder, "--json")
    assert (said.code, said.json["trusted"]) == (0, True), said.json
    return dict(said.json)


def refused(folder: Path) -> str:
    """Return why a folder may not be trusted."""
    said = worldquiz("check", folder, "--json")
    assert (said.code, said.json["trusted"]) == (2, False)
    return str(said.json["why"])


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A folder of each kind."""
    root = tmp_path_factory.mktemp("made")
    for noun, make in MAKES.items():
        make(root / noun)
    return {noun: root / noun for noun in MAKES}


@pytest.fixture(params=MAKES)
def copy(request: pytest.FixtureRequest, made: dict[str, Path], tmp_path: Path) -> Path:
    """One of them, that may be spoilt."""
    shutil.copytree(made[request.param], tmp_path / "folder")
    return tmp_path / "folder"


@pytest.mark.parametrize("noun", MAKES)
def test_a_whole_folder_may_be_trusted(made: dict[str, Path], noun: str) -> None:
    found = trusted(made[noun])
    assert (found["noun"], found["finished"]) == (noun, True)
    assert found["files"] == sum(path.is_file() for path in made[noun].rglob("*"))
    said = worldquiz("check", made[noun]).out
    assert said.startswith(f"{made[noun]}: {noun}, {found['files']} files, ")


@pytest.mark.parametrize("noun", ["suite", *RUNS])
def test_what_was_stopped_may_be_trusted(made: dict[str, Path], tmp_path: Path, noun: str) -> None:
    shutil.copytree(made[noun], tmp_path / "stopped")
    for name in ("scores.json", "rows.jsonl") if noun in RUNS else ("manifest.json",):
        (tmp_path / "stopped" / name).unlink()
    assert not trusted(tmp_path / "stopped")["finished"]
    assert f"{noun}, not finished, " in worldquiz("check", tmp_path / "stopped").out


@pytest.mark.parametrize("noun", RUNS)
def test_scores_that_are_none_are_refused(made: dict[str, Path], tmp_path: Path, noun: str) -> None:
    run = Path(shutil.copytree(made[noun], tmp_path / "run"))
    (run / "scores.json").write_text("null")
    assert "scores.json: holds no scores, so it is damaged: write it again with" in refused(run)
    assert "holds no scores" in worldquiz("show", run, "--json").err


@pytest.mark.parametrize("noun", RUNS)
def test_a_row_less_or_twice_is_noticed(made: dict[str, Path], tmp_path: Path, noun: str) -> None:
    rows = (made[noun] / "rows.jsonl").read_bytes().splitlines(keepends=True)
    for spoilt in (rows[:-1], [*rows, rows[-1]]):
        folder = shutil.copytree(made[noun], tmp_path / "folder", dirs_exist_ok=True)
        (folder / "rows.jsonl").write_bytes(b"".join(spoilt))
        assert "damaged" in refused(folder)


@pytest.mark.parametrize("noun", RUNS)
def test_points_that_are_not_those_of_the_line_are_named(
    made: dict[str, Path], tmp_path: Path, noun: str
) -> None:
    run = Path(shutil.copytree(made[noun], tmp_path / "run"))
    lines = [json.loads(line) for line in (run / "rows.jsonl").read_text().splitlines()]
    number, line = next((n, each) for n, each in enumerate(lines) if each["points"] is not None)
    line["points"] -= 0.5
    (run / "rows.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in lines))
    assert f"rows.jsonl:{number + 1}: points is " in refused(run)


def test_a_link_within_stays_within(copy: Path) -> None:
    (copy / "again").symlink_to(next(path for path in copy.rglob("*") if path.is_file()))
    assert trusted(copy)["files"]
    (copy / "out").symlink_to("../../x")
    assert "out: links to a file outside the folder" in refused(copy)


def test_pipes_and_devices_are_refused(copy: Path) -> None:
    os.mkfifo(copy / "pipe")
    assert "pipe: is a device, a pipe" in refused(copy)


@pytest.mark.parametrize("name", ["con", "a\x1b[31m", "x.", "a\u202eb"])
def test_no_name_may_lead_elsewhere(copy: Path, name: str) -> None:
    (copy / name).write_text("")
    assert "cannot be part of a path" in refused(copy)


def test_sizes_are_bounded(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("worldquiz.records.MOST_BYTES", 20)
    assert "is larger than the limit of 20 bytes" in refused(copy)
    monkeypatch.undo()
    monkeypatch.setattr("worldquiz.records.MOST_FILES", 1)
    assert "more files than the limit of 1" in refused(copy)


@pytest.mark.parametrize("file", ["quiz.jsonl", "tasks.jsonl"])
def test_a_file_that_is_not_what_the_manifest_says_is_named(
    made: dict[str, Path], tmp_path: Path, file: str
) -> None:
    shutil.copytree(made["suite"], tmp_path / "suite")
    path = tmp_path / "suite" / "worlds" / "easy-00" / file
    path.write_text(path.read_text().replace("the", "The", 1))
    assert f"{file}: differs from" in refused(tmp_path / "suite")


def test_a_suite_that_names_code_is_refused(made: dict[str, Path], tmp_path: Path) -> None:
    shutil.copytree(made["suite"], tmp_path / "suite")
    path = tmp_path / "suite" / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "world": "shutil:rmtree"}))
    assert "by the code 'shutil:rmtree', which is not part of worldquiz" in refused(
        tmp_path / "suite"
    )
