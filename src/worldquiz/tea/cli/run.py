"""``worldquiz tea run``, ``recall``, ``check``, ``rate``, ``mir``, ``tables``; TEA's demo."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from worldquiz.cli.options import (
    JOBS,
    JSON,
    ON,
    RUN_OUT,
    Decorator,
    argument,
    command,
    option,
    out,
    setting,
    settings,
)
from worldquiz.cli.shell import FAULTY, ask, tell, workers, working
from worldquiz.cli.verbs import BROWSER, NAME, PORT, sit
from worldquiz.errors import WorldError
from worldquiz.tea.settings import RatingSettings, TeaRecallSettings, TeaSettings

if TYPE_CHECKING:
    from worldquiz.runs.run import Run

FLAT, ASKED = ("paper", (1, 1, 3, 0.2, 5, 1.0, 2, 2, 2, 2)), TeaSettings(tasks=60, walks=6)
"""The demo's preset with the values of its `Loops`, and the settings of its runs."""
ANSWERERS = ("prior", "noisy", "oracle")
"""Answerers of the demo, from guessing to knowing everything."""
MADE = argument("data", "DIR", "A folder that `tea build` made.")
TASK_COUNT, WALK_COUNT = setting(TeaSettings, "tasks"), setting(TeaSettings, "walks")
_SCENE = ("writer", "scene", "set")
LISTED = 20
"""Most faults that a check prints."""
SEED = option("--seed", type=int, default=0, help="Random seed of draws.")


def _answerer(names: str) -> Decorator:
    return option(
        "--answerer",
        help=f"Answerer to run instead of a model: a baseline ({names}), an answerer from an "
        "installed package, or module:Class.",
    )


@command
@MADE
@RUN_OUT
@_answerer("oracle, random, prior, blind, noisy")
@settings(TeaSettings)
@JSON
def run(
    data: Path, out: Path | None, answerer: str | None, settings: TeaSettings, json: bool
) -> None:
    """Have a balanced sample of the tasks answered; a stopped run can be resumed."""
    from worldquiz.tea.api import TaskFolder

    ask(TaskFolder(data), answerer, settings, out, json=json)


@command
@MADE
@RUN_OUT
@_answerer("oracle, noisy, abstainer, prior, blind, random")
@settings(TeaRecallSettings)
@JSON
def recall(
    data: Path, out: Path | None, answerer: str | None, settings: TeaRecallSettings, json: bool
) -> None:
    """Ask about apartments after the pictures of a walk; a stopped run can be resumed."""
    from worldquiz.tea.api import RecallData

    ask(RecallData(data), answerer, settings, out, json=json)


@command
@MADE
@option(
    "--sample", type=click.IntRange(0), default=2000,
    help="Number of tasks to check; 0 for all.",
)  # fmt: skip
@SEED
@JOBS
@ON
@JSON
def check(data: Path, sample: int, seed: int, jobs: int | None, on: str | None, json: bool) -> None:
    """Compute the answers again by an independent method; the exit code is 1 if any differs."""
    from worldquiz.page.html import many
    from worldquiz.tea import oracle
    from worldquiz.tea.cli.tables import table
    from worldquiz.tea.data import folders

    with working("checking", len(folders(data)), on=on, jobs=jobs) as done:
        found = oracle.check(data, sample=sample, seed=seed, jobs=workers(jobs), done=done)
    shown: list[Any] = [table([{"type": name, **one} for name, one in found["by_type"].items()])]
    shown += [f"{each['task']}: {each['wrong']}" for each in found["disagree"][:LISTED]]
    if (more := len(found["disagree"]) - LISTED) > 0:
        shown += [f"and {more} more (--json prints them)"]
    shown += [f"{found['agree']} of {many(found['checked'], 'task')} agree with the oracle."]
    if found["no_rule"]:
        count = many(sum(found["no_rule"].values()), "task")
        shown += [f"No rule checks {count} of other types: {', '.join(found['no_rule'])}."]
    tell(found, shown, json=json)
    if found["agree"] < found["checked"]:
        raise click.exceptions.Exit(FAULTY)


