"""A shard: one part of a run or build that is done by itself, as ``--shard 2/5`` asks.

Worlds (mazes, scenes) are dealt out in their order, like cards: of five shards, the second does the
2nd, 7th and 12th world, with all that is asked about them. The part of a shard is the same on any
machine and at any time, so the shards of a whole never overlap.

    SHARD/manifest.json   the whole run's (of a build, ``plan.json``)
    SHARD/shard.json      which part it is; how all units are dealt; what holds its results, at last

A shard has no scores: `merge` joins all of them to the run that one command would have made, byte
by byte. Nothing is played or asked: the manifests must be equal, every shard must be there once and
be finished, and files beside the results must be equal in all.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar

from worldquiz import records
from worldquiz.errors import KnobError, RecordError
from worldquiz.records import (
    check,
    read_bytes,
    read_json,
    read_text,
    write_bytes,
    write_folder,
    write_json,
)
from worldquiz.runs.benchmark import PLAN, DataKind, RunKind, kind_of, planned
from worldquiz.runs.folder import LONGEST, MANIFEST, SHARD, begin, check_whole, claimed
from worldquiz.runs.losses import FILE as LOSSES
from worldquiz.runs.losses import Losses, read_losses, write_losses
from worldquiz.runs.run import Run

_WRITTEN = re.compile(r"([1-9][0-9]{0,5})/([1-9][0-9]{0,5})")
K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Shard:
    """Part of a whole: number `index` of `of`, counted from 1."""

    index: int
    of: int

    @classmethod
    def read(cls, text: str) -> Shard:
        """Read ``2/5``. Raises `KnobError`."""
        match = _WRITTEN.fullmatch(text)
        if match is None or int(match[1]) > int(match[2]):
            raise KnobError(
                f"shard {text!r}: give it as I/N with I from 1 to N, and N below a million, such "
                "as 2/5"
            )
        return cls(int(match[1]), int(match[2]))

    def __str__(self) -> str:
        return f"{self.index}/{self.of}"


def dealt(worlds: Sequence[str], of: int) -> dict[str, int]:
    """Return which of `of` shards does each world, by the worlds' order. Raises `KnobError`.

    >>> dealt(["attic", "barn", "cave", "attic"], 2)
    {'attic': 1, 'barn': 2, 'cave': 1}
    """
    every = list(dict.fromkeys(worlds))
    if of > len(every):
        raise KnobError(
            f"{of} shards of {len(every)}: some would have nothing to do: give {len(every)} or less"
        )
    return {world: place % of + 1 for place, world in enumerate(every)}


@dataclass(frozen=True, slots=True)
class Part(Generic[K]):
    """Units of one shard."""

    shard: Shard
    noun: str  # what units are called
    names: tuple[tuple[str, int], ...]  # of all units, in order, each with its shard
    units: tuple[K, ...]  # its own

    @classmethod
    def of(
        cls,
        shard: Shard | str,
        units: Sequence[K],
        noun: str,
        *,
        name: Callable[[K], str] = str,
        about: Callable[[K], str] = str,
    ) -> Part[K]:
        """Deal out units by the worlds that they are `about`. Raises `KnobError`."""
        shard = Shard.read(shard) if isinstance(shard, str) else shard
        worlds = [about(unit) for unit in units]
        whose = dealt(worlds, shard.of)
        indexes = [whose[world] for world in worlds]
        names = tuple(zip(map(name, units), indexes, strict=True))
        mine = (unit for unit, index in zip(units, indexes, strict=True) if index == shard.index)
        return cls(shard, noun, names, tuple(mine))

    def check(self, folder: Path, begun: str) -> None:
        """Raise `RecordError` where a folder holds another part of a whole.

        `begun` is the file by which a folder is begun.
        """
        if (folder / SHARD).is_file():
            there = read_shard(folder)
            if (there.shard, there.of) != (self.shard.index, self.shard.of):
                raise RecordError(
                    f"{folder}: holds shard {there}, not {self.shard}: choose another"
                )
            if tuple(there.units) != self.names:
                raise RecordError(f"{folder}: holds a shard of other {self.noun}: choose another")
        elif (folder / begun).is_file():
            raise RecordError(f"{folder}: holds a whole, not a shard: choose another folder")

    def note(self, folder: Path) -> None:
        """Write into a begun folder which part it is."""
        if not (folder / SHARD).is_file():
            self.begin(folder)

    def begin(self, folder: Path, **more: str) -> None:
        """Write which part a folder is, and that it is not finished."""
        units, index, of = list(map(list, self.names)), self.shard.index, self.shard.of
        write_json(
            folder / SHARD, {"shard": index, "of": of, "noun": self.noun, "units": units, **more}
        )

    def finish(self, folder: Path, kept: str) -> dict[str, Any]:
        """Write that a shard is finished, and what holds its results; return its summary."""
        self.begin(folder, kept=kept)
        return summary(folder)


@dataclass(frozen=True, slots=True)
class ShardRecord:
    """Keys that ``shard.json`` must have."""

    shard: int
    of: int
    noun: str
    units: Sequence[tuple[str, int]]
    kept: str | None = None  # the file or folder of its results, once it is finished

    @property
    def mine(self) -> list[str]:
        """The names of the shard's own units."""
        return [name for name, index in self.units if index == self.shard]

    def __str__(self) -> str:
        return f"{self.shard}/{self.of}"


