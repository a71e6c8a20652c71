"""One life of a run, for every benchmark and every kind of run.

    require   what the run needs (extras, keys, games) is there; no folder is touched
    preflight a model can be asked, unless the run is finished
    claim     the folder belongs to this process
    begin     the manifest is written, or is that of the run begun here before
    produce   what has no result yet is worked on; each result is kept as it comes
    settle    results are written whole, in the order of the units
    score     scores are computed from the records, and written last

Failure is a result. A unit that cannot be finished is kept as failed, with its reason (`losses`),
and tried again on request. Where a limit or a missing server ends a run early, what is done is
settled and scored; the same command opens the run again and goes on. Where nothing at all could be
finished, there is no result: the first reason is raised.

A run that is killed anywhere and started again ends with the bytes of an undisturbed one: units are
pure functions of their records, and a unit whose result is kept is never worked on again.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from worldquiz.errors import KEPT, RecordError, Stopped, WorldError, notice
from worldquiz.records import write_json
from worldquiz.runs.benchmark import KEPT_ROWS, kind_of_run
from worldquiz.runs.executor import Done, silent
from worldquiz.runs.folder import MANIFEST, SCORES, WORLDS, begin, check_whole, claimed
from worldquiz.runs.losses import (
    FILE,
    LimitReached,
    Losses,
    passing,
    raise_lost,
    read_losses,
    reason_of,
    unit_name,
    with_losses,
    write_losses,
)
from worldquiz.runs.rows import write_rows

if TYPE_CHECKING:
    from worldquiz.runs.settings import Shard
    from worldquiz.runs.shard import Part

_NO_RESULT = WorldError("they gave no result")
K = TypeVar("K", bound=Hashable)
S = TypeVar("S", bound="Kept")


class Kept(Protocol):
    """Store of results, kept as they come: `journal.Lines`, or that of a benchmark."""

    losses: dict[Any, BaseException]
    """Why units could not be finished in this command."""

    @property
    def damaged(self) -> int:
        """Number of results that were there once and could not be read."""
        ...

    def fail(self, key: Any) -> None:
        """Keep that a unit of `losses` failed, and why."""
        ...

    def failed(self) -> dict[str, str]:
        """Return why units failed, by their names."""
        ...

    def reopen(self, *, failed: bool) -> None:
        """Go on with a settled run; with `failed`, without the results of failed units."""
        ...

    def has(self, key: Any) -> bool:
        """Tell whether a unit's result is kept."""
        ...

    def settle(self, keys: Sequence[Any]) -> object:
        """Write the results of all units, in order."""
        ...


class Work(Protocol[K, S]):
    """Protocol of a run's work: its units, how they are done, and how they are scored.

    Where a run asks somebody else, it may have ``preflight() -> None`` too: it raises an error
    where they cannot be asked, and is called only where something is left to ask.
    """

    @property
    def noun(self) -> str:
        """Name of the units: "questions", "worlds"."""
        ...

    @property
    def manifest(self) -> dict[str, Any]:
        """Settings of the run: equal manifests, equal runs. Holds the key ``kind``."""
        ...

    @property
    def units(self) -> Sequence[K]:
        """The units of work by their keys, in the order of their results."""
        ...

    def require(self) -> None:
        """Raise an error if the run cannot start: a missing extra, key or game."""
        ...

    def begin(self, out: Path) -> None:
        """Write the data of a begun run beside it, if it keeps them."""
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
    shard: Shard | str | None = None,
    about: Callable[[K], str] = str,
    *,
    retry_failed: bool = False,
) -> dict[str, Any]:
    """Carry a run from its first command to its scores, or finish one that was begun.

    With a `shard` (2/5), only its units are worked on, and its summary is returned, no scores;
    `about` tells the world that a unit belongs to. With `retry_failed`, units that failed before
    are tried again. Raises what `Work.require` and its ``preflight`` raise before `out` is touched;
    `RecordError` where `out` holds anything else; `Stopped` where a limit or a server that is gone
    ended the run early; `WorldError` where nothing could be finished.
    """
    work.require()
    preflight = getattr(work, "preflight", None)
    lost = read_losses(out)
    finished = (out / SCORES).is_file() and not lost.unfinished
    if preflight is not None and not (finished and not (retry_failed and lost.failed)):
        preflight()
    part: Part[K] | None = None
    if shard is not None:
        from worldquiz.runs.shard import Part

        part = Part.of(shard, work.units, work.noun, name=unit_name, about=about)
    with claimed(out):
        begin_part(out, MANIFEST, work.manifest, part)
        work.begin(out)
        kept = work.kept(out, done)
        _reopen(kept, out, part, retry_failed=retry_failed)
        if kept.damaged:
            notice(
                f"{out}: {kept.damaged} places of a journal could not be read; what was lost "
                f"there is done again"
            )
        units = part.units if part else work.units
        left = unfinished(units, kept.has, done)
        if left:
            work.produce(left, kept, out)
        whole = _settle(work, kept, out, units, left, part)
        if part:
            return part.finish(out, whole.name if isinstance(whole, Path) else WORLDS)
        return _scored(work, kept, out)


