"""What every command shares: output for people or for programs, progress, and how to stop.

Results go to stdout, everything else to stderr; with ``--json`` stdout holds one JSON document and
nothing else. A user's mistake ends with exit code 2 and one line that says what to do, ctrl-C with
130 and how to go on.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

MISTAKE, INTERRUPTED = 2, 130

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document to stdout.")]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        min=1,
        help="Processes, as many as cores if absent; no result depends on it.",
    ),
]
SuiteFolder = Annotated[Path, typer.Argument(metavar="SUITE", help="A folder that build made.")]
RunFolder = Annotated[Path, typer.Argument(metavar="RUN", help="A folder that run made.")]
RunFolders = Annotated[
    list[Path],
    typer.Argument(metavar="RUN...", help="Folders that run made, or eval logs of inspect."),
]


def workers(jobs: int | None) -> int:
    """Return how many processes to use: as asked, or as many as there are cores to run them."""
    return jobs or len(os.sched_getaffinity(0))


def out() -> Console:
    """Return the console for results."""
    return Console(highlight=False, emoji=False)


def err() -> Console:
    """Return the console for everything else."""
    return Console(stderr=True, highlight=False, emoji=False)  # ":100:" is a line


def emit(document: Any) -> None:
    """Print one JSON document to stdout."""
    sys.stdout.write(json.dumps(document, ensure_ascii=False, sort_keys=True, indent=2) + "\n")


@contextmanager
def progress(title: str, total: int) -> Iterator[Callable[[str], None]]:
    """Show a bar on stderr, if that is a terminal; yield what is told of each finished piece."""
    console = err()
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    with bar:
        task = bar.add_task(title, total=total)
        yield lambda name: bar.update(task, advance=1, description=f"{title} {name}")


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Show on stderr, if that is a terminal, that something is under way."""
    console = err()
    if not console.is_terminal:
        yield
        return
    with console.status(what):
        yield


@contextmanager
def resumable(what: str) -> Iterator[None]:
    """Turn ctrl-C into exit code 130 and a word on how to go on."""
    try:
        yield
    except KeyboardInterrupt:
        err().print(f"stopped; {what}", markup=False)
        raise typer.Exit(INTERRUPTED) from None
