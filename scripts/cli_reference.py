"""Writes docs/cli.md, the reference of all commands, from their own help (`just docs`)."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

import click

from worldquiz.cli import app

PAGE = Path(__file__).parents[1] / "docs" / "cli.md"


def sections(command: click.Command, ctx: click.Context) -> Iterator[str]:
    """Yield the paragraphs about a command, then about its subcommands."""
    path = ctx.command_path
    yield f"{'#' * len(path.split())} `{path}`" if ctx.parent else "# Commands"
    yield cleandoc(command.help or "")
    yield f"```console\n$ {path} {' '.join(command.collect_usage_pieces(ctx))}\n```"
    lines: dict[str, list[str]] = {}
    for param in command.get_params(ctx):
        name, text = param.get_help_record(ctx) or ("", "")
        argument = isinstance(param, click.Argument)
        panel = "Arguments" if argument else getattr(param, "panel", "Options")
        lines.setdefault(panel, []).append(f"* `{name}`: {' '.join(text.split())}")
    for panel, entries in lines.items():
        yield f"**{panel}**:\n\n" + "\n".join(entries)
    if isinstance(command, click.Group):
        for name in command.list_commands(ctx):
            if (inner := command.get_command(ctx, name)) is not None:
                yield from sections(inner, inner.context_class(inner, info_name=name, parent=ctx))


def page() -> str:
    """Return the page."""
    return "\n\n".join(sections(app, app.context_class(app, info_name="worldquiz"))) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
