"""Runs in which agents do the work through a server's tools, each at a place of its own.

A seat is the name of one agent at the door. Its first call takes the first place that is free; all
its calls go there until that place is finished, whatever becomes of the connection or the server.

A run that is served is a run like any other: the same manifest, journal, records, failures and
scores (`runs.life`). It ends when all is finished or the door is closed; units that no agent has
finished are unfinished, and the same command goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from worldquiz.errors import KEPT, RecordError, Stopped, notice, user_errors
from worldquiz.runs.life import Kept
from worldquiz.runs.losses import (
    FILE,
    Losses,
    Passing,
    passing,
    reason_of,
    unit_name,
    write_losses,
)
from worldquiz.serve.served import Served
from worldquiz.serve.session import (
    LOOK,
    KeptToolCalls,
    Session,
    Tool,
    ToolError,
    ToolReply,
    check_tool,
)

_UNFINISHED = "no agent has finished them"

NEXT = Tool("next", "Goes on to another one, once this one is finished.")


def tools_of(served: Served) -> tuple[Tool, ...]:
    """Return all that an agent can do at a door."""
    return (LOOK, *served.tools, NEXT)


class Seats:
    """The agents at a door, by the names of their seats."""

    def __init__(
        self,
        served: Served,
        places: Sequence[str],
        kept: Any,
        out: Path,
        *,
        settled: Callable[[], None] = lambda: None,
    ) -> None:
        """Open the places that are not finished; those under way wait for their agents.

        `settled` is called when a place is finished or lost.
        """
        self._served, self._kept, self._out = served, kept, out
        self._settled = settled
        self._sessions: dict[str, Session] = {}
        self._place: dict[str, str] = {}  # by seat: what it plays
        self._free: list[str] = []
        self.left = len(places)  # places that are not finished
        for place in places:
            calls = KeptToolCalls(out, place).kept
            if not calls or calls[0].seat in self._place:
                self._free.append(place)
            else:
                self._place[calls[0].seat] = place

    def call(self, seat: str, name: str, arguments: Mapping[str, Any]) -> ToolReply:
        """Carry out a call of an agent. Raises `ToolError`, which says what to do instead."""
        if name == NEXT.name:
            NEXT.read(arguments)
            return self._next(seat)
        check_tool(name, [each.name for each in tools_of(self._served)])
        session = self._session(seat)
        if session.over:
            raise ToolError(f"{name}: {self._after()}")
        try:
            reply = session.call(name, arguments)
        except ToolError:
            raise
        except Exception as error:  # whatever a world or its library raises
            raise self._lost(seat, error) from error
        if not session.over:
            return reply
        self._settle(seat)
        return ToolReply(f"{reply.text}\n\n{self._after()}", reply.pictures)

    def _session(self, seat: str) -> Session:
        """Return what a seat plays; a seat without a place takes one. Raises `ToolError`."""
        if seat in self._sessions:
            return self._sessions[seat]
        if seat not in self._place:
            if not self._free:
                taken = f"{self.left} under way with other agents"
                others = taken if self.left else "all are finished"
                raise ToolError(f"no {self._served.noun} is left for you: {others}. Stop here.")
            self._place[seat] = self._free.pop(0)
        place = self._place[seat]
        try:
            session = Session(
                lambda: self._served.script(place, self._kept),
                self._served.tools,
                KeptToolCalls(self._out, place),
                seat,
            )
        except Exception as error:  # whatever a world or its library raises
            raise self._lost(seat, error) from error
        self._sessions[seat] = session
        if session.over:  # the server was killed after the last call, before all was written
            self._settle(seat)
        return session

    def _next(self, seat: str) -> ToolReply:
        session = self._sessions.get(seat)
        if session is not None and not session.over:
            raise ToolError(
                f"next: finish this {self._served.noun} first; `look` shows where you are"
            )
        if session is not None:
            self._leave(seat)
        return self._session(seat).call(LOOK.name, {})

    def _settle(self, seat: str) -> None:
        """Note that a seat's place is finished: its results are kept."""
        self._settled()
        KeptToolCalls(self._out, self._place[seat]).forget()
        self.left -= 1

    def _lost(self, seat: str, error: Exception) -> ToolError:
        """Note that a seat's place could not be finished; return what its agent is told."""
        place = self._place[seat]
        self._served.lose(place, error, self._kept)
        self._settled()
        if not passing(error):
            KeptToolCalls(self._out, place).forget()
        self._leave(seat)
        self.left -= 1
        why = str(error) if isinstance(error, user_errors()) else reason_of(error)
        return ToolError(f"this {self._served.noun} cannot go on ({why}). {self._after()}")

    def _leave(self, seat: str) -> None:
        session = self._sessions.pop(seat, None)
        if session is not None:
            session.close()
        self._place.pop(seat, None)

    def _after(self) -> str:
        noun = self._served.noun
        if self._free:
            return f"`{NEXT.name}` begins another {noun} ({len(self._free)} free), or stop here."
        return f"No {noun} is left for you: stop here."

    def close(self) -> None:
        """Free what all sessions hold; their calls stay."""
        for session in self._sessions.values():
            session.close()
        self._sessions = {}


class Serving:
    """A run whose work is done by agents who come to a door."""

    def __init__(self, served: Served, door: Callable[[Seats], None]) -> None:
        """Serve at a `door`, which returns when it is closed."""
        self._served, self._door = served, door

    def __getattr__(self, name: str) -> Any:
        """Return what the served run says of itself: its units, its store, its scores."""
        return getattr(self._served.work, name)

    @property
    def manifest(self) -> dict[str, Any]:
        """Manifest of the run, with a note that it was served."""
        return {**self._served.work.manifest, "served": True}

    def produce(self, left: Sequence[Any], kept: Kept, out: Path) -> None:
        """Serve until all is finished, or the door is closed."""
        places = self._served.places(left)
        seats = Seats(self._served, places, kept, out, settled=lambda: self._settle(kept, out))
        try:
            self._door(seats)
        finally:
            seats.close()
        if not kept.losses and not any(kept.has(unit) for unit in self._served.work.units):
            raise Stopped(f"no {self._served.noun} is finished yet; {KEPT}")
        for unit in left:
            if not kept.has(unit):
                kept.losses.setdefault(unit, Passing(_UNFINISHED))

    def _settle(self, kept: Kept, out: Path) -> None:
        """Leave the run as one that ended here, with scores to be had.

        Clients kill the servers that they started, some without notice. Raises nothing: a file that
        cannot be written now is written when the next place is finished, or the door is closed.
        """
        if not any(kept.has(unit) for unit in self._served.work.units):
            return
        try:
            for unit, error in list(kept.losses.items()):
                if not passing(error):
                    kept.fail(unit)
            kept.reopen(failed=False)
            kept.settle([unit for unit in self._served.work.units if kept.has(unit)])
            rest = [unit_name(unit) for unit in self._served.work.units if not kept.has(unit)]
            (out / FILE).unlink(missing_ok=True)
            write_losses(out, Losses(kept.failed(), rest, _UNFINISHED if rest else ""))
        except (RecordError, OSError) as error:
            notice(f"{out}: {error}")
