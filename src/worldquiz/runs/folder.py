"""Folders of data and runs: locks, manifests, and files that appear whole or not at all."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import re
import shutil
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from worldquiz import records
from worldquiz.errors import RecordError, notice
from worldquiz.records import Told, check, read_json, write_folder, write_json

T = TypeVar("T")
MANIFEST, SCORES = "manifest.json", "scores.json"
"""Files of a run's settings, and of its scores, which are written last."""
WORLDS = "worlds"
"""Subfolder of a suite that holds one folder for each world."""
HUMAN, MODEL = "human", "model"
"""Entries of a manifest for a person or a model as the agent or answerer."""
CODE, LABEL = "code", "label"
"""Keys of a run's manifest for the digest of users' code, and for the user's name of the run."""
FOLDER = "folder"
"""Key of a run's manifest for the path of its data, relative to the run."""
UNFINISHED = "unfinished"
"""Key for units that were not reached; absent if all were."""
NOTED = frozenset({FOLDER, UNFINISHED})
"""Keys that are added to a manifest later; all others must be equal when a run is continued."""
CLEARED = "cleared"
"""Key of the manifest while the run is being deleted."""
SHARD = "shard.json"
"""File of a shard that says which part of the whole it is."""
_OF_ANSWERER = frozenset({CODE, FOLDER, LABEL, UNFINISHED, "error", "model", "generate", "served"})
"""Manifest keys about the folder, and about the answerer except ``answerer`` and ``name``."""
LONGEST = 80
"""Most characters of a manifest's value that an error shows."""
_DIGEST = re.compile(r"\b([0-9a-f]{12})[0-9a-f]{28,}\b")


@dataclass(frozen=True)
class Unfinished:
    """Number of a run's units (worlds or questions) that were not reached, and the reason."""

    units: int
    reason: str


@dataclass(frozen=True, kw_only=True)
class RunManifest:
    """Optional keys that the manifest of every run may have."""

    answerer: str | None = None
    name: str | None = None
    data: str | Mapping[str, str] | None = None
    suite: str | None = None
    model: str | None = None
    error: float | None = None
    reader: int | None = None  # version of the reply reader
    label: str | None = None
    versions: Mapping[str, str] | None = None
    code: Mapping[str, str | None] | None = None
    unfinished: Unfinished | None = None


def read_manifest(folder: Path, kind: str, noun: str, of: Any = None) -> dict[str, Any]:
    """Read the manifest of a folder that must have the kind `kind`; errors call it a `noun`.

    `of` is a dataclass with the keys to check and their types. Raises `RecordError` if the manifest
    is missing, damaged or of another kind. The result raises `RecordError`, too, if a missing key
    is looked up.
    """
    path = folder / MANIFEST
    if not path.is_file():
        raise RecordError(f"{folder}: has no {MANIFEST}, so it is not a {noun}")
    manifest = read_json(path)
    found = manifest.get("kind") if isinstance(manifest, dict) else None
    if found != kind:
        what = f"of kind {found!r}" if isinstance(found, str) else "damaged"
        raise RecordError(f"{path}: is {what}, expected a {noun}")
    if of is not None:
        check(json.dumps(manifest), of, path)
    return Told(manifest, path)


def answered_by(manifest: Mapping[str, Any]) -> str:
    """Return the answerer's name in tables: a model's name, or ``human (NAME)`` for a person."""
    who, name = str(manifest.get("answerer", MODEL)), manifest.get("name") or HUMAN
    if who == HUMAN:
        return who if name == who else f"{who} ({name})"
    return str(manifest["model"]) if who == MODEL and "model" in manifest else who


def by_person(
    manifest: Mapping[str, Any], name: str, *, without: Container[str] = _OF_ANSWERER
) -> dict[str, Any]:
    """Return a run's manifest, changed for a person who answers the run's questions."""
    same = {key: value for key, value in manifest.items() if key not in without}
    return {**same, "answerer": HUMAN, "name": name}


def data_of(manifest: Mapping[str, Any]) -> Mapping[str, str]:
    """Return digests of a run's data: one for each world, or one for all under the key ""."""
    told: str | Mapping[str, str] = manifest.get("suite") or manifest.get("data") or {}
    return {"": told} if isinstance(told, str) else told


