"""TEA: tasks in 3D scenes, generated from what an agent sees (arXiv 2602.05249).

tasks = worldquiz.tea.build("tiny", seed=7, out="tasks")
run = tasks.run(answerer="random", tasks=60, walks=4, out="runs/random")

`harvest` finds tasks of given kinds (`KINDS` lists all) in views; `evolve` derives new tasks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldquiz.plugins import lazy_names

if TYPE_CHECKING:
    from worldquiz.tea.api import TaskFolder, build, load
    from worldquiz.tea.generate import KINDS
    from worldquiz.tea.interact import Loops
    from worldquiz.tea.kinds.evolve import evolve, forms
    from worldquiz.tea.kinds.kinds import harvest

__all__ = ["KINDS", "Loops", "TaskFolder", "build", "evolve", "forms", "harvest", "load"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "api": "TaskFolder build load",
        "generate": "KINDS",
        "interact": "Loops",
        "kinds.evolve": "evolve forms",
        "kinds.kinds": "harvest",
    },
)
