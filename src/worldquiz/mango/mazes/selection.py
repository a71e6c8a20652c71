"""Selection of the mazes and the kinds of questions of a run, by name."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from worldquiz.errors import KnobError, did_you_mean
from worldquiz.mango.maze.mango import Home, Layout, games, laid, read
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.scoring.grade import Task as Kind


def kinds(text: str | Sequence[str]) -> tuple[Kind, ...]:
    """Read ``df,rf``. Raises `KnobError`."""
    names = _split(text)
    known = [str(kind) for kind in Kind]
    for name in names:
        if name not in known:
            raise KnobError(f"tasks {text!r}: no task {name!r}{did_you_mean(name, known)}")
    if not names:
        raise KnobError("tasks: give df, rf or both")
    return tuple(kind for kind in Kind if str(kind) in names)


def chosen(
    folder: Path, only: str | Sequence[str], layout: Layout | None = None
) -> dict[str, Maze]:
    """Return the mazes of a folder, or those named, in order of name.

    In a layout, or in the 70-step one where a game has it. Raises `KnobError` for a name that the
    folder has not.
    """
    return {home.game: read(home) for home in named(folder, games(folder, *laid(layout)), only)}


def named(folder: Path, homes: Sequence[Home], only: str | Sequence[str]) -> list[Home]:
    """Return the games that are named, all if none is, by name; `KnobError` for another name."""
    wanted = wanted_games(str(folder), {home.game for home in homes}, only)
    return sorted(home for home in homes if home.game in wanted)


def wanted_games(where: str, known: Collection[str], only: str | Sequence[str]) -> set[str]:
    """Return the names that are given, all that are known if none is.

    Raises `KnobError` for another name.
    """
    names = set(_split(only))
    for name in sorted(names - set(known)):
        raise KnobError(f"{where}: no game {name!r}{did_you_mean(name, known)}")
    return names or set(known)


def _split(text: str | Sequence[str]) -> list[str]:
    """Return names with commas between them as a list; inspect's command line hands over lists."""
    parts = text.split(",") if isinstance(text, str) else map(str, text)
    return [part.strip() for part in parts if part.strip()]
