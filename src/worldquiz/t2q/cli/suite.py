"""``worldquiz t2q build``, ``show``, ``check`` and ``stats``: commands on a suite."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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

    from worldquiz.t2q.store import Bundle
    from worldquiz.t2q.suites import Suite
    from worldquiz.t2q.verify import Verdict
    from worldquiz.t2q.world.spec import WorldSpec

SAMPLE = 10
"""How many questions `show` prints unless all are asked for."""
LEGEND = "* start   - | passage   / open door   + closed door   # locked door"


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
    from worldquiz.runs.settings import Shard
    from worldquiz.t2q.builder import build as build_suite
    from worldquiz.t2q.builder import build_shard
    from worldquiz.t2q.suites import Plan, counted

    given = tuple(sorted(pairs(parameters, "--set", "rooms=4..5").items()))
    plan = Plan(preset, seed, worlds, given, games, per_task_games)
    with working("building", len(plan.slots), "what is built is kept", on) as done:
        if shard is not None:
            build_shard(plan, out, Shard.read(shard), jobs=workers(jobs), done=done)
            tell_shard(out, json=json)
            return
        suite = build_suite(plan, out, jobs=workers(jobs), done=done)
    manifest = str(suite.path / "manifest.json")
    document = {"manifest": manifest, "digest": suite.digest, "worlds": len(suite.worlds)}
    line = f"{counted(len(suite.worlds), 'world')} in {suite.path}, digest {suite.digest[:16]}"
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
    from worldquiz.t2q.cli import tables
    from worldquiz.t2q.suites import open_suite

    opened = open_suite(suite)
    if prove and not opened.planned:
        raise KnobError(f"--prove: {suite}: no cover chose the tasks of worlds of your own")
    found = statistics.stats(opened)
    shown: list[Table | str] = [tables.table_1(found["levels"]), tables.mix(found["levels"])]
    if prove:
        with working("proving covers", len(opened.worlds), on=on) as done:
            covers = statistics.covers(opened, jobs=workers(jobs), done=done)
        found["covers"] = {world: cover._asdict() for world, cover in covers.items()}
        shown.append(tables.cover_gap(covers))
    tell(found, shown, json=json)


@command
@SUITE
@ENGINE
@JOBS
@ON
@JSON
def check(suite: Path, engine: str | None, jobs: int | None, on: str | None, json: bool) -> None:
    """Replay every walkthrough; the exit code is 1 if one does not win."""
    from worldquiz.t2q.suites import open_suite
    from worldquiz.t2q.verify import record, verify

    opened = open_suite(suite)
    with working("replaying", len(opened.worlds), on=on) as done:
        verdicts = verify(opened, engine=engine, jobs=workers(jobs), done=done)
    found = record(verdicts)
    tell(found, _verdicts(found, verdicts), json=json)
    if not found["sound"]:
        raise click.exceptions.Exit(FAULTY)


@command
@SUITE
@argument("world", "WORLD", "A world of the suite; all if absent.", type=str, required=False)
@option("--all", "every", is_flag=True, help="All questions.")
@JSON
def show(suite: Path, world: str | None, every: bool, json: bool) -> None:
    """Print the worlds of a suite, or one world's map, tasks, walkthroughs and questions."""
    from worldquiz.t2q.suites import open_suite

    opened = open_suite(suite)
    if world is None:
        tell(opened.manifest, [_worlds(opened)], json=json)
        return
    bundle = opened.bundle(world)
    shown = _world(bundle, len(bundle.questions) if every else SAMPLE)
    tell(_world_document(bundle), shown, json=json)


def _verdicts(found: dict[str, Any], verdicts: tuple[Verdict, ...]) -> Iterator[str]:
    from worldquiz.t2q.suites import counted

    for verdict in verdicts:
        for fault in verdict.faults:
            yield f"{verdict.world}: {fault}"
    if found["sound"]:
        yield (
            f"{counted(found['tasks'], 'walkthrough')} in {counted(found['worlds'], 'world')} "
            f"{'wins' if found['tasks'] == 1 else 'win'} and "
            f"{'covers' if found['tasks'] == 1 else 'cover'} {_extent(found)} "
            "rooms and interactive entities."
        )


def _extent(found: dict[str, Any]) -> str:
    """Say how many of the targets the walkthroughs cover."""
    targets, aside = found["targets"], found["aside"]
    return f"{targets - aside} of {targets}" if aside else f"all {targets}"


def _worlds(suite: Suite) -> Table:
    from worldquiz.report.terminal import plain

    keys = ("id", "rooms", "objects", "tasks", "questions")
    rows = (tuple(str(entry[key]) for key in keys) for entry in suite.manifest["worlds"])
    return plain(rows, "world", *keys[1:])


def _world(bundle: Bundle, questions: int) -> Iterator[Any]:
    from rich.text import Text

    from worldquiz.facts.question import gold
    from worldquiz.report.visible import visible

    spec = bundle.spec
    yield f"{spec.id}: {len(spec.rooms)} rooms, start in the {spec.start}\n"
    yield drawn(spec)
    yield f"\n{LEGEND}\n"
    for task in bundle.tasks:
        yield f"{task.id}: {task.objective}"
        plan = task.walkthrough
        commands = ", ".join(plan.commands)
        yield Text(visible(f"  {plan.proof}: {commands}\n"), style="dim")
    for question in bundle.questions[:questions]:
        answer = gold(question)
        yield f"{question.id}: {question.text} -> {answer}"
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


def drawn(spec: WorldSpec) -> str:
    """Return the map; rows run from north to south, each room under its own cell."""
    cells = {(room.x, room.y): room.name for room in spec.rooms}
    columns = sorted({x for x, _ in cells})
    marks = _marks(spec)
    width = max(len(name) for name in cells.values()) + 1
    lines = []
    for y in sorted({y for _, y in cells}, reverse=True):
        across = below = ""
        for x in columns:
            name = cells.get((x, y), "")
            label = f"*{name}" if name == spec.start else name
            across += f"{label:^{width}} {marks.get((name, 'east'), ' ')} "
            below += f"{marks.get((name, 'south'), ' '):^{width}}   "
        lines += [across.rstrip(), below.rstrip()]
    return "\n".join(lines[:-1])


def _marks(spec: WorldSpec) -> dict[tuple[str, str], str]:
    """Return a sign for each exit, by room and direction."""
    from worldquiz.facts.fact import LOCKED, OPEN

    marks = {
        (room, way): "-" if way in ("east", "west") else "|"
        for room, ways in spec.ways.items()
        for way in ways
    }
    for end, door in spec.doors.items():
        locked, open = LOCKED(door) in spec.initial, OPEN(door) in spec.initial
        marks[end] = "#" if locked else "/" if open else "+"
    return marks
