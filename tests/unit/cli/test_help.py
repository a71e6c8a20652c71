"""Every command's help fits 80 columns; no word of it is broken."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from worldquiz.cli import app, lazy


def walk(name: str, made: Any) -> Iterator[tuple[str, Any]]:
    yield name, made
    for each in made.list_commands(None) if hasattr(made, "list_commands") else ():
        yield from walk(f"{name} {each}", made.get_command(None, each))


COMMANDS = dict(walk("worldquiz", lazy.command("worldquiz", app)))


@pytest.mark.parametrize("name", COMMANDS)
def test_help_fits_eighty_columns(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    made = COMMANDS[name]
    text = made.get_help(typer.Context(made, info_name=name, terminal_width=80))
    assert [line for line in text.splitlines() if len(line) > 80] == []
    words = set(re.split(r"\s+", text))
    for told in (made.help, *(param.help for param in made.params if not param.hidden)):
        assert set((told or "").split()) <= words


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_says_what_it_is_for(name: str) -> None:
    made = COMMANDS[name]
    assert made.help
    assert [param.opts for param in made.params if not param.help] == []


def test_commands_stand_in_named_panels() -> None:
    for name, made in COMMANDS.items():
        if hasattr(made, "list_commands"):
            panels = {made.commands.entry(each).panel for each in made.list_commands(None)}
            assert "Commands" not in panels, name
