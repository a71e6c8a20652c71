"""``mango run`` refuses what it cannot do before it writes anything."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conftest import Cli
from worldquiz.mango.generate import Knobs, generate
from worldquiz.mango.published import write

MAPPER = ("--answerer", "mapper")


@pytest.fixture(scope="module")
def mazes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mazes")
    for seed, name in enumerate(("castle", "library")):
        write(generate(Knobs(8), seed, name=name), folder)
    return folder


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
        ((*MAPPER, "--window", 99), "a window of 99 leaves -445 for it"),
        ((*MAPPER, "--window", 600), "a window of 600 leaves 56"),
    ],
)
def test_mistakes_are_named(
    cli: Cli, options: tuple[object, ...], complaint: str, mazes: Path, tmp_path: Path
) -> None:
    said = cli("mango", "run", mazes, "--out", tmp_path / "run", *options)
    assert (said.code, said.out) == (2, "")
    assert complaint in said.err
    assert not (tmp_path / "run").exists()


def test_the_order_of_games_changes_nothing(cli: Cli, mazes: Path, tmp_path: Path) -> None:
    for name, games in (("one", ("library", "castle")), ("other", ("castle", "library"))):
        only = [word for game in games for word in ("--game", game)]
        assert cli("mango", "run", mazes, "--out", tmp_path / name, *MAPPER, *only).code == 0
    first, second = ((tmp_path / name / "rows.jsonl").read_bytes() for name in ("one", "other"))
    assert first == second


def test_a_finished_run_is_scored_again_and_its_settings_are_kept(
    cli: Cli, mazes: Path, tmp_path: Path
) -> None:
    plain = ("mango", "run", mazes, "--out", tmp_path / "run", *MAPPER, "--json")
    command = (*plain, "--walkthrough", "simplified")
    assert cli(*command).json == cli(*command).json
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text("utf-8"))
    assert manifest["walkthrough"] == "simplified"
    assert "walkthrough was 'simplified', is now 'full'" in cli(*plain).err
