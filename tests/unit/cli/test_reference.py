"""What the commands say: docs/cli.md is written from their help (`just docs`)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from worldquiz.cli.shell import err

REFERENCE = Path(__file__).parents[3] / "docs" / "cli.md"


@pytest.mark.slow
def test_the_command_reference_is_current(tmp_path: Path) -> None:
    target = tmp_path / "cli.md"
    typer = "import sys; from typer.cli import main; sys.argv[0] = 'typer'; main()"
    options = ["--name", "worldquiz", "--title", "Commands", "--output", str(target)]
    subprocess.run(
        [sys.executable, "-c", typer, "worldquiz.cli", "utils", "docs", *options],
        env={**os.environ, "COLUMNS": "80"},
        check=True,
        capture_output=True,
    )
    assert REFERENCE.read_text() == target.read_text(), "run `just docs`"


def test_every_command_is_in_the_reference() -> None:
    text = REFERENCE.read_text()
    for command in ("demo", "score", "report", "export", "compare", "run"):
        assert f"## `worldquiz {command}`" in text
    for command in ("build", "stats", "run", "show", "check", "play", "agents"):
        assert f"### `worldquiz t2q {command}`" in text


def test_a_line_number_in_an_error_stays_a_number() -> None:
    console = err()
    with console.capture() as said:
        console.print("manifest.json:100:17: cut short", markup=False)
    assert said.get().strip() == "manifest.json:100:17: cut short"
