"""The commands of ``worldquiz mango``."""

from __future__ import annotations

from worldquiz.cli import LazyGroup

_HERE = "worldquiz.mango.cli"
commands = LazyGroup(
    "MANGO: mazes read from walkthroughs, and questions about destinations and routes.",
    {
        "Make": {
            "build": (f"{_HERE}.mazes:build", "Generate mazes, or take your own."),
            "record": (f"{_HERE}.mazes:record", "Record mazes from Z-machine games."),
            "questions": (f"{_HERE}.mazes:questions", "Write all questions of each game."),
        },
        "Run": {
            "run": (f"{_HERE}.run:run", "Have MANGO's questions answered."),
            "import": (f"{_HERE}.run:import_", "Make a run of answers from elsewhere."),
        },
        "Paper's tables": {
            "stats": (
                f"{_HERE}.mazes:stats",
                "Count places, moves and questions (Tables 3, 5, 6).",
            ),
            "score": (f"{_HERE}.run:score", "Score a run by the paper's or the release's rules."),
            "tables": (f"{_HERE}.run:tables", "Write Tables 1, 2, 4, 9, 10 and 13 of runs."),
        },
    },
)
