"""``worldquiz human``: a person answers the quiz of a run in the browser."""

from __future__ import annotations

import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from worldquiz.cli.shell import Json, RunFolder, resumable, tell, waiting, warn
from worldquiz.cli.tables import plain
from worldquiz.human.agreement import beside
from worldquiz.human.quiz import folder_of, named, quiz_of
from worldquiz.human.server import serve
from worldquiz.human.sheet import Sheet
from worldquiz.human.sitting import Sitting
from worldquiz.report.labels import decimal
from worldquiz.runs.executor import silent
from worldquiz.runs.folder import HUMAN, claimed
from worldquiz.runs.notices import AGAIN

Name = Annotated[str, typer.Option(help="Name of the person; tables say human (NAME).")]
Port = Annotated[int, typer.Option(min=0, max=65535, help="Port of the page; 0 takes a free one.")]
Opens = Annotated[
    bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")
]


def human(
    run: RunFolder,
    name: Name = HUMAN,
    out_folder: Annotated[
        Path | None,
        typer.Option("--out", help="Where the person's run goes; RUN-NAME if absent."),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(help="The folder of tasks that a run of TEA was made on, for its pictures."),
    ] = None,
    port: Port = 0,
    browser: Opens = True,
    json: Json = False,
) -> None:
    """Answer the quiz of a run yourself, on a page of your own machine; stop and go on at will."""
    person = named(name)
    target = out_folder or folder_of(run, person)
    with waiting("reading what is asked"):
        sheet = quiz_of(run, person, data)
    sit(sheet, target, port, browser=browser, json=json)


def sit(sheet: Sheet, target: Path, port: int, *, browser: bool, json: bool) -> None:
    """Serve a sheet until all is handed in, and print the result."""
    with claimed(target), waiting_for_person():
        sitting = Sitting(sheet, target, silent)
        if sitting.complete:
            sitting.finish()
        else:
            serve(sitting, port, lambda address: _announce(address, browser))
    found: dict[str, Any] = {**(sitting.summary or {}), "agreement": beside(target)}
    tell(found, _told(sitting, found, target), json=json)


@contextmanager
def waiting_for_person() -> Iterator[None]:
    """Say on ctrl-C how to go on."""
    with resumable(f"what was answered is kept: {AGAIN}"):
        yield


def _announce(address: str, browser: bool) -> None:
    warn(
        f"Open {address}",
        "It is for you alone, and ends when all is handed in. Ctrl-C stops; the same command "
        "goes on.",
    )
    if browser:
        webbrowser.open(address)


def _told(sitting: Sitting, found: dict[str, Any], target: Path) -> Iterator[Any]:
    yield plain(sitting.headline(), "what was asked", "score")
    minutes = found["seconds"] / 60
    yield (
        f"{found['answers']} answers in {minutes:.1f} minutes; {found['passed']} times "
        f"“{sitting.sheet.passing}”; {found['changed']} changed."
    )
    if found["agreement"]:
        rows = [_agreed(told) for told in found["agreement"]]
        titles = ("agreement with", "questions", "equally right", "mean squared difference")
        yield plain(rows, *titles)
    yield f"run: {target}"


def _agreed(told: dict[str, Any]) -> tuple[str, ...]:
    same, error = decimal(told["same"], 2), decimal(told["error"], 4)
    return told["with"], str(told["questions"]), same, error
