"""``worldquiz t2q build``, ``show``, ``check`` and ``stats``: commands on a suite."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from worldquiz.cli.options import JOBS, JSON, ON, SHARD, argument, command, option, out, pairs
from worldquiz.cli.shell import FAULTY, tell, tell_shard, workers, working
from worldquiz.errors import KnobError
from worldquiz.t2q.cli.run import ENGINE, SUITE

if TYPE_CHECKING:
    from rich.table import Table

    from worldquiz.t2q.stats import CoverSize
    from worldquiz.t2q.store import Bundle

SAMPLE = 10
"""How many questions `show` prints unless all are asked for."""


@command
@out("Folder of the suite.")
@option("--preset", required=True, help="easy, medium, hard, paper for these three, or explore.")
@option("--seed", type=int, required=True, help="Random seed; equal seeds give equal suites.")
@option("--worlds", type=int, default=10, help="Number of worlds of each level.")
@option(
    "--set",
    "parameters",
    metavar="NAME=VALUE",
    multiple=True,
    help="Set a parameter of every level, e.g. rooms=4..5.",
)
@option("--games", is_flag=True, help="Compile each world for TextWorld's Z-machine, too.")
@option("--per-task-games", is_flag=True, help="Compile a game for each task, as the paper does.")
@JOBS
@ON
@SHARD
@JSON
def build(
    out: Path,
    preset: str,
    seed: int,
    worlds: int,
    parameters: Sequence[str],
    games: bool,
    per_task_games: bool,
    jobs: int | None,
    on: str | None,
    shard: str | None,
    json: bool,
) -> None:
    """Build worlds with their tasks and questions; a stopped build goes on where it was."""
    from worldquiz.t2q.builder import build as build_suite
    from worldquiz.t2q.builder import build_shard
    from worldquiz.t2q.suites import Plan

    given = tuple(sorted(pairs(parameters, "--set", "rooms=4..5").items()))
    plan = Plan(preset, seed, worlds, given, games, per_task_games)
    with working("building", len(plan.slots), "what is built is kept", on) as done:
        if shard is not None:
            build_shard(plan, out, shard, jobs=workers(jobs), done=done)
            tell_shard(out, json=json)
            return
        suite = build_suite(plan, out, jobs=workers(jobs), done=done)
    manifest = str(suite.path / "manifest.json")
    document = {"manifest": manifest, "digest": suite.digest, "worlds": len(suite.worlds)}
    many = "1 world" if len(suite.worlds) == 1 else f"{len(suite.worlds)} worlds"
    line = f"{many} in {suite.path}, digest {suite.digest[:16]}"
    tell(document, [line], json=json)


@command
@SUITE
@option("--prove", is_flag=True, help="Also compute the fewest tasks that cover each world.")
@JOBS
@ON
@JSON
def stats(suite: Path, prove: bool, jobs: int | None, on: str | None, json: bool) -> None:
    """Print sizes of a suite's worlds and quizzes, beside Table 1 of the paper.

    --prove needs the extra `exact`; --jobs and --on are for it alone.
    """
    from worldquiz.t2q import stats as statistics
    from worldquiz.t2q.suites import open_suite

    opened = open_suite(suite)
    if prove and not opened.planned:
        raise KnobError(f"--prove: {suite}: no cover chose the tasks of worlds of your own")
    found = statistics.stats(opened)
    shown: list[Table | str] = [_sizes(found["levels"]), _mix(found["levels"])]
    if prove:
        with working("proving covers", len(opened.worlds), on=on) as done:
            covers = statistics.covers(opened, jobs=workers(jobs), done=done)
        found["covers"] = {world: cover._asdict() for world, cover in covers.items()}
        shown.append(_cover_gap(covers))
    tell(found, shown, json=json)


def _sizes(levels: Mapping[str, Mapping[str, Any]]) -> Table:
    """Return Table 1 of arXiv 2601.09503 with our means beside the paper's."""
    from worldquiz.page.terminal import titled
    from worldquiz.t2q.stats import TABLE_1

    table = titled("Means per world, beside Table 1 of the paper")
    table.add_column("")
    for level in levels:
        table.add_column(level, justify="right")
        if level in TABLE_1:
            table.add_column("paper", justify="right", style="dim")
    for row in ("worlds", "rooms", "objects", "tasks", "walkthrough_length", "questions"):
        cells = []
        for level, found in levels.items():
            for value in (found[row], *([TABLE_1[level][row]] if level in TABLE_1 else [])):
                if isinstance(value, tuple):
                    cells.append("{}-{}".format(*value))
                else:
                    cells.append("" if value is None else f"{value:.2f}".rstrip("0").rstrip("."))
        table.add_row(row.replace("_", " "), *cells)
    return table


def _mix(levels: Mapping[str, Mapping[str, Any]]) -> Table:
    """Return the shares of the question types, ours beside the paper's."""
    from worldquiz.page.terminal import titled
    from worldquiz.t2q.stats import TYPE_COUNTS, type_mix

    table = titled("Question types, share of all questions")
    for name in ("", *levels, "all", "paper"):
        table.add_column(name, justify="right" if name else "left")
    total, paper = type_mix(levels.values()), sum(TYPE_COUNTS.values())
    for type, count in TYPE_COUNTS.items():
        shares = [*(found["types"][type] for found in levels.values()), total[type], count / paper]
        table.add_row(str(type), *(f"{share:.1%}" for share in shares))
    return table


