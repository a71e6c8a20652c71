"""A shard: one part of a run or build, made by a command of its own (``--shard 2/5``).

Worlds (mazes, scenes) are dealt out like cards: of five shards, the second does worlds 2, 7, 12 and
so on, with all their questions. The division does not depend on machine or time, so shards never
overlap.

    SHARD/manifest.json   the manifest of the whole run (``plan.json`` for a build)
    SHARD/shard.json      the shard's number, and the shard of every unit

A shard has no scores. `merge` joins all shards into the run that one command would have made, byte
for byte, without playing or asking again. All manifests must be equal, and every shard must be
given exactly once. Other files need no comparison, since their digests are in the manifests.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from worldquiz.errors import KnobError, RecordError
from worldquiz.records import (
    Told,
    parsed,
    read_bytes,
    read_json,
    read_record,
    read_text,
    whole_file,
    write_bytes,
    write_folder,
)
from worldquiz.runs.benchmark import PLAN, DataKind, RunKind, kind_of
from worldquiz.runs.folder import FOLDER, LONGEST, MANIFEST, SCORES, SHARD, begin, claimed
from worldquiz.runs.losses import failures, unit_name
from worldquiz.runs.rows import ROWS, rows_in
from worldquiz.runs.run import Run

K = TypeVar("K", bound=Hashable)
_SHARD = re.compile(r"([1-9][0-9]{0,5})/([1-9][0-9]{0,5})")
_OWN = (MANIFEST, PLAN, SHARD, SCORES)
"""Files of a shard that the merged folder does not have, or has with other content."""


@dataclass(frozen=True, slots=True)
class ShardRecord:
    """The content of ``shard.json``."""

    shard: int
    of: int
    noun: str  # what units are called
    units: Sequence[tuple[str, int]]  # of the whole, in order, each with its shard

    def of_shard(self, shard: int) -> list[str]:
        """Return the names of a shard's units."""
        return [name for name, index in self.units if index == shard]

    def __str__(self) -> str:
        return f"{self.shard}/{self.of}"


def dealt(shard: str, units: Sequence[K], noun: str) -> tuple[dict[str, Any], list[K]]:
    """Divide units among shards; return ``shard.json`` and the units of one shard, such as "2/5".

    A unit is a world, or the key of a row, whose first part is its world. Raises `KnobError`.
    """
    match = _SHARD.fullmatch(shard)
    if match is None or int(match[1]) > int(match[2]):
        raise KnobError(
            f"shard {shard!r}: expected I/N with I from 1 to N, and N below a million, such as 2/5"
        )
    index, of = int(match[1]), int(match[2])
    homes = [unit[0] if isinstance(unit, tuple) else unit for unit in units]
    whose: dict[Any, int] = {}
    for home in homes:
        whose.setdefault(home, len(whose) % of + 1)
    if of > len(whose):
        raise KnobError(
            f"cannot divide {len(whose)} worlds into {of} shards: use at most {len(whose)} shards"
        )
    record = {
        "shard": index, "of": of, "noun": noun,
        "units": [[unit_name(unit), whose[home]] for unit, home in zip(units, homes, strict=True)],
    }  # fmt: skip
    mine = [u for u, home in zip(units, homes, strict=True) if whose[home] == index]
    return record, mine


def read_shard(folder: Path) -> ShardRecord:
    """Return a shard's record (``shard.json``). Raises `RecordError` if the folder is no shard."""
    path = folder / SHARD
    if not path.is_file():
        raise RecordError(f"{folder}: is not a shard: it has no {SHARD}")
    found: ShardRecord = read_record(read_text(path), ShardRecord, path)
    if found.shard not in range(1, found.of + 1) or len(dict(found.units)) != len(found.units):
        raise RecordError(f"{path}: is damaged: make this shard again in a new folder")
    return found


def summary(folder: Path) -> dict[str, Any]:
    """Return a JSON document about the part of a run or build that a shard holds."""
    told = read_shard(folder)
    return {
        "shard": str(told),
        "folder": str(folder),
        "noun": told.noun,
        "units": len(told.of_shard(told.shard)),
        "of": len(told.units),
        "failed": failures(rows_in(folder / ROWS)) if (folder / ROWS).is_file() else {},
    }


