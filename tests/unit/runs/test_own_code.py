"""A folder of a run is never read or gone on with by other code than it was begun with, unsaid."""

from __future__ import annotations

import functools
import importlib
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq
from command import tree, worldquiz

CODE = """
import re

import {helper}

LIMIT = {limit}
WANTED = re.compile("{pattern}")

class Mine:
    def __init__(self, word="north"):
        self.words = {{word, "a", "b", "c"}}
    def answer(self, prompt):
        return say(filter(WANTED.match, self.words)) * LIMIT

def say(words):
    return {helper}.first(words)
"""
HELPER = "def first(words):\n    return max(words) + {word!r}\n"
Written = Callable[..., Any]


@pytest.fixture(scope="module")
def mazes(tmp_path_factory: pytest.TempPathFactory) -> wq.mango.MazeSet:
    return wq.mango.build(mazes=1, size=5, seed=3, out=tmp_path_factory.mktemp("data") / "mazes")


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Written:
    """Write a module of answerers and one that it imports, and return it, imported anew."""
    monkeypatch.syspath_prepend(tmp_path)

    def write(limit: int = 1, word: str = "x", pattern: str = ".") -> Any:
        text = CODE.format(limit=limit, pattern=pattern, helper="first_word")
        (tmp_path / "mine.py").write_text(text)
        (tmp_path / "first_word.py").write_text(HELPER.format(word=word))
        for name in ("mine", "first_word"):
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        return importlib.import_module("mine")

    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # files of one second look alike
    return write


class Patched:
    limit = 1

    def answer(self, prompt: str) -> str:
        return "north" * self.limit


def twin(version: int) -> type:
    """Return one of two classes that share a name and a file."""
    if version:

        class Mine:
            def answer(self, prompt: str) -> str:
                return "south"

    else:

        class Mine:  # type: ignore[no-redef]
            def answer(self, prompt: str) -> str:
                return "north"

    return Mine


VERSIONS: dict[str, Callable[[Written, int], object]] = {
    "argument": lambda written, n: written().Mine(("x1", "x100")[n]),
    "partial": lambda written, n: functools.partial(written().Mine, ("x1", "x100")[n]),
    "helper": lambda written, n: written(word="xy"[n]).Mine,
    "constant": lambda written, n: written(limit=n + 1).Mine(),
    "pattern": lambda written, n: written(pattern=(".", "[ab]")[n]).Mine(),
    "twin": lambda written, n: twin(n),
}


@pytest.mark.parametrize("what", VERSIONS)
def test_other_code_is_refused(
    what: str, written: Written, mazes: wq.mango.MazeSet, tmp_path: Path
) -> None:
    out, make = tmp_path / "run", VERSIONS[what]
    first = mazes.run(make(written, 0), per_maze=1, out=out).rows
    assert mazes.run(make(written, 0), per_maze=1, out=out).rows == first
    with pytest.raises(wq.WorldquizError, match="the code or state of the answerer has changed"):
        mazes.run(make(written, 1), per_maze=1, out=out)
    assert mazes.run(make(written, 1), per_maze=1, out=out, fresh=True).rows != first


@pytest.mark.parametrize("change", [("answer", lambda self, prompt: "south"), ("limit", 2)])
def test_a_patched_class_is_other_code(
    change: tuple[str, Any], mazes: wq.mango.MazeSet, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    mazes.run(Patched, per_maze=1, out=tmp_path / "run")
    monkeypatch.setattr(Patched, *change)
    with pytest.raises(wq.WorldquizError, match="the code or state of the answerer has changed"):
        mazes.run(Patched, per_maze=1, out=tmp_path / "run")


class Sealed:
    """Has a state that nobody can tell."""

    def __init__(self, word: str) -> None:
        self.word = word

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("it holds a lock")

    def __deepcopy__(self, memo: object) -> Sealed:
        return self

    def answer(self, prompt: str) -> str:
        return self.word


def test_what_cannot_be_told_needs_a_label_or_a_fresh_run(
    mazes: wq.mango.MazeSet, tmp_path: Path
) -> None:
    def run(word: str, **more: Any) -> wq.Run:
        return mazes.run(Sealed(word), per_maze=1, out=tmp_path / "run", **more)

    run("a")
    with pytest.raises(wq.WorldquizError, match=r"cannot be checked for changes.*--label.*--fresh"):
        run("b")
    with pytest.raises(wq.WorldquizError, match="label was not set, is now 'v1'"):
        run("b", label="v1")
    assert {row.reply for row in run("b", label="v1", fresh=True).rows} == {"b"}
    assert {row.reply for row in run("c", label="v1").rows} == {"b"}
    with pytest.raises(wq.WorldquizError, match="label was 'v1', is now not set"):
        run("b")


SCRIPT = """
import sys, mine, worldquiz as wq
mazes = wq.mango.load(sys.argv[1])
for n, each in enumerate((mine.Mine, "mine:Mine", mine.Mine("x"))):
    print(mazes.run(each, per_maze=1, out=f"{sys.argv[2]}/{n}").manifest["code"]["answerer"])
"""


def test_the_digest_is_that_of_every_process(
    written: Written, mazes: wq.mango.MazeSet, tmp_path: Path
) -> None:
    written()
    (tmp_path / "script.py").write_text(SCRIPT)
    path, found = os.pathsep.join(sys.path), []
    for seed in ("1", "2"):
        said = subprocess.run(
            [sys.executable, tmp_path / "script.py", mazes.path, tmp_path / seed],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        found.append(said.stdout.split())
    assert found[0] == found[1]
    assert len(found[0]) == 3
    assert len({*found[0]}) == 2  # a class is one thing, by whatever name


@pytest.mark.parametrize("door", ["python", "command line"])
def test_a_finished_run_that_is_read_says_when_it_was_run(
    door: str, mazes: wq.mango.MazeSet, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    mazes.run("go", per_maze=1, out=out)
    before = tree(out)
    os.utime(out / "rows.jsonl", (1_795_000_000,) * 2)
    capfd.readouterr()
    if door == "python":
        mazes.run("go", per_maze=1, out=out)
        said = capfd.readouterr().err
    else:
        said = worldquiz("run", mazes.path, "--answerer", "go", "--per-maze", 1, "--out", out).err
    assert re.search(r"run: finished on 2026-11-\d\d; nothing is run again\n", said)
    assert tree(out) == before


def test_fresh_deletes_a_run_and_nothing_else(mazes: wq.mango.MazeSet, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(wq.WorldquizError, match=r"holds 'mine\.txt'"):
        mazes.run("go", per_maze=1, out=tmp_path, fresh=True)
    suite = wq.t2q.build("easy", worlds=1, seed=5, out=tmp_path / "suite")
    with pytest.raises(wq.WorldquizError, match="is of kind 'suite'"):
        mazes.run("go", per_maze=1, out=suite.path, fresh=True)
    outer, inner = (mazes.run("go", per_maze=1, out=tmp_path / name) for name in ("a", "a/b"))
    with pytest.raises(wq.WorldquizError, match=r"not deleted, since it holds .*a/b: move that"):
        mazes.run("go", per_maze=1, out=outer.path, fresh=True)
    assert wq.load(inner.path).rows
    assert wq.load(suite.path).worlds
