"""Commands on suites and their runs, and lists of agents and memories."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from worldquiz.cli.options import (
    BUILD_SEED,
    JOBS,
    JSON,
    ON,
    RUN,
    RUN_OUT,
    SHARD,
    argument,
    command,
    option,
    out,
    pairs,
    seed_of,
    settings,
)
from worldquiz.cli.shell import FAULTY, tell, tell_run, tell_shard, workers, working
from worldquiz.t2q.settings import T2QSettings

if TYPE_CHECKING:
    from worldquiz.t2q.suites import Bundle

SUITE = argument("suite", "SUITE", "Folder that `worldquiz t2q build` made.")
SAMPLE = 10
"""How many questions `show` prints unless all are asked for."""


@command
@out("Folder of the suite.")
@option(
    "--preset",
    required=True,
    help="One of easy, medium, hard, explore, infer, change; or paper for the first three.",
)
@BUILD_SEED
@option("--worlds", type=int, default=10, help="Number of worlds per level.")
@option(
    "--set",
    "parameters",
    metavar="NAME=VALUE",
    multiple=True,
    help="Set a parameter of every level, e.g. rooms=4..5.",
)
@option(
    "--per-task-games",
    is_flag=True,
    help="Also compile each task to a game for TextWorld, as the paper does.",
)
@JOBS
@ON
@SHARD
@JSON
def build(
    out: Path,
    preset: str,
    seed: int | None,
    worlds: int,
    parameters: Sequence[str],
    per_task_games: bool,
    jobs: int | None,
    on: str | None,
    shard: str | None,
    json: bool,
) -> None:
    """Build worlds with their tasks and questions; a stopped build can be resumed."""
    from worldquiz.t2q.builder import Plan, finish
    from worldquiz.t2q.suites import Suite

    given = pairs(parameters, "--set", "rooms=4..5")
    plan = Plan(preset, seed_of(seed, out, shard), worlds, given, per_task_games)
    with working("building", len(plan.slots), "what is built is kept", on, jobs) as done:
        finish(plan, out, shard=shard, jobs=workers(jobs), done=done)
    if shard is not None:
        tell_shard(out, json=json)
        return
    suite = Suite.load(out)
    manifest = str(suite.path / "manifest.json")
    document = {"manifest": manifest, "digest": suite.digest, "worlds": len(suite.worlds)}
    many = "1 world" if len(suite.worlds) == 1 else f"{len(suite.worlds)} worlds"
    line = f"{many} in {suite.path}, digest {suite.digest[:16]}"
    tell(document, [line], json=json)


@command
@SUITE
@JSON
def stats(suite: Path, json: bool) -> None:
    """Print sizes of a suite's worlds and quizzes, beside Table 1 of the paper."""
    from worldquiz.t2q import tables
    from worldquiz.t2q.suites import Suite

    found = tables.stats(Suite.load(suite))
    tell(found, tables.table_1(found["levels"]), json=json)


@command
@SUITE
@JOBS
@ON
@JSON
def check(suite: Path, jobs: int | None, on: str | None, json: bool) -> None:
    """Replay every walkthrough and check each world; the exit code is 1 if a check fails."""
    from worldquiz.t2q.check import check_worlds
    from worldquiz.t2q.suites import Suite

    opened = Suite.load(suite)
    with working("replaying", len(opened.worlds), on=on, jobs=jobs) as done:
        found = check_worlds(opened, jobs=workers(jobs), done=done)
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
@argument("world", "WORLD", "A world of the suite; default: all.", type=str, required=False)
@option("--all", "every", is_flag=True, help="Print all questions.")
@JSON
def show(suite: Path, world: str | None, every: bool, json: bool) -> None:
    """Print the worlds of a suite, or one world's map, tasks, walkthroughs and questions."""
    from json import loads

    from worldquiz.page.terminal import table
    from worldquiz.records import dumps
    from worldquiz.t2q.suites import Bundle, Suite

    opened = Suite.load(suite)
    if world is None:
        keys = ("id", "rooms", "objects", "tasks", "questions")
        rows = (tuple(str(entry[key]) for key in keys) for entry in opened.manifest["worlds"])
        tell(opened.manifest, [table(rows, "world", *keys[1:])], json=json)
        return
    bundle = opened.bundle(world)
    shown = _world(bundle, len(bundle.questions) if every else SAMPLE)
    tell(loads(dumps(bundle, Bundle)), shown, json=json)


