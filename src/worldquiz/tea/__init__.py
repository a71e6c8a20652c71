"""TEA: tasks in 3D scenes, generated from what an agent sees (arXiv 2602.05249).

tasks = worldquiz.tea.build("tiny", seed=7, out="tasks")
run = tasks.run(answerer="random", tasks=60, walks=4, out="runs/random")

A kind of task of your own is a `TaskKind`. `harvest` finds tasks in views, `evolve` makes new ones
of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldquiz.plugins import lazy_names

if TYPE_CHECKING:
    from worldquiz.tea.api import TaskFolder, build, load
    from worldquiz.tea.generate import task_kinds
    from worldquiz.tea.interact import Loops
    from worldquiz.tea.kinds.evolve import evolve, forms
    from worldquiz.tea.kinds.kinds import (
        LABEL,
        OBJECT,
        OTHER,
        PICTURE,
        VIEW,
        Box2,
        Box3,
        Choice,
        Count,
        Found,
        Instance,
        Metres,
        TaskKind,
        ViewMoment,
        Word,
        harvest,
        labelled,
        shows,
        task_type,
    )

__all__ = [
    "LABEL", "OBJECT", "OTHER", "PICTURE", "VIEW", "Box2", "Box3", "Choice", "Count",
    "Found", "Instance", "Loops", "Metres", "TaskFolder", "TaskKind", "ViewMoment", "Word", "build",
    "evolve", "forms", "harvest", "labelled", "load", "shows", "task_kinds", "task_type",
]  # fmt: skip

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "api": "TaskFolder build load",
        "generate": "task_kinds",
        "interact": "Loops",
        "kinds.evolve": "evolve forms",
        "kinds.kinds": "LABEL OBJECT OTHER PICTURE VIEW Box2 Box3 Choice Count Found Instance "
        "Metres TaskKind ViewMoment Word harvest labelled shows task_type",
    },
)
