"""Options that several commands of Task2Quiz share."""

from __future__ import annotations

from typing import Annotated

import typer

MaxSteps = Annotated[
    int | None,
    typer.Option(min=0, help="Most commands in each task; of suites of preset paper, 50."),
]
Engine = Annotated[
    str | None,
    typer.Option(
        help="What plays the worlds: python, or textworld for the games of `build --games`; by "
        "default what the suite names. Results do not depend on it."
    ),
]
Times = Annotated[
    float | None,
    typer.Option(
        help="Most commands, as a multiple of the walkthroughs'; a task's unused ones go to the "
        "next. By default that of the suite's preset: 1.5, and 3 for explore."
    ),
]
