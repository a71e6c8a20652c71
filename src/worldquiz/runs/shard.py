"""A shard: one part of a run or build that is done by itself, as ``--shard 2/5`` asks.

Worlds (mazes, scenes) are dealt out in their order, like cards: of five shards, the second does the
2nd, 7th and 12th world, with all that is asked about them. The part of a shard is the same on any
machine and at any time, so the shards of a whole never overlap.

    SHARD/manifest.json   the whole run's (of a build, ``plan.json``)
    SHARD/shard.json      which part it is; how all units are dealt; what holds its results, at last

A shard has no scores: `merge` joins all of them to the run that one command would have made.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from worldquiz import trust
from worldquiz.errors import KnobError, RecordError
from worldquiz.records import check, read_json, read_text, write_json
from worldquiz.runs.losses import read_losses

SHARD = "shard.json"
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
        shard: Shard,
        units: Sequence[K],
        noun: str,
        *,
        name: Callable[[K], str] = str,
        about: Callable[[K], str] = str,
    ) -> Part[K]:
        """Deal out units by the worlds that they are `about`. Raises `KnobError`."""
        worlds = [about(unit) for unit in units]
        whose = dealt(worlds, shard.of)
        indexes = [whose[world] for world in worlds]
        names = tuple(zip(map(name, units), indexes, strict=True))
        mine = (unit for unit, index in zip(units, indexes, strict=True) if index == shard.index)
        return cls(shard, noun, names, tuple(mine))

    def record(self) -> dict[str, Any]:
        """Return the contents of ``shard.json`` at the beginning."""
        units = [list(pair) for pair in self.names]
        return {"shard": self.shard.index, "of": self.shard.of, "noun": self.noun, "units": units}


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
        trust.plain_name(found.kept, path)
    return found


def check_whole(folder: Path) -> None:
    """Raise `RecordError` for a shard, where a whole run or build is needed."""
    if (folder / SHARD).is_file():
        raise RecordError(
            f"{folder}: is shard {read_shard(folder)} of a whole: `worldquiz merge` joins it with "
            "the others"
        )


def check_part(folder: Path, part: Part[Any] | None, begun: str) -> None:
    """Raise `RecordError` where a folder holds another part of a whole than the one that is asked.

    `begun` is the file by which a folder is begun.
    """
    if part is None:
        check_whole(folder)
    elif (folder / SHARD).is_file():
        there = read_shard(folder)
        if (there.shard, there.of) != (part.shard.index, part.shard.of):
            raise RecordError(f"{folder}: holds shard {there}, not {part.shard}: choose another")
        if tuple(there.units) != part.names:
            raise RecordError(f"{folder}: holds a shard of other {part.noun}: choose another")
    elif (folder / begun).is_file():
        raise RecordError(f"{folder}: holds a whole, not a shard: choose another folder")


def note_part(folder: Path, part: Part[Any] | None) -> None:
    """Write into a begun folder which part it is."""
    if part is not None and not (folder / SHARD).is_file():
        begin_part(folder, part)


def begin_part(folder: Path, part: Part[Any]) -> None:
    """Write which part a folder is, and that it is not finished."""
    write_json(folder / SHARD, part.record())


def finish_part(folder: Path, part: Part[Any], kept: str) -> dict[str, Any]:
    """Write that a shard is finished, and what in it holds its results; return its summary."""
    write_json(folder / SHARD, {**part.record(), "kept": kept})
    return summary(folder)


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
