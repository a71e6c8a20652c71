"""docs/cli.md is written from the commands' own help (`just docs`)."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "scripts"))

import cli_reference  # noqa: E402


def test_the_command_reference_is_current() -> None:
    assert cli_reference.PAGE.read_text() == cli_reference.page(), "run `just docs`"
