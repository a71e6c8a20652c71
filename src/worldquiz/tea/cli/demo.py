"""The demo's TEA part: the tasks of one apartment, baselines on them, and a report."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from worldquiz.cli.shell import progress, resumable, waiting
from worldquiz.errors import KEPT
from worldquiz.page import html
from worldquiz.page.terminal import plain
from worldquiz.tea import api
from worldquiz.tea.cli.tables import summary_tables
from worldquiz.tea.interact import Loops
from worldquiz_scenes.gl import NoPictures

PRESET, LOOPS = "paper", Loops(loops=2, bouts=4, looks=6)
TASKS, WALKS = 200, 10
"""For each answerer."""
ANSWERERS = ("random", "prior", "noisy", "oracle")
"""From guessing to knowing all: what any model's numbers lie between."""


def demo(folder: Path, jobs: int) -> Iterator[Any]:
    """Do TEA's part in the demo's folder; yield its document, then lines and tables."""
    html.require()
    part = folder / "tea"
    try:
        with resumable(KEPT), waiting("TEA: walking through an apartment"):
            tasks = api.build(PRESET, seed=7, scenes=1, loops=LOOPS, out=part / "tasks")
    except NoPictures as error:
        yield {"tea": {"left_out": str(error)}}
        yield f"TEA is left out: {error}"
        return
    asked: dict[str, Any] = {"tasks": TASKS, "walks": WALKS}
    with resumable(KEPT), progress("TEA: asking", len(ANSWERERS) * (TASKS + WALKS)) as done:
        runs = {name: tasks.run(name, out=part / name, progress=done, **asked)
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
