"""``worldquiz human``: a person answers the quiz of a run in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from worldquiz.cli.options import JSON, PATH, RUN, command, option, out
from worldquiz.cli.shell import resumable, tell, waiting, warn
from worldquiz.errors import AGAIN

if TYPE_CHECKING:
    from worldquiz.human.quiz import Quiz

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
        quiz = quiz_of(run, person, data)
    sit(quiz, out or folder_of(run, person), port, browser=browser, json=json)


def sit(quiz: Quiz, target: Path, port: int, *, browser: bool, json: bool) -> None:
    """Serve a quiz until all is handed in, and print the result."""
    import webbrowser

    from worldquiz.human.quiz import Sitting
    from worldquiz.human.server import serve
    from worldquiz.page.terminal import plain
    from worldquiz.runs.folder import claimed

    def announce(address: str) -> None:
        warn(
            f"Open {address}",
            "It is for you alone, and ends when all is handed in. Ctrl-C stops; the same command "
            "goes on.",
        )
        if browser:
            webbrowser.open(address)

    with claimed(target), resumable(f"what was answered is kept: {AGAIN}"):
        sitting = Sitting(quiz, target)
        if sitting.complete:
            sitting.finish()
        else:
            serve(sitting, port, announce)
    found: dict[str, Any] = sitting.summary or {}
    shown = [
        plain(sitting.headline(), "what was asked", "score"),
        f"{found['answers']} answers in {found['seconds'] / 60:.1f} minutes; {found['passed']} "
        f"times “{quiz.passing}”; {found['changed']} changed.",
    ]
    tell(found, [*shown, f"run: {target}"], json=json)