def data_place(run: Path, manifest: Mapping[str, Any], data: Path | None) -> Path:
    """Return the folder of a run's data: `data`, or by default the one named in the manifest."""
    return data or Path(os.path.normpath(run.resolve() / str(manifest.get(FOLDER, ""))))


def data_folder(run: Path, data: Path | None = None) -> Path:
    """Return the folder of a run's data, as `data_place` does.

    Raises `RecordError` if that folder does not hold data with the run's digest.
    """
    told = read_json(run / MANIFEST)
    there, found, wanted = data_place(run, told, data), None, data_of(told).get("")
    if (there / MANIFEST).is_file():
        found = read_json(there / MANIFEST)
    if not isinstance(found, dict) or found.get("digest") != wanted:
        what = "does not hold" if there.is_dir() else "does not exist, but should hold"
        raise RecordError(
            f"{there}: {what} the data that {run} was run on (digest {str(wanted)[:12]}...): pass "
            "the right folder with --data FOLDER"
        )
    return there


def if_there(opened: Callable[[Path, Path | None], T], run: Path, data: Path | None) -> T | None:
    """Open the data of a run; return None if they are missing and `data` is None.

    Raises `RecordError` if `data` is the wrong folder.
    """
    try:
        return opened(run, data)
    except RecordError:
        if data is not None:
            raise
        return None


def placed(out: Path | str | None, data: Path, *names: str | None) -> Path:
    """Return a run's folder: `out`, or a folder beside the data that is named after `names`.

    Raises `RecordError` if `out` is inside the data's folder, where a run would change the data.
    """
    here = data.resolve()
    if out:
        if Path(out).resolve().is_relative_to(here):
            raise RecordError(f"{out}: lies inside the data folder {data}: choose another folder")
        return Path(out)
    told = (re.sub(r"[^\w.]+", "-", name).strip("-") for name in names if name)
    found = here.with_name("-".join([here.name, *told]))
    notice(f"run: {found}")
    return found


def world_folder(folder: Path, world: str) -> Path:
    """Return the folder of a world in a suite or run. Raises `RecordError` for an unsafe name."""
    return folder / WORLDS / records.plain_name(world, folder / MANIFEST)


@contextmanager
def claimed(folder: Path) -> Iterator[None]:
    """Lock a folder, which is made if missing, so that only one process can write to it.

    The system releases the lock when the process ends, however it ends. Raises `RecordError` if the
    folder cannot be made or another process has locked it.
    """
    with ExitStack() as held:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            held.callback(os.close, handle)
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise RecordError(
                f"{folder}: another worldquiz process is writing here: wait until it ends"
            ) from error
        except OSError as error:
            kind = "file" if folder.is_file() else "device or pipe"
            odd = folder.exists() and not folder.is_dir()
            reason = f"it is a {kind}" if odd else error.strerror or error
            if error.errno in (errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP):
                reason = f"its file system has no locks ({reason})"
            raise RecordError(
                f"{folder}: cannot write into it: {reason}; choose another folder"
            ) from error
        yield


def check_whole(folder: Path) -> None:
    """Raise `RecordError` if a folder is a shard, not a whole run or build."""
    if (folder / SHARD).is_file():
        raise RecordError(
            f"{folder}: is one shard of several: join all of them with `worldquiz merge`"
        )


def begin(
    folder: Path,
    name: str,
    record: dict[str, Any],
    part: dict[str, Any] | None = None,
    *,
    anew: str = "",
) -> None:
    """Write settings to the file `name` of a locked folder, and remove leftovers of a killed
    process. For a shard, `part` is the content of ``shard.json``. Errors end with the hint `anew`
    on how to start over. Raises `RecordError` if the folder has other settings or other files.
    """
    path = folder / name
    if part is None:
        check_whole(folder)
    elif (folder / SHARD).is_file():
        if read_json(folder / SHARD) != part:
            raise RecordError(
                f"{folder}: already holds a shard other than {part['shard']}/{part['of']} of "
                f"these {len(part['units'])} {part['noun']}: choose another folder"
            )
    elif path.is_file():
        raise RecordError(f"{folder}: was begun without --shard: choose another folder")
    if path.is_file():
        _check_same(path, record, anew)
        root = folder.resolve()
        for entry in (*folder.iterdir(), *folder.glob("*/*")):  # a link would be written through
            records.no_link_out(entry, root)
    elif strange := [
        entry.name
        for entry in folder.iterdir()
        if entry.name != SHARD and not entry.name.startswith((f".{name}.", f".{SHARD}."))
    ]:
        raise RecordError(f"{folder}: holds {min(strange)!r} but no {name}: choose an empty folder")
    sweep(folder)
    if part is not None:
        write_json(folder / SHARD, part)
    if not path.is_file():
        write_json(path, record)


