"""A stranger's mistakes: exit code 2, one line on stderr that helps, nothing on stdout."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq
from command import Said
from conftest import Cli

BUILD = ("t2q", "build", "--seed", "7", "--jobs", "1", "--worlds", "1")


def mistaken(said: Said, *words: str) -> None:
    assert said.code == 2
    assert said.out == ""
    assert "Traceback" not in said.err
    line = " ".join(said.err.replace("│", " ").split())
    for word in words:
        assert word in line


@pytest.fixture
def copy(suite: Any, tmp_path: Path) -> Path:
    """A suite that may be damaged."""
    shutil.copytree(suite.path, tmp_path / "suite")
    return tmp_path / "suite"


@pytest.fixture(scope="module")
def finished(suite: Any, tmp_path_factory: pytest.TempPathFactory) -> wq.Run:
    """A run of nobody in particular."""
    return wq.t2q.load(suite.path).run(
        agent="idle", answerer="abstainer", out=tmp_path_factory.mktemp("run")
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--preset", "papr"), ["no preset 'papr'; did you mean 'paper'?"]),
        (("--preset", "easy", "--worlds", "0"), ["worlds: expected 1 or more per level, found 0"]),
        (("--preset", "easy", "--worlds", "-2"), ["worlds"]),
        (("--preset", "easy", "--worlds", "ten"), ["--worlds", "ten"]),
        (("--preset", "easy", "--jobs", "0"), ["--jobs"]),
        (("--preset", "easy", "--set", "rooms=-3..5"), ["3 <= LOW <= HIGH, found -3..5"]),
        (("--preset", "easy", "--set", "rooms=5..3"), ["3 <= LOW <= HIGH, found 5..3"]),
        (("--preset", "easy", "--set", "doors=1.5"), ["doors: 1.5 is not between 0 and 1"]),
        (("--preset", "easy", "--set", "rooms=lots"), ["expected LOW..HIGH, found 'lots'"]),
        (("--preset", "easy", "--set", "rooms"), ["--set 'rooms': expected NAME=VALUE"]),
        (("--preset", "easy", "--set", "room=3"), ["no parameter 'room'; did you mean 'rooms'?"]),
        (("--preset", "easy", "--set", "rooms=3", "--set", "rooms=4"), ["given twice"]),
        (("--preset", "easy", "--set", "objects=4", "--set", "containers=0.9"), ["is too few for"]),
        ((), ["--preset"]),
        (("--preset", "easy", "--speed", "9"), ["--speed"]),
    ],
)
def test_options_that_cannot_be(
    cli: Cli, tmp_path: Path, options: tuple[str, ...], words: list[str]
) -> None:
    said = cli(*BUILD, *options, "--out", tmp_path / "out", "--json")
    mistaken(said, *words)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("benchmark", "verb"), [("t2q", "score"), ("mango", "report")])
def test_a_verb_for_any_folder_is_no_benchmarks_own(cli: Cli, benchmark: str, verb: str) -> None:
    said = cli(benchmark, verb, "x")
    told = f"worldquiz {benchmark}: No such command {verb!r}; see `worldquiz --help`"
    assert (said.code, said.out, said.err) == (2, "", f"{told}\n")


NO_SUITE: dict[str, tuple[Callable[[Path], object], str]] = {
    "not there": (shutil.rmtree, "there is no such folder: make a suite by `worldquiz t2q build "),
    "a run": (
        lambda suite: (suite / "manifest.json").write_text('{"kind": "run"}'),
        "manifest.json: is of kind 'run', expected a suite",
    ),
    "cut short": (
        lambda suite: os.truncate(suite / "manifest.json", 99),
        "cut short or damaged",
    ),
    "stopped": (
        lambda suite: (suite / "manifest.json").unlink(),
        "the build was stopped: run its command again",
    ),
}
"""What makes a folder no suite, and what is said of it."""


@pytest.mark.slow
@pytest.mark.parametrize("fault", NO_SUITE)
@pytest.mark.parametrize(
    "command",
    [
        ("t2q", "stats", "FOLDER"),
        ("t2q", "show", "FOLDER"),
        ("t2q", "show", "FOLDER", "easy-00"),
        ("t2q", "check", "FOLDER"),
        ("t2q", "run", "FOLDER", "--agent", "idle", "--answerer", "constant", "--out", "OUT"),
    ],
    ids=" ".join,
)
def test_what_is_no_suite_is_told_by_whatever_reads_one(
    cli: Cli, copy: Path, tmp_path: Path, command: tuple[str, ...], fault: str
) -> None:
    spoil, words = NO_SUITE[fault]
    spoil(copy)
    named = {"FOLDER": copy, "OUT": tmp_path / "out"}
    mistaken(cli(*(named.get(word, word) for word in command)), words)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("command", ["score", "report", "export"])
def test_a_run_that_was_stopped_is_to_be_finished_first(
    cli: Cli, finished: wq.Run, tmp_path: Path, command: str
) -> None:
    run = Path(shutil.copytree(finished.path, tmp_path / "run"))
    for name in ("rows.jsonl", "scores.json"):
        (run / name).unlink()
    said = cli(command, run)
    mistaken(said, "has no rows.jsonl yet: run its command again to finish it")


def test_no_world_of_that_name(cli: Cli, suite: Any) -> None:
    mistaken(cli("t2q", "show", suite.path, "easy-7"), "no world 'easy-7'; did you mean")


@pytest.mark.parametrize(
    "command",
    [(*BUILD, "--preset", "easy"), ("run", "SUITE", "--agent", "idle", "--answerer", "constant")],
)
def test_nothing_is_written_beside_other_things_or_over_a_file(
    cli: Cli, suite: Any, tmp_path: Path, command: tuple[str, ...]
) -> None:
    file = tmp_path / "thesis.tex"
    words = [suite.path if word == "SUITE" else word for word in command]
    file.write_text("mine")
    mistaken(cli(*words, "--out", tmp_path), "holds 'thesis.tex'")
    mistaken(cli(*words, "--out", file), "cannot write into it: it is a file")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["mine"]


@pytest.fixture
def nobody() -> Iterator[None]:
    """Give up root's powers for a while."""
    if os.getuid() != 0:
        pytest.skip("only root can become somebody else")
    os.seteuid(65534)
    yield
    os.seteuid(0)


