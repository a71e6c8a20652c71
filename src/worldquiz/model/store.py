"""The two folders that worldquiz writes: a suite (worlds to play) and a run (one agent on a suite).

    SUITE/plan.json                 written first: preset, seed and knobs, by which a build resumes
    SUITE/worlds/easy-00/spec.jsonl tasks.jsonl quiz.jsonl game.ni game.z8
    SUITE/manifest.json             written last: versions, the digest, and each world's hashes

    RUN/manifest.json               written first: the suite's digest, agent, quiz taker, seed
    RUN/worlds/easy-00/spec.jsonl tasks.jsonl quiz.jsonl episodes.jsonl answers.jsonl
                       moves.jsonl replies.jsonl contexts.jsonl usage.jsonl    of a model only
    RUN/scores.json                 written last; computed from the above, never read back

A run holds all that rescoring and reporting need, so neither replays anything. A world's folder
appears whole or not at all (`write_folder`): a killed run resumes with the worlds that are missing.
One process at a time writes into a suite or run (`claimed`).
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError
from worldquiz.model.episode import Episode
from worldquiz.model.io import read_json, read_records, write_json, write_records
from worldquiz.model.llm import Context, Move, Reply, Trace, Usage
from worldquiz.model.quiz import Answer, Question
from worldquiz.model.task import Task
from worldquiz.model.world import WorldSpec

MANIFEST = "manifest.json"
MODEL = "model"
"""What a run's manifest says for its agent or quiz taker where that was a language model."""
ENDPOINT = "openai-api/endpoint"
"""The provider of models at a base URL of the user's own, as inspect is told it."""
KINDS = {
    "suite": "suite",
    "run": "run",
    "mango": "MANGO run",
    "mango-minigames": "minigame run",
    "tea-run": "TEA run",
}
"""What a folder's manifest can be of, in words."""
_SCORED_BY = {"mango": "mango score", "mango-minigames": "mango minigames-score"}
_TRACE = (
    ("moves", "move", Move),
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


@dataclass(frozen=True, slots=True)
class Run:
    """One agent and quiz taker on one suite."""

    path: Path
    manifest: dict[str, Any]
    worlds: tuple[Played, ...]

    @property
    def name(self) -> str:
        """How tables call the run: its player and quiz taker."""
        return f"{self.player} + {self.taker}"

    @property
    def player(self) -> str:
        """Who played: a model by its own name."""
        agent = str(self.manifest["agent"])
        return self._model if agent == MODEL else agent

    @property
    def taker(self) -> str:
        """Who answered: a model by its memory, with its own name where another played."""
        quiz, person = str(self.manifest["quiz"]), self.manifest.get("name")
        if quiz != MODEL:
            return f"{quiz} ({person})" if person and person != quiz else quiz
        memory = str(self.manifest["memory"])
        return memory if self.manifest["agent"] == MODEL else f"{self._model}, {memory}"

    @property
    def _model(self) -> str:
        """The model's name; behind a base URL it is the server's own, without inspect's prefix."""
        return str(self.manifest["model"]).removeprefix(f"{ENDPOINT}/")


def read_manifest(folder: Path, kind: str) -> dict[str, Any]:
    """Read a manifest of some kind (see `KINDS`). Raises `RecordError` if it is of another."""
    path, wanted = folder / MANIFEST, KINDS[kind]
    if not path.is_file():
        raise RecordError(f"{folder}: no {MANIFEST}: this is no {wanted} of worldquiz")
    manifest = read_json(path)
    found = manifest.get("kind") if isinstance(manifest, dict) else None
    if found != kind:
        way = f"; see `worldquiz {_SCORED_BY[found]}`" if found in _SCORED_BY else ""
        called = KINDS.get(str(found), "damaged file")
        raise RecordError(f"{path}: is a {called}, wanted a {wanted}{way}")
    return dict(manifest)


def world_folder(folder: Path, world: str) -> Path:
    """Return where a suite or run keeps a world."""
    return folder / "worlds" / world


def write_bundle(folder: Path, bundle: Bundle) -> None:
    """Write a world's spec, tasks and questions into its folder."""
    write_records(folder / "spec.jsonl", "world", WorldSpec, [bundle.spec])
    write_records(folder / "tasks.jsonl", "task", Task, bundle.tasks)
    write_records(folder / "quiz.jsonl", "question", Question, bundle.questions)


def read_bundle(folder: Path) -> Bundle:
    """Read what `write_bundle` wrote."""
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


def read_played(folder: Path) -> Played:
    """Read what `write_played` wrote."""
    episodes = read_records(folder / "episodes.jsonl", "episode", Episode)
    answers = read_records(folder / "answers.jsonl", "answer", Answer)
    return Played(read_bundle(folder), tuple(episodes), tuple(answers), _read_trace(folder))


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


def read_run(folder: Path) -> Run:
    """Read a whole run. Raises `RecordError` where a world of its manifest is missing."""
    manifest = read_manifest(folder, "run")
    missing = [w for w in manifest["worlds"] if not world_folder(folder, w).is_dir()]
    if missing:
        raise RecordError(
            f"{folder}: {len(missing)} of {len(manifest['worlds'])} worlds are not played yet "
            f"(first: {missing[0]}): give the same command again to resume"
        )
    played: Sequence[Played] = [
        read_played(world_folder(folder, world)) for world in manifest["worlds"]
    ]
    return Run(folder, manifest, tuple(played))


@contextmanager
def claimed(folder: Path) -> Iterator[None]:
    """Hold a suite or run, made if need be, for one writing process.

    The system lets go of the claim when the process ends, however it ends. Raises `RecordError` if
    the folder cannot be made or another process holds it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        reason = "it is a file" if folder.is_file() else error.strerror or error
        raise RecordError(f"{folder}: no folder to write into: {reason}; choose another") from error
    try:
        _lock(handle, folder)
        yield
    finally:
        os.close(handle)


def _lock(handle: int, folder: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise RecordError(f"{folder}: another worldquiz is writing here; wait for it") from error


def begin(folder: Path, name: str, record: dict[str, Any]) -> None:
    """Write down in file `name` what a claimed folder is for, and sweep what a killed process left.

    Raises `RecordError` where the folder was begun for something else, or holds other things.
    """
    path = folder / name
    if path.is_file():
        _check_same(path, record)
    elif strange := [entry for entry in folder.iterdir() if not entry.name.startswith(f".{name}.")]:
        raise RecordError(
            f"{folder}: holds {min(strange).name!r} and no {name}: choose another folder"
        )
    sweep(folder)
    if not path.is_file():
        write_json(path, record)


def _check_same(path: Path, record: dict[str, Any]) -> None:
    begun = read_json(path)
    known = begun if isinstance(begun, dict) else {}
    differing = [
        f"{key} was {known.get(key)!r}, is now {value!r}"
        for key, value in sorted(record.items())
        if known.get(key) != value
    ]
    if differing:
        raise RecordError(
            f"{path.parent}: was begun by another command ({'; '.join(differing)}): "
            "choose another folder or delete it"
        )


def unfinished(folder: Path, worlds: Sequence[str], done: Callable[[str], None]) -> list[str]:
    """Return the worlds whose folders are not there yet; tell `done` of the others."""
    left = [world for world in worlds if not world_folder(folder, world).is_dir()]
    for world in worlds:
        if world not in left:
            done(world)
    return left


def write_folder(target: Path, fill: Callable[[Path], None]) -> None:
    """Fill a folder aside and rename it into place: it appears whole or not at all."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}."))
    except OSError as error:
        raise RecordError(f"{target}: cannot write: {error.strerror or error}") from error
    try:
        fill(aside)
        aside.chmod(0o755)
        if target.exists():
            shutil.rmtree(target)
        aside.replace(target)
    except OSError as error:
        raise RecordError(
            f"{target}: cannot write: {error.strerror or error}; nothing was changed"
        ) from error
    except RecordError as error:
        raise RecordError(str(error).replace(str(aside), str(target))) from error
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def sweep(folder: Path) -> None:
    """Remove what a killed process left half-written in a suite or run."""
    for stale in [*folder.glob(".*.json.*"), *folder.glob("worlds/.*.*")]:
        if stale.is_dir():
            shutil.rmtree(stale, ignore_errors=True)
        else:
            stale.unlink(missing_ok=True)
