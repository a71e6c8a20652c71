"""``worldquiz tea run``, ``recall`` and ``explored``: runs on apartments, and what walks show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from worldquiz.cli.options import (
    JSON,
    PATH,
    Decorator,
    argument,
    command,
    option,
    out,
    setting,
    settings,
)
from worldquiz.cli.runs import tell_run
from worldquiz.cli.shell import tell, waiting, working
from worldquiz.tea.settings import TeaRecallSettings, TeaSettings

TASKS = argument("data", "DIR", "A folder of generated tasks, with pictures.")
EACH = setting(TeaRecallSettings, "each")
TASK_COUNT, WALK_COUNT = setting(TeaSettings, "tasks"), setting(TeaSettings, "walks")
SEED = option("--seed", type=int, default=0, help="Random seed of draws.")


def _answerer(names: str) -> Decorator:
    return option(
        "--answerer",
        help=f"Who answers, if no model does: a baseline ({names}), an answerer of an installed "
        "package, or module:Class.",
    )


@command
@TASKS
@out("The folder of the run.")
@_answerer("oracle, random, prior, blind, noisy")
@settings(TeaSettings)
@JSON
def run(data: Path, out: Path, answerer: str | None, settings: TeaSettings, json: bool) -> None:
    """Have a balanced sample of the tasks answered; a stopped run can be resumed."""
    from worldquiz.tea.api import TaskFolder

    opened, total = TaskFolder(data), settings.tasks + settings.walks
    with working(_who(answerer, settings), total, "what was replied is kept") as done:
        run = opened.run(answerer, out=out, settings=settings, progress=done)
    tell_run(run, settings.shard, json=json)


def _who(answerer: str | None, settings: TeaSettings | TeaRecallSettings) -> str:
    return settings.model or answerer or ""


@command
@TASKS
@out("The folder of the run.")
@_answerer("oracle, reader, noisy, abstainer, prior, blind, random")
@settings(TeaRecallSettings)
@JSON
def recall(
    data: Path, out: Path, answerer: str | None, settings: TeaRecallSettings, json: bool
) -> None:
    """Ask about apartments after the pictures of a walk; a stopped run can be resumed."""
    from worldquiz.tea.api import TaskFolder

    opened = TaskFolder(data)
    with working(_who(answerer, settings), len(opened.scenes), "replies are kept") as done:
        run = opened.recall(answerer, out=out, settings=settings, progress=done)
    tell_run(run, None, json=json)


@command
@TASKS
@option(
    "--views",
    type=click.IntRange(1),
    multiple=True,
    help="Length of a walk in pictures; repeatable.",
)
@option(
    "--marks",
    type=PATH,
    help="A JSONL file to write: for each navigation and in-view task, whether the agent had seen "
    "its object before.",
)
@EACH
@SEED
@JSON
def explored(
    data: Path, views: Sequence[int], marks: Path | None, each: int, seed: int, json: bool
) -> None:
    """Compare how many questions the walks of each loop make answerable."""
    from worldquiz.tea.recall import explore
    from worldquiz.tea.recall import marks as marked
    from worldquiz.tea.recall.walked import RecallSettings

    with waiting("looking at what was shown"):
        lengths = sorted(set(views or explore.VIEWS))
        found = explore.explored(data, RecallSettings(each=each, seed=seed), lengths)
        if marks is not None:
            found["marks"] = marked.write(data, marks)
    tell(found, _explored(found), json=json)


def _explored(found: dict[str, Any]) -> Iterator[Any]:
    from worldquiz.report.terminal import plain
    from worldquiz.tea.recall.marks import WORDS

    rows = [
        (count, *(_part(row[count]) for row in found["loops"].values()),
         *(_gap(row[count]) for row in found["against_loop_1"].values()))
        for count in map(str, found["views"])
    ]  # fmt: skip
    loops = [f"coverage, loop {loop}" for loop in found["loops"]]
    gaps = [f"loop {loop} less loop 1" for loop in found["against_loop_1"]]
    yield plain(rows, "views", *loops, *gaps)
    if "marks" in found:
        told = [(name, *map(str, row.values())) for name, row in found["marks"].items()]
        yield plain(told, "tasks whose object was before", *WORDS)


def _part(row: dict[str, Any]) -> str:
    return f"{row['coverage']:.2f} ({row['answerable']} of {row['questions']})"


def _gap(gap: dict[str, Any] | None) -> str:
    if gap is None:
        return "-"
    return f"{gap['value']:+.2f} [{gap['low']:+.2f}, {gap['high']:+.2f}], p = {gap['p']:.3f}"
