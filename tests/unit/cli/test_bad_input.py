"""A stranger's mistakes: exit code 2, one line on stderr that helps, nothing on stdout."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
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
        (("--preset", "easy", "--worlds", "0"), ["--worlds", "make no suite"]),
        (("--preset", "easy", "--worlds", "-2"), ["worlds"]),
        (("--preset", "easy", "--worlds", "ten"), ["--worlds", "ten"]),
        (("--preset", "easy", "--jobs", "0"), ["--jobs"]),
        (("--preset", "easy", "--set", "rooms=-3..5"), ["parameter rooms: -3..5 is no range"]),
        (("--preset", "easy", "--set", "rooms=5..3"), ["parameter rooms: 5..3 is no range"]),
        (("--preset", "easy", "--set", "doors=1.5"), ["doors: 1.5 is not between 0 and 1"]),
        (("--preset", "easy", "--set", "rooms=lots"), ["'lots' is not LOW..HIGH"]),
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
    if "--worlds" in options:
        words = ["orlds"]
    mistaken(said, *words)
    assert not (tmp_path / "out").exists()


def test_no_such_command(cli: Cli) -> None:
    mistaken(cli("biuld"), "biuld")


@pytest.mark.parametrize(("benchmark", "verb"), [("t2q", "score"), ("mango", "report")])
def test_a_verb_for_any_folder_is_no_benchmarks_own(cli: Cli, benchmark: str, verb: str) -> None:
    said = cli(benchmark, verb, "x")
    told = f"worldquiz {benchmark}: No such command {verb!r}; see `worldquiz --help`"
    assert (said.code, said.out, said.err) == (2, "", f"{told}\n")


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
class TestSuites:
    """Every command that reads a suite."""

    def _run(self, cli: Cli, command: tuple[str, ...], folder: Path, out: Path) -> Said:
        named = {"FOLDER": folder, "OUT": out}
        said = cli(*(named.get(word, word) for word in command))
        assert not out.exists()
        return said

    def test_a_folder_that_is_not_there(
        self, cli: Cli, tmp_path: Path, command: tuple[str, ...]
    ) -> None:
        said = self._run(cli, command, tmp_path / "nowhere", tmp_path / "out")
        mistaken(said, "nowhere: there is no such folder: `worldquiz t2q build --preset easy ")

    @pytest.mark.slow
    def test_a_run_instead(
        self, cli: Cli, finished: wq.Run, tmp_path: Path, command: tuple[str, ...]
    ) -> None:
        said = self._run(cli, command, finished.path, tmp_path / "out")
        mistaken(said, "manifest.json: is of kind 'run', expected a suite")

    @pytest.mark.slow
    def test_a_truncated_manifest(
        self, cli: Cli, copy: Path, tmp_path: Path, command: tuple[str, ...]
    ) -> None:
        text = (copy / "manifest.json").read_text()
        (copy / "manifest.json").write_text(text[: len(text) // 2])
        said = self._run(cli, command, copy, tmp_path / "out")
        mistaken(said, "manifest.json:", "cut short or damaged")

    @pytest.mark.slow
    def test_a_build_that_was_stopped(
        self, cli: Cli, copy: Path, tmp_path: Path, command: tuple[str, ...]
    ) -> None:
        (copy / "manifest.json").unlink()
        said = self._run(cli, command, copy, tmp_path / "out")
        mistaken(said, "the build was stopped: run its command again")

    @pytest.mark.slow
    def test_a_truncated_quiz(
        self, cli: Cli, copy: Path, tmp_path: Path, command: tuple[str, ...]
    ) -> None:
        if command == ("t2q", "show", "FOLDER"):
            pytest.skip("lists the manifest alone")
        path = copy / "worlds" / "easy-00" / "quiz.jsonl"
        path.write_text("".join(path.read_text().splitlines(keepends=True)[:5]))
        said = self._run(cli, command, copy, tmp_path / "out")
        mistaken(said, "quiz.jsonl:6: has 4 of", "the file is cut short")


@pytest.mark.parametrize("agent", ["rndom", "gpt-5", ""])
def test_nobody_of_that_name(cli: Cli, suite: Any, tmp_path: Path, agent: str) -> None:
    said = cli(
        "t2q",
        "run",
        suite.path,
        "--agent",
        agent,
        "--answerer",
        "constant",
        "--out",
        tmp_path / "x",
    )
    mistaken(said, f"no agent '{agent}'")
    said = cli(
        "t2q", "run", suite.path, "--agent", "idle", "--answerer", agent, "--out", tmp_path / "x"
    )
    mistaken(said, f"no answerer '{agent}'")
    assert not (tmp_path / "x").exists()


def test_no_world_of_that_name(cli: Cli, suite: Any) -> None:
    mistaken(cli("t2q", "show", suite.path, "easy-7"), "no world 'easy-7'; did you mean")


def test_negative_steps(cli: Cli, suite: Any, tmp_path: Path) -> None:
    mistaken(
        cli("t2q", "run", suite.path, "--agent", "idle", "--answerer", "constant",
            "--max-steps", "-1", "--out", tmp_path / "x"),
        "--max-steps",
    )  # fmt: skip


def test_another_command_into_the_same_folder(cli: Cli, suite: Any, finished: wq.Run) -> None:
    mistaken(
        cli("t2q", "build", "--preset", "hard", "--seed", 5, "--worlds", 2, "--out", suite.path),
        "was begun with other settings (preset was 'easy', is now 'hard')",
    )
    mistaken(
        cli("t2q", "run", suite.path, "--agent", "random", "--answerer", "abstainer", "--out",
            finished.path),
        "was begun with other settings (agent was 'idle', is now 'random'",
    )  # fmt: skip


def test_a_folder_with_other_things(cli: Cli, suite: Any, tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    mistaken(cli(*BUILD, "--preset", "easy", "--out", tmp_path), "holds 'thesis.tex'")
    mistaken(
        cli(
            "t2q", "run", suite.path, "--agent", "idle", "--answerer", "constant", "--out", tmp_path
        ),
        "holds 'thesis.tex'",
    )
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_file_where_a_folder_should_be(cli: Cli, suite: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    words = "cannot write into it: it is a file"
    mistaken(cli(*BUILD, "--preset", "easy", "--out", tmp_path / "file"), words)
    mistaken(
        cli("t2q", "run", suite.path, "--agent", "idle", "--answerer", "constant", "--out",
            tmp_path / "file"),
        words,
    )  # fmt: skip
    assert (tmp_path / "file").read_text() == "mine"


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


@pytest.mark.parametrize("command", ["score", "report", "export"])
class TestRuns:
    """Every command that reads a run."""

    def test_a_folder_that_is_not_there(self, cli: Cli, tmp_path: Path, command: str) -> None:
        mistaken(cli(command, tmp_path / "nowhere"), "nowhere: there is no such folder")
        assert list(tmp_path.iterdir()) == []

    def test_a_suite_instead(self, cli: Cli, suite: Any, command: str) -> None:
        mistaken(cli(command, suite.path), "is a suite, not a run: `worldquiz run")

    def test_a_run_that_was_stopped(
        self, cli: Cli, finished: wq.Run, tmp_path: Path, command: str
    ) -> None:
        shutil.copytree(finished.path, tmp_path / "run")
        (tmp_path / "run" / "rows.jsonl").unlink()
        (tmp_path / "run" / "scores.json").unlink()
        said = cli(command, tmp_path / "run")
        mistaken(said, "has no rows.jsonl yet: run its command again to finish it")

    @pytest.mark.slow
    def test_a_file_cut_short(
        self, cli: Cli, finished: wq.Run, tmp_path: Path, command: str
    ) -> None:
        shutil.copytree(finished.path, tmp_path / "run")
        path = tmp_path / "run" / "rows.jsonl"
        path.write_bytes(path.read_bytes()[:-20])
        mistaken(cli(command, tmp_path / "run"), "rows.jsonl:", "cut short or damaged")


@pytest.mark.slow
def test_where_the_page_cannot_be_written(cli: Cli, finished: wq.Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    target = tmp_path / "file" / "page.html"
    mistaken(cli("report", finished.path, "--out", target), "cannot write")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("library", "extra", "arguments"),
    [
        (
            "textworld",
            "textworld",
            (*BUILD, "--preset", "easy", "--per-task-games", "--out", "OUT"),
        ),
        ("ortools", "exact", ("t2q", "stats", "SUITE", "--prove")),
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
             "run: No such option '--agnt'. (Did you mean one of: '--agent', '--generate', "
             "'--on'?); see `worldquiz run --help`"),
            (("run", "SUITE", "--qqqq"),
             "run: No such option '--qqqq'; see `worldquiz run --help`"),
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
OF_MODELS = [
    ("--base-url", "http://localhost:1/v1"), ("--generate", "temperature=0"),
    ("--connections", "3"), ("--retries", "1"),
]  # fmt: skip
LIMITS = [("--timeout", "9"), ("--max-tokens", "9")]
OF_T2Q = [
    ("--memory", "mem0"), ("--memory-model", "m"), ("--k", "3"),
    ("--granularity", "task"), ("--recent", "2"), ("--embedder", "other"),
    ("--explore",), ("--bonus",), ("--laws",), ("--reason-first",),
]  # fmt: skip


@pytest.mark.parametrize(
    ("command", "option"),
    [(SCRIPTED, option) for option in (*OF_MODELS, *OF_T2Q, *LIMITS)]
    + [(MANGO, option) for option in LIMITS]
    + [(command, option) for command in (TEA, RECALL) for option in LIMITS]
    + [(command, option) for command in (MANGO,) for option in OF_MODELS]
    + [
        (command, option)
        for command in (TEA, RECALL, ("tea", "write", "tasks", "--out", "w"))
        for option in OF_MODELS
    ],
)
def test_a_models_option_needs_a_model(
    cli: Cli, command: tuple[str, ...], option: tuple[str, ...], tmp_path: Path
) -> None:
    said = cli(*command, *option)
    assert (said.code, said.out) == (2, "")
    name = option[0].removeprefix("--").replace("-", "_")
    assert said.err.startswith(f"worldquiz: {name} has no effect without a model: add it, or")


def test_options_that_go_together(cli: Cli) -> None:
    said = cli(*MANGO, "--tokenizer", "chars/4")
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("worldquiz: tokenizer has no effect without tokens: add it")


def test_options_that_do_something_are_taken(cli: Cli) -> None:
    for command in (SCRIPTED, (*MANGO, "--tokens", 9, "--tokenizer", "chars/4"), TEA, RECALL):
        assert "needs" not in cli(*command).err
