"""The commands of ``worldquiz mango``."""

from __future__ import annotations

from worldquiz.cli import lazy

HERE = "worldquiz.mango.cli"
commands = lazy.group(
    "MANGO: mazes read from walkthroughs, and questions about destinations and routes.",
    {
        "Make": {
            "build": f"{HERE}.mango_record:build",
            "record": f"{HERE}.mango_record:record",
            "worlds": f"{HERE}.mango_record:worlds",
            "questions": f"{HERE}.mango_maps:questions",
        },
        "Run": {
            "run": f"{HERE}.mango_run:run",
            "map": f"{HERE}.mango_run:map_",
            "minigames": f"{HERE}.mango_run:minigames",
            "import": f"{HERE}.mango_import:import_",
        },
        "Look": {"check": f"{HERE}.mango_check:check"},
        "Paper's tables": {
            "stats": f"{HERE}.mango_maps:stats",
            "score": f"{HERE}.mango_score:score",
            "tables": f"{HERE}.mango_score:tables",
            "regress": f"{HERE}.mango_score:regress",
            "curve": f"{HERE}.mango_curve:curve",
            "minigames-score": f"{HERE}.mango_score:minigames_score",
        },
    },
)
