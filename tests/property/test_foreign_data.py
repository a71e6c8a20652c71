"""Data from elsewhere: whatever it says, an error of ours, and nothing written outside."""

from __future__ import annotations

import json
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import evil
import people
from command import worldquiz
from deep import some
from played import read_run
from worldquiz.errors import RecordError, WorldquizError
from worldquiz.mango.maze.generate import Knobs, generate
from worldquiz.mango.maze.write import write
from worldquiz.mango.running.folder import read_mazes
from worldquiz.mango.running.imported import read_any
from worldquiz.runs.check import checked
from worldquiz.runs.run import Run
from worldquiz.t2q.builder import build
from worldquiz.t2q.suites import Plan, open_suite
from worldquiz.tea.data import folders

LAW = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A suite of one world without games."""
    return build(Plan("easy", 5, 1), tmp_path_factory.mktemp("suite") / "s").path


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of Task2Quiz."""
    return people.worlds(tmp_path_factory.mktemp("run") / "r")


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A deep folder to work in; whatever is written outside of it fails the test."""
    place = tmp_path / "a" / "b" / "c"
    (place / "tmp").mkdir(parents=True)
    monkeypatch.setattr(tempfile, "tempdir", str(place / "tmp"))
    with evil.witness(place) as written:
        yield place
    assert written == []


def renamed(folder: Path, old: str, new: str) -> None:
    """Put another name into every document of a folder, as its maker could."""
    for path in folder.rglob("*.json*"):
        text = path.read_text().replace(json.dumps(old), json.dumps(new))
        path.write_text(text)
    with suppress(OSError, ValueError):  # the name may be none for a file system
        target = folder / "worlds" / new
        if target.resolve().is_relative_to(folder):
            (folder / "worlds" / old).rename(target)


def refused(*words: object) -> None:
    """See that a command ends with one plain line."""
    said = worldquiz(*words)
    assert (said.code, said.out) == (2, ""), said
    assert "Traceback" not in said.err
    assert len(said.err.splitlines()) == 1
    assert said.err.rstrip("\n").isprintable()


@pytest.mark.parametrize("name", some(evil.NAMES, 6), ids=ascii)
def test_a_suite_cannot_name_a_world_elsewhere(suite: Path, room: Path, name: str) -> None:
    shutil.copytree(suite, room / "s")
    renamed(room / "s", "easy-00", name)
    refused("check", room / "s")
    refused("show", room / "s")
    refused("run", room / "s", "--agent", "idle", "--answerer", "abstainer", "--out", room / "o")
    assert not (room / "o").exists()


@pytest.mark.parametrize("name", some(evil.NAMES, 6), ids=ascii)
def test_a_run_cannot_name_a_world_elsewhere(worlds: Path, room: Path, name: str) -> None:
    shutil.copytree(worlds, room / "r")
    renamed(room / "r", "easy-00", name)
    for verb in (("check",), ("score",)):
        refused(verb[0], room / "r", *verb[1:])


@pytest.mark.parametrize("name", some([n for n in evil.NAMES if n], 6), ids=ascii)
def test_a_folder_of_tasks_cannot_name_a_scene_elsewhere(room: Path, name: str) -> None:
    manifest = {"kind": "tea", "scenes": {name: {"files": {}}}}
    (room / "d").mkdir()
    (room / "d" / "manifest.json").write_text(json.dumps(manifest))
    refused("check", room / "d")
    refused("tea", "check", room / "d", "--jobs", "1")
    with pytest.raises(RecordError):
        folders(room / "d")


@pytest.mark.parametrize("name", ["con", "x.", "a\nb", "\x1b[31m", "a\u202eb", " x", "x "])
def test_a_folder_of_mazes_cannot_have_such_names(room: Path, name: str) -> None:
    home = write(generate(Knobs(5), 1, name="cave"), room / "m")
    for path in sorted(home.folder.iterdir()):
        path.rename(path.with_name(path.name.replace("cave", name)))
    (room / "m" / "cave").rename(room / "m" / name)
    refused("check", room / "m")
    refused("run", room / "m", "--answerer", "mapper", "--out", room / "o")


def test_worlds_that_are_one_file_elsewhere_are_refused(suite: Path, room: Path) -> None:
    shutil.copytree(suite, room / "s")
    path = room / "s" / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["worlds"].append({**manifest["worlds"][0], "id": "EASY-00"})
    path.write_text(json.dumps(manifest))
    with pytest.raises(RecordError, match="'easy-00' and 'EASY-00' are one file"):
        open_suite(room / "s")


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.just(10**299) | st.floats() | st.text()
    | st.sampled_from(evil.NAMES),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
KEYS = (
    "worlds", "world", "plan", "versions", "digest", "agent", "answerer", "scenes", "mazes",
    "steps", "seed", "model", "memory", "answers", "tasks", "rf_easy", "preset", "settings",
)  # fmt: skip
MANIFESTS = st.sampled_from(("suite", "run", "mango", "mango-minigames", "tea", "tea-run",
                             "tea-recall", "tea-ratings")).flatmap(
    lambda kind: st.fixed_dictionaries(
        {"kind": st.just(kind)}, optional=dict.fromkeys(KEYS, VALUES)
    )
)  # fmt: skip


@LAW
@given(manifest=VALUES | MANIFESTS)
def test_any_manifest_ends_as_an_error_of_ours(tmp_path: Path, manifest: Any) -> None:
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    for reader in (checked, open_suite, read_run, read_mazes, folders, lambda p: Run(p).rows):
        with suppress(WorldquizError):
            reader(tmp_path)


@pytest.mark.parametrize("ending", [".eval", ".json"])
@settings(max_examples=10, deadline=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture])  # fmt: skip
@given(data=st.binary() | VALUES.map(lambda value: json.dumps(value).encode()))
def test_any_log_ends_as_an_error_of_ours(tmp_path: Path, ending: str, data: bytes) -> None:
    path = tmp_path / f"x{ending}"
    path.write_bytes(data)
    for zipped in (False, True):
        if zipped:
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr("header.json", data)
                archive.writestr("summaries.json", data)
        with suppress(WorldquizError):
            list(Run(path).rows)
        with suppress(WorldquizError):
            read_any(path)


def test_the_witness_sees_what_is_written(tmp_path: Path) -> None:
    with evil.witness(tmp_path / "in") as written:
        (tmp_path / "in").mkdir()
        (tmp_path / "in" / "x").write_text("")
        (tmp_path / "out").mkdir()
        (tmp_path / "in" / "x").rename(tmp_path / "y")
        (tmp_path / "z").write_text("")
        (tmp_path / "z").read_text()
    assert written == [tmp_path / "out", tmp_path / "y", tmp_path / "z"]
