"""MANGO (arXiv 2403.19913): read a walkthrough, then find destinations and routes.

    import worldquiz as wq

    mazes = wq.mango.build(mazes=6, seed=7, out="mazes")   # or wq.mango.load("published/data")
    run = mazes.run("mapper", out="runs/mapper")           # or model="openai/gpt-5.1", or an object

Importing this package loads nothing else; each name is imported on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldquiz.plugins import lazy_names

if TYPE_CHECKING:
    from worldquiz.mango.edge_list import maze as maze
    from worldquiz.mango.maze_set import MazeSet as MazeSet
    from worldquiz.mango.maze_set import build as build
    from worldquiz.mango.maze_set import load as load

__all__ = ["MazeSet", "build", "load", "maze"]

__getattr__, __dir__ = lazy_names(__name__, {"edge_list": "maze", "maze_set": "MazeSet build load"})
