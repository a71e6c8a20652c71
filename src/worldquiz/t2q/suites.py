"""A suite: worlds with their tasks and questions, as stored on disk.

    SUITE/plan.json                 written first: preset, seed, parameters; a build resumes from it
    SUITE/worlds/easy-00/spec.jsonl tasks.jsonl quiz.jsonl
                         games/                    with --per-task-games, for TextWorld
    SUITE/manifest.json             written last: versions, the digest, and each world's hashes

A world's folder is written whole or not at all (`write_folder`). One process at a time writes into
a suite (`claimed`).

Each world of a suite is opened by a class or function, which the manifest names. It may have the
parameters ``spec`` (the world as a value) and ``folder`` (where the suite keeps the world), and
returns a `World`::

    def opened(spec: WorldSpec, folder: Path) -> World: ...

Its name is ``module:attribute``, or an entry point that a package adds to ``worldquiz.worlds``.
`worldquiz.t2q.suite` makes a suite of such worlds, and `check.check_world` tests a world against
the protocol.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self, cast

from worldquiz import records
from worldquiz.errors import CatalogError, RecordError, WorldError, did_you_mean
from worldquiz.facts.episode import Episode
from worldquiz.facts.evidence import Evidence
from worldquiz.facts.fact import State
from worldquiz.plugins import Catalogue
from worldquiz.records import digest, read_bytes, read_records, write_bytes, write_records
from worldquiz.runs.folder import MANIFEST, check_whole, read_manifest, world_folder
from worldquiz.runs.given import fresh
from worldquiz.t2q.question import Question
from worldquiz.t2q.world import config
from worldquiz.t2q.world.config import Budget
from worldquiz.t2q.world.spec import Task, World, WorldSpec

WORLD = "python"
"""Name in the catalogue of the class that opens the worlds of a plan."""
CATALOGUE = Catalogue(
    noun="world",
    group="worldquiz.worlds",
    ours={WORLD: "worldquiz.t2q.world.game:Game"},
)


@dataclass(frozen=True, slots=True)
class Bundle:
    """A world with its tasks and questions."""

    spec: WorldSpec
    tasks: tuple[Task, ...]
    questions: tuple[Question, ...]

    def evidence(self, episodes: Iterable[Episode]) -> Evidence:
        """Return the evidence about the world that episodes of its tasks showed."""
        later = {task.id for task in self.tasks if task.later}
        told = [self._dated(each) if each.task in later else each for each in episodes]
        return Evidence.of(told, self.truth)

    def _dated(self, episode: Episode) -> Episode:
        steps = (
            replace(step, revealed=tuple(map(self.spec.dated, step.revealed)))
            for step in episode.steps
        )
        return replace(episode, steps=tuple(steps))

    @property
    def truth(self) -> State:
        """All facts that are true at the start or, in a world that changes, after the change."""
        if not any(task.later for task in self.tasks):
            return self.spec.initial
        return self.spec.initial.union(map(self.spec.dated, self.spec.later.initial))


def write_bundle(
    folder: Path, bundle: Bundle, games: Mapping[str, bytes] = MappingProxyType({})
) -> None:
    """Write a world's spec, tasks and questions into its folder, and games by their names."""
    for name, data in games.items():
        write_bytes(folder / name, data)
    write_records(folder / "spec.jsonl", "world", WorldSpec, [bundle.spec])
    write_records(folder / "tasks.jsonl", "task", Task, bundle.tasks)
    write_records(folder / "quiz.jsonl", "question", Question, bundle.questions)


def read_bundle(folder: Path) -> Bundle:
    """Read what `write_bundle` wrote."""
    specs = read_records(folder / "spec.jsonl", "world", WorldSpec)
    if len(specs) != 1:
        raise RecordError(f"{folder / 'spec.jsonl'}: expected one world, found {len(specs)}")
    tasks = read_records(folder / "tasks.jsonl", "task", Task)
    questions = read_records(folder / "quiz.jsonl", "question", Question)
    return Bundle(specs[0], tuple(tasks), tuple(questions))


@dataclass(frozen=True, kw_only=True)
class SuiteEntry:
    """Fields of a world in a manifest."""

    id: str
    level: str
    rooms: int
    objects: int
    tasks: int
    questions: int
    files: Mapping[str, str]
    digest: str
    world: str = WORLD


@dataclass(frozen=True, kw_only=True)
class FinishedPlan:
    """Required fields of the plan in a suite's manifest, whatever the version of its rules."""

    preset: str
    settings: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class SuiteManifest:
    """Fields of a suite's manifest."""

    world: str
    digest: str
    worlds: Sequence[SuiteEntry]
    plan: FinishedPlan | None = None