def cleared(folder: Path, kind: str, *, fresh: bool = True) -> None:
    """Delete the run in a locked folder if `fresh`, or if an earlier deletion was interrupted.

    Raises `RecordError` if the folder is not a run of that `kind`, or holds another one.
    """
    path = folder / MANIFEST
    if not path.is_file() or not (fresh or read_json(path) == {"kind": kind, CLEARED: True}):
        return
    read_manifest(folder, kind, f"folder of kind {kind!r}")
    for other in folder.glob(f"*/{MANIFEST}"):
        raise RecordError(f"{folder}: not deleted, since it holds {other.parent}: move that first")
    write_json(path, {"kind": kind, CLEARED: True})
    for entry in sorted(folder.iterdir(), key=lambda entry: entry == path):
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()


def note(data: Path, out: Path) -> None:
    """Add the path of the data to the manifest of a run.

    When the run is resumed, this path is not compared, since the data may have moved.
    """
    amend(out, {FOLDER: os.path.relpath(data.resolve(), out.resolve())})


def amend(out: Path, told: Mapping[str, Any]) -> None:
    """Set keys in the manifest of a run; a value of None removes its key."""
    before = read_json(out / MANIFEST)
    kept = {key: value for key, value in before.items() if key not in told}
    after = kept | {key: value for key, value in told.items() if value is not None}
    if after != before:
        write_json(out / MANIFEST, after)


def _check_same(path: Path, record: dict[str, Any], anew: str) -> None:
    begun = read_json(path)
    known = begun if isinstance(begun, dict) else {}
    kind = record.get("kind")
    if known.get("kind") != kind:
        raise RecordError(
            f"{path.parent}: is of kind {known.get('kind')!r}, not {kind!r}: choose another folder"
        )
    told = []
    for key in sorted({*record, *known} - NOTED):
        was, now = known.get(key), record.get(key)
        if was == now:
            continue
        if key == CODE:  # digests mean nothing to a reader
            one, two = (code if isinstance(code, dict) else {} for code in (was, now))
            parts = sorted(name for name in {*one, *two} if one.get(name) != two.get(name))
            told.append(f"the code or state of the {' and the '.join(parts)} has changed")
        else:
            told.append(f"{key} was {_short(was)}, is now {_short(now)}")
    if told:
        raise RecordError(
            f"{path.parent}: was begun with other settings ({'; '.join(told)}): choose another "
            f"folder or delete it{anew}"
        )
    untold = [part for part, digest in record.get(CODE, {}).items() if digest is None]
    if untold and LABEL not in record:
        raise RecordError(
            f"{path.parent}: was begun with an object of yours whose code or state cannot be "
            f"checked for changes ({', '.join(untold)}): choose another folder, or name each "
            f"version of the code with --label (in Python label='v1'){anew}"
        )


def _short(value: object) -> str:
    if value is None:
        return "not set"
    text = _DIGEST.sub(r"\1...", repr(value))
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def sweep(folder: Path) -> None:
    """Remove files that a killed process left half-written in a suite or run."""
    for stale in chain(*map(folder.glob, (".*.json.*", f".{WORLDS}.*", f"{WORLDS}/.*.*"))):
        if stale.is_dir():
            shutil.rmtree(stale, ignore_errors=True)
        else:
            stale.unlink(missing_ok=True)


class Worlds:
    """Finished worlds, each in a folder of its own that appears whole or not at all."""

    def __init__(self, out: Path, done: Callable[[str], None]) -> None:
        self.out, self.done = out, done

    def has(self, world: str) -> bool:
        """Return whether a world is finished."""
        return world_folder(self.out, world).is_dir()

    def keep(self, world: str, fill: Callable[[Path], None]) -> None:
        """Store a finished world; `fill` writes its files into the folder that it is given."""
        write_folder(world_folder(self.out, world), fill)
        self.done(world)
