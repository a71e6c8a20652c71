"""Shared parts of all commands: output for people or for programs, progress, and ways to stop.

Results go to stdout, everything else to stderr; with ``--json`` stdout holds only one JSON
document. The exit code is 1 if a check finds faults, 2 for a user's mistake (one line says what to
do), 3 if a limit cut a run short, and 130 after ctrl-C (one line says how to continue).
"""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import click

from worldquiz.errors import AGAIN, WorldError
from worldquiz.page.labels import visible

FAULTY, MISTAKE, STOPPED = 1, 2, 3
STOPS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
"""Signals that stop a command: from ctrl-C, a batch system, or a terminal that was closed."""
PAUSE = 30.0
"""Seconds between two lines of progress."""
_ERASE = "\x1b[2K"
"""Escape sequence that clears a terminal's line."""
_stopped_by: list[int] = []


def workers(jobs: int | None) -> int:
    """Return the number of processes to use: `jobs`, or the number of usable cores."""
    from worldquiz.runs.executor import cores

    return jobs or cores()


def say(*shown: Any, stderr: bool = False) -> None:
    """Print tables and lines, with control characters escaped."""
    stream = sys.stderr if stderr else sys.stdout
    for each in shown:
        if isinstance(each, str):
            stream.write(f"{visible(each)}\n")
            continue
        from rich.console import Console

        from worldquiz.page.terminal import WIDTH

        Console(file=stream, width=WIDTH, highlight=False, emoji=False).print(each)
    stream.flush()


def warn(*shown: Any) -> None:
    """Print lines to stderr."""
    say(*shown, stderr=True)


def tell(document: Any, shown: Iterable[Any], *, json: bool) -> None:
    """Print a result as one JSON document, or as tables and lines for people."""
    if json:
        emit(document)
    else:
        say(*shown)


def emit(document: Any) -> None:
    """Print one JSON document to stdout, with control characters escaped."""
    import json

    text = json.dumps(document, ensure_ascii=False, sort_keys=True, indent=2)
    plain = re.sub("[\x7f-\x9f]", lambda found: f"\\u{ord(found[0]):04x}", text)
    sys.stdout.write(plain + "\n")


class Progress:
    """Progress of long work: a changing line on a terminal, elsewhere a line every 30 seconds."""

    def __init__(self, title: str, total: int) -> None:
        self._title, self._total, self._count = title, total, 0
        self._terminal = sys.stderr.isatty()
        self._begun = self._last = time.monotonic()

    def __call__(self, name: str) -> None:
        """Count a finished piece. Raises `KeyboardInterrupt` if a stop signal has arrived.

        A library may have swallowed the signal's own exception, as pydantic's serializer can.
        """
        self._count += 1
        self._show(name)
        if _stopped_by:
            raise KeyboardInterrupt

    def within(self, name: str, calls: int) -> None:
        """Show how many calls an unfinished piece has made."""
        self._show(f"{name}: {calls} calls")

    def _show(self, name: str) -> None:
        now = time.monotonic()
        if self._terminal or now - self._last >= PAUSE:
            self._last, took = now, f"{int(now - self._begun) // 60} min"
            line = visible(f"{self._title}: {self._count} of {self._total}, {name}, {took}")
            sys.stderr.write(f"{_ERASE}{line[:79]}\r" if self._terminal else f"{line}\n")
            sys.stderr.flush()


def stop_by_signals() -> None:
    """Make stop signals raise `KeyboardInterrupt` at once, so that this command tidies up.

    ctrl-C needs this too, since asyncio replaces Python's own handler with one that waits for the
    event loop. A signal that was ignored when the command started (by nohup, say) stays ignored.
    """

    def stop(number: int, frame: object) -> None:
        _stopped_by.append(number)
        raise KeyboardInterrupt

    _stopped_by.clear()
    for number in STOPS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, stop)


