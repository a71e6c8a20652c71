"""``worldquiz tea rate`` and ``ratings``: what people say of the tasks themselves."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from worldquiz.cli.human import Name, Opens, Port, sit
from worldquiz.cli.shell import Json, first_faults, tell, waiting
from worldquiz.cli.tables import plain
from worldquiz.human.quiz import folder_of, named
from worldquiz.records import write_text
from worldquiz.report.html import many
from worldquiz.report.labels import decimal
from worldquiz.runs.folder import HUMAN
from worldquiz.tea import rating
from worldquiz.tea.cli.options import Pictured, Seed, Tasks
from worldquiz.tea.exam.exam import ExamSettings
from worldquiz.tea.exam.sample import TASKS, TRIPS
from worldquiz.tea.human_rating import SHARE, sheet_of_test

ASKED = (*rating.QUESTIONS, rating.NAME)


def rate(
    data: Pictured,
    name: Name = HUMAN,
    share: Annotated[
        float, typer.Option(min=0, max=1, help="Share of the test to rate, of each type.")
    ] = SHARE,
    out_folder: Annotated[
        Path | None,
        typer.Option("--out", help="Where the ratings go; DIR-ratings-NAME if absent."),
    ] = None,
    tasks: Tasks = TASKS,
    walks: Annotated[int, typer.Option(min=0, help="Number of walks in the test.")] = TRIPS,
    seed: Seed = 0,
    port: Port = 0,
    browser: Opens = True,
    json: Json = False,
) -> None:
    """Say of tasks whether they are valid, helpful and everyday, on a page of your own machine.

    People rate the same tasks if they give the same options. Stop and go on at will.
    """
    person = named(name)
    with waiting("drawing tasks"):
        sheet = sheet_of_test(data, ExamSettings(tasks, walks, seed), share, person)
    target = out_folder or folder_of(data, f"ratings-{person}")
    sit(sheet, target, port, browser=browser, json=json)


def ratings(
    folders: Annotated[
        list[Path], typer.Argument(metavar="RATINGS", help="Folders that `tea rate` made.")
    ],
    csv_file: Annotated[
        Path | None, typer.Option("--csv", help="A CSV file to write, one line a task.")
    ] = None,
    json: Json = False,
) -> None:
    """Print what people say of the tasks, and how far they agree on each."""
    found = rating.document(folders)
    if csv_file is not None:
        write_text(csv_file, table_of(found["by_task"]))
    tell(found, rating_tables(found), json=json)


def table_of(tasks: Sequence[Mapping[str, Any]]) -> str:
    """Return tasks with their verdicts as CSV."""
    stream = io.StringIO()
    parts = [f"{name}_{part}" for name in rating.QUESTIONS for part in ("yes", "of", "agree")]
    plain_keys = ("id", "type", "scene", "command", "answer", "valid_by_most", "label")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow((*plain_keys, *parts, "names"))
    for task in tasks:
        verdicts = [value for name in rating.QUESTIONS for value in task[name].values()]
        names = "; ".join(f"{name} ({count})" for name, count in task["names"].items())
        writer.writerow((*(task[key] for key in plain_keys), *verdicts, names))
    return stream.getvalue()


def rating_tables(found: Mapping[str, Any]) -> Iterator[Any]:
    """Yield people's ratings as tables and lines for a terminal."""
    rows = [_row(name, found[name], found["paper"].get(name)) for name in ASKED]
    yield plain(
        rows, "question", "yes", "share", "95 % interval", "paper", "agree", "on tasks", "alpha"
    )
    types = [
        (name, str(some["tasks"]), *(decimal(some[each]["share"]) for each in ASKED))
        for name, some in found["by_type"].items()
    ]
    yield plain(types, "type", "tasks", *ASKED)
    doubted = [task for task in found["by_task"] if not task["valid_by_most"]]
    yield from first_faults(
        [f"{task['id']}: valid for {task['valid']['yes']} of {task['valid']['of']}"
         for task in doubted]
    )  # fmt: skip
    yield (
        f"{found['valid_by_most']} of {many(found['tasks'], 'task')} were found valid by most of "
        f"those who rated them: {', '.join(found['people'])}."
    )


def _row(name: str, cell: Mapping[str, Any], paper: float | None) -> tuple[str, ...]:
    bounds = cell["interval"]
    return (
        name, f"{cell['yes']} of {cell['of']}", decimal(cell["share"]),
        f"{bounds[0]:.2f} to {bounds[1]:.2f}" if bounds else "–", decimal(paper, 3),
        decimal(cell["agree"]), str(cell["shared"]), decimal(cell["alpha"]),
    )  # fmt: skip
