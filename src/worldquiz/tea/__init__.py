"""TEA: tasks in 3D scenes, generated from what an agent sees (arXiv 2602.05249).

tasks = worldquiz.tea.build("tiny", seed=7, out="tasks")
run = tasks.run(answerer="random", tasks=60, walks=4, out="runs/random")
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldquiz.plugins import lazy_names

if TYPE_CHECKING:
    from worldquiz.tea.api import Answerer as Answerer
    from worldquiz.tea.api import TaskFolder as TaskFolder
    from worldquiz.tea.api import build as build
    from worldquiz.tea.api import load as load
    from worldquiz.tea.interact import Loops as Loops

__all__ = ["Answerer", "Loops", "TaskFolder", "build", "load"]

__getattr__, __dir__ = lazy_names(__name__, {name: f"worldquiz.tea.api:{name}" for name in __all__})
