"""The commands of ``worldquiz t2q``."""

from __future__ import annotations

from worldquiz.cli import LazyGroup

_HERE = "worldquiz.t2q.cli"
commands = LazyGroup(
    "Task2Quiz: build suites of text worlds, run agents on them, quiz them on what they saw.",
    {
        "Make": {"build": (f"{_HERE}.suite:build", "Build worlds with their tasks and questions.")},
        "Run": {
            "run": (
                f"{_HERE}.suite:run",
                "Let an agent play every task and an answerer take every quiz.",
            ),
        },
        "Look": {
            "show": (f"{_HERE}.suite:show", "Print the worlds of a suite, or one world."),
            "check": (f"{_HERE}.suite:check", "Replay every walkthrough."),
            "agents": (f"{_HERE}.suite:agents", "List agents and answerers."),
            "memories": (f"{_HERE}.suite:memories", "List memories."),
        },
        "Paper's tables": {
            "checkpoints": (
                f"{_HERE}.suite:checkpoints",
                "Score a run as the paper's Figure 8 does.",
            ),
            "stats": (
                f"{_HERE}.suite:stats",
                "Print sizes of a suite, beside Table 1 of the paper.",
            ),
        },
    },
)