def read_shard(folder: Path) -> ShardRecord:
    """Return which part of a whole a folder is. Raises `RecordError` where it is none."""
    path = folder / SHARD
    if not path.is_file():
        raise RecordError(f"{folder}: is no shard: it has no {SHARD}")
    check(read_text(path), ShardRecord, path)
    told = read_json(path)
    units = tuple((name, index) for name, index in told["units"])
    found = ShardRecord(told["shard"], told["of"], told["noun"], units, told.get("kept"))
    known = range(1, found.of + 1)
    if found.shard not in known or any(index not in known for _, index in units):
        raise RecordError(f"{path}: names a shard that is none of {found.of}: the file is damaged")
    if len(dict(units)) != len(units):
        raise RecordError(f"{path}: names a unit twice: the file is damaged")
    if found.kept is not None:
        records.plain_name(found.kept, path)
    return found


def check_part(folder: Path, part: Part[Any] | None, begun: str) -> None:
    """Check that a folder may hold a part, or a whole where there is none (`Part.check`)."""
    part.check(folder, begun) if part else check_whole(folder)


def note_part(folder: Path, part: Part[Any] | None) -> None:
    """Write into a begun folder which part it is."""
    if part:
        part.note(folder)


def finish_part(folder: Path, part: Part[Any], kept: str) -> dict[str, Any]:
    """Write that a shard is finished (`Part.finish`)."""
    return part.finish(folder, kept)


def summary(folder: Path) -> dict[str, Any]:
    """Return which part a folder holds, as a JSON document."""
    told = read_shard(folder)
    return {
        "shard": str(told),
        "folder": str(folder),
        "noun": told.noun,
        "units": len(told.mine),
        "of": len(told.units),
        "finished": told.kept is not None,
        "failed": dict(read_losses(folder).failed),
    }


_SHOWN = 5
"""Names of missing units that an error shows."""
Shards = Mapping[Path, ShardRecord]


def merge(shards: Sequence[Path | str], out: Path | str) -> DataKind | RunKind:
    """Join finished shards into a folder, and return what kind it is; `worldquiz.load` opens it.

    Raises `RecordError` naming shards and units that are missing, given twice, not finished, or of
    different wholes, and where `out` holds anything else.
    """
    paths, out = [Path(shard) for shard in shards], Path(out)
    found = {path: read_shard(path) for path in paths}
    _check_complete(paths, found)
    first = paths[0]
    name = MANIFEST if (first / MANIFEST).is_file() else PLAN
    kind = kind_of(first)[1] if name == MANIFEST else planned(first)
    whole = _same(paths, name, getattr(kind, "place", None), out)
    failed = _failed(found)
    if (out / SHARD).is_file() or out.resolve() in {path.resolve() for path in paths}:
        raise RecordError(f"{out}: is a shard itself: choose another folder")
    with claimed(out):
        begin(out, name, whole)
        _copy_beside(found, name, out)
        _copy_results(found, out)
        write_losses(out, Losses(failed))
    if isinstance(kind, RunKind):
        Run(out).score()
    elif kind.build is not None:
        kind.build(out)
    return kind


