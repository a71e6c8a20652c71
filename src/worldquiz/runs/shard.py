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
import shutil
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar

from worldquiz.errors import KnobError, RecordError
from worldquiz.records import (
    check,
    plain_name,
    read_bytes,
    read_json,
    read_text,
    write_bytes,
    write_folder,
    write_json,
)
from worldquiz.runs.benchmark import PLAN, DataKind, RunKind, kind_of, planned
from worldquiz.runs.folder import LONGEST, MANIFEST, SHARD, begin, claimed
from worldquiz.runs.losses import FILE as LOSSES
from worldquiz.runs.losses import Losses, read_losses, write_losses
from worldquiz.runs.run import Run
from worldquiz.runs.settings import Shard

K = TypeVar("K", bound=Hashable)


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
class ShardRecord:
    """The content of ``shard.json``."""

    shard: int
    of: int
    noun: str  # what units are called
    units: Sequence[tuple[str, int]]  # all of them, in order, each with its shard
    kept: str | None = None  # the file or folder of its results, once it is finished

    @property
    def mine(self) -> list[str]:
        """The names of the shard's own units."""
        return [name for name, index in self.units if index == self.shard]

    def __str__(self) -> str:
        return f"{self.shard}/{self.of}"


@dataclass(frozen=True, slots=True)
class Part(Generic[K]):
    """Units of one shard."""

    record: ShardRecord
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
        whose = dealt([about(unit) for unit in units], shard.of)
        names = tuple((name(unit), whose[about(unit)]) for unit in units)
        mine = tuple(unit for unit in units if whose[about(unit)] == shard.index)
        return cls(ShardRecord(shard.index, shard.of, noun, names), mine)

    def check(self, folder: Path, begun: str) -> None:
        """Raise `RecordError` where a folder holds another part of a whole.

        `begun` is the file by which a folder is begun.
        """
        if (folder / SHARD).is_file():
            there = read_shard(folder)
            if replace(there, kept=None) != self.record:
                raise RecordError(
                    f"{folder}: holds shard {there} of {len(there.units)} {there.noun}, not "
                    f"{self.record} of these {len(self.record.units)}: choose another"
                )
        elif (folder / begun).is_file():
            raise RecordError(f"{folder}: holds a whole, not a shard: choose another folder")

    def note(self, folder: Path) -> None:
        """Write into a begun folder which part it is."""
        if not (folder / SHARD).is_file():
            self.begin(folder)

    def begin(self, folder: Path, **more: str) -> None:
        """Write which part a folder is, and that it is not finished."""
        told = asdict(self.record)
        del told["kept"]
        write_json(folder / SHARD, {**told, **more})

    def finish(self, folder: Path, kept: str) -> dict[str, Any]:
        """Write that a shard is finished, and what holds its results; return its summary."""
        self.begin(folder, kept=kept)
        return summary(folder)


def read_shard(folder: Path) -> ShardRecord:
    """Return which part of a whole a folder is. Raises `RecordError` where it is none."""
    path = folder / SHARD
    if not path.is_file():
        raise RecordError(f"{folder}: is no shard: it has no {SHARD}")
    check(read_text(path), ShardRecord, path)
    told = read_json(path)
    found = ShardRecord(**{**told, "units": tuple((name, index) for name, index in told["units"])})
    if found.shard not in range(1, found.of + 1) or len(dict(found.units)) != len(found.units):
        raise RecordError(f"{path}: names no shard of {found.of}, or a unit twice: it is damaged")
    if found.kept is not None:
        plain_name(found.kept, path)
    return found


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


Shards = Mapping[Path, ShardRecord]


def merge(shards: Sequence[Path | str], out: Path | str) -> DataKind | RunKind:
    """Join finished shards into a folder, and return what kind it is; `worldquiz.load` opens it.

    Raises `RecordError` naming shards and units that are missing, given twice, not finished, or of
    different wholes, and where `out` holds anything else.
    """
    paths, out = [Path(shard) for shard in shards], Path(out)
    if not paths:
        raise RecordError("merge: give the folders of all shards")
    found = {path: read_shard(path) for path in paths}
    first, one = paths[0], found[paths[0]]
    _check_complete(paths, found)
    name = MANIFEST if (first / MANIFEST).is_file() else PLAN
    kind = kind_of(first)[1] if name == MANIFEST else planned(first)
    whole = _same(paths, name, getattr(kind, "place", None), out)
    failed = {unit: why for shard in found for unit, why in read_losses(shard).failed.items()}
    if one.units and all(unit in failed for unit, _ in one.units):
        raise RecordError(
            f"all {one.noun} failed ({next(iter(failed.values()))}): there is nothing to score; "
            "give the commands of the shards again with --retry-failed"
        )
    if (out / SHARD).is_file() or out.resolve() in {path.resolve() for path in paths}:
        raise RecordError(f"{out}: is a shard itself: choose another folder")
    with claimed(out):
        begin(out, name, whole)
        if isinstance(kind, RunKind) and kind.join:
            kind.join(paths, out, [unit for unit, _ in one.units])
        else:
            for path in sorted(first.rglob("*")):
                file = path.relative_to(first)
                own = file.parts[0] in (name, SHARD, LOSSES, one.kept)
                if path.is_file() and not own and not file.parts[0].startswith("."):
                    _copy_equal(file, paths, out)
            _copy_results(found, out)
        write_losses(out, Losses(failed))
    if isinstance(kind, RunKind):
        Run(out).score()
    elif kind.build is not None:
        kind.build(out)
    return kind


def _check_complete(shards: Sequence[Path], found: Shards) -> None:
    """Raise `RecordError` unless the shards are all of one whole, each once and finished."""
    first, one = next(iter(found.items()))
    by_index: dict[int, Path] = {}
    for path in shards:
        told = found[path]
        if told.of != one.of or told.units != one.units:
            raise RecordError(f"{first} (shard {one}) and {path} (shard {told}) are of different "
                              f"wholes: their {one.noun} are not dealt out alike")  # fmt: skip
        if told.shard in by_index:
            raise RecordError(f"shard {told} is given twice: {by_index[told.shard]} and {path}")
        if told.kept is None:
            raise RecordError(f"{path}: shard {told} is not finished: give its command again")
        by_index[told.shard] = path
    for index in range(1, one.of + 1):
        if index not in by_index:
            units = [name for name, shard in one.units if shard == index]
            more = f" and {len(units) - 5} more" if len(units) > 5 else ""
            listed = ", ".join(units[:5]) + more
            raise RecordError(f"shard {index}/{one.of} is missing: {one.noun} {listed}")


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
    one = next(iter(found.values()))
    kept = one.kept or ""
    lines: dict[str, bytes] = {}
    for shard, told in found.items():
        if (shard / kept).is_dir():
            for unit in told.mine:
                place = shard / kept / plain_name(unit, shard / SHARD)
                if not place.is_dir():
                    raise RecordError(f"{shard}: has no {kept}/{unit}: give its command again")
                write_folder(out / kept / unit, partial(shutil.copytree, place, dirs_exist_ok=True))
            continue
        some = read_bytes(shard / kept).splitlines(keepends=True)
        if len(some) != len(told.mine):
            raise RecordError(
                f"{shard / kept}: {len(some)} lines of {len(told.mine)} {told.noun}: the file is "
                "damaged: delete it and give the shard's command again"
            )
        lines.update(zip(told.mine, some, strict=True))
    if lines:
        write_bytes(out / kept, b"".join(lines[name] for name, _ in one.units))
