"""Every command's help fits 80 columns, breaks no word, names each option's use, and is quick."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator

import click
import pytest

from worldquiz.cli import LazyGroup, app


def walk(command: click.Command, ctx: click.Context) -> Iterator[click.Context]:
    yield ctx
    if isinstance(command, click.Group):
        for name in command.list_commands(ctx):
            made = command.get_command(ctx, name)
            assert made is not None
            yield from walk(
                made, made.context_class(made, info_name=name, parent=ctx, terminal_width=80)
            )


ROOT = app.context_class(app, info_name="worldquiz", terminal_width=80)
COMMANDS = {ctx.command_path: ctx for ctx in walk(app, ROOT)}


@pytest.mark.parametrize("path", COMMANDS)
def test_help_fits_eighty_columns_and_breaks_no_word(path: str) -> None:
    ctx = COMMANDS[path]
    text = ctx.get_help()
    assert [line for line in text.splitlines() if len(line) > 80] == []
    words = set(re.split(r"\s+", text))
    params = ctx.command.params
    for told in (ctx.command.help, *(getattr(param, "help", None) for param in params)):
        assert told
        assert set(told.split()) <= words


def test_a_group_lists_each_command_by_a_line_without_importing_it() -> None:
    """So a summary is written apart from the command; it begins as the command's help does."""
    for path, ctx in COMMANDS.items():
        if isinstance(ctx.command, LazyGroup):
            help = ctx.get_help()
            for name in ctx.command.list_commands(ctx):
                assert re.search(rf"^  {name} +[A-Z]", help, re.MULTILINE), (path, name)


EVERY_HELP = """
import sys, click
before = {*sys.modules}
from worldquiz.cli import app
def walk(command, ctx):
    command.get_help(ctx)
    for name in command.list_commands(ctx) if isinstance(command, click.Group) else ():
        inner = command.get_command(ctx, name)
        walk(inner, click.Context(inner, info_name=name, parent=ctx))
walk(app, click.Context(app))
print(*{*sys.modules} - before)
"""


def test_help_loads_nothing_but_the_declarations_of_commands() -> None:
    done = subprocess.run(
        [sys.executable, "-c", EVERY_HELP], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert loaded & {"pydantic", "rich", "numpy", "asyncio", "importlib.metadata"} == set()
    ours = {name.removeprefix("worldquiz.") for name in loaded if name.startswith("worldquiz.")}
    declaring = re.compile(r"cli(\..+)?|(t2q|mango|tea)(\.(benchmark|settings|cli(\..+)?))?")
    rest = {name for name in ours if not declaring.fullmatch(name)}
    assert rest <= {
        "errors", "page", "page.visible", "plugins", "runs", "runs.benchmark",
        "runs.notices", "runs.settings", "runs.system", "version",
    }  # fmt: skip
