"""Options that several commands of ``worldquiz tea`` have in the same words."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Data = Annotated[Path, typer.Argument(metavar="DIR", help="A folder that `tea build` made.")]
Pictured = Annotated[
    Path, typer.Argument(metavar="DIR", help="A folder of generated tasks, with pictures.")
]
Out = Annotated[Path, typer.Option("--out", help="The folder to write.")]
Run = Annotated[Path, typer.Option("--out", help="The folder of the run.")]
Tasks = Annotated[int, typer.Option(min=0, help="Number of tasks to be answered.")]
Seed = Annotated[int, typer.Option(help="Random seed for drawing tasks.")]
QuestionSeed = Annotated[int, typer.Option(help="Random seed for drawing questions.")]
Each = Annotated[int, typer.Option(min=1, help="Most questions of each kind about a scene.")]
Error = Annotated[float, typer.Option(min=0, max=1, help="How often the noisy baseline is wrong.")]
Threshold = Annotated[
    float, typer.Option(min=0, max=1, help="Similarity above which two tasks are alike.")
]
