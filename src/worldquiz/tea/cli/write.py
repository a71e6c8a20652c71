"""``worldquiz tea write`` and ``tables``: tasks that a model writes, with and without the loop."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import click

from worldquiz.cli.options import JOBS, JSON, ON, argument, command, option, out, settings
from worldquiz.cli.shell import out as console
from worldquiz.cli.shell import tell, workers, working
from worldquiz.errors import KnobError
from worldquiz.runs.settings import RunSettings
from worldquiz.tea.cli.look import MADE, THRESHOLD
from worldquiz.tea.cli.run import SEED

COUNT = click.IntRange(1)


@dataclass(frozen=True, kw_only=True)
class WritingSettings(RunSettings):
    """Settings of a model that writes tasks."""

    LACKS: ClassVar[frozenset[str]] = frozenset(
        {"price", "max_cost", "max_tokens", "timeout", "questions_at_once", "shard",
         "retry_failed"}
    )  # fmt: skip


@command
@MADE
@out("The folder to write.")
@option("--templates", is_flag=True, help="Write rule-based commands instead of asking a model.")
@option(
    "--tasks",
    type=COUNT,
    default=100,
    help="Number of tasks in each set: without TEA, first loop, second loop.",
)
@option("--batch", type=COUNT, default=5, help="Number of tasks in one request.")
@option(
    "--around",
    type=COUNT,
    default=4,
    help="Number of views at the start, all that is seen without TEA.",
)
@option(
    "--chosen",
    type=COUNT,
    default=5,
    help="Number of tasks of the first loop that the second executes.",
)
@option(
    "--epsilon",
    type=click.FloatRange(0, 1),
    default=0.2,
    help="Probability that a walk of the second loop is random.",
)
@settings(WritingSettings)
@JSON
def write(
    data: Path,
    out: Path,
    templates: bool,
    tasks: int,
    batch: int,
    around: int,
    chosen: int,
    epsilon: float,
    settings: WritingSettings,
    json: bool,
) -> None:
    """Have a model write tasks in scenes, with TEA's loop and without; can be resumed."""
    from worldquiz.llm.client import Reach
    from worldquiz.tea.interact import Loops
    from worldquiz.tea.written import write as writing

    reach = Reach.of(settings)
    if (reach is not None) == templates:
        raise KnobError("give one of --model and --templates: it writes the tasks")
    loops = replace(Loops(), chosen=chosen, epsilon=epsilon)
    asked = writing.Writing(tasks, batch, around, settings.seed, loops)
    total, jobs = writing.total(data, asked), settings.jobs
    with working("writing", total, "what was written is kept", settings.on) as done:
        found = writing.write(data, asked, reach, out, jobs=workers(jobs), done=done)
    tell(found, _counted(found, out), json=json)


def _counted(found: dict[str, Any], folder: Path) -> Iterator[Any]:
    from worldquiz.report.terminal import plain

    rows, dropped = [], Counter[str]()
    for scene, told in found["scenes"].items():
        for part, one in told["parts"].items():
            lost = sum(one["dropped"].values())
            dropped.update(one["dropped"])
            counts = (one["tasks"], one["requests"], one["repeated"], lost)
            rows.append((scene, part, *map(str, counts)))
    yield plain(rows, "scene", "part", "tasks", "requests", "repeated", "dropped")
    for reason, count in sorted(dropped.items()):
        yield f"dropped, {reason}: {count}"
    yield f"written by {found['writer']}, in {folder}"


@command
@argument(
    "written", "DIR", "Folders that `tea write` made, one for each writer.",
    nargs=-1, required=True,
)  # fmt: skip
@out("The folder to write tables and plots into.")
@THRESHOLD
@SEED
@JOBS
@ON
@JSON
def tables(
    written: Sequence[Path],
    out: Path,
    threshold: float,
    seed: int,
    jobs: int | None,
    on: str | None,
    json: bool,
) -> None:
    """Print Tables 1 and 2 of the paper for written tasks, the paper's numbers beside ours."""
    from worldquiz.records import write_bytes, write_text
    from worldquiz.report.terminal import of_markdown
    from worldquiz.tea.written import plots
    from worldquiz.tea.written import tables as measured

    with working("measuring", measured.size(written), on=on) as done:
        found = measured.tables(
            written, threshold=threshold, seed=seed, jobs=workers(jobs), done=done
        )
    text = measured.markdown(found)
    write_text(out / "tables.md", text)
    for name, sheet in measured.sheets(found).items():
        write_text(out / name, sheet)
    for name, picture in plots.pictures(found).items():
        write_bytes(out / name, picture)
    shown = of_markdown(text) if console().is_terminal else [text]
    tell(found, [*shown, f"the same tables, and plots, are in {out}"], json=json)
