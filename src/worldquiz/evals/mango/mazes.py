"""Which mazes and which kinds of questions a run is about, by name."""

from __future__ import annotations

from pathlib import Path

from worldquiz.errors import KnobError, did_you_mean
from worldquiz.metrics.mango.grade import Task as Kind
from worldquiz.model.maze import Maze
from worldquiz.worlds.maze.mango import Layout, games, read


def kinds(text: str) -> tuple[Kind, ...]:
    """Read ``df,rf``. Raises `KnobError`."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    known = [str(kind) for kind in Kind]
    for name in names:
        if name not in known:
            raise KnobError(f"tasks {text!r}: no task {name!r}{did_you_mean(name, known)}")
    if not names:
        raise KnobError("tasks: give df, rf or both")
    return tuple(kind for kind in Kind if str(kind) in names)


def chosen(folder: Path, only: str) -> dict[str, Maze]:
    """Return the mazes of a folder, or those named. Raises `KnobError` for a name it has not."""
    homes = {home.game: home for home in games(folder, Layout.STEPS70)}
    names = [name.strip() for name in only.split(",") if name.strip()] or sorted(homes)
    for name in names:
        if name not in homes:
            raise KnobError(f"{folder}: no game {name!r}{did_you_mean(name, homes)}")
    return {name: read(homes[name]) for name in names}
