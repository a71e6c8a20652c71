"""Life cycle of a run, the same for every benchmark and every kind of run.

    require   check the libraries, keys and games that the run needs; nothing is written
    claim     lock the folder; with `fresh`, delete the run in it
    begin     write the manifest, or compare it with that of the run to be continued
    produce   work on units (worlds or questions) without a result; store each result as it comes
    settle    write all results again, in the order of the units
    score     compute the scores from these records, and write them last

A unit that cannot be finished is recorded as failed, with its reason (`losses`), and is tried again
only with `retry_failed`. If a limit or a lost server ends a run early, the finished units are
settled and scored, and the same command continues the run. If no unit could be finished, because no
server answers, the key is refused or the model is unknown, the first error is raised, and a folder
without any reply is removed.

A run that is killed and started again ends with the same bytes as an uninterrupted run, since units
depend only on their records, and a unit with a result is never worked on again. A run that is
already finished is only read, with a notice.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any, Protocol, TypeVar

from worldquiz.errors import KEPT, Stopped, WorldError, notice
from worldquiz.facts.replies import READER
from worldquiz.records import read_json
from worldquiz.runs.executor import Done, silent
from worldquiz.runs.folder import (
    LABEL,
    MANIFEST,
    SCORES,
    UNFINISHED,
    amend,
    begin,
    claimed,
    cleared,
)
from worldquiz.runs.losses import LimitReached, failures, passing, raise_lost, reason_of, unit_name
from worldquiz.runs.rows import ROWS, SUFFIX, rows_in
from worldquiz.runs.run import Run
from worldquiz.runs.settings import RunSettings

_NO_RESULT = WorldError("they gave no result")
_NOTHING = "no reply arrived, so nothing is kept"
K = TypeVar("K", bound=Hashable)
S = TypeVar("S", bound="Kept")


class Kept(Protocol):
    """Store of results, such as `rows.Lines`, which keeps each result as it comes."""

    losses: dict[Any, BaseException]
    """Why units could not be finished in this command."""

    def has(self, key: Any) -> bool:
        """Return whether a unit's result is kept."""

    def fail(self, key: Any) -> None:
        """Record a unit as failed, with its error in `losses` as the reason."""

    def reopen(self, *, failed: bool) -> None:
        """Reopen a finished run to continue it; with `failed`, drop the results of failed units."""

    def settle(self, keys: Sequence[Any]) -> object:
        """Write the results of all units, in order."""


class Work(Protocol[K, S]):
    """Work of a run: its units (worlds or questions), and the steps that process them."""

    @property
    def noun(self) -> str:
        """Name of the units: "questions", "worlds"."""

    @property
    def manifest(self) -> dict[str, Any]:
        """Settings of the run, with the key ``kind``. Equal manifests give equal runs."""

    @property
    def units(self) -> Sequence[K]:
        """The run's units in the order of their results: names of worlds, or keys of questions."""

    def require(self) -> None:
        """Raise an error if the run cannot start: a missing library, key or game."""

    def begin(self, out: Path) -> None:
        """Write the run's data, or their path, into its folder after the manifest."""

    def kept(self, out: Path, done: Done) -> S:
        """Open the store of results; `done` is called with the name of each kept unit."""

    def produce(self, left: Sequence[K], kept: S, out: Path) -> None:
        """Work on the units that have no result, and keep each result as it comes."""


def live(
    work: Work[K, S],
    out: Path,
    done: Done = silent,
    given: RunSettings | None = None,
) -> dict[str, Any]:
    """Execute a run, or continue one that was begun, and return its scores.

    `given` is None if the command has no settings. With a `shard` ("2/5"), only its units are
    worked on, and the shard's summary is returned instead. With `retry_failed`, failed units are
    tried again. Raises the errors of `Work.require` before `out` is changed; `RecordError` if `out`
    holds anything else, or a run whose code cannot be compared; `Stopped` if a limit or a lost
    server ended the run early; `WorldError` if nothing could be finished.
    """
    anew = "; --fresh (in Python fresh=True) runs it anew" if given else ""
    given = given or RunSettings()
    work.require()
    part, units = None, work.units
    if given.shard is not None:
        from worldquiz.runs.shard import dealt, summary

        part, units = dealt(given.shard, units, work.noun)
    with claimed(out):
        kept = _begun(work, out, done, given, part, anew)
        left = unfinished(units, kept.has, done)
        if left:
            work.produce(left, kept, out)
        elif (out / ROWS).is_file():
            day = date.fromtimestamp((out / ROWS).stat().st_mtime)
            notice(f"{out}: finished on {day}; nothing is run again")
        _settle(work, kept, out, units, left, part)
        if part:
            return summary(out)
        run = Run(out, getattr(work, "benchmark", None))
        run.keep(run.computed())
    if rest := run.scores.get(UNFINISHED):
        raise Stopped(
            f"{rest['units']} of {len(work.units)} {work.noun} are unfinished: {rest['reason']}; "
            f"`worldquiz score {out}` prints the scores so far; {KEPT}"
        )
    return run.scores


def _begun(
    work: Work[K, S],
    out: Path,
    done: Done,
    given: RunSettings,
    part: dict[str, Any] | None,
    anew: str,
) -> S:
    """Begin a run in a locked folder, or continue the run there; return its store of results."""
    manifest = work.manifest | ({} if given.label is None else {LABEL: given.label})
    cleared(out, manifest["kind"], fresh=given.fresh)
    begin(out, MANIFEST, {**manifest, "reader": READER}, part, anew=anew)
    work.begin(out)
    kept = work.kept(out, done)
    again = given.retry_failed and (out / ROWS).is_file() and failures(rows_in(out / ROWS))
    if again or UNFINISHED in read_json(out / MANIFEST):
        kept.reopen(failed=given.retry_failed)
        (out / SCORES).unlink(missing_ok=True)
    return kept


def _settle(
    work: Work[K, S],
    kept: S,
    out: Path,
    units: Sequence[K],
    left: Sequence[K],
    part: object,
) -> None:
    """Write finished units' results, record failed and unfinished units, raise as `live` does."""
    missing = [key for key in left if not kept.has(key)]
    if len(missing) == len(units):
        for error in kept.losses.values():
            if isinstance(error, LimitReached):
                raise Stopped(f"none of the {work.noun} is finished: {error}; {KEPT}") from error
        if not part or all(map(passing, kept.losses.values())):  # other shards may have results
            empty = kept.losses and not any(out.rglob(f"*{SUFFIX}"))
            if empty:
                cleared(out, work.manifest["kind"])
                with suppress(OSError):  # it may be a mount, or a link to another disk
                    out.rmdir()
            raise_lost(kept.losses, work.noun, len(missing), _NOTHING if empty else KEPT)
    causes = {key: kept.losses[key] for key in missing if key in kept.losses}
    for key, error in causes.items():
        if not passing(error):
            kept.fail(key)
    rest = [key for key in missing if not kept.has(key)]
    reason = reason_of(next((causes[key] for key in rest if key in causes), _NO_RESULT))
    if rest and part:
        raise Stopped(f"{len(rest)} {work.noun} have no result ({reason}); {KEPT}")
    amend(out, {UNFINISHED: {"units": len(rest), "reason": reason} if rest else None})
    kept.settle([key for key in units if kept.has(key)])


def unfinished(units: Sequence[K], has: Callable[[K], bool], done: Done) -> list[K]:
    """Return the units without a result; call `done` with the name of every other unit."""
    left = []
    for key in units:
        if has(key):
            done(unit_name(key))
        else:
            left.append(key)
    return left
