"""``worldquiz t2q build``, ``show``, ``check`` and ``stats``: commands on a suite."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from worldquiz.cli.shell import (
    FAULTY,
    Jobs,
    Json,
    On,
    ShardOption,
    SuiteFolder,
    tell,
    tell_shard,
    workers,
    working,
)
from worldquiz.cli.tables import plain
from worldquiz.cli.visible import visible
from worldquiz.errors import KnobError
from worldquiz.facts.fact import LOCKED, OPEN
from worldquiz.facts.question import gold
from worldquiz.runs.shard import Shard
from worldquiz.t2q import stats as statistics
from worldquiz.t2q.builder import build as build_suite
from worldquiz.t2q.builder import build_shard
from worldquiz.t2q.cli import tables
from worldquiz.t2q.cli.options import Engine
from worldquiz.t2q.store import Bundle
from worldquiz.t2q.suites import Plan, Suite, counted, open_suite
from worldquiz.t2q.verify import Verdict, record
from worldquiz.t2q.verify import verify as verify_suite
from worldquiz.t2q.world.config import WORLDS_PER_LEVEL
from worldquiz.t2q.world.spec import WorldSpec

SAMPLE = 10
"""How many questions `show` prints unless all are asked for."""
LEGEND = "* start   - | passage   / open door   + closed door   # locked door"


def build(
    out_folder: Annotated[Path, typer.Option("--out", help="Folder of the suite.")],
    preset: Annotated[
        str, typer.Option(help="easy, medium, hard, paper for these three, or explore.")
    ],
    seed: Annotated[int, typer.Option(help="Random seed; equal seeds give equal suites.")],
    worlds: Annotated[int, typer.Option(help="Number of worlds of each level.")] = WORLDS_PER_LEVEL,
    parameters: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="NAME=VALUE", help="Set a parameter of every level, e.g. rooms=4..5."
        ),
    ] = None,
    games: Annotated[
        bool, typer.Option("--games", help="Compile each world for TextWorld's Z-machine, too.")
    ] = False,
    per_task_games: Annotated[
        bool,
        typer.Option("--per-task-games", help="Compile a game for each task, as the paper does."),
    ] = False,
    jobs: Jobs = None,
    on: On = None,
    shard: ShardOption = None,
    json: Json = False,
) -> None:
    """Build worlds with their tasks and questions; a stopped build goes on where it was."""
    plan = Plan(preset, seed, worlds, _settings(parameters or []), games, per_task_games)
    with working("building", len(plan.slots), "what is built is kept", on) as done:
        if shard is not None:
            build_shard(plan, out_folder, Shard.read(shard), jobs=workers(jobs), done=done)
            tell_shard(out_folder, json=json)
            return
        suite = build_suite(plan, out_folder, jobs=workers(jobs), done=done)
    manifest = str(suite.path / "manifest.json")
    document = {"manifest": manifest, "digest": suite.digest, "worlds": len(suite.worlds)}
    line = f"{counted(len(suite.worlds), 'world')} in {suite.path}, digest {suite.digest[:16]}"
    tell(document, [line], json=json)


def stats(
    suite_folder: SuiteFolder,
    prove: Annotated[
        bool, typer.Option("--prove", help="Also compute the fewest tasks that cover each world.")
    ] = False,
    jobs: Jobs = None,
    on: On = None,
    json: Json = False,
) -> None:
    """Print the sizes of a suite's worlds and quizzes, beside Table 1 of the paper.

    --prove needs the extra `exact`; --jobs and --on are for it alone.
    """
    suite = open_suite(suite_folder)
    if prove and not suite.planned:
        raise KnobError(f"--prove: {suite_folder}: no cover chose the tasks of worlds of your own")
    found = statistics.stats(suite)
    shown: list[Table | str] = [tables.table_1(found["levels"]), tables.mix(found["levels"])]
    if prove:
        with working("proving covers", len(suite.worlds), on=on) as done:
            covers = statistics.covers(suite, jobs=workers(jobs), done=done)
        found["covers"] = {world: cover._asdict() for world, cover in covers.items()}
        shown.append(tables.cover_gap(covers))
    tell(found, shown, json=json)


def verify(
    suite_folder: SuiteFolder,
    engine: Engine = None,
    jobs: Jobs = None,
    on: On = None,
    json: Json = False,
) -> None:
    """Replay every walkthrough; the exit code is 1 if one does not win."""
    suite = open_suite(suite_folder)
    with working("replaying", len(suite.worlds), on=on) as done:
        verdicts = verify_suite(suite, engine=engine, jobs=workers(jobs), done=done)
    found = record(verdicts)
    tell(found, _verdicts(found, verdicts), json=json)
    if not found["sound"]:
        raise typer.Exit(FAULTY)


def show(
    suite_folder: SuiteFolder,
    world: Annotated[
        str | None, typer.Argument(metavar="WORLD", help="A world of the suite; all if absent.")
    ] = None,
    all_questions: Annotated[bool, typer.Option("--all", help="All questions.")] = False,
    json: Json = False,
) -> None:
    """Print the worlds of a suite, or one world's map, tasks, walkthroughs and questions."""
    suite = open_suite(suite_folder)
    if world is None:
        tell(suite.manifest, [_worlds(suite)], json=json)
        return
    bundle = suite.bundle(world)
    questions = len(bundle.questions) if all_questions else SAMPLE
    tell(_world_document(bundle), _world(bundle, questions), json=json)


def _settings(pairs: list[str]) -> tuple[tuple[str, str], ...]:
    """Read ``name=value`` pairs; the order in which they are given does not matter."""
    settings: dict[str, str] = {}
    for text in pairs:
        name, sign, value = text.partition("=")
        if not sign:
            raise KnobError(f"--set {text!r}: give it as NAME=VALUE, e.g. rooms=4..5")
        if name in settings:
            raise KnobError(f"--set {name}: given twice, as {settings[name]!r} and {value!r}")
        settings[name] = value
    return tuple(sorted(settings.items()))


def _verdicts(found: dict[str, Any], verdicts: tuple[Verdict, ...]) -> Iterator[str]:
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
    keys = ("id", "rooms", "objects", "tasks", "questions")
    rows = (tuple(str(entry[key]) for key in keys) for entry in suite.manifest["worlds"])
    return plain(rows, "world", *keys[1:])


def _world(bundle: Bundle, questions: int) -> Iterator[Any]:
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
    marks = {
        (room, way): "-" if way in ("east", "west") else "|"
        for room, ways in spec.ways.items()
        for way in ways
    }
    for end, door in spec.doors.items():
        locked, open = LOCKED(door) in spec.initial, OPEN(door) in spec.initial
        marks[end] = "#" if locked else "/" if open else "+"
    return marks
