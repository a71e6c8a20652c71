"""Runs whose files were cut, misspelt or overwritten: one line that names the file, or a result."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import people
import synthetic
from command import worldquiz
from deep import some

RUNS: dict[str, Callable[[Path], Path]] = {
    "t2q": people.worlds,
    "t2q-model": lambda folder: people.worlds(folder, synthetic.model_run()),
    "mango": people.mazes,
    "tea-test": people.tasks,
    "tea-recall": people.views,
}
VERBS = ("score", "show", "export", "compare", "report")
SHOWN = ("manifest.json", "answers.jsonl", "rows.jsonl")
"""Files that a page, which takes a second to write, reads by itself."""
MISSING = "misspelt"
"""What a page is not made of: it reads values, and whether they are there is checked before."""


@pytest.fixture(scope="module", params=RUNS)
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of each kind."""
    return RUNS[request.param](tmp_path_factory.mktemp("runs") / request.param)


def damages(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield a file as it should not be, each with the word that says of what."""
    whole = path.read_bytes()
    yield "cut in half", whole[: len(whole) // 2]
    if path.suffix == ".json":
        yield "no object", b"[]"
        yield from ((what, json.dumps(each).encode()) for what, each in _changed(json.loads(whole)))
        return
    lines = whole.splitlines(keepends=True)
    yield "a line less", b"".join(lines[:-1])
    first = int(b'"schema"' in lines[0])
    if len(lines) > first:
        for what, each in _changed(json.loads(lines[first])):
            line = json.dumps(each).encode() + b"\n"
            yield what, b"".join([*lines[:first], line, *lines[first + 1 :]])


def _changed(told: Any, within: str = "") -> Iterator[tuple[str, Any]]:
    """Yield an object with each of its keys misspelt, and each value of another type."""
    if not isinstance(told, dict):
        return
    for key, value in told.items():
        rest = {name: each for name, each in told.items() if name != key}
        yield f"{within}{key} {MISSING}", {**rest, f"{key}x": value}
        yield f"{within}{key} of another type", {**rest, key: "s" if type(value) is int else 17}
        for what, each in _changed(value, f"{within}{key}."):
            yield what, {**rest, key: each}


def files(run: Path) -> list[Path]:
    """Return a run's records, those of one world; ``scores.json`` is made of them."""
    found = (path.relative_to(run) for path in sorted(run.rglob("*.json*")))
    return [each for each in found if each.name != "scores.json" and "hard-01" not in each.parts]


@pytest.mark.slow
def test_no_damage_ends_in_a_traceback(run: Path, tmp_path: Path) -> None:
    told = []
    for file in files(run):
        for what, data in some(damages(run / file), 4):
            copy = tmp_path / "run"
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(run, copy)
            (copy / file).write_bytes(data)
            paged = file.name in SHOWN and not what.endswith(MISSING)
            for verb in VERBS if paged else VERBS[:-1]:
                told += _complaint(f"{file}: {what}: {verb}", verb, copy, run)
    assert told == []


def _complaint(about: str, verb: str, copy: Path, run: Path) -> list[str]:
    """Return what is wrong with what a verb says of a damaged run."""
    out = copy.parent / {"report": "page.html"}.get(verb, "rows.parquet")
    more = {"export": ("--out", out), "report": ("--out", out), "compare": (run,)}.get(verb, ())
    try:
        said = worldquiz(verb, copy, *more)
    except Exception as error:
        return [f"{about}: {type(error).__name__}: {error}"]
    lines = said.err.splitlines()
    if said.code == 0 or (len(lines) == 1 and str(copy) in lines[0]):
        return []
    return [f"{about}: {said}"]


VERBS_OF_ROWS = pytest.mark.parametrize("verb", ["score", "compare", "report", "export"])


@VERBS_OF_ROWS
@pytest.mark.parametrize("scored", [True, False])
def test_a_line_too_many_is_told_with_its_place(
    run: Path, verb: str, scored: bool, tmp_path: Path
) -> None:
    worldquiz("score", run)
    lines = (run / "rows.jsonl").read_bytes().splitlines(keepends=True)
    for more, told in (
        (lines[1], f"rows.jsonl:{len(lines) + 1}: is about"),
        (lines[-1].replace(b'"item": "', b'"item": "another '), f"has {len(lines) + 1} lines"),
    ):
        copy = Path(shutil.copytree(run, tmp_path / "copy", dirs_exist_ok=True))
        (copy / "rows.jsonl").write_bytes(b"".join([*lines, more]))
        if not scored:
            (copy / "scores.json").unlink()
        said = worldquiz(verb, copy, *([run] if verb == "compare" else []))
        assert not said.code or len(said.err.splitlines()) == 1
        if scored or told.startswith("rows"):
            assert (said.code, told in said.err) == (2, True), said


@VERBS_OF_ROWS
def test_lines_and_files_that_are_gone_since_a_run_was_scored_are_told(
    run: Path, verb: str, tmp_path: Path
) -> None:
    worldquiz("score", run)
    for file in [file.name for file in run.glob("*.jsonl")]:
        copy = Path(shutil.copytree(run, tmp_path / file))
        lines = (copy / file).read_bytes().splitlines(keepends=True)
        (copy / file).write_bytes(b"".join(lines[:-1]))
        said = worldquiz(verb, copy, *([run] if verb == "compare" else []))
        assert said.code == 2, file
        assert (
            f"{file}: has {len(lines) - 1} lines, expected {len(lines)}, so it is damaged"
            in said.err
        )
        (copy / file).unlink()
        said = worldquiz(verb, copy, *([run] if verb == "compare" else []))
        assert (said.code, len(said.err.splitlines())) == (2, 1), file
        assert f"{file} is missing, though the run was finished: restore it" in said.err
