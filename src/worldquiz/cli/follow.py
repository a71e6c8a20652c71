"""Following runs that other processes work on: shared by ``show`` and ``report``."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from worldquiz.cli.shell import resumable, warn
from worldquiz.runs.progress import EVERY, Progress, progress_of
from worldquiz.runs.run import Run


def follow(runs: Sequence[Run], grown: Callable[[], None] | None = None) -> None:
    """Print how far runs are whenever that changes, until nobody is at work on any of them.

    `grown` is called when all that are not finished can be read as far as they are, and again
    whenever more of them is done; it may take half of the time.
    """
    told, done = "", None
    with resumable(f"the run{'s go' if len(runs) > 1 else ' goes'} on without being followed"):
        while True:
            found = [progress_of(run.path) for run in runs]
            if (words := _words(runs, found)) != told:
                warn(words)
                told = words
            if not any(each.working for each in found):
                return
            so_far = [(each.worlds, each.replies) for each in found]
            began = time.monotonic()
            if grown and so_far != done and all(map(_readable, runs, found)):
                grown()
                done = so_far
            time.sleep(max(EVERY, time.monotonic() - began))


def _readable(run: Run, found: Progress) -> bool:
    return found.finished or run.kind.so_far(run.path)


def _words(runs: Sequence[Run], found: Sequence[Progress]) -> str:
    names = [f"{run.name}: " if len(runs) > 1 else "" for run in runs]
    return "\n".join(f"{name}{each.words()}" for name, each in zip(names, found, strict=True))
