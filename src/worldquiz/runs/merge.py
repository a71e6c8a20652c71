"""Join the shards of a run or build to the whole that one command would have made, byte by byte.

Nothing is played or asked. The manifests must be equal, every shard must be there once and be
finished, and files beside the results must be equal in all. A run is scored from its records, a
build is finished by its plan.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from worldquiz import trust
from worldquiz.errors import RecordError
from worldquiz.records import read_bytes, read_json, write_bytes, write_folder
from worldquiz.runs.benchmark import PLAN, DataKind, RunKind, kind_of, planned
from worldquiz.runs.folder import LONGEST, MANIFEST, begin, claimed
from worldquiz.runs.losses import FILE as LOSSES
from worldquiz.runs.losses import Losses, read_losses, write_losses
from worldquiz.runs.run import Run
from worldquiz.runs.shard import SHARD, ShardRecord, read_shard

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
        if isinstance(kind, RunKind) and kind.join:
            kind.join(paths, out, [unit for unit, _ in found[first].units])
        else:
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
                trust.plain_name(unit, shard / SHARD)
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