@command
@MADE
@SEED
@JOBS
@ON
@JSON
def mir(data: Path, seed: int, jobs: int | None, on: str | None, json: bool) -> None:
    """Print how diverse tasks are (MIR, MIR-e), and where they are (the paper's Tables 1 and 2)."""
    from worldquiz.tea.cli.tables import PLACES, table
    from worldquiz.tea.data import folders
    from worldquiz.tea.mir import measure

    with working("measuring", len(folders(data)), on=on, jobs=jobs) as done:
        found = measure(data, seed=seed, jobs=workers(jobs), done=done)
    sets = [({"scene": scene, "set": name}, one) for scene, parts in found["by_scene"].items()
            for name, one in parts["sets"].items()]  # fmt: skip
    named = {"tasks": "tasks", "mir": "MIR", "independent": "found", "bound": "bound",
             "optimal": "proven"}  # fmt: skip
    places = [{"scene": scene, "set": name, **one} for scene, parts in found["by_scene"].items()
              for name, one in parts["spatial"].items()]  # fmt: skip
    told = {**found["mean"], "MIR-e": found["mir_e"]}
    means = ", ".join(f"{name} {value:.3f}" for name, value in told.items() if value is not None)
    shown = [
        table([{**of, **{head: one[key] for key, head in named.items()}} for of, one in sets]),
        "Where tasks are: spread (m), volume with its standard deviation (m³), objects",
        table(places, "scene", "set", *PLACES),
        f"Mean MIR at {found['threshold']}: {means}.",
    ]  # fmt: skip
    tell(found, shown, json=json)


@command
@argument(
    "written", "DIR", "Folders that `tea write` made, one for each writer.",
    nargs=-1, required=True,
)  # fmt: skip
@JOBS
@ON
@JSON
def tables(written: Sequence[Path], jobs: int | None, on: str | None, json: bool) -> None:
    """Print Tables 1 and 2 for tasks written by models, with the paper's numbers beside ours."""
    from worldquiz.tea.cli.tables import PLACES, table
    from worldquiz.tea.written import tables as measured

    scenes = sum(len(measured.written_in(out)["scenes"]) for out in written)
    with working("measuring", scenes, on=on, jobs=jobs) as done:
        found = measured.tables(written, jobs=workers(jobs), done=done)
    paper = [{"writer": measured.PAPER["writer"], **one} for one in measured.PAPER["table_2"]]
    shown = [
        f"Table 1: MIR at a threshold of {found['threshold']:g}", table(measured.table_1(found)),
        "Differences of sets, scene by scene", table(found["tests"]),
        "Scenes", table(found["mir"], *_SCENE, "tasks", "mir", "bound", "optimal"),
        "Table 2: where the tasks are (m, m³): the paper's", table(paper, "writer", *PLACES),
        "Table 2: ours", table(found["places"], *_SCENE, *PLACES),
    ]  # fmt: skip
    tell(found, shown, json=json)


@command
@MADE
@NAME
@setting(RatingSettings, "share")
@out("The folder to write. Default: DIR-ratings-NAME.", required=False)
@PORT
@BROWSER
@JSON
def rate(
    data: Path,
    name: str,
    share: float,
    out: Path | None,
    port: int,
    browser: bool,
    json: bool,
) -> None:
    """Rate tasks as valid, helpful and everyday, in the browser.

    People with the same --share rate the same tasks. You can stop and continue at any time.
    `worldquiz score RATINGS ...` prints the ratings.
    """
    from worldquiz.human.quiz import folder_of, named
    from worldquiz.tea.human import ratings_of_test

    person = named(name)
    quiz = ratings_of_test(data, RatingSettings(share=share), person)
    target = out or folder_of(data, f"ratings-{person}")
    sit(quiz, target, port, browser=browser, json=json)


def demo(folder: Path, jobs: int) -> Iterator[tuple[str, Sequence[Run]]]:
    """Generate tasks in an apartment, and have baselines answer them. Raises `WorldError`."""
    from worldquiz.page.labels import decimal
    from worldquiz.tea import api
    from worldquiz.tea.interact import Loops
    from worldquiz_scenes.gl import NoPictures

    try:
        tasks = api.build(FLAT[0], seed=7, scenes=1, loops=Loops(*FLAT[1]), out=folder / "tasks")
    except NoPictures as error:
        raise WorldError(str(error)) from error
    count = len(ANSWERERS) * (ASKED.tasks + ASKED.walks)
    with working("TEA: asking", count, "what was replied is kept") as done:
        runs = [
            tasks.run(name, out=folder / name, settings=ASKED, progress=done) for name in ANSWERERS
        ]
    known = ", ".join(f"{run.name} {decimal(run.headline['knowledge'])}" for run in runs)
    yield f"knowledge, from guessing to knowing everything: {known}.", runs
