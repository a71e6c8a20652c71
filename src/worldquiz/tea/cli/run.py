"""``worldquiz tea run`` and ``recall``, TEA's part of the demo, and options that commands share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from worldquiz.cli.options import JSON, Decorator, argument, command, option, out, setting, settings
from worldquiz.cli.shell import progress, resumable, tell_run, waiting, working
from worldquiz.errors import KEPT
from worldquiz.tea.settings import TeaRecallSettings, TeaSettings

FLAT, ASKED = ("paper", (2, 4, 6)), TeaSettings(tasks=200, walks=10)
"""Of the demo: preset, loops with their walks and stops; what is asked."""
ANSWERERS = ("random", "prior", "noisy", "oracle")
"""Those of the demo, from guessing to knowing all: what any model's numbers lie between."""
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


def demo(folder: Path, jobs: int) -> Iterator[Any]:
    """Do TEA's part in the demo's folder; yield its document, then lines and tables."""
    from worldquiz.page import html
    from worldquiz.page.terminal import plain
    from worldquiz.tea import api
    from worldquiz.tea.cli.tables import summary_tables
    from worldquiz.tea.interact import Loops
    from worldquiz_scenes.gl import NoPictures

    html.require()
    part = folder / "tea"
    try:
        with resumable(KEPT), waiting("TEA: walking through an apartment"):
            preset, loops = FLAT
            tasks = api.build(preset, seed=7, scenes=1, loops=Loops(*loops), out=part / "tasks")
    except NoPictures as error:
        yield {"tea": {"left_out": str(error)}}
        yield f"TEA is left out: {error}"
        return
    count = len(ANSWERERS) * (ASKED.tasks + ASKED.walks)
    with resumable(KEPT), progress("TEA: asking", count) as done:
        runs = {name: tasks.run(name, out=part / name, settings=ASKED, progress=done)
                for name in ANSWERERS}  # fmt: skip
    with waiting("TEA: writing the report"):
        page = runs["oracle"].report(
            part / "report.html", beside=[run for name, run in runs.items() if name != "oracle"]
        )
    scores = {name: run.scores for name, run in runs.items()}
    yield {"tea": {"tasks": tasks.summary, "answerers": scores, "report": str(page)}}
    yield "TEA: tasks of one apartment"
    yield from summary_tables(tasks.summary)
    rows = [
        (kind, *(f"{one['types'][kind]['mean']:.2f}" for one in scores.values()))
        for kind in scores["oracle"]["types"]
    ]
    walks = [f"{one['navigation']['gain']:.2f}" for one in scores.values()]
    yield plain([*rows, ("walks: gain", *walks)], "score", *scores)
    yield f"report: {page}"
