"""``worldquiz demo``: each installed benchmark on small data, with its baselines and a report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from worldquiz.cli.options import JOBS, JSON, command, out
from worldquiz.cli.shell import emit, say, workers
from worldquiz.errors import MissingExtra


@command
@out("Folder to write into.", default=Path("worldquiz-demo"))
@JOBS
@JSON
def demo(out: Path, jobs: int | None, json: bool) -> None:
    """Run each benchmark on small data with its baselines, and write a report of each.

    No network and no model is needed. It takes about two minutes on two cores. A benchmark that
    cannot run because a library is not installed is left out.
    """
    from worldquiz.runs.benchmark import benchmarks

    document: dict[str, Any] = {}
    lacking: list[MissingExtra] = []
    for each in (one for one in benchmarks().values() if one.demo is not None):
        try:
            for told in each.demo(out, workers(jobs)) if each.demo else ():
                if isinstance(told, dict):
                    document |= told
                elif not json:
                    say(told)
        except MissingExtra as error:
            lacking.append(error)
            document[each.name] = {"left_out": str(error)}
            if not json:
                say(f"{each.title} is left out: {error}")
    if lacking and len(lacking) == len(document):
        raise lacking[0]
    if json:
        emit(document)