def end_if_stopped(code: int) -> None:
    """Ignore further signals and, if a signal has stopped this command, end the process here.

    A normal exit could wait forever for a library's thread whose work was interrupted. Also, after
    a `KeyboardInterrupt` inside ``exec`` (on which dataclasses rely), ``python -m`` would end as if
    killed by ctrl-C, whatever the exit code.
    """
    for number in STOPS:
        signal.signal(number, signal.SIG_IGN)
    if _stopped_by:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def stopped_code() -> int:
    """Return the exit code after a signal: 130 for ctrl-C, 143 for SIGTERM, 129 for SIGHUP."""
    return 128 + (_stopped_by[-1] if _stopped_by else signal.SIGINT)


@contextmanager
def resumable(what: str) -> Iterator[None]:
    """Exit on ctrl-C and other stop signals, after a line that says how to continue."""
    try:
        yield
    except KeyboardInterrupt:
        warn(f"stopped; {what}")
        raise click.exceptions.Exit(stopped_code()) from None


@contextmanager
def working(
    title: str,
    total: int,
    kept: str | None = None,
    on: str | None = None,
    jobs: int | None = None,
    *,
    stopped: str = "nothing was written",
) -> Iterator[Progress]:
    """Show progress on stderr; yield a function to call with the name of each finished piece.

    On ctrl-C, print `kept` and how to continue; if `kept` is empty, print `stopped`. If `on`
    names a Ray cluster, the work runs there, `jobs` pieces at a time.
    """
    where: AbstractContextManager[None] = nullcontext()
    if on:
        from worldquiz.runs import ray_cluster

        where = ray_cluster.on(on, jobs)
    with resumable(f"{kept}: {AGAIN}" if kept else stopped), where:
        try:
            yield Progress(title, total)
        finally:
            if sys.stderr.isatty():
                sys.stderr.write(_ERASE)


def ask(data: Any, answerer: str | None, settings: Any, out: Path | None, *, json: bool) -> None:
    """Run an answerer on the questions of an opened folder (`exam.data`), and print the scores."""
    from worldquiz.runs.folder import placed

    work = data.work(answerer, settings)
    folder = placed(out, data.path, work.called, settings.shard)
    with working(settings.model or str(answerer), len(work.units), "replies are kept") as done:
        run = work.carried(folder, settings, done)
    tell_run(run, settings.shard, json=json)


def tell_run(run: Any, shard: str | None, *, json: bool) -> None:
    """Print a finished run's scores, or the state of a shard.

    Raises `WorldError` after printing if every question failed.
    """
    if shard is not None:
        tell_shard(run.path, json=json)
        return
    tell(run.scores, tables_of([run]), json=json)
    failed = run.scores.get("failed")
    if failed and failed["questions"] == failed["of"]:
        reason = next(iter(failed["reasons"]))
        raise WorldError(f"{run.path}: every question failed: {reason}; --retry-failed tries again")


def tell_shard(folder: Path, *, json: bool) -> None:
    """Print a shard's number, and how much of its work is finished or has failed."""
    from worldquiz.runs.shard import summary

    found = summary(folder)
    lines = [
        f"shard {found['shard']}: {found['units']} of {found['of']} {found['noun']} in {folder}; "
        "`worldquiz merge` joins the shards"
    ]
    if failed := found["failed"]:
        name, reason = next(iter(failed.items()))
        lines.append(f"Failed: {len(failed)} ({name}: {reason}); --retry-failed tries again")
    tell(found, lines, json=json)


def tables_of(runs: Sequence[Any], more: Iterable[Any] = ()) -> Iterator[Any]:
    """Yield findings and tables of runs, then `more`; runs of one kind on the same data share a
    table."""
    from worldquiz.page.tables import tables_of
    from worldquiz.page.terminal import prose, summary, usage
    from worldquiz.runs.run import page_runs, scores_used

    with scores_used(runs):
        shown = page_runs(runs)
        yield from summary(tables_of(shown))
        for run, each in zip(runs, shown, strict=True):
            if (used := run.scores.get("usage")) and used["calls"]:
                yield usage(each.name, used)
            yield from (prose(f"{each.name}: {line}") for line in run.losses)
        yield from more
