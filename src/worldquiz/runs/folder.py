"""Folders of ours: claimed by one process, begun with a manifest, filled whole or not at all."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError
from worldquiz.records import read_json, write_json
from worldquiz.records import write_folder as write_folder

MANIFEST = "manifest.json"

KINDS = {
    "suite": "suite",
    "run": "run",
    "mango": "MANGO run",
    "mango-minigames": "minigame run",
    "tea-run": "TEA run",
}
"""What a folder's manifest can be of, in words."""

_SCORED_BY = {"mango": "mango score", "mango-minigames": "mango minigames-score"}


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


def sweep(folder: Path) -> None:
    """Remove what a killed process left half-written in a suite or run."""
    for stale in [*folder.glob(".*.json.*"), *folder.glob("worlds/.*.*")]:
        if stale.is_dir():
            shutil.rmtree(stale, ignore_errors=True)
        else:
            stale.unlink(missing_ok=True)
