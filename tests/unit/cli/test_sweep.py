"""A file of many runs: each has a name, is checked before any begins, and is given once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toy_benchmark
from command import Said
from conftest import Cli
from worldquiz.cli.sweep_file import read_sweep
from worldquiz.errors import KnobError

HOW_TO = Path(__file__).parents[3] / "docs" / "how-to" / "sweep.md"
TOY = 'folder = "sums"\nout = "runs"\n'


@pytest.fixture
def sweep(cli: Cli, toy: Path, tmp_path: Path) -> Cli:
    """Return a call of the command with a file's text, on the toy benchmark."""

    def call(text: str, *options: str) -> Said:
        file = tmp_path / "sweep.toml"
        file.write_text(text)
        return cli("sweep", file, *options)

    return call


@given(st.dictionaries(st.sampled_from(["agent", "model", "memory"]), st.lists(
    st.text("abcß.", min_size=1), min_size=1, max_size=3, unique=True), min_size=1))  # fmt: skip
def test_every_combination_is_one_run_of_a_name_that_a_folder_can_have(
    tmp_path_factory: pytest.TempPathFactory, grid: dict[str, list[str]]
) -> None:
    file = tmp_path_factory.mktemp("sweep") / "sweep.toml"
    lines = [f"{key} = {values}" for key, values in grid.items()]
    file.write_text("\n".join(["folder = 's'", "out = 'o'", "[[grid]]", *lines]))
    count = 1
    for values in grid.values():
        count *= len(values)
    runs = read_sweep(file).runs
    assert len({run.name for run in runs}) == len(runs) == count
    assert all(re.fullmatch(r"[\w.+=,-]+", run.name) for run in runs)
    file.write_text("\n".join(["folder = 's'", "out = 'o'", "[[grid]]", *reversed(lines)]))
    assert read_sweep(file).runs == runs


def test_runs_are_made_once_and_shown_in_one_table(sweep: Cli, tmp_path: Path) -> None:
    text = f"{TOY}[[grid]]\nanswerer = ['all', 'none']\n"
    first = sweep(text)
    assert first.code == 0
    assert "run 2 of 2: answerer=none" in first.err
    assert "answerer=all" in first.out
    assert (tmp_path / "runs" / "answerer=none" / "scores.json").is_file()
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "runs").rglob("*.json")}
    again = sweep(text, "--json")
    assert "run 1" not in again.err
    scores = {run["name"]: run["scores"]["score"] for run in again.json["runs"]}
    assert scores == {"answerer=all": 1.0, "answerer=none": 0.0}
    after = {path: path.stat().st_mtime_ns for path in before if path.name != "sweep.json"}
    assert after.items() <= before.items()


def test_a_run_that_fails_is_told_and_the_rest_goes_on(
    sweep: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = toy_benchmark.write

    def fails(folder: Path, kind: str, **told: object) -> Path:
        if told.get("answerer") == "bad":
            raise KnobError("nobody is called 'bad'")
        return write(folder, kind, **told)

    monkeypatch.setattr(toy_benchmark, "write", fails)
    said = sweep(f"{TOY}[[grid]]\nanswerer = ['bad', 'all']\n", "--json")
    assert said.code == 1
    bad, good = said.json["runs"]
    assert (bad["error"], bad["scores"]) == ("nobody is called 'bad'", None)
    assert (good["error"], good["scores"]["score"]) == (None, 1.0)
    assert not (tmp_path / "runs" / "answerer=bad").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("folder = ", "sweep.toml: is no TOML: "),
        ("out = 'runs'", "sweep.toml: folder None: give a folder"),
        (f"fodler = 1\n{TOY}", "no key 'fodler' (value 1); did you mean 'folder'?"),
        (f"{TOY}grid = 3", "sweep.toml: grid 3: write each grid as a table"),
        (f"{TOY}options = 3", "sweep.toml: [options]: 3 is no table"),
        (f"{TOY}[[grid]]\nanswerer = []", "[[grid]] 1: answerer []: give at least one value"),
        (
            f"{TOY}[[grid]]\nanswrer = 'all'",
            "[[grid]] 1: no option 'answrer' (value 'all'); did you mean 'answerer'?",
        ),
        (f"{TOY}[options]\nout = 'x'", "[options]: no option 'out' (value 'x')"),
        (
            f"{TOY}[[grid]]\nanswerer = 'a/b'\n[[grid]]\nanswerer = 'a:b'",
            "[[grid]] 2: 'answerer=a-b' is asked for in",
        ),
    ],
)
def test_a_mistake_names_file_table_key_and_value(
    sweep: Cli, tmp_path: Path, text: str, message: str
) -> None:
    said = sweep(text)
    assert said.code == 2
    assert message in said.err
    assert not (tmp_path / "runs").exists()


def test_a_run_that_was_begun_with_other_options_is_not_taken_for_finished(
    sweep: Cli, tmp_path: Path
) -> None:
    grid = "[[grid]]\n"
    assert sweep(f"{TOY}[options]\nanswerer = 'all'\n{grid}").code == 0
    said = sweep(f"{TOY}[options]\nanswerer = 'none'\n{grid}")
    assert said.code == 2
    assert "was begun with other options (answerer): delete that folder" in said.err


def test_models_run_where_nobody_can_say_what_they_cost(sweep: Cli) -> None:
    said = sweep(f"{TOY}[[grid]]\nmodel = ['a', 'b']\n")
    assert said.code == 0
    assert "no estimate: Toy has no `estimate`" in said.err
    assert "run 2 of 2: model=b" in said.err


def test_an_estimate_that_nobody_can_make_is_refused(sweep: Cli) -> None:
    text = f"{TOY}[[grid]]\nanswerer = ['all', 'none']\n"
    said = sweep(text, "--estimate")
    assert said.code == 2
    assert "Toy has no `estimate`" in said.err


def test_the_estimate_of_models_is_told_before_anything_runs(cli: Cli, tmp_path: Path) -> None:
    from mango_folder import TOY as MAZE
    from mango_folder import write_maze

    write_maze(MAZE, tmp_path / "mazes")
    file = tmp_path / "sweep.toml"
    file.write_text(
        "folder = 'mazes'\nout = 'runs'\n[options]\nper_maze = 2\n"
        "[[grid]]\nmodel = ['mockllm/a', 'mockllm/b']\n[[grid]]\nanswerer = 'mapper'\n"
    )
    said = cli("sweep", file, "--estimate", "--json")
    assert said.code == 0, said.err
    *models, mapper = said.json["runs"]
    assert [one["name"] for one in models] == ["model=mockllm-a", "model=mockllm-b"]
    assert models[0]["low"] == models[0]["high"]
    assert models[0]["low"]["calls"] > 0
    assert mapper["high"] == {"calls": 0, "input": 0, "output": 0, "cost": 0}
    assert said.json["high"]["calls"] == 2 * models[0]["high"]["calls"]
    assert said.json["high"]["cost"] is None
    assert not (tmp_path / "runs").exists()


def test_the_file_of_the_guide_says_what_the_guide_says(tmp_path: Path) -> None:
    (text,) = re.findall(r"^```toml\n(.*?)^```$", HOW_TO.read_text(), re.MULTILINE | re.DOTALL)
    file = tmp_path / "sweep.toml"
    file.write_text(text)
    runs = read_sweep(file).runs
    assert [run.name for run in runs] == re.findall(r"^runs/(\S+)$", HOW_TO.read_text(), re.M)
