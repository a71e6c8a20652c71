"""The commands of ``worldquiz tea``."""

from __future__ import annotations

from worldquiz.cli import lazy

HERE = "worldquiz.tea.cli"
commands = lazy.group(
    "TEA: tasks generated in 3D scenes, their true answers, and who solves them.",
    {
        "Make": {
            "scene": f"{HERE}.scene:scene",
            "generate": f"{HERE}.make:generate",
            "write": f"{HERE}.write:write",
            "export": f"{HERE}.make:export",
        },
        "Run": {"run": f"{HERE}.run:run", "recall": f"{HERE}.run:recall"},
        "Look": {
            "check": f"{HERE}.look:check",
            "sheet": f"{HERE}.look:sheet",
            "rate": f"{HERE}.rate:rate",
        },
        "Paper's tables": {
            "mir": f"{HERE}.look:mir",
            "tables": f"{HERE}.write:tables",
        },
    },
)
