"""``worldquiz tea rate``: what people say of the tasks themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from worldquiz.cli.human import Name, Opens, Port, sit
from worldquiz.cli.shell import Json, waiting
from worldquiz.human.quiz import folder_of, named
from worldquiz.runs.folder import HUMAN
from worldquiz.tea.cli.options import Pictured, Seed, Tasks
from worldquiz.tea.exam.exam import ExamSettings
from worldquiz.tea.exam.sample import TASKS, TRIPS
from worldquiz.tea.rating import SHARE, sheet_of_test


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
