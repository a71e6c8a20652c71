"""``mango run`` refuses what it cannot do before it writes anything."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from worldquiz.errors import CatalogError, KnobError, RecordError, WorldquizError
from worldquiz.mango.cli.mango_run import run
from worldquiz.mango.maze.generate import Knobs, generate
from worldquiz.mango.maze.write import write

MAPPER = ("--answerer", "mapper")


@pytest.fixture(scope="module")
def mazes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mazes")
    for seed, name in enumerate(("castle", "library")):
        write(generate(Knobs(8), seed, name=name), folder)
    return folder


def invoke(*arguments: object) -> str:
    app = typer.Typer()
    app.command()(run)
    found = CliRunner().invoke(app, [str(each) for each in arguments])
    if found.exception and not isinstance(found.exception, SystemExit):
        raise found.exception
    assert found.exit_code == 0, found.output
    return found.stdout


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ((), "give one of --model and --answerer (such as mapper)"),
        ((*MAPPER, "--model", "m"), "give one of --model and --answerer (such as mapper)"),
        (("--answerer", "map"), "no answerer 'map'; did you mean 'mapper'"),
        ((*MAPPER, "--game", "libary"), "no game 'libary'; did you mean 'library'"),
        ((*MAPPER, "--tasks", "df,fr"), "no task 'fr'"),
        ((*MAPPER, "--steps", 0), "nothing to ask"),
        ((*MAPPER, "--tokens", 9), "step 0 alone has"),
        ((*MAPPER, "--tokens", 9, "--tokenizer", "gpt-4"), "no such tokenizer; give chars/NUMBER"),
        ((*MAPPER, "--window", 99), "reserve 512: a window of 99 tokens needs"),
        ((*MAPPER, "--window", 600), "a window of 600 leaves 56"),
    ],
)
def test_mistakes_are_named(
    options: tuple[object, ...], complaint: str, mazes: Path, tmp_path: Path
) -> None:
    with pytest.raises(WorldquizError) as told:
        invoke(mazes, "--out", tmp_path / "run", *options)
    assert isinstance(told.value, KnobError | CatalogError)
    assert complaint in str(told.value)
    assert not (tmp_path / "run").exists()


def test_the_order_of_games_changes_nothing(mazes: Path, tmp_path: Path) -> None:
    one, other = (
        ("--game", "library", "--game", "castle"),
        ("--game", "castle", "--game", "library"),
    )
    for number, games in enumerate((one, other)):
        invoke(mazes, "--out", tmp_path / str(number), *MAPPER, *games)
    first, second = ((tmp_path / name / "rows.jsonl").read_bytes() for name in "01")
    assert first == second


def test_a_finished_run_is_scored_again_and_its_settings_are_kept(
    mazes: Path, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    command = (mazes, "--out", out, *MAPPER, "--walkthrough", "simplified", "--json")
    assert json.loads(invoke(*command)) == json.loads(invoke(*command))
    manifest = json.loads((out / "manifest.json").read_text("utf-8"))
    assert manifest["walkthrough"] == "simplified"
    with pytest.raises(RecordError, match="walkthrough was 'simplified', is now 'full'"):
        invoke(mazes, "--out", out, *MAPPER)
