"""Seats: each agent has a place of its own, and finds it again when it comes back.

A seat is the name of one agent at the door. Its first call takes the first place that is free; all
its calls go there until that place is finished, whatever becomes of the connection or the server.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from worldquiz.errors import user_errors
from worldquiz.runs.losses import passing, reason_of
from worldquiz.serve.kept_calls import KeptToolCalls
from worldquiz.serve.served import Served
from worldquiz.serve.session import LOOK, Session, Tool, ToolError, ToolReply, check_tool

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
        settled: Callable[[], None],
        release: bool = False,
    ) -> None:
        """Open the places that are not finished; those under way wait for their agents.

        `settled` is called when a place is finished or lost. With `release`, places under way are
        free again, from their beginning.
        """
        self._served, self._kept, self._out = served, kept, out
        self._settled = settled
        self._sessions: dict[str, Session] = {}
        self._place: dict[str, str] = {}  # by seat: what it plays
        self._free: list[str] = []
        self._open = len(places)
        for place in places:
            calls = KeptToolCalls(out, place)
            if release:
                calls.forget()
            if calls.seat is None or calls.seat in self._place:
                self._free.append(place)
            else:
                self._place[calls.seat] = place

    @property
    def left(self) -> int:
        """Number of places that are not finished."""
        return self._open

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
        return self._ended(seat, reply) if session.over else reply

    def _session(self, seat: str) -> Session:
        """Return what a seat plays; a seat without a place takes one. Raises `ToolError`."""
        if seat in self._sessions:
            return self._sessions[seat]
        if seat not in self._place:
            if not self._free:
                raise ToolError(self._none())
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

    def _ended(self, seat: str, reply: ToolReply) -> ToolReply:
        self._settle(seat)
        return ToolReply(f"{reply.text}\n\n{self._after()}", reply.pictures)

    def _settle(self, seat: str) -> None:
        """Note that a seat's place is finished: its results are kept."""
        self._settled()
        KeptToolCalls(self._out, self._place[seat]).forget()
        self._open -= 1

    def _lost(self, seat: str, error: Exception) -> ToolError:
        """Note that a seat's place could not be finished; return what its agent is told."""
        place = self._place[seat]
        self._served.lose(place, error, self._kept)
        self._settled()
        if not passing(error):
            KeptToolCalls(self._out, place).forget()
        self._leave(seat)
        self._open -= 1
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

    def _none(self) -> str:
        noun, taken = self._served.noun, self._open - len(self._free)
        others = f"{taken} under way with other agents" if taken else "all are finished"
        return f"no {noun} is left for you: {others}. Stop here."

    def close(self) -> None:
        """Free what all sessions hold; their calls stay."""
        for session in self._sessions.values():
            session.close()
        self._sessions = {}
