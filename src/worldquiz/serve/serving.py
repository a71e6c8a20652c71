"""Runs in which agents do the work through a server's tools.

A run that is served is a run like any other: the same manifest, journal, records, failures and
scores (`runs.life`). It ends when all is finished or the door is closed; units that no agent has
finished are unfinished, and the same command goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError, Stopped
from worldquiz.runs.executor import Done
from worldquiz.runs.life import Kept
from worldquiz.runs.losses import FILE, Losses, Passing, passing, unit_name, write_losses
from worldquiz.runs.notices import KEPT, notice
from worldquiz.serve.seats import Seats
from worldquiz.serve.served import Served, ServedWork

_UNFINISHED = "no agent has finished them"


class Serving:
    """A run whose work is done by agents who come to a door."""

    def __init__(self, served: Served, door: Callable[[Seats], None], *, release: bool) -> None:
        """Serve at a `door`, which returns when it is closed.

        With `release`, places that others began are free again, from their beginning.
        """
        self._served, self._door, self._release = served, door, release

    @property
    def _work(self) -> ServedWork:
        return self._served.work

    @property
    def noun(self) -> str:
        """Noun for the units, in the plural."""
        return self._work.noun

    @property
    def manifest(self) -> dict[str, Any]:
        """Manifest of the run, with a note that it was served."""
        return {**self._work.manifest, "served": True}

    @property
    def units(self) -> Sequence[Any]:
        """The units of the run."""
        return self._work.units

    @property
    def partial(self) -> bool:
        """True if a part of the results can be scored."""
        return bool(getattr(self._work, "partial", True))

    def require(self) -> None:
        """Raise what says that nothing can be served."""
        self._work.require()

    def begin(self, out: Path) -> None:
        """Write beside a begun run what it is about."""
        self._work.begin(out)

    def kept(self, out: Path, done: Done) -> Any:
        """Open the store of results."""
        return self._work.kept(out, done)

    def produce(self, left: Sequence[Any], kept: Kept, out: Path) -> None:
        """Serve until all is finished, or the door is closed."""
        places = self._served.places(left)

        def settled() -> None:
            self._settle(kept, out)

        seats = Seats(self._served, places, kept, out, settled=settled, release=self._release)
        try:
            self._door(seats)
        finally:
            seats.close()
        if not kept.losses and not any(kept.has(unit) for unit in self.units):
            raise Stopped(f"no {self._served.noun} is finished yet; {KEPT}")
        for unit in left:
            if not kept.has(unit):
                kept.losses.setdefault(unit, Passing(_UNFINISHED))

    def _settle(self, kept: Kept, out: Path) -> None:
        """Leave the run as one that ended here, with scores to be had.

        Clients kill the servers that they started, some without notice. Raises nothing: a file that
        cannot be written now is written when the next place is finished, or the door is closed.
        """
        if not any(kept.has(unit) for unit in self.units):
            return
        try:
            for unit, error in list(kept.losses.items()):
                if not passing(error):
                    kept.fail(unit)
            kept.reopen(failed=False)
            kept.settle([unit for unit in self.units if kept.has(unit)])
            rest = [unit_name(unit) for unit in self.units if not kept.has(unit)]
            (out / FILE).unlink(missing_ok=True)
            write_losses(out, Losses(kept.failed(), rest, _UNFINISHED if rest else ""))
        except (RecordError, OSError) as error:
            notice(f"{out}: {error}")

    def score(self, out: Path, kept: Any) -> dict[str, Any]:
        """Return the scores."""
        return self._work.score(out, kept)
