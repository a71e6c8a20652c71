"""``worldquiz tea check``, ``mir``, ``tables``, ``sheet``, ``rate``: are tasks true and various?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from worldquiz.cli.human import BROWSER, NAME, PORT, sit
from worldquiz.cli.options import JOBS, JSON, ON, argument, command, option, out
from worldquiz.cli.shell import FAULTY, first_faults, tell, waiting, workers, working
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
    from worldquiz.tea import oracle
    from worldquiz.tea.data import folders

    sample = 0 if every else sample
    with working("checking", len(folders(data)), on=on) as done:
        found = oracle.check(data, sample=sample, seed=seed, jobs=workers(jobs), done=done)
    tell(found, _verdicts(found), json=json)
    if found["agree"] < found["checked"]:
        raise click.exceptions.Exit(FAULTY)


def _verdicts(found: dict[str, Any]) -> Iterator[Any]:
    from worldquiz.page.html import many
    from worldquiz.tea.cli.tables import table

    yield table([{"type": name, **counts} for name, counts in found["by_type"].items()])
    yield from first_faults([f"{each['task']}: {each['wrong']}" for each in found["disagree"]])
    yield f"{found['agree']} of {many(found['checked'], 'task')} agree with the oracle."
    if found["no_rule"]:
        count = many(sum(found["no_rule"].values()), "task")
        yield f"No rule checks {count} of other types: {', '.join(found['no_rule'])}."


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
    from worldquiz.tea.data import folders
    from worldquiz.tea.mir import measure

    with working("measuring", len(folders(data)), on=on) as done:
        found = measure(
            data, threshold=threshold, sample=sample, seed=seed, jobs=workers(jobs), done=done
        )
    tell(found, _measured(found), json=json)


def _measured(found: dict[str, Any]) -> Iterator[Any]:
    from worldquiz.tea.cli.tables import table

    sets = [({"scene": scene, "set": name}, one) for scene, parts in found["by_scene"].items()
            for name, one in parts["sets"].items()]  # fmt: skip
    named = {"tasks": "tasks", "mir": "MIR", "independent": "found", "bound": "bound",
             "optimal": "proven"}  # fmt: skip
    yield table([{**of, **{head: one[key] for key, head in named.items()}} for of, one in sets])
    yield "MIR by threshold"
    yield table([{**of, **one["curve"]} for of, one in sets])
    yield "Where tasks are (m, m³, m⁶)"
    yield table([{"scene": scene, "set": name, **one} for scene, parts in found["by_scene"].items()
                 for name, one in parts["spatial"].items()])  # fmt: skip
    told = {**found["mean"], "MIR-e": found["mir_e"]}
    means = ", ".join(f"{name} {value:.3f}" for name, value in told.items() if value is not None)
    yield f"Mean MIR at {found['threshold']}: {means}."


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
    from worldquiz.tea.written import tables as measured

    scenes = sum(len(measured.written_in(out)["scenes"]) for out in written)
    with working("measuring", scenes, on=on) as done:
        found = measured.tables(
            written, threshold=threshold, seed=seed, jobs=workers(jobs), done=done
        )
    tell(found, _tables(found), json=json)


def _tables(found: dict[str, Any]) -> Iterator[Any]:
    from worldquiz.tea.cli.tables import table
    from worldquiz.tea.written.tables import PAPER, table_1

    paper = [{"writer": PAPER["writer"], **one} for one in PAPER["table_2"]]
    for title, rows in {
        f"Table 1: MIR at a threshold of {found['threshold']:g}": table_1(found),
        "Differences of sets, scene by scene": found["tests"],
        "Scenes": found["mir"],
        "Table 2: where the tasks are (m, m3): the paper's": paper,
        "Table 2: ours": found["places"],
    }.items():
        yield title
        yield table(rows)


@command
@MADE
@out("The PNG file to write.")
@option("--tasks", type=click.IntRange(1), default=30, help="Number of tasks to draw.")
@SEED
@JSON
def sheet(data: Path, out: Path, tasks: int, seed: int, json: bool) -> None:
    """Draw tasks with their pictures and answers onto one sheet, some of every type."""
    from worldquiz.page.html import many
    from worldquiz.tea.sheet import sheet as drawn

    count = drawn(data, out, tasks=tasks, seed=seed)
    tell({"sheet": str(out), "tasks": count}, [f"{many(count, 'task')} on {out}"], json=json)


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
