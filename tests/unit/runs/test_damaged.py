"""Runs whose files lack lines or have too many: one line that names the file, or a result."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import people
import synthetic
from command import worldquiz

RUNS: dict[str, Callable[[Path], Path]] = {
    "t2q": people.worlds,
    "t2q-model": lambda folder: people.worlds(folder, synthetic.model_run()),
    "mango": people.mazes,
    "tea-test": people.tasks,
    "tea-recall": people.views,
}


@pytest.fixture(scope="module", params=RUNS)
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of each kind."""
    return RUNS[request.param](tmp_path_factory.mktemp("runs") / request.param)


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
