"""TEA: tasks in 3D scenes, generated from what an agent sees (arXiv 2602.05249).

tasks = worldquiz.tea.build("tiny", seed=7, out="tasks")
run = tasks.run(answerer="random", tasks=60, walks=4, out="runs/random")
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from worldquiz.tea.api import Answerer as Answerer
    from worldquiz.tea.api import TaskFolder as TaskFolder
    from worldquiz.tea.api import build as build
    from worldquiz.tea.interact import Loops as Loops

_HOMES = {
    "Answerer": "worldquiz.tea.api",
    "Loops": "worldquiz.tea.interact",
    "TaskFolder": "worldquiz.tea.api",
    "build": "worldquiz.tea.api",
}
"""The module of each public name."""

__all__ = ["Answerer", "Loops", "TaskFolder", "build"]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
