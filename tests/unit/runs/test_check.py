"""What `worldquiz check` believes of folders of every kind, whole and spoilt."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import people
from worldquiz import records
from worldquiz.errors import RecordError
from worldquiz.mango.generate import Knobs, generate
from worldquiz.mango.published import write
from worldquiz.runs.check import checked
from worldquiz.runs.run import Run
from worldquiz.t2q.builder import build
from worldquiz.t2q.suites import Plan

MAKES: dict[str, Callable[[Path], object]] = {
    "suite": lambda path: build(Plan("easy", 5, 1), path),
    "folder of mazes": lambda path: write(generate(Knobs(5), 1, name="cave"), path),
    "Task2Quiz run": people.worlds,
    "MANGO run": people.mazes,
    "TEA run": people.tasks,
    "TEA recall run": people.views,
}


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
    found = checked(made[noun])
    assert (found.noun, found.finished) == (noun, True)
    assert found.files == sum(path.is_file() for path in made[noun].rglob("*"))
    assert found.line().startswith(f"{made[noun]}: {noun}, {found.files} files, ")


@pytest.mark.parametrize("noun", [noun for noun in MAKES if noun.endswith("run")])
def test_a_run_that_was_stopped_may_be_trusted(
    made: dict[str, Path], tmp_path: Path, noun: str
) -> None:
    shutil.copytree(made[noun], tmp_path / "run")
    for name in ("scores.json", "answers.jsonl", "rows.jsonl"):
        (tmp_path / "run" / name).unlink(missing_ok=True)
    shutil.rmtree(tmp_path / "run" / "worlds" / "easy-00", ignore_errors=True)
    found = checked(tmp_path / "run")
    assert not found.finished
    assert ", not finished, " in found.line()


@pytest.mark.parametrize("noun", [noun for noun in MAKES if noun.endswith("run")])
def test_scores_that_are_none_are_refused(made: dict[str, Path], tmp_path: Path, noun: str) -> None:
    run = Path(shutil.copytree(made[noun], tmp_path / "run"))
    (run / "scores.json").write_text("null")
    for read in (checked, lambda path: Run(path).scores):
        with pytest.raises(RecordError, match=r"scores\.json: holds no scores: .*`worldquiz score"):
            read(run)


def test_a_build_that_was_stopped_may_be_trusted(made: dict[str, Path], tmp_path: Path) -> None:
    shutil.copytree(made["suite"], tmp_path / "suite")
    (tmp_path / "suite" / "manifest.json").unlink()
    found = checked(tmp_path / "suite")
    assert (found.noun, found.finished) == ("suite", False)


def test_a_link_within_stays_within(copy: Path) -> None:
    (copy / "again").symlink_to(next(path for path in copy.rglob("*") if path.is_file()))
    assert checked(copy).files
    (copy / "out").symlink_to("../../x")
    with pytest.raises(RecordError, match="out: is a link out of the folder"):
        checked(copy)


def test_pipes_and_devices_are_refused(copy: Path) -> None:
    os.mkfifo(copy / "pipe")
    with pytest.raises(RecordError, match="pipe: is no ordinary file"):
        checked(copy)


@pytest.mark.parametrize("name", ["con", "a\x1b[31m", "x.", "a\u202eb"])
def test_no_name_may_lead_elsewhere(copy: Path, name: str) -> None:
    (copy / name).write_text("")
    with pytest.raises(RecordError, match="would become part of a path"):
        checked(copy)


def test_sizes_are_bounded(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MOST_BYTES", 20)
    with pytest.raises(RecordError, match="is larger than 20 bytes"):
        checked(copy)
    monkeypatch.undo()
    monkeypatch.setattr(records, "MOST_FILES", 1)
    with pytest.raises(RecordError, match="more than 1 files"):
        checked(copy)


@pytest.mark.parametrize("file", ["quiz.jsonl", "tasks.jsonl"])
def test_a_file_that_is_not_what_the_manifest_says_is_named(
    made: dict[str, Path], tmp_path: Path, file: str
) -> None:
    shutil.copytree(made["suite"], tmp_path / "suite")
    path = tmp_path / "suite" / "worlds" / "easy-00" / file
    path.write_text(path.read_text().replace("the", "The", 1))
    with pytest.raises(RecordError, match=rf"{file}: is not what .*manifest\.json says it is"):
        checked(tmp_path / "suite")


def test_a_suite_that_names_code_is_refused(made: dict[str, Path], tmp_path: Path) -> None:
    shutil.copytree(made["suite"], tmp_path / "suite")
    path = tmp_path / "suite" / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "world": "shutil:rmtree"}))
    with pytest.raises(RecordError, match="is opened by the code 'shutil:rmtree', which runs with"):
        checked(tmp_path / "suite")
