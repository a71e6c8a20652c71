"""The commands of ``worldquiz tea``."""

from __future__ import annotations

from worldquiz.cli import lazy

HERE = "worldquiz.tea.cli"
commands = lazy.group(
    "TEA: tasks generated in 3D scenes, their true answers, and who solves them.",
    {
        "Make": {
            "scene": f"{HERE}.tea_scene:scene",
            "generate": f"{HERE}.tea_make:generate",
            "write": f"{HERE}.tea_write:write",
            "export": f"{HERE}.tea_export:export",
        },
        "Run": {"run": f"{HERE}.tea_run:run", "recall": f"{HERE}.tea_recall:recall"},
        "Look": {"check": f"{HERE}.tea_look:check", "sheet": f"{HERE}.tea_look:sheet"},
        "Paper's tables": {
            "mir": f"{HERE}.tea_look:mir",
            "tables": f"{HERE}.tea_write:tables",
            "explored": f"{HERE}.tea_recall:explored",
        },
    },
    renamed={"build": "worldquiz tea generate"},
)
