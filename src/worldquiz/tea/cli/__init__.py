"""The commands of ``worldquiz tea``."""

from __future__ import annotations

from worldquiz.cli import LazyGroup

_HERE = "worldquiz.tea.cli"
commands = LazyGroup(
    "TEA: tasks generated in 3D scenes, with true answers, and runs on them.",
    {
        "Make": {
            "scene": (f"{_HERE}.make:scene", "Generate one apartment, or import a scene."),
            "build": (f"{_HERE}.make:build", "Generate tasks from what an agent sees in scenes."),
            "write": (f"{_HERE}.make:write", "Have a model write tasks in scenes."),
            "export": (f"{_HERE}.make:export", "Write tasks with their pictures as a dataset."),
        },
        "Run": {
            "run": (f"{_HERE}.run:run", "Have a balanced sample of the tasks answered."),
            "recall": (f"{_HERE}.run:recall", "Ask about apartments after the pictures of a walk."),
        },
        "Look": {
            "check": (f"{_HERE}.run:check", "Compute answers again by an independent method."),
            "rate": (f"{_HERE}.run:rate", "Rate tasks in the browser, as people did."),
        },
        "Paper's tables": {
            "mir": (f"{_HERE}.run:mir", "Print MIR, MIR-e, and where tasks are."),
            "tables": (f"{_HERE}.run:tables", "Print Tables 1 and 2 for written tasks."),
        },
    },
)
