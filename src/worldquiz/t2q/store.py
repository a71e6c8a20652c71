"""The two folders that worldquiz writes: a suite (worlds to play) and a run (one agent on a suite).

    SUITE/plan.json                 written first: preset, seed, parameters; a build resumes by it
    SUITE/worlds/easy-00/spec.jsonl tasks.jsonl quiz.jsonl
                         game.z8 game.ni games/    with --games, for TextWorld
    SUITE/manifest.json             written last: versions, the digest, and each world's hashes

    RUN/manifest.json               written first: the suite's digest, agent, answerer, seed
    RUN/worlds/easy-00/spec.jsonl tasks.jsonl quiz.jsonl episodes.jsonl answers.jsonl
                       moves.jsonl replies.jsonl contexts.jsonl usage.jsonl    of a model only
                       failed.jsonl   what failed there and why, if anything did
    RUN/scores.json                 written last; computed from the above

A run holds all that rescoring and reporting need, so neither replays anything. A world's folder
appears whole or not at all (`write_folder`): a killed run resumes with the worlds that are missing.
One process at a time writes into a suite or run (`claimed`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, overload

from worldquiz import trust
from worldquiz.errors import RecordError
from worldquiz.facts.episode import Episode
from worldquiz.facts.question import Answer, Question
from worldquiz.llm.records import CommandReply, Context, Usage
from worldquiz.memory.base import Wiring
from worldquiz.records import Told, digest, read_bytes, read_records, write_records
from worldquiz.runs.folder import (
    FAILURES,
    MANIFEST,
    MODEL,
    RunManifest,
    answered_by,
    read_manifest,
    world_folder,
)
from worldquiz.runs.losses import read_losses
from worldquiz.runs.notices import AGAIN
from worldquiz.runs.progress import is_so_far
from worldquiz.runs.shard import check_whole
from worldquiz.t2q.trace import Failure, Reply, Trace
from worldquiz.t2q.world.spec import Task, WorldSpec

_BUNDLE = ("spec.jsonl", "tasks.jsonl", "quiz.jsonl")
_TRACE = (
    ("moves", "move", CommandReply),
    ("replies", "reply", Reply),
    ("contexts", "context", Context),
    ("usage", "usage", Usage),
)
"""A trace's parts: the field, and so the file; the schema; the record."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """A world with its tasks and questions."""

    spec: WorldSpec
    tasks: tuple[Task, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A bundle, one agent's episodes in it (in task order), and its answers (in quiz order)."""

    bundle: Bundle
    episodes: tuple[Episode, ...]
    answers: tuple[Answer, ...]
    trace: Trace = field(default_factory=Trace)  # empty where no model took part
    failures: tuple[Failure, ...] = ()

    @property
    def lost(self) -> str | None:
        """Why the whole world failed: nothing was played, nothing was asked. None: it did not."""
        return next((each.reason for each in self.failures if each.question is None), None)


@dataclass(frozen=True, kw_only=True)
class WorldsManifest(RunManifest):
    """Fields of a run's manifest; only models' runs state those that are None by default."""

    agent: str
    answerer: str
    worlds: Sequence[str]
    suite: str | None = None
    seed: int = 0
    max_steps: int | None = None
    budget: float | None = None
    memory: str | None = None
    solver: str | None = None  # that took the place of the inspect task's own, and of its memory
    wiring: Wiring | None = None
    options: Mapping[str, Any] | None = None
    embedder: str | None = None


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One agent and answerer on one suite."""

    path: Path
    manifest: dict[str, Any]
    worlds: Sequence[Played]
    lost: tuple[Played, ...] = ()  # worlds that failed: in no score

    @property
    def name(self) -> str:
        """Name of the run in tables: its agent and answerer."""
        return f"{self.agent} + {self.answerer}"

    @property
    def agent(self) -> str:
        """Name of the agent; a model goes by its own name."""
        agent = str(self.manifest["agent"])
        return self._model if agent == MODEL else agent

    @property
    def answerer(self) -> str:
        """Name of the answerer: a model by memory or solver, with its name if another played."""
        if self.manifest["answerer"] != MODEL:
            return answered_by(self.manifest)
        memory = str(self.manifest.get("solver") or self.manifest["memory"])
        return memory if self.manifest["agent"] == MODEL else f"{self._model}, {memory}"

    @property
    def _model(self) -> str:
        return str(self.manifest["model"])


@dataclass(frozen=True, slots=True, eq=False)
class StoredWorlds(Sequence[Played]):
    """The worlds of a run's folder: each is read whenever it is asked for, and none is held.

    So a run takes the memory of one world, however many it has; a caller may keep a world.
    """

    folder: Path
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.names)

    @overload
    def __getitem__(self, place: int) -> Played: ...
    @overload
    def __getitem__(self, place: slice) -> StoredWorlds: ...
    def __getitem__(self, place: int | slice) -> Played | StoredWorlds:
        if not isinstance(place, slice):
            return self._read(self.names[place])
        return StoredWorlds(self.folder, self.names[place])

    def __iter__(self) -> Iterator[Played]:
        return map(self._read, self.names)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or len(self) != len(other):
            return NotImplemented
        return all(one == another for one, another in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def _read(self, name: str) -> Played:
        return named(read_played(world_folder(self.folder, name)), name, self.folder)


@lru_cache(8)
def bundle_digest(bundle: Bundle) -> str:
    """Return what tells bundles apart, far smaller than they are: equal bundles, equal digests."""
    return digest(repr(bundle))


def write_bundle(folder: Path, bundle: Bundle) -> None:
    """Write a world's spec, tasks and questions into its folder."""
    write_records(folder / "spec.jsonl", "world", WorldSpec, [bundle.spec])
    write_records(folder / "tasks.jsonl", "task", Task, bundle.tasks)
    write_records(folder / "quiz.jsonl", "question", Question, bundle.questions)


def read_bundle(folder: Path) -> Bundle:
    """Read what `write_bundle` wrote. Runs on one suite hold equal files, which are read once."""
    return _bundle(_BundleFiles(tuple(read_bytes(folder / name) for name in _BUNDLE), folder))


@dataclass(frozen=True, slots=True)
class _BundleFiles:
    """The files of a bundle: equal ones hold one bundle, wherever they lie."""

    data: tuple[bytes, ...]
    folder: Path = field(compare=False)


@lru_cache(4)
def _bundle(files: _BundleFiles) -> Bundle:
    folder = files.folder
    specs = read_records(folder / "spec.jsonl", "world", WorldSpec)
    if len(specs) != 1:
        raise RecordError(f"{folder / 'spec.jsonl'}: {len(specs)} worlds, wanted one")
    tasks = read_records(folder / "tasks.jsonl", "task", Task)
    questions = read_records(folder / "quiz.jsonl", "question", Question)
    return Bundle(specs[0], tuple(tasks), tuple(questions))


def write_played(folder: Path, played: Played) -> None:
    """Write one world of a run into its folder."""
    write_bundle(folder, played.bundle)
    write_records(folder / "episodes.jsonl", "episode", Episode, played.episodes)
    write_records(folder / "answers.jsonl", "answer", Answer, played.answers)
    if played.trace != Trace():
        for part, schema, kind in _TRACE:
            write_records(folder / f"{part}.jsonl", schema, kind, getattr(played.trace, part))
    if played.failures:
        write_records(folder / "failed.jsonl", "failure", Failure, played.failures)


def write_lost(folder: Path, reason: str, *, bundle: Bundle) -> None:
    """Write a world that failed, with the reason."""
    write_played(folder, Played(bundle, (), (), failures=(Failure(None, reason),)))


def read_played(folder: Path) -> Played:
    """Read what `write_played` wrote."""
    episodes = read_records(folder / "episodes.jsonl", "episode", Episode)
    answers = read_records(folder / "answers.jsonl", "answer", Answer)
    failures = folder / FAILURES
    failed = read_records(failures, "failure", Failure) if failures.is_file() else ()
    trace = _read_trace(folder)
    return Played(read_bundle(folder), tuple(episodes), tuple(answers), trace, tuple(failed))


def _read_trace(folder: Path) -> Trace:
    """Read what only a model's part of a run has: all of its files or none."""
    if not any((folder / f"{part}.jsonl").is_file() for part, _, _ in _TRACE):
        return Trace()
    return Trace(
        **{
            part: tuple(read_records(folder / f"{part}.jsonl", schema, kind))
            for part, schema, kind in _TRACE
        }
    )


def read_run(folder: Path) -> RunRecord:
    """Open a run, or the finished part of one that a limit or a missing server ended early.

    The finished part of a run that goes on is opened inside `runs.progress.so_far`.

    Of its worlds nothing is read here but those that failed: a damaged one raises `RecordError`
    when it is read. Raises `RecordError` where a world of its manifest is missing.
    """
    manifest = read_manifest(folder, "run", "run", WorldsManifest)
    check_whole(folder)
    trust.plain_names(manifest["worlds"], folder / MANIFEST)
    left = read_losses(folder).unfinished
    asked = [world for world in manifest["worlds"] if world not in left]
    missing = [w for w in asked if not world_folder(folder, w).is_dir()]
    if is_so_far():
        asked = [world for world in asked if world not in missing]
    elif missing:
        raise RecordError(
            f"{folder}: {len(missing)} of {len(manifest['worlds'])} worlds are not played yet "
            f"(first: {missing[0]}): {AGAIN}"
        )
    marked = [w for w in asked if (world_folder(folder, w) / FAILURES).is_file()]
    failed = [named(read_played(world_folder(folder, w)), w, folder) for w in marked]
    lost = {each.bundle.spec.id: each for each in failed if each.lost is not None}
    worlds = StoredWorlds(folder, tuple(world for world in asked if world not in lost))
    return RunRecord(folder, Told(manifest, folder / MANIFEST), worlds, tuple(lost.values()))


def named(played: Played, world: str, place: object) -> Played:
    """Return a world that has the name by which a run calls it. Raises `RecordError`."""
    if played.bundle.spec.id != world:
        raise RecordError(
            f"{place}: world {world!r} holds world {played.bundle.spec.id!r}: the run is damaged"
        )
    return played