def _world(bundle: Bundle, questions: int) -> Iterator[Any]:
    from worldquiz.t2q.world.predicates import LOCKED, OPEN

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
    if any(task.later for task in bundle.tasks):
        pairs = (pair for pair in spec.partners if spec.place[pair[0]] != spec.later.place[pair[0]])
        yield f"Swapped before the last tasks: {'; '.join(map(' and '.join, pairs))}\n"
    for task in bundle.tasks:
        yield f"{task.id}: {task.objective}"
        plan = task.walkthrough
        commands = ", ".join(plan.commands)
        yield f"  {plan.proof}: {commands}\n"
    for question in bundle.questions[:questions]:
        yield f"{question.id}: {question.text} -> {question.gold}"
    left = len(bundle.questions) - questions
    if left > 0:
        yield f"and {left} more {'question' if left == 1 else 'questions'} (--all: all)"


@command
@JSON
def agents(json: bool) -> None:
    """List agents and answerers; any agent can be paired with any answerer."""
    from worldquiz.page.terminal import table
    from worldquiz.t2q.agents.catalog import AGENTS, ANSWERERS, ROLES

    document, rows = {}, []
    for key, does, part in (("agents", "acts", AGENTS), ("answerers", "answers", ANSWERERS)):
        told = [(name, ROLES.get(name, "agent"), summary)
                for name, summary in part.summaries().items()]  # fmt: skip
        document[key] = [dict(zip(("name", "role", "summary"), each, strict=True)) for each in told]
        rows += [(name, does, role, summary) for name, role, summary in told]
    tell(document, [table(rows, "name", "does", "role", "what it is")], json=json)


@command
@JSON
def memories(json: bool) -> None:
    """List memories: version, requirements, and how to install a missing one."""
    from worldquiz.memory.catalog import memories, version
    from worldquiz.page.terminal import table

    lines, rows = [], []
    for entry in memories():
        lacking = entry.missing
        found = None if lacking else version(entry.name)
        install = f"pip install 'worldquiz[{entry.extra}]'" if lacking and entry.extra else None
        lines.append({
            "name": entry.name, "summary": entry.summary, "version": found, "extra": entry.extra,
            "model": entry.calls_model, "embedder": entry.embeds, "usable": lacking is None,
            "missing": lacking, "install": install,
        })  # fmt: skip
        needs = ["model"] * entry.calls_model + ["embedder"] * entry.embeds
        told = found or install or f"{lacking} is missing"
        rows.append((entry.name, told, ", ".join(needs), entry.summary))
    shown = [
        table(rows, "name", "version", "needs", "what it is"),
        "An embedder is the library sentence-transformers, or an endpoint.",
    ]
    tell({"memories": lines}, shown, json=json)


@command
@SUITE
@RUN_OUT
@option("--agent", help="Who acts: `worldquiz t2q agents` lists them. By default, the model.")
@option("--answerer", help="Who takes the quiz: see `worldquiz t2q agents`. By default, the model.")
@settings(T2QSettings)
@JSON
def run(
    suite: Path,
    out: Path | None,
    agent: str | None,
    answerer: str | None,
    settings: T2QSettings,
    json: bool,
) -> None:
    """Let an agent play every task and an answerer take every quiz.

    Each is a scripted player or a language model with a memory. A stopped run can be resumed.
    """
    from worldquiz.t2q.front import load

    opened = load(suite)
    model = settings.model
    title = f"{model} + {settings.memory}" if model else f"{agent} + {answerer}"
    on, jobs = settings.on, settings.jobs
    with working(title, len(opened.worlds), "what is played is kept", on, jobs) as done:
        given = replace(settings, jobs=workers(jobs))
        run = opened.run(agent=agent, answerer=answerer, out=out, settings=given, progress=done)
    tell_run(run, settings.shard, json=json)


@command
@RUN
@JSON
def checkpoints(run: Path, json: bool) -> None:
    """Score a run by the paper's checkpoints, as in its Figure 8; nothing is written.

    By these, a question is answerable once the agent has been in the rooms that it is about.
    """
    from worldquiz.t2q.run_folder import manifest_of, names_of
    from worldquiz.t2q.scores import of_run
    from worldquiz.t2q.tables import figure_8

    found = {"run": " + ".join(names_of(manifest_of(run))), **of_run(run, paper=True)}
    tell(found, figure_8(found), json=json)