def merge(shards: Sequence[Path | str], out: Path | str) -> DataKind | RunKind:
    """Join finished shards into the folder `out`, which `worldquiz.load` opens; return its kind.

    Raises `RecordError` if a shard is missing (the error lists its units), given twice, unfinished
    or from another run or build, and if `out` holds anything else.
    """
    paths, out = [Path(shard) for shard in shards], Path(out)
    if not paths:
        raise RecordError("merge: name the folders of all shards")
    found = _whole(paths)
    name = MANIFEST if (paths[0] / MANIFEST).is_file() else PLAN
    kind = kind_of(paths[0], stopped=name == PLAN)[1]
    record = _same(paths, name, out)
    for path, told in found.items():
        built = all(
            any((each / unit).is_dir() for each in path.iterdir())
            for unit in told.of_shard(told.shard)
        )
        if not ((path / ROWS).is_file() if isinstance(kind, RunKind) else built):
            raise RecordError(f"{path}: shard {told} is not finished: run its command again")
    if (out / SHARD).is_file() or out.resolve() in {path.resolve() for path in paths}:
        raise RecordError(f"{out}: is a shard itself: choose another folder")
    with claimed(out):
        begin(out, name, record)
        for shard in paths:
            _copy_beside(shard, out)
        if isinstance(kind, RunKind):
            for file in sorted({file.name for shard in paths for file in shard.glob("*.jsonl")}):
                _join(file, found, out)
    if isinstance(kind, RunKind):
        Run(out).score()
    elif kind.build is not None:
        kind.build(out)
    return kind


def _whole(paths: Sequence[Path]) -> dict[Path, ShardRecord]:
    """Return the record of each shard. Raises `RecordError` unless the shards form one whole."""
    found = {path: read_shard(path) for path in paths}
    (first, one), places = next(iter(found.items())), dict[int, Path]()
    for path, told in found.items():
        if (told.of, told.units) != (one.of, one.units):
            raise RecordError(
                f"{first} (shard {one}) and {path} (shard {told}) do not belong together: their "
                f"{one.noun} are not divided in the same way"
            )
        if (other := places.setdefault(told.shard, path)) != path:
            raise RecordError(f"shard {told} is given twice: {other} and {path}")
    for index in sorted(set(range(1, one.of + 1)) - places.keys()):
        units = one.of_shard(index)
        more = f" and {len(units) - 5} more" if len(units) > 5 else ""
        listed = ", ".join(units[:5])
        raise RecordError(f"shard {index}/{one.of} is missing: {one.noun} {listed}{more}")
    return found


def _same(shards: Sequence[Path], name: str, out: Path) -> dict[str, Any]:
    """Return the manifest or plan that all shards must have in common.

    Only its key `FOLDER`, the path from the folder to the data, may differ between shards.
    """
    told = {path: dict(read_json(path / name)) for path in shards}
    homes = [record.pop(FOLDER, None) for record in told.values()]
    first, record = next(iter(told.items()))
    for path, other in told.items():
        keys = sorted(record.keys() | other.keys())
        if differing := [key for key in keys if record.get(key) != other.get(key)]:
            one, two = (repr(each.get(differing[0]))[:LONGEST] for each in (record, other))
            raise RecordError(
                f"{first} and {path} are not shards of the same command: {name} differs in "
                f"{', '.join(differing)} ({one} and {two})"
            )
    if homes[0] is not None:
        record[FOLDER] = os.path.relpath((first / str(homes[0])).resolve(), out.resolve())
    return record


def _copy_beside(shard: Path, out: Path) -> None:
    """Copy a shard's files other than lines and settings; subfolders appear whole or not at all."""
    for path in sorted(shard.glob("[!.]*")):
        if path.is_file() and path.suffix != ".jsonl" and path.name not in _OWN:
            write_bytes(out / path.name, read_bytes(path))
        for inner in path.glob("[!.]*"):
            target = out / path.name / inner.name
            if inner.is_dir():
                write_folder(target, partial(shutil.copytree, inner, dirs_exist_ok=True))
            else:
                write_bytes(target, read_bytes(inner))


def _join(name: str, shards: Mapping[Path, ShardRecord], out: Path) -> None:
    """Join the shards' files called `name`, with all lines in the order of the units.

    Raises `RecordError` if a unit has no row.
    """
    one = next(iter(shards.values()))
    lines: dict[str, list[bytes]] = {unit: [] for unit, _ in one.units}
    for file in (path / name for path in shards if (path / name).is_file()):
        for number, line in enumerate(read_bytes(file).splitlines(keepends=True), start=1):
            where = f"{file}:{number}"
            told = Told(parsed(line, where), where)
            world = told["world"]
            unit = world if world in lines else f"{world}/{told['type']}/{told['item']}"
            if unit not in lines:
                raise RecordError(f"{where}: is about {unit!r}, which is not in the shard")
            lines[unit].append(line)
    with whole_file(out / name) as stream:
        for unit, index in one.units:
            if name == ROWS and not lines[unit]:
                path = next(path for path, told in shards.items() if told.shard == index)
                raise RecordError(f"{path / ROWS}: has no row about {unit!r}, so it is damaged")
            stream.writelines(lines[unit])