def _cover_gap(covers: Mapping[str, CoverSize]) -> str:
    """Say how far Algorithm 1 is from the fewest tasks that would do."""
    proven = [cover for cover in covers.values() if cover.exact is not None]
    if not proven:
        return "Exact cover: not proven in time for any world."
    greedy = sum(cover.greedy for cover in proven)
    exact = sum(cover.exact or 0 for cover in proven)
    worse = sum(cover.greedy != cover.exact for cover in proven)
    return (
        f"Greedy cover (Algorithm 1): {greedy} tasks; exact cover: {exact}; {worse} of "
        f"{len(proven)} worlds need fewer tasks than greedy chose ({greedy / exact - 1:+.1%} "
        f"tasks; {len(covers) - len(proven)} worlds not proven)."
    )


@command
@SUITE
@ENGINE
@JOBS
@ON
@JSON
def check(suite: Path, engine: str | None, jobs: int | None, on: str | None, json: bool) -> None:
    """Replay every walkthrough; the exit code is 1 if one does not win."""
    from worldquiz.t2q.suites import open_suite
    from worldquiz.t2q.verify import verify

    opened = open_suite(suite)
    with working("replaying", len(opened.worlds), on=on) as done:
        found = verify(opened, engine=engine, jobs=workers(jobs), done=done)
    lines = [f"{each['world']}: {fault}" for each in found["faults"] for fault in each["faults"]]
    if found["sound"]:
        lines.append(
            f"All walkthroughs win (worlds: {found['worlds']}, tasks: {found['tasks']}) and cover "
            f"{found['targets'] - found['aside']} of {found['targets']} rooms and interactive "
            "entities."
        )
    tell(found, lines, json=json)
    if not found["sound"]:
        raise click.exceptions.Exit(FAULTY)


@command
@SUITE
@argument("world", "WORLD", "A world of the suite; all if absent.", type=str, required=False)
@option("--all", "every", is_flag=True, help="All questions.")
@JSON
def show(suite: Path, world: str | None, every: bool, json: bool) -> None:
    """Print the worlds of a suite, or one world's map, tasks, walkthroughs and questions."""
    from worldquiz.page.terminal import plain
    from worldquiz.t2q.suites import open_suite

    opened = open_suite(suite)
    if world is None:
        keys = ("id", "rooms", "objects", "tasks", "questions")
        rows = (tuple(str(entry[key]) for key in keys) for entry in opened.manifest["worlds"])
        tell(opened.manifest, [plain(rows, "world", *keys[1:])], json=json)
        return
    bundle = opened.bundle(world)
    shown = _world(bundle, len(bundle.questions) if every else SAMPLE)
    tell(_world_document(bundle), shown, json=json)


def _world(bundle: Bundle, questions: int) -> Iterator[Any]:
    from rich.text import Text

    from worldquiz.facts.fact import LOCKED, OPEN
    from worldquiz.facts.question import gold
    from worldquiz.page.visible import visible

    spec = bundle.spec
    yield f"{spec.id}: {len(spec.rooms)} rooms, start in the {spec.start}\n"
    for room in spec.rooms:
        ways = []
        for way, other in spec.ways[room.name].items():
            ways.append(f"{way} to the {other}")
            if door := spec.doors.get((room.name, way)):
                state = "open" if OPEN(door) in spec.initial else "closed"
                ways[-1] += f" ({'locked' if LOCKED(door) in spec.initial else state} {door})"
        yield f"{room.name}: {', '.join(ways)}"
    yield ""
    for task in bundle.tasks:
        yield f"{task.id}: {task.objective}"
        plan = task.walkthrough
        commands = ", ".join(plan.commands)
        yield Text(visible(f"  {plan.proof}: {commands}\n"), style="dim")
    for question in bundle.questions[:questions]:
        yield f"{question.id}: {question.text} -> {gold(question)}"
    left = len(bundle.questions) - questions
    if left > 0:
        yield f"and {left} more {'question' if left == 1 else 'questions'} (--all: all)"


def _world_document(bundle: Bundle) -> dict[str, Any]:
    from worldquiz.facts.question import gold

    spec = bundle.spec
    return {
        "world": spec.id,
        "level": spec.level,
        "start": spec.start,
        "rooms": [asdict(room) for room in spec.rooms],
        "facts": [str(fact) for fact in spec.facts],
        "tasks": [
            {
                "id": task.id,
                "objective": task.objective,
                "goal": [str(fact) for fact in task.goal],
                "walkthrough": list(task.walkthrough.commands),
                "proof": task.walkthrough.proof,
            }
            for task in bundle.tasks
        ],
        "questions": [
            {"id": question.id, "type": question.type, "format": question.kind,
             "text": question.text, "answer": gold(question)}
            for question in bundle.questions
        ],
    }  # fmt: skip
