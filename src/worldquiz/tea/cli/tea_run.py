"""``worldquiz tea run``: TEA-Test, taken by a model or by a script."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from worldquiz.cli import model_options
from worldquiz.cli.shell import Json, emit, out, progress, resumable
from worldquiz.cli.tables import plain
from worldquiz.llm.client import AT_ONCE
from worldquiz.tea.cli import takers
from worldquiz.tea.exam import run as exam_run
from worldquiz.tea.exam.run import Asked
from worldquiz.tea.exam.sample import TASKS, TRIPS
from worldquiz.tea.exam.takers import ERROR, NAMES


def run(
    data: Annotated[
        Path, typer.Argument(metavar="DIR", help="A folder of generated tasks, with pictures.")
    ],
    out_folder: Annotated[Path, typer.Option("--out", help="Where the run goes.")],
    taker: Annotated[
        str | None, typer.Option(help=f"A taker that is no model: {', '.join(NAMES)}.")
    ] = None,
    error: takers.Error = ERROR,
    model: model_options.Model = None,
    base_url: model_options.BaseUrl = None,
    generate: model_options.Generate = None,
    connections: model_options.AtOnce = AT_ONCE,
    retries: model_options.Retries = 5,
    tasks: Annotated[int, typer.Option(min=0, help="Tasks to be answered.")] = TASKS,
    walks: Annotated[
        int, typer.Option(min=0, help="Navigation episodes, of ten moves at most.")
    ] = TRIPS,
    seed: Annotated[int, typer.Option(help="Equal seeds draw equal tasks.")] = 0,
    json: Json = False,
) -> None:
    """Take a balanced sample of the tasks. Stopped runs go on where they were."""
    who = takers.who(NAMES, taker, error, model, base_url, generate, connections, retries)
    asked = Asked(tasks, walks, seed)
    with (
        resumable("what was replied is kept: give the same command again to go on"),
        progress(model or taker or "", tasks + asked.trips) as done,
    ):
        found = exam_run.run(data, asked, who, out_folder, done)
    if json:
        emit(found)
    else:
        _print(found)


def _print(found: dict[str, Any]) -> None:
    console = out()
    rows = [
        (name, _mean(cell["mean"]), str(cell["asked"]), str(cell["ill_formed"]),
         _chance(found["chance"][name]))
        for name, cell in found["types"].items()
    ]  # fmt: skip
    every = found["all"]
    rows.append(("all", _mean(every["mean"]), str(every["asked"]), str(every["ill_formed"]), ""))
    console.print(plain(rows, "type", "score", "asked", "ill-formed", "chance"))
    left_out = [name for name, told in found["there"].items() if not told["matched"]]
    if left_out:
        console.print(f"not asked, since their words say it all: {', '.join(left_out)}")
    walked = found["navigation"]
    if walked["trips"]:
        measures = [
            ("gain", _mean(walked["gain"])),
            ("success", _rate(walked["success"])),
            ("steps", _mean(walked["steps"])),
            ("target neglect", _rate(walked["neglect"])),
            ("lack of 3D awareness", _rate(walked["lack_of_3d_awareness"])),
        ]
        console.print(plain(measures, "navigation", f"{walked['trips']} walks"))


def _chance(told: dict[str, float | None]) -> str:
    """Return what the best one reply earns, and what the words allow where that is more."""
    one, words = _mean(told["one_answer"]), _mean(told["words_only"])
    return one if words in ("-", one) else f"{one}, by words {words}"


def _mean(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _rate(told: dict[str, Any]) -> str:
    return f"{_mean(told['rate'])} ({told['count']} of {told['of']})"