def begin_part(folder: Path, name: str, record: dict[str, Any], part: Part[Any] | None) -> None:
    """Begin a folder (`begin`) that holds a part of a whole, or all of it where there is none.

    Raises `RecordError` also where it holds another part, or a part where a whole is begun.
    """
    part.check(folder, name) if part else check_whole(folder)
    begin(folder, name, record)
    if part:
        part.note(folder)


def _reopen(kept: Kept, out: Path, part: Part[Any] | None, *, retry_failed: bool) -> None:
    """Make a run that ended early, or with failures that are tried again, one that goes on."""
    before = read_losses(out)
    if before.unfinished or (retry_failed and before.failed):
        if part:
            part.begin(out)
        kept.reopen(failed=retry_failed)
        (out / SCORES).unlink(missing_ok=True)
        (out / FILE).unlink()


def _settle(
    work: Work[K, S],
    kept: S,
    out: Path,
    units: Sequence[K],
    left: Sequence[K],
    part: Part[K] | None,
) -> object:
    """Settle what is done, and write down what is not; return where. Raises as `live` does."""
    missing = [key for key in left if not kept.has(key)]
    if len(missing) == len(units):
        for error in kept.losses.values():
            if isinstance(error, LimitReached):
                raise Stopped(f"none of the {work.noun} is finished: {error}; {KEPT}") from error
        if not part or all(map(passing, kept.losses.values())):  # other shards may have results
            raise_lost(kept.losses, work.noun, len(missing))
    causes = {key: kept.losses[key] for key in missing if key in kept.losses}
    for key, error in causes.items():
        if not passing(error):
            kept.fail(key)
    rest = [key for key in missing if not kept.has(key)]
    reason = reason_of(next((causes[key] for key in rest if key in causes), _NO_RESULT))
    if rest and (part or not getattr(work, "partial", True)):
        raise Stopped(f"{len(rest)} {work.noun} have no result ({reason}); {KEPT}")
    names = [unit_name(key) for key in rest]
    write_losses(out, Losses(kept.failed(), names, reason if rest else ""))  # rows count by it
    return kept.settle([key for key in units if kept.has(key)])


def _scored(work: Work[K, S], kept: S, out: Path) -> dict[str, Any]:
    """Score what is done and write the scores. Raises `Stopped` where something is unfinished."""
    found, kind = work.score(out, kept), None
    with suppress(RecordError):  # whose benchmark is not installed
        kind = kind_of_run(out)[1]
    if kind and kind.rows != KEPT_ROWS:
        write_rows(out, kind.rows(out))
    found = with_losses(found, out, lambda: kind.rows(out) if kind else ())
    write_json(out / SCORES, found)
    rest = read_losses(out)
    if rest.unfinished:
        raise Stopped(
            f"{len(rest.unfinished)} of {len(work.units)} {work.noun} are unfinished: "
            f"{rest.reason}; `worldquiz score {out}` shows the scores of the others; {KEPT}"
        )
    return found


def unfinished(units: Sequence[K], has: Callable[[K], bool], done: Done) -> list[K]:
    """Return the units that have no result; tell `done` the names of the others."""
    left = []
    for key in units:
        if has(key):
            done(unit_name(key))
        else:
            left.append(key)
    return left