@dataclass(frozen=True, repr=False)
class Suite:
    """A finished suite on disk."""

    path: Path
    manifest: Mapping[str, Any]

    @classmethod
    def load(cls, path: Path | str) -> Self:
        """Open a finished suite. Raises `RecordError` if it is missing or incomplete."""
        folder = Path(path)
        if not folder.exists():
            raise RecordError(
                f"{folder}: there is no such folder: make a suite by `worldquiz t2q build --preset "
                f"easy --seed 0 --out {folder}`"
            )
        if not (folder / MANIFEST).is_file() and (folder / "plan.json").is_file():
            check_whole(folder)
            raise RecordError(f"{folder}: the build was stopped: run its command again to continue")
        manifest = read_manifest(folder, "suite", "suite", SuiteManifest)
        if not manifest["worlds"]:
            raise RecordError(f"{folder / MANIFEST}: lists no worlds: build the suite again")
        names = [world["id"] for world in manifest["worlds"]]
        records.plain_names(names, folder / MANIFEST)
        if len(set(names)) < len(names):
            raise RecordError(f"{folder / MANIFEST}: lists a world twice: build the suite again")
        for name in {name for world in manifest["worlds"] for name in world["files"]}:
            records.beneath(name, folder / MANIFEST)
        return cls(folder, manifest)

    def __repr__(self) -> str:
        worlds = "1 world" if len(self.worlds) == 1 else f"{len(self.worlds)} worlds"
        return f"{type(self).__name__}({str(self.path)!r}, {worlds})"

    @property
    def digest(self) -> str:
        """Digest of the content: it changes if and only if the content does."""
        return str(self.manifest["digest"])

    @property
    def worlds(self) -> tuple[str, ...]:
        """The ids of the worlds, level by level."""
        return tuple(world["id"] for world in self.manifest["worlds"])

    @property
    def knobs(self) -> Mapping[str, config.Knobs]:
        """The parameters of each level; empty for a user's own worlds."""
        plan = self.manifest.get("plan")
        return config.turned(plan["preset"], plan["settings"]) if plan else {}

    @property
    def budget(self) -> Budget:
        """Default budget of runs, from the preset."""
        plan = self.manifest.get("plan")
        if not plan or (plan["preset"] == config.PAPER and "budget" not in plan["settings"]):
            return Budget()
        return Budget(None, next(knobs.budget for knobs in self.knobs.values()))

    def first_opened(self) -> Bundle:
        """Open the first world, to check that it can be played, and return it."""
        bundle = self.bundle(self.worlds[0])
        with self.opened(bundle):
            return bundle

    def entry(self, world: str) -> Mapping[str, Any]:
        """Return a world's entry in the manifest. Raises `WorldError` if there is none."""
        if world not in self._entries:
            raise WorldError(f"{self.path}: no world {world!r}{did_you_mean(world, self.worlds)}")
        return self._entries[world]

    @cached_property
    def _entries(self) -> Mapping[str, Mapping[str, Any]]:
        """Manifest entries by world, so that finding one of thousands needs no search."""
        return {entry["id"]: entry for entry in self.manifest["worlds"]}

    def folder(self, world: str) -> Path:
        """Return where a world is kept. Raises `WorldError` if the suite has no such world."""
        self.entry(world)
        return world_folder(self.path, world)

    def bundle(self, world: str) -> Bundle:
        """Read a world. Raises `RecordError` if it differs from its digest in the manifest."""
        folder = self.folder(world)
        bundle = read_bundle(folder)
        for name, wanted in self.entry(world)["files"].items():
            if digest(read_bytes(folder / name)) != wanted:
                raise RecordError(
                    f"{folder / name}: differs from its digest in {self.path / 'manifest.json'}: "
                    f"delete {self.path} and build it again"
                )
        return bundle

    def opener(self, world: str) -> str:
        """Return the name of the code that opens a world, such as ``module:attribute``."""
        return str(self.entry(world).get("world", self.manifest["world"]))

    @contextmanager
    def opened(self, bundle: Bundle) -> Iterator[World]:
        """Open a world to be played, and close it again.

        Raises `CatalogError` if the code that opens it is unknown or does not make a world, and
        `WorldError` if it makes a world that differs from the suite's.
        """
        spec, folder = bundle.spec, self.folder(bundle.spec.id)
        name = self.opener(spec.id)
        world = as_world(fresh(CATALOGUE.load(name), "world", spec=spec, folder=folder), name)
        if world.spec != spec:
            raise WorldError(
                f"world {spec.id!r}: {name!r} now makes a world that differs from {folder}: build "
                "the suite again"
            )
        try:
            yield world
        finally:
            world.close()


def as_world(made: object, name: str) -> World:
    """Return an object, checked to be a world. Raises `CatalogError` if it lacks a method."""
    for method in ("spec", "state", "reset", "step", "close"):
        if not hasattr(made, method):
            kind = type(made).__name__
            raise CatalogError(f"world {name!r}: {kind} is not a World: missing {method!r}")
    return cast("World", made)
