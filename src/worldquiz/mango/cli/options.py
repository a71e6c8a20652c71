"""Options that several of MANGO's commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from worldquiz.cli.shell import warn
from worldquiz.mango.maze.mango import Layout, laid, unfinished
from worldquiz.mango.paths.pairs import Route

Data = Annotated[
    Path, typer.Argument(metavar="MAZES", help="A folder of mazes with their walkthroughs.")
]
Out = Annotated[Path, typer.Option("--out", help="The folder to write the run into.")]
MazesOut = Annotated[Path, typer.Option("--out", help="The folder to write the mazes into.")]
Games = Annotated[
    list[str] | None, typer.Option("--game", help="Take only this game; may be repeated.")
]
Laid = Annotated[
    Layout | None,
    typer.Option(
        help="Read full maps, or the 70-step set (folders GAME/LAYOUT or GAME). Default: the "
        "70-step set of each game that has it."
    ),
]
Tasks = Annotated[
    str,
    typer.Option(help="df (destination finding), rf (route finding), or both with a comma."),
]
PerMaze = Annotated[
    int, typer.Option(min=1, help="Ask at most so many questions of each task about a maze.")
]
Seed = Annotated[int, typer.Option(help="Random seed for sampling questions.")]
RfEasy = Annotated[
    Route,
    typer.Option(
        help="Which routes define the easy split of route finding: shortest or any.",
    ),
]
Tokenizer = Annotated[
    str,
    typer.Option(
        help="How tokens are counted: chars/NUMBER (an estimate), tiktoken:NAME, hf:PATH or "
        "hf:OWNER/NAME."
    ),
]


def left_out(folder: Path, layout: Layout | None) -> dict[str, str]:
    """Return which games of a folder are unfinished, by name, and say so."""
    skipped = {
        name: f"{path}: is missing" for name, path in unfinished(folder, *laid(layout)).items()
    }
    for name, why in skipped.items():
        warn(f"left out: {name} ({why})")
    return skipped
