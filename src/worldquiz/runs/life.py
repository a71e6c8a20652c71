"""One life of a run, for every benchmark and every kind of run.

    require   what the run needs (extras, keys, games, a server) is there; no folder is touched
    claim     the folder belongs to this process
    begin     the manifest is written, or is that of the run begun here before
    produce   what has no result yet is worked on; each result is kept as it comes
    settle    results are written whole, in the order of the units
    score     scores are computed from the records, and written last

A run that is killed anywhere and started again ends with the bytes of an undisturbed one: units are
pure functions of their records, and a unit whose result is kept is never worked on again.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from worldquiz.errors import WorldError
from worldquiz.records import write_json
from worldquiz.runs.executor import Done, silent
from worldquiz.runs.folder import MANIFEST, WORLDS, begin, claimed
from worldquiz.runs.shard import Part, Shard, check_part, finish_part, note_part

SCORES = "scores.json"
K = TypeVar("K", bound=Hashable)
S = TypeVar("S", bound="Kept")


class Kept(Protocol):
    """Where results are kept as they come: `journal.Lines`, or `folder.Worlds`."""

    def has(self, key: Any) -> bool:
        """Tell whether a unit's result is kept."""
        ...

    def settle(self, keys: Sequence[Any]) -> object:
        """Write the results of all units, in order."""
        ...


class Work(Protocol[K, S]):
    """What a run is of: all that its life needs to know."""

    noun: str  # what units are called: "questions", "worlds"

    @property
    def manifest(self) -> dict[str, Any]:
        """What the run is: equal manifests, equal runs. Holds the key ``kind``."""
        ...

    @property
    def units(self) -> Sequence[K]:
        """The units of work by their keys, in the order of their results."""
        ...

    def require(self) -> None:
        """Raise what says that the run cannot start: an extra, a key, a game, a server."""
        ...

    def begin(self, out: Path) -> None:
        """Write beside a begun run what it is about, if it keeps that."""
        ...

    def kept(self, out: Path, done: Done) -> S:
        """Open the store of results; `done` is told the name of each unit that is kept."""
        ...

    def produce(self, left: Sequence[K], kept: S, out: Path) -> None:
        """Work on the units that have no result, and keep each result as it comes."""
        ...

    def score(self, out: Path, kept: S) -> dict[str, Any]:
        """Return the scores, computed from records."""
        ...


def live(
    work: Work[K, S],
    out: Path,
    done: Done = silent,
    shard: Shard | None = None,
    about: Callable[[K], str] = str,
) -> dict[str, Any]:
    """Carry a run from its first command to its scores, or finish one that was begun.

    With a `shard`, only its units are worked on, and what it is is returned in place of scores;
    `about` tells the world that a unit belongs to.

    Raises what `Work.require` raises before `out` is touched; `RecordError` where `out` holds
    anything else; `WorldError` where some units have no result.
    """
    work.require()
    part = Part.of(shard, work.units, work.noun, name=_name, about=about) if shard else None
    with claimed(out):
        check_part(out, part, MANIFEST)
        begin(out, MANIFEST, work.manifest)
        note_part(out, part)
        work.begin(out)
        kept = work.kept(out, done)
        units = part.units if part else work.units
        left = unfinished(units, kept, done)
        if left:
            work.produce(left, kept, out)
        if missing := sum(not kept.has(key) for key in left):
            raise WorldError(
                f"{missing} {work.noun} have no result; what is finished is kept: give the "
                "command again"
            )
        whole = kept.settle(units)
        if part:
            return finish_part(out, part, whole.name if isinstance(whole, Path) else WORLDS)
        found = work.score(out, kept)
        write_json(out / SCORES, found)
        return found


def unfinished(units: Sequence[K], kept: Kept, done: Done) -> list[K]:
    """Return the units that have no result; tell `done` the names of the others."""
    left = []
    for key in units:
        if kept.has(key):
            done(_name(key))
        else:
            left.append(key)
    return left


def _name(key: object) -> str:
    """Return how progress calls a unit."""
    return "/".join(map(str, key)) if isinstance(key, tuple) else str(key)
