"""The commands of ``worldquiz t2q``."""

from __future__ import annotations

from worldquiz.cli import lazy

HERE = "worldquiz.t2q.cli"
commands = lazy.group(
    "Task2Quiz: build suites of text worlds, run agents on them, quiz them on what they saw.",
    {
        "Make": {"build": f"{HERE}.app:build"},
        "Run": {
            "run": f"{HERE}.run:run",
            "play": f"{HERE}.play:play",
        },
        "Look": {
            "show": f"{HERE}.app:show",
            "check": f"{HERE}.app:verify",
            "agents": f"{HERE}.catalogues:agents",
            "memories": f"{HERE}.catalogues:memories",
        },
        "Paper's tables": {"stats": f"{HERE}.app:stats"},
    },
)