def _check_complete(shards: Sequence[Path], found: Shards) -> None:
    """Raise `RecordError` unless the shards are all of one whole, each once and finished."""
    first, one = next(iter(found.items()), (None, None))
    if one is None:
        raise RecordError("merge: give the folders of all shards")
    by_index: dict[int, Path] = {}
    for path in shards:
        told = found[path]
        if told.of != one.of or list(told.units) != list(one.units):
            raise RecordError(f"{first} (shard {one}) and {path} (shard {told}) are of different "
                              f"wholes: their {one.noun} are not dealt out alike")  # fmt: skip
        if told.shard in by_index:
            raise RecordError(f"shard {told} is given twice: {by_index[told.shard]} and {path}")
        by_index[told.shard] = path
    for index in range(1, one.of + 1):
        if index not in by_index:
            units = [name for name, shard in one.units if shard == index]
            raise RecordError(f"shard {index}/{one.of} is missing: {one.noun} {_listed(units)}")
    for path, told in found.items():
        if told.kept is None:
            raise RecordError(f"{path}: shard {told} is not finished: give its command again")


def _failed(found: Shards) -> dict[str, str]:
    """Return what failed in the shards, and why. Raises `RecordError` where nothing else is."""
    failed = {unit: why for shard in found for unit, why in read_losses(shard).failed.items()}
    one = next(iter(found.values()))
    if one.units and all(unit in failed for unit, _ in one.units):
        raise RecordError(
            f"all {one.noun} failed ({next(iter(failed.values()))}): there is nothing to score; "
            "give the commands of the shards again with --retry-failed"
        )
    return failed


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _same(shards: Sequence[Path], name: str, place: str | None, out: Path) -> dict[str, Any]:
    """Return the manifest or plan of the whole, which must be that of every shard.

    Its key `place` says where the data are, from the folder, so it differs from folder to folder.
    """
    told = {path: dict(read_json(path / name)) for path in shards}
    homes = {path: record.pop(place, None) if place else None for path, record in told.items()}
    first, record = next(iter(told.items()))
    for path, other in told.items():
        keys = sorted(record.keys() | other.keys())
        if differing := [key for key in keys if record.get(key) != other.get(key)]:
            one, two = (repr(each.get(differing[0]))[:LONGEST] for each in (record, other))
            raise RecordError(
                f"{first} and {path} are shards of different wholes: their {name} differ in "
                f"{', '.join(differing)} ({one} and {two})"
            )
    if place and (home := homes[first]) is not None:
        record[place] = os.path.relpath((first / str(home)).resolve(), out.resolve())
    return record


def _copy_beside(found: Shards, name: str, out: Path) -> None:
    """Copy the files that all shards have beside their results."""
    first, one = next(iter(found.items()))
    for path in sorted(first.iterdir()):
        if path.name in (name, SHARD, LOSSES, one.kept) or path.name.startswith("."):
            continue
        for file in [path] if path.is_file() else sorted(path.rglob("*")):
            if file.is_file():
                _copy_equal(file.relative_to(first), list(found), out)


def _copy_equal(file: Path, shards: Sequence[Path], out: Path) -> None:
    first = read_bytes(shards[0] / file)
    for other in shards[1:]:
        if read_bytes(other / file) != first:
            raise RecordError(
                f"{shards[0] / file} and {other / file} differ: they are shards of different wholes"
            )
    write_bytes(out / file, first)


def _copy_results(found: Shards, out: Path) -> None:
    """Copy the results of all units: folders as they are, lines into the order of the whole."""
    kept = next(iter(found.values())).kept or ""
    lines: dict[str, bytes] = {}
    for shard, told in found.items():
        if (shard / kept).is_dir():
            for unit in told.mine:
                records.plain_name(unit, shard / SHARD)
                if not (shard / kept / unit).is_dir():
                    raise RecordError(f"{shard}: has no {kept}/{unit}: give its command again")
                copy = partial(shutil.copytree, shard / kept / unit, dirs_exist_ok=True)
                write_folder(out / kept / unit, copy)
            continue
        some = read_bytes(shard / kept).splitlines(keepends=True)
        if len(some) != len(told.mine):
            raise RecordError(
                f"{shard / kept}: {len(some)} lines of {len(told.mine)} {told.noun}: the file is "
                "damaged: delete it and give the shard's command again"
            )
        lines.update(zip(told.mine, some, strict=True))
    if lines:
        names = [name for name, _ in next(iter(found.values())).units]
        write_bytes(out / kept, b"".join(lines[name] for name in names))
