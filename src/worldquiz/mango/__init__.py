"""MANGO (arXiv 2403.19913): read a walkthrough, then find destinations and routes.

    import worldquiz as wq

    mazes = wq.mango.build(mazes=6, seed=7, out="mazes")   # or wq.mango.open("published/data")
    run = mazes.run("mapper", out="runs/mapper")           # or model="openai/gpt-5.1", or an object

Importing this package loads nothing else: each name is imported when it is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldquiz.lazy_names import lazy_names

if TYPE_CHECKING:
    from worldquiz.mango.maze_set import MazeSet as MazeSet
    from worldquiz.mango.maze_set import build as build
    from worldquiz.mango.maze_set import open_mazes as open

_HOMES = {
    "MazeSet": "worldquiz.mango.maze_set:MazeSet",
    "build": "worldquiz.mango.maze_set:build",
    "open": "worldquiz.mango.maze_set:open_mazes",
}

__all__ = ["MazeSet", "build", "open"]

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
