"""A suite: the plan by which it is built, and the worlds that stand on disk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

import worldquiz
from worldquiz import rng
from worldquiz.errors import KnobError, RecordError, WorldError, did_you_mean
from worldquiz.records import digest, read_bytes
from worldquiz.runs.folder import read_manifest, world_folder
from worldquiz.t2q.store import Bundle, read_bundle
from worldquiz.t2q.world import config
from worldquiz.t2q.world.base import World
from worldquiz.t2q.world.catalog import opened

WORLD = "textworld"
"""The kind of world that Task2Quiz is made of, by its name in `worlds.catalog`."""
CONTENT = ("spec.jsonl", "tasks.jsonl", "quiz.jsonl", "game.ni")
"""The files that are a world's content. Games are compared by their Inform text: the header of a
compiled game holds the day on which it was compiled."""


class Slot(NamedTuple):
    """One world of a plan."""

    level: str
    seed: int
    id: str  # "hard-03"


@dataclass(frozen=True, slots=True)
class Plan:
    """All that decides what a suite holds: equal plans, equal suites.

    A world depends on the seed, its level and its number alone, so a suite of 20 worlds a level
    begins with the worlds of the suite of 10.
    """

    preset: str
    seed: int
    worlds: int = config.WORLDS_PER_LEVEL  # per level
    settings: tuple[tuple[str, str], ...] = ()  # knobs turned, as (name, text)
    compiled: bool = True
    per_task_games: bool = False

    def __post_init__(self) -> None:
        if self.worlds < 1:
            raise KnobError(f"worlds: {self.worlds} worlds a level make no suite; give 1 or more")
        if self.per_task_games and not self.compiled:
            raise KnobError("per-task games are compiled games: leave out --no-compile")
        self.knobs()

    def knobs(self) -> dict[str, config.Knobs]:
        """Return the knobs of each level. Raises `KnobError`."""
        return {
            level: config.turned(config.PRESETS[level], dict(self.settings))
            for level in config.levels(self.preset)
        }

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The worlds, level by level."""
        return tuple(
            Slot(level, rng.child_seed(self.seed, level, number), f"{level}-{number:02}")
            for level in config.levels(self.preset)
            for number in range(self.worlds)
        )

    def record(self) -> dict[str, Any]:
        """Return the plan as it is written into ``plan.json`` and the manifest."""
        return {**asdict(self), "settings": dict(self.settings)}


@dataclass(frozen=True, slots=True)
class Suite:
    """A finished suite on disk."""

    path: Path
    manifest: Mapping[str, Any]

    @property
    def digest(self) -> str:
        """Changes if and only if the content does."""
        return str(self.manifest["digest"])

    @property
    def worlds(self) -> tuple[str, ...]:
        """The ids of the worlds, level by level."""
        return tuple(world["id"] for world in self.manifest["worlds"])

    def require_games(self) -> None:
        """Raise `WorldError` if the suite was built on paper only."""
        if not self.manifest["plan"]["compiled"]:
            raise WorldError(
                f"{self.path}: was built with --no-compile and has no games to play: build it "
                "without --no-compile, into another folder"
            )

    def folder(self, world: str) -> Path:
        """Return where a world is kept. Raises `WorldError` if the suite has no such world."""
        if world not in self.worlds:
            raise WorldError(f"{self.path}: no world {world!r}{did_you_mean(world, self.worlds)}")
        return world_folder(self.path, world)

    def bundle(self, world: str) -> Bundle:
        """Read a world. Raises `RecordError` if it is not what the manifest says it is."""
        folder = self.folder(world)
        entry = next(entry for entry in self.manifest["worlds"] if entry["id"] == world)
        bundle = read_bundle(folder)
        for name, wanted in entry["files"].items():
            if digest(read_bytes(folder / name)) != wanted:
                raise RecordError(
                    f"{folder / name}: is not what {self.path / 'manifest.json'} says it is: "
                    f"delete {self.path} and build it again"
                )
        return bundle

    @contextmanager
    def opened(self, bundle: Bundle) -> Iterator[World]:
        """Open a world's game and close it again. Raises `WorldError` if there is none."""
        world = opened(self.manifest["world"], bundle.spec, self.folder(bundle.spec.id))
        try:
            yield world
        finally:
            world.close()


def open_suite(path: Path) -> Suite:
    """Open a finished suite. Raises `RecordError` if there is none, or not a whole one."""
    if not (path / "manifest.json").is_file() and (path / "plan.json").is_file():
        raise RecordError(f"{path}: the build was stopped: give the same build command again")
    suite = Suite(path, read_manifest(path, "suite", "suite"))
    missing = {"digest", "plan", "worlds"} - set(suite.manifest)
    if missing:
        raise RecordError(f"{path / 'manifest.json'}: no {min(missing)!r}: build the suite again")
    return suite


def versions() -> dict[str, str]:
    """Return the versions that records depend on; a library that is not installed has none."""
    found = {"worldquiz": worldquiz.__version__}
    for library in ("textworld", "jericho"):
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            found[library] = "none"
    return found
