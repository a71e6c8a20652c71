"""``worldquiz tea write`` and ``tables``: tasks that a model writes, with and without the loop."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from worldquiz.cli import model_options
from worldquiz.cli.shell import Jobs, Json, On, out, tell, workers, working
from worldquiz.cli.tables import of_markdown, plain
from worldquiz.errors import KnobError
from worldquiz.llm.client import AT_ONCE, Reach
from worldquiz.records import write_bytes, write_text
from worldquiz.tea.cli.options import Out, Threshold
from worldquiz.tea.interact import Loops
from worldquiz.tea.measure import THRESHOLD
from worldquiz.tea.written import plots
from worldquiz.tea.written import tables as writing_tables
from worldquiz.tea.written import write as writing
from worldquiz.tea.written.write import Writing

DEFAULT, LOOPS = Writing(), Loops()


def write(
    ctx: typer.Context,
    data: Annotated[
        Path,
        typer.Argument(
            metavar="DIR", help="A folder that `tea generate` made; its scenes are used."
        ),
    ],
    out_folder: Out,
    model: model_options.Model = None,
    base_url: model_options.BaseUrl = None,
    templates: Annotated[
        bool,
        typer.Option("--templates", help="Write rule-based commands instead of asking a model."),
    ] = False,
    generate: model_options.Generate = None,
    connections: model_options.AtOnce = AT_ONCE,
    retries: model_options.Retries = 5,
    tasks: Annotated[
        int,
        typer.Option(
            min=1,
            help="Number of tasks in each set: without TEA, first loop, second loop.",
        ),
    ] = DEFAULT.tasks,
    batch: Annotated[
        int, typer.Option(min=1, help="Number of tasks in one request.")
    ] = DEFAULT.batch,
    around: Annotated[
        int,
        typer.Option(min=1, help="Number of views at the start, all that is seen without TEA."),
    ] = DEFAULT.around,
    chosen: Annotated[
        int, typer.Option(min=1, help="Number of tasks of the first loop that the second executes.")
    ] = LOOPS.chosen,
    epsilon: Annotated[
        float,
        typer.Option(min=0, max=1, help="Probability that a walk of the second loop is random."),
    ] = LOOPS.epsilon,
    seed: Annotated[int, typer.Option(help="Random seed for walks and choices.")] = 0,
    jobs: Jobs = None,
    on: On = None,
    json: Json = False,
) -> None:
    """Have a model write tasks in scenes, with TEA's loop and without; can be resumed."""
    if (model is not None) == templates:
        raise KnobError("give one of --model and --templates: it writes the tasks")
    model_options.check_model(ctx)
    who = None
    if model is not None:
        who = Reach(model, base_url, model_options.settings(generate), connections, retries=retries)
    asked = Writing(tasks, batch, around, seed, replace(LOOPS, chosen=chosen, epsilon=epsilon))
    total = writing.total(data, asked)
    with working("writing", total, "what was written is kept", on) as done:
        found = writing.write(data, asked, who, out_folder, jobs=workers(jobs), done=done)
    tell(found, _counted(found, out_folder), json=json)


def _counted(found: dict[str, Any], folder: Path) -> Iterator[Any]:
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


def tables(
    outs: Annotated[
        list[Path],
        typer.Argument(metavar="DIR", help="Folders that `tea write` made, one for each writer."),
    ],
    out_folder: Annotated[
        Path, typer.Option("--out", help="The folder to write tables and plots into.")
    ],
    threshold: Threshold = THRESHOLD,
    seed: Annotated[int, typer.Option(help="Random seed for resampling.")] = 0,
    jobs: Jobs = None,
    on: On = None,
    json: Json = False,
) -> None:
    """Print Tables 1 and 2 of the paper for written tasks, the paper's numbers beside ours."""
    with working("measuring", writing_tables.size(outs), on=on) as done:
        found = writing_tables.tables(
            outs, threshold=threshold, seed=seed, jobs=workers(jobs), done=done
        )  # fmt: skip
    text = writing_tables.markdown(found)
    write_text(out_folder / "tables.md", text)
    for name, sheet in writing_tables.sheets(found).items():
        write_text(out_folder / name, sheet)
    for name, picture in plots.pictures(found).items():
        write_bytes(out_folder / name, picture)
    shown = of_markdown(text) if out().is_terminal else [text]
    tell(found, [*shown, f"the same tables, and plots, are in {out_folder}"], json=json)