def test_without_permission(cli: Cli, tmp_path: Path, nobody: None) -> None:
    mistaken(cli(*BUILD, "--preset", "easy", "--out", tmp_path / "x"), "Permission denied")


@pytest.mark.slow
def test_where_the_page_cannot_be_written(cli: Cli, finished: wq.Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    target = tmp_path / "file" / "page.html"
    mistaken(cli("report", finished.path, "--out", target), "cannot write")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("library", "extra", "arguments"),
    [
        ("jinja2", "t2q", ("report", "RUN", "--out", "OUT")),
        ("pyarrow", "t2q", ("export", "RUN", "--out", "OUT")),
    ],
)
def test_a_library_that_is_not_installed(
    cli: Cli, suite: Any, finished: wq.Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    library: str, extra: str, arguments: tuple[str, ...],
) -> None:  # fmt: skip
    for name in [name for name in sys.modules if name.split(".")[0] == library]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    shutil.copytree(finished.path, tmp_path / "run")
    named = {"SUITE": suite.path, "RUN": tmp_path / "run", "OUT": tmp_path / "out"}
    said = cli(*(named.get(word, word) for word in arguments))
    mistaken(said, f"{library} is not installed: pip install 'worldquiz[{extra}]'")


@pytest.fixture(scope="module")
def mazes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of one maze."""
    out = tmp_path_factory.mktemp("mazes")
    wq.mango.build(mazes=1, seed=7, out=out)
    return out


class TestWhatToDoInstead:
    """A line that says what the user wants, in the words of the command line."""

    @pytest.mark.parametrize(
        ("words", "line"),
        [
            (("show", "MAZES", "maze-00"),
             "show: Got unexpected extra argument (maze-00); see `worldquiz show --help`"),
            (("run", "SUITE", "--agnt", "idle"),
             "t2q run: No such option '--agnt'. (Did you mean one of: '--agent', '--generate', "
             "'--on'?); see `worldquiz t2q run --help`"),
            (("run", "SUITE", "--qqqq"),
             "t2q run: No such option '--qqqq'; see `worldquiz t2q run --help`"),
            (("merge", "SUITE"), "merge: Missing option '--out'; see `worldquiz merge --help`"),
            (("nope",), "No such command 'nope'; see `worldquiz --help`"),
        ],
    )  # fmt: skip
    def test_one_line(
        self, cli: Cli, suite: Any, mazes: Path, words: tuple[str, ...], line: str
    ) -> None:
        named = {"SUITE": str(suite.path), "MAZES": str(mazes)}
        said = cli(*(named.get(word, word) for word in words))
        for name, path in named.items():
            line = line.replace(name, path)
        assert (said.code, said.out) == (2, "")
        assert said.err.splitlines() in ([f"worldquiz: {line}"], [f"worldquiz {line}"])


T2Q = ("t2q", "run", "suite", "--out", "run")
SCRIPTED = (*T2Q, "--agent", "idle", "--answerer", "constant")
MANGO = ("mango", "run", "mazes", "--out", "run", "--answerer", "mapper")
TEA = ("tea", "run", "tasks", "--out", "run", "--answerer", "random")
RECALL = ("tea", "recall", "tasks", "--out", "run", "--answerer", "blind")
OF_MODELS = (
    ("--base-url", "http://localhost:1/v1"), ("--generate", "temperature=0"),
    ("--connections", "3"), ("--retries", "1"),
)  # fmt: skip
LIMITS = (("--timeout", "9"), ("--max-tokens", "9"))
OF_T2Q = (
    ("--memory", "mem0"), ("--memory-model", "m"), ("--k", "3"),
    ("--granularity", "task"), ("--recent", "2"), ("--embedder", "other"),
    ("--explore",), ("--bonus",), ("--laws",), ("--reason-first",),
)  # fmt: skip


@pytest.mark.parametrize(
    ("command", "options"),
    [
        (SCRIPTED, (*OF_MODELS, *OF_T2Q, *LIMITS)),
        (MANGO, (*OF_MODELS, *LIMITS)),
        (TEA, (*OF_MODELS, *LIMITS)),
        (RECALL, (*OF_MODELS, *LIMITS)),
        (("tea", "write", "tasks", "--out", "w"), OF_MODELS),
    ],
)
def test_a_models_option_needs_a_model(
    cli: Cli, command: tuple[str, ...], options: tuple[tuple[str, ...], ...]
) -> None:
    for option in options:
        name = option[0].removeprefix("--").replace("-", "_")
        mistaken(cli(*command, *option), f"{name} has no effect without a model: give both")


def test_options_that_do_something_are_taken(cli: Cli) -> None:
    for command in (SCRIPTED, (*MANGO, "--tokens", 9, "--tokenizer", "chars/4"), TEA, RECALL):
        assert "needs" not in cli(*command).err
