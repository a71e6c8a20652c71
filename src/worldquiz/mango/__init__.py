"""MANGO (arXiv 2403.19913): read a walkthrough, then find destinations and routes.

    import worldquiz as wq

    mazes = wq.mango.build(mazes=6, seed=7, out="mazes")   # or wq.mango.open("published/data")
    run = mazes.run("mapper", out="runs/mapper")           # or model="openai/gpt-5.1", or an object

Importing this package loads nothing else: each name is imported when it is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from worldquiz.mango.maze_set import MazeSet as MazeSet
    from worldquiz.mango.maze_set import build as build
    from worldquiz.mango.maze_set import open_mazes as open

_HOMES = {"MazeSet": "MazeSet", "build": "build", "open": "open_mazes"}

__all__ = ["MazeSet", "build", "open"]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("worldquiz.mango.maze_set"), _HOMES[name])


def __dir__() -> list[str]:
    return sorted(__all__)
