"""A run's folder, which stands by itself: it keeps the mazes that were asked about.

    RUN/manifest.json                 written first: the mazes' digests, the answerer, the questions
    RUN/mazes/GAME/steps70/GAME.*     the whole mazes with their walkthroughs, in MANGO's files
    RUN/.rows.journal                 replies as they come
    RUN/rows.jsonl scores.json        written last
    RUN/logs                          inspect's logs

So answers are scored, compared and shown without the folder that the mazes came from.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError
from worldquiz.mango.asking.ask import Budget, Template, Text
from worldquiz.mango.games.minigames import Setting
from worldquiz.mango.maze.mango import Layout, games, read
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.maze.write import write
from worldquiz.mango.paths.pairs import Route
from worldquiz.mango.paths.path_tree import Net
from worldquiz.mango.scoring.grade import Task
from worldquiz.records import digest, write_folder
from worldquiz.runs.folder import MANIFEST, RunManifest, answered_by, begin, read_manifest


@dataclass(frozen=True, kw_only=True)
class _OnMazes(RunManifest):
    mazes: Mapping[str, str]  # digests
    steps: int = 0
    seed: int = 0


@dataclass(frozen=True, kw_only=True)
class QuizManifest(_OnMazes):
    """Keys that the manifest of a run of questions may have."""

    read: Mapping[str, int] = field(default_factory=dict)  # steps
    rf_easy: Route = Route.SHORTEST
    template: Template = Template.PAPER
    walkthrough: Text = Text.FULL
    tasks: Sequence[Task] = ()
    per_maze: int | None = None
    budget: Budget | None = None
    shots: int | None = None
    questions: int | None = None  # how many; runs of old do not tell
    constrained: bool = False
    imported: Mapping[str, str] | None = None  # where the answers come from, and their digest


@dataclass(frozen=True, kw_only=True)
class MinigamesManifest(_OnMazes):
    """Keys that the manifest of a run of minigames may have."""

    settings: Sequence[Setting] = ()
    per_maze: int = 0
    tokens: int | None = None
    tokenizer: str | None = None


KIND, MAZES = "mango", "mazes"
MINIGAMES = "mango-minigames"
"""The kind of runs of minigames."""


def fingerprint(maze: Maze) -> str:
    """Return a digest of a maze and its walkthrough; the order of places and edges adds nothing."""
    walk = [(step.number, step.action, step.observation) for step in maze.walkthrough]
    return digest(maze.name, Net.of(maze).digest, json.dumps([maze.steps, walk]))


def fingerprints(mazes: Mapping[str, Maze]) -> dict[str, str]:
    """Return the digests of some mazes, as a manifest holds them."""
    return {name: fingerprint(maze) for name, maze in mazes.items()}


def begin_run(
    out: Path, manifest: Mapping[str, Any], mazes: Mapping[str, Maze], *, kind: str = KIND
) -> None:
    """Begin or resume a run in a claimed folder: its manifest, then its mazes.

    The manifest is kept with its kind and the mazes' digests. Raises `RecordError` where the folder
    was begun for something else, or where a maze cannot be written.
    """
    begin(out, MANIFEST, {"kind": kind, **manifest, "mazes": fingerprints(mazes)})
    keep_mazes(out, mazes, kind=kind)


def keep_mazes(out: Path, mazes: Mapping[str, Maze], *, kind: str = KIND) -> None:
    """Write a begun run's mazes, or check that those there are the ones that it began with."""
    for stale in out.glob(f".{MAZES}.*"):  # of a killed process
        shutil.rmtree(stale, ignore_errors=True)
    if (out / MAZES).is_dir():
        read_mazes(out, kind=kind)
        return

    def fill(aside: Path) -> None:
        for maze in mazes.values():
            write(maze, aside)

    write_folder(out / MAZES, fill)


def read_run_manifest(run: Path, kind: str = KIND) -> dict[str, Any]:
    """Return the manifest of a run of MANGO's questions. Raises `RecordError` if it is none."""
    if kind == KIND:
        return read_manifest(run, kind, "MANGO run", QuizManifest)
    return read_manifest(run, kind, "run of MANGO's minigames", MinigamesManifest)


def answerer_of(manifest: Mapping[str, Any]) -> str:
    """Return who answered, as tables and rows call them."""
    name = answered_by(manifest)
    return f"{name}, {manifest['shots']}-shot map" if "shots" in manifest else name


def read_mazes(run: Path, *, kind: str = KIND) -> dict[str, Maze]:
    """Return the mazes of a run, whole, by name.

    Raises `RecordError` where they are not those that the run was begun with.
    """
    promised = read_run_manifest(run, kind)["mazes"]
    homes = {home.game: home for home in games(run / MAZES, Layout.STEPS70)}
    found = {name: read(homes[name]) for name in sorted(promised) if name in homes}
    for name in sorted(promised):
        if name not in found or fingerprint(found[name]) != promised[name]:
            fault = "is missing" if name not in found else "is not the one that was asked about"
            raise RecordError(
                f"{run / MAZES}: maze {name!r} {fault}: the run is damaged; restore the folder or "
                "delete the run"
            )
    return found
