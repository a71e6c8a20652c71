"""``worldquiz tea run`` and ``recall``: runs on apartments. Options that other commands share."""

from __future__ import annotations

from pathlib import Path

import click

from worldquiz.cli.options import JSON, Decorator, argument, command, option, out, setting, settings
from worldquiz.cli.shell import tell_run, working
from worldquiz.tea.settings import TeaRecallSettings, TeaSettings

TASKS = argument("data", "DIR", "A folder of generated tasks, with pictures.")
MADE = argument("data", "DIR", "A folder that `tea build` made.")
THRESHOLD = option(
    "--threshold", type=click.FloatRange(0, 1), default=0.8,
    help="Similarity above which two tasks are alike.",
)  # fmt: skip
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
    with working(settings.model or answerer or "", total, "what was replied is kept") as done:
        run = opened.run(answerer, out=out, settings=settings, progress=done)
    tell_run(run, settings.shard, json=json)


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
    from worldquiz.tea.recall.questions import KINDS

    opened = TaskFolder(data)
    most = settings.each * len(KINDS) * len(opened.scenes)
    with working(settings.model or answerer or "", most, "replies are kept") as done:
        run = opened.recall(answerer, out=out, settings=settings, progress=done)
    tell_run(run, None, json=json)
