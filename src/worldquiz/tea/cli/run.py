"""``worldquiz tea run``: TEA-Test, answered by a model or a baseline."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from worldquiz.cli import model_options
from worldquiz.cli.shell import Json, emit, out, progress, resumable
from worldquiz.cli.tables import plain
from worldquiz.llm.client import AT_ONCE
from worldquiz.report.html import many
from worldquiz.tea import api
from worldquiz.tea.answering import ERROR
from worldquiz.tea.cli import answering
from worldquiz.tea.exam.baselines import NAMES
from worldquiz.tea.exam.sample import TASKS, TRIPS


def run(
    data: Annotated[
        Path, typer.Argument(metavar="DIR", help="A folder of generated tasks, with pictures.")
    ],
    out_folder: Annotated[Path, typer.Option("--out", help="The folder of the run.")],
    answerer: Annotated[
        str | None, typer.Option(help=f"A baseline in the model's place: {', '.join(NAMES)}.")
    ] = None,
    error: answering.Error = ERROR,
    model: model_options.Model = None,
    base_url: model_options.BaseUrl = None,
    generate: model_options.Generate = None,
    connections: model_options.AtOnce = AT_ONCE,
    retries: model_options.Retries = 5,
    tasks: Annotated[int, typer.Option(min=0, help="Number of tasks to be answered.")] = TASKS,
    walks: Annotated[
        int, typer.Option(min=0, help="Number of walks, of ten moves at most.")
    ] = TRIPS,
    seed: Annotated[int, typer.Option(help="Random seed for drawing tasks.")] = 0,
    json: Json = False,
) -> None:
    """Have a balanced sample of the tasks answered; a stopped run can be resumed."""
    opened = api.TaskFolder(data)
    with (
        resumable("what was replied is kept: give the same command again to go on"),
        progress(model or answerer or "", tasks + walks) as done,
    ):
        found = opened.run(
            answerer, error=error, model=model, base_url=base_url,
            generate=model_options.settings(generate), connections=connections, retries=retries,
            tasks=tasks, walks=walks, seed=seed, out=out_folder, progress=done,
        ).scores  # fmt: skip
    if json:
        emit(found)
        return
    for each in shown(found):
        out().print(each)


def shown(found: dict[str, Any]) -> Iterator[Any]:
    """Yield the scores of a run as tables and lines for a terminal."""
    rows = [
        (name, _mean(cell["mean"]), str(cell["asked"]), str(cell["ill_formed"]),
         _chance(found["chance"][name]))
        for name, cell in found["types"].items()
    ]  # fmt: skip
    every = found["all"]
    rows.append(("all", _mean(every["mean"]), str(every["asked"]), str(every["ill_formed"]), ""))
    yield plain(rows, "type", "score", "asked", "ill-formed", "chance")
    left_out = [name for name, told in found["there"].items() if not told["matched"]]
    if left_out:
        yield f"not asked, because the question alone gives the answer: {', '.join(left_out)}"
    walked = found["navigation"]
    if walked["trips"]:
        measures = [
            ("gain", _mean(walked["gain"])),
            ("success", _rate(walked["success"])),
            ("steps", _mean(walked["steps"])),
            ("target neglect", _rate(walked["neglect"])),
            ("lack of 3D awareness", _rate(walked["lack_of_3d_awareness"])),
        ]
        yield plain(measures, "navigation", many(walked["trips"], "walk"))


def _chance(told: dict[str, float | None]) -> str:
    """Return what the best one reply earns, and what the words allow where that is more."""
    one, words = _mean(told["one_answer"]), _mean(told["words_only"])
    return one if words in ("-", one) else f"{one}, by words {words}"


def _mean(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _rate(told: dict[str, Any]) -> str:
    return f"{_mean(told['rate'])} ({told['count']} of {told['of']})"
