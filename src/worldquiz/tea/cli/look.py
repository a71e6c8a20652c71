"""``worldquiz tea check``, ``mir``, ``tables``, ``rate``: are tasks true and various?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from worldquiz.cli.options import JOBS, JSON, ON, argument, command, option, out
from worldquiz.cli.shell import FAULTY, first_faults, tell, waiting, workers, working
from worldquiz.cli.verbs import BROWSER, NAME, PORT, sit
from worldquiz.tea.cli.run import MADE, SEED, TASK_COUNT, TASKS, THRESHOLD, WALK_COUNT


@command
@MADE
@option(
    "--sample", type=click.IntRange(0), default=2000,
    help="Number of tasks to check; 0 for all.",
)  # fmt: skip
@option("--all", "every", is_flag=True, help="Check every task.")
@SEED
@JOBS
@ON
@JSON
def check(
    data: Path, sample: int, every: bool, seed: int, jobs: int | None, on: str | None, json: bool
) -> None:
    """Compute the answers again by an independent method; exit code 1 if any differs."""
    from worldquiz.page.html import many
    from worldquiz.tea import oracle
    from worldquiz.tea.cli.tables import table
    from worldquiz.tea.data import folders

    sample = 0 if every else sample
    with working("checking", len(folders(data)), on=on) as done:
        found = oracle.check(data, sample=sample, seed=seed, jobs=workers(jobs), done=done)
    shown: list[Any] = [table([{"type": name, **one} for name, one in found["by_type"].items()])]
    shown += first_faults([f"{each['task']}: {each['wrong']}" for each in found["disagree"]])
    shown += [f"{found['agree']} of {many(found['checked'], 'task')} agree with the oracle."]
    if found["no_rule"]:
        count = many(sum(found["no_rule"].values()), "task")
        shown += [f"No rule checks {count} of other types: {', '.join(found['no_rule'])}."]
    tell(found, shown, json=json)
    if found["agree"] < found["checked"]:
        raise click.exceptions.Exit(FAULTY)


@command
@MADE
@THRESHOLD
@option(
    "--sample", type=click.IntRange(1), default=100,
    help="Number of tasks drawn from each set.",
)  # fmt: skip
@SEED
@JOBS
@ON
@JSON
def mir(
    data: Path,
    threshold: float,
    sample: int,
    seed: int,
    jobs: int | None,
    on: str | None,
    json: bool,
) -> None:
    """Print MIR with its bound, MIR-e, and where tasks are (Tables 1 and 2 of the paper)."""
    from worldquiz.tea.cli.tables import table
    from worldquiz.tea.data import folders
    from worldquiz.tea.mir import measure

    with working("measuring", len(folders(data)), on=on) as done:
        found = measure(
            data, threshold=threshold, sample=sample, seed=seed, jobs=workers(jobs), done=done
        )
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
        "MIR by threshold", table([{**of, **one["curve"]} for of, one in sets]),
        "Where tasks are (m, m³, m⁶)", table(places),
        f"Mean MIR at {found['threshold']}: {means}.",
    ]  # fmt: skip
    tell(found, shown, json=json)


@command
@argument(
    "written", "DIR", "Folders that `tea write` made, one for each writer.",
    nargs=-1, required=True,
)  # fmt: skip
@THRESHOLD
@SEED
@JOBS
@ON
@JSON
def tables(
    written: Sequence[Path],
    threshold: float,
    seed: int,
    jobs: int | None,
    on: str | None,
    json: bool,
) -> None:
    """Print Tables 1 and 2 of the paper for written tasks, the paper's numbers beside ours."""
    from worldquiz.tea.cli.tables import table
    from worldquiz.tea.written import tables as measured

    scenes = sum(len(measured.written_in(out)["scenes"]) for out in written)
    with working("measuring", scenes, on=on) as done:
        found = measured.tables(
            written, threshold=threshold, seed=seed, jobs=workers(jobs), done=done
        )
    paper = [{"writer": measured.PAPER["writer"], **one} for one in measured.PAPER["table_2"]]
    by_title = {
        f"Table 1: MIR at a threshold of {found['threshold']:g}": measured.table_1(found),
        "Differences of sets, scene by scene": found["tests"],
        "Scenes": found["mir"],
        "Table 2: where the tasks are (m, m3): the paper's": paper,
        "Table 2: ours": found["places"],
    }
    shown = [part for title, rows in by_title.items() for part in (title, table(rows))]
    tell(found, shown, json=json)


@command
@TASKS
@NAME
@option(
    "--share", type=click.FloatRange(0, 1), default=0.1,
    help="Share of the test to rate, of each type.",
)  # fmt: skip
@out("Where the ratings go; DIR-ratings-NAME if absent.", required=False)
@TASK_COUNT
@WALK_COUNT
@SEED
@PORT
@BROWSER
@JSON
def rate(
    data: Path,
    name: str,
    share: float,
    out: Path | None,
    tasks: int,
    walks: int,
    seed: int,
    port: int,
    browser: bool,
    json: bool,
) -> None:
    """Rate tasks as valid, helpful and everyday, on a page of your own machine.

    People rate the same tasks if they give the same options. Stop and go on at will. `worldquiz
    score RATINGS ...` prints the ratings, and how far people agree.
    """
    from worldquiz.human.quiz import folder_of, named
    from worldquiz.tea.human import ratings_of_test
    from worldquiz.tea.settings import TeaSettings

    person = named(name)
    asked = TeaSettings(tasks=tasks, walks=walks, seed=seed)
    with waiting("drawing tasks"):
        quiz = ratings_of_test(data, asked, share, person)
    target = out or folder_of(data, f"ratings-{person}")
    sit(quiz, target, port, browser=browser, json=json)
