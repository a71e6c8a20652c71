"""``worldquiz human``: a person answers the quiz of a run in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from worldquiz.cli.options import JSON, PATH, RUN, command, option, out
from worldquiz.cli.shell import resumable, tell, waiting, warn
from worldquiz.errors import AGAIN

if TYPE_CHECKING:
    from worldquiz.human.sheet import Sheet

NAME = option("--name", default="human", help="Name of the person; tables say human (NAME).")
PORT = option(
    "--port", type=click.IntRange(0, 65535), default=0,
    help="Port of the page; 0 takes a free one.",
)  # fmt: skip
BROWSER = option("--browser/--no-browser", default=True, help="Open the page in the browser.")


@command
@RUN
@NAME
@out("Where the person's run goes; RUN-NAME if absent.", required=False)
@option(
    "--data",
    type=PATH,
    help="The folder of tasks that a run of TEA was made on, for its pictures.",
)
@PORT
@BROWSER
@JSON
def human(
    run: Path,
    name: str,
    out: Path | None,
    data: Path | None,
    port: int,
    browser: bool,
    json: bool,
) -> None:
    """Answer the quiz of a run yourself, on a page of your own machine; stop and go on at will."""
    from worldquiz.human.quiz import folder_of, named, quiz_of

    person = named(name)
    with waiting("reading what is asked"):
        sheet = quiz_of(run, person, data)
    sit(sheet, out or folder_of(run, person), port, browser=browser, json=json)


def sit(sheet: Sheet, target: Path, port: int, *, browser: bool, json: bool) -> None:
    """Serve a sheet until all is handed in, and print the result."""
    import webbrowser

    from worldquiz.human.agreement import beside
    from worldquiz.human.server import serve
    from worldquiz.human.sitting import Sitting
    from worldquiz.plugins import need
    from worldquiz.report.labels import decimal
    from worldquiz.report.terminal import plain
    from worldquiz.runs.executor import silent
    from worldquiz.runs.folder import claimed

    def announce(address: str) -> None:
        warn(
            f"Open {address}",
            "It is for you alone, and ends when all is handed in. Ctrl-C stops; the same command "
            "goes on.",
        )
        if browser:
            webbrowser.open(address)

    for library in ("starlette", "uvicorn"):
        need(library, extra="agents")
    with claimed(target), resumable(f"what was answered is kept: {AGAIN}"):
        sitting = Sitting(sheet, target, silent)
        if sitting.complete:
            sitting.finish()
        else:
            serve(sitting, port, announce)
    found: dict[str, Any] = {**(sitting.summary or {}), "agreement": beside(target)}
    shown = [
        plain(sitting.headline(), "what was asked", "score"),
        f"{found['answers']} answers in {found['seconds'] / 60:.1f} minutes; {found['passed']} "
        f"times “{sheet.passing}”; {found['changed']} changed.",
    ]
    if found["agreement"]:
        rows = [
            (told["with"], str(told["questions"]), decimal(told["same"], 2),
             decimal(told["error"], 4))
            for told in found["agreement"]
        ]  # fmt: skip
        titles = ("agreement with", "questions", "equally right", "mean squared difference")
        shown.append(plain(rows, *titles))
    tell(found, [*shown, f"run: {target}"], json=json)
