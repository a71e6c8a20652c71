"""Runs by connected agents that use tools, each in its own place (a world, maze or scene).

A seat is the name under which an agent connects. At its first `look`, it gets the first free place;
all its calls go to that place until it is finished, even after a lost connection or a restart of
the server. If no place is free, a seat that has only looked, and has been idle for `IDLE` seconds,
loses its place.

A served run is a run like any other, with the same manifest, journal, records, failures and scores
(`runs.life`). It ends when all is finished or the queue of calls (the door) is closed; the same
command continues with units that no agent has finished.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from worldquiz.errors import KEPT, KnobError, Stopped, did_you_mean
from worldquiz.runs.folder import HUMAN, MODEL
from worldquiz.runs.items import RunItem, Turns
from worldquiz.runs.life import Kept
from worldquiz.runs.losses import Passing, passing
from worldquiz.runs.rows import ItemKey, JournalFile, Lines, about_item
from worldquiz.serve.session import (
    LOOK,
    VALUE,
    Offer,
    Parameter,
    Script,
    Session,
    Tool,
    ToolError,
    ToolReply,
    calls_in,
    offered,
    read_call,
    unseen,
)

IDLE = 300.0
"""Idle seconds after which a seat that has only looked may lose its place to another seat."""
LONGEST_NAME = 80
PLAIN = f"1 to {LONGEST_NAME} printable letters"
NEXT = Tool("next", "Goes on to another one, once this one is finished.")
ANSWER = Tool(
    "answer",
    "Answers the question that is before you; the next one follows.",
    (Parameter("answer", "In the form that the question asks for.", VALUE),),
)


class Served(ABC):
    """Result of ``DataKind.serve``: places for agents, with a script for each (`serve.session`).

    A place is a world, maze or scene. A single session plays it from beginning to end.
    """

    place: str  # the word for a place: "world"
    instructions: str  # text for an agent at its first call
    tools: tuple[Tool, ...]  # besides `look` and `next`
    work: Any  # the run: a `runs.life.Work` whose `produce` is not called

    @abstractmethod
    def places(self, left: Sequence[Any]) -> Sequence[str]:
        """Return the worlds, mazes or scenes that have unfinished parts, in order."""

    @abstractmethod
    def script(self, place: str, kept: Any) -> Script:
        """Return the script that plays a world, maze or scene, and stores its results in `kept`."""

    @abstractmethod
    def lose(self, place: str, error: BaseException, kept: Any) -> None:
        """Record why a world, maze or scene could not be finished."""


class ServedItems(Served):
    """Serves a run of items: its questions one at a time, then the walks of the agent.

    `look` shows the text and the question, as models see them. `make` returns the run; it is called
    when the run is first needed, since it may take long.
    """

    tools: tuple[Tool, ...] = (ANSWER,)

    def __init__(self, place: str, instructions: str, make: Callable[[], Any]) -> None:
        self.place, self.make = place, make
        self.instructions = (
            f"{instructions} `look` shows the question before you with all that goes with it, as "
            "often as you like; `answer` answers it, and the next one follows. Answers cannot be "
            "changed."
        )

    @cached_property
    def work(self) -> Any:
        """The run: an `exam.asking.ItemsRun`."""
        return self.make()

    def items(self, place: str) -> list[RunItem]:
        """Return a world's items: its questions, then its walks (where the agent itself moves)."""
        mine = [item for key, item in self.work.items.items() if key[0] == place]
        return sorted(mine, key=lambda item: item.walked)

    def places(self, left: Sequence[ItemKey]) -> Sequence[str]:
        """Return the worlds, mazes or scenes of the items in `left`."""
        return sorted({place for place, _, _ in left})

    def lose(self, place: str, error: BaseException, kept: Lines[Any]) -> None:
        """Record why the items of a world, maze or scene could not be finished."""
        for item in self.items(place):
            kept.lose(about_item(item.key), error)

    async def script(self, place: str, kept: Lines[Any]) -> str:
        """Let the agent read, answer and walk; keep its replies."""
        items = self.items(place)
        questions = [item for item in items if not item.walked]
        lines: list[Mapping[str, Any]] = []
        for number, item in enumerate(questions, start=1):
            shown = item.shown()
            words = f"Question {number} of {len(items)}\n\n{shown.question}"
            text = f"{self.instructions}\n\n{shown.reading}\n\n" if shown.reading else ""
            reply, whole = (
                ToolReply(each, tuple(shown.pictures)) for each in (words, text + words)
            )
            call = await offered(Offer(reply, (ANSWER.name,), whole))
            lines.append({**about_item(item.key), "reply": call.arguments["answer"]})
        if walks := items[len(questions) :]:
            with self.work.walking(place) as begin:
                for number, item in enumerate(walks, start=len(questions) + 1):
                    heading = f"Question {number} of {len(items)}, a walk"
                    line = await self.led(begin(item.key), heading)
                    lines.append({**about_item(item.key), **line})
        for line in lines:
            kept.keep(line)
        return f"This {self.place} is finished, and your answers are kept."

    async def led(self, steps: Turns, heading: str) -> Mapping[str, Any]:
        """Return the record of a walk, in which the agent moves by the benchmark's own tools."""
        raise NotImplementedError


def read_settings(
    name: str,
    ours: Collection[str],
    told: Mapping[str, str],
    known: Mapping[str, Callable[..., Any]],
) -> dict[str, Any]:
    """Return the settings of an agent's run, parsed from texts by the functions in `known`.

    Raises `KnobError` for an unknown setting, an invalid value, or a name that is taken (`ours`
    has the names of the benchmark's agents).
    """
    if name in (HUMAN, MODEL, *ours):
        raise KnobError(f"agent name {name!r}: worldquiz uses this name; choose another")
    if not plain(name) or ":" in name:
        raise KnobError(f"agent name {name[:LONGEST_NAME]!r}: use {PLAIN}, without a colon")
    found = {}
    for each, text in told.items():
        if each not in known:
            raise KnobError(f"--set {each}={text}: no such setting{did_you_mean(each, known)}")
        try:
            found[each] = known[each](text)
        except ValueError as error:
            raise KnobError(f"--set {each}={text}: invalid value for {each}") from error
    return found


def plain(name: str) -> bool:
    """Return whether a name is printable and not too long."""
    return bool(name.strip()) and name.isprintable() and len(name) <= LONGEST_NAME


class Seats:
    """The connected agents, each with the world, maze or scene that it plays in."""

    def __init__(
        self, served: Served, places: Sequence[str], kept: Any, out: Path, idle: float = IDLE
    ) -> None:
        """Open the unfinished worlds; one that was begun waits for the agent that began it."""
        self._served, self._kept, self._out, self._idle = served, kept, out, idle
        self._sessions: dict[str, Session] = {}
        self._place: dict[str, str] = {}  # seat -> place
        self._called: dict[str, float] = {}  # seat -> time of its last call
        self._free: list[str] = []
        self.left = len(places)  # number of unfinished places
        for place in places:
            calls = calls_in(JournalFile.of_unit(out, place))
            if not calls or calls[0].seat in self._place:
                self._free.append(place)
            else:
                self._place[calls[0].seat] = place

    def call(self, seat: str, name: str, arguments: Mapping[str, Any]) -> ToolReply:
        """Carry out an agent's call. Raises `ToolError`, whose text says what to do instead."""
        if not plain(seat):
            raise ToolError(f"the address must end in a seat name of {PLAIN}")
        read_call((LOOK, *self._served.tools, NEXT), name, arguments)
        if seat not in self._place and name not in (LOOK.name, NEXT.name):
            raise unseen(name)
        self._called[seat] = time.monotonic()
        if name == NEXT.name:
            if seat in self._sessions:
                if not self._sessions[seat].over:
                    place = self._served.place
                    raise ToolError(f"next: finish this {place} first; `look` shows where you are")
                self._leave(seat)
            return self._session(seat).call(LOOK.name, {})
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
        self._finished(seat)
        return replace(reply, text=f"{reply.text}\n\n{self._after()}", last=not self._free)

    def _session(self, seat: str) -> Session:
        """Return an agent's session; an agent without one gets a free world, or a `ToolError`."""
        if seat in self._sessions:
            return self._sessions[seat]
        if seat not in self._place:
            if not self._free:
                self._give_up()
            if not self._free:
                taken = f"{self.left} under way with other agents"
                others = taken if self.left else "all are finished"
                raise ToolError(f"no {self._served.place} is left for you: {others}. Stop here.")
            self._place[seat] = self._free.pop(0)
        place = self._place[seat]
        try:
            session = Session(
                lambda: self._served.script(place, self._kept),
                self._served.tools,
                JournalFile.of_unit(self._out, place),
                seat,
            )
        except Exception as error:  # whatever a world or its library raises
            raise self._lost(seat, error) from error
        self._sessions[seat] = session
        if session.over:  # the server was killed after the last call, before all was written
            self._finished(seat)
        return session

    def _give_up(self) -> None:
        """Free the world of one agent that has only looked and has been idle for too long."""
        now = time.monotonic()
        for seat, place in self._place.items():
            journal = JournalFile.of_unit(self._out, place)
            begun = any(call.tool != LOOK.name for call in calls_in(journal))
            if begun or now - self._called.setdefault(seat, now) < self._idle:
                continue
            journal.forget()
            self._leave(seat)
            self._free.append(place)
            return

    def _finished(self, seat: str) -> None:
        JournalFile.of_unit(self._out, self._place[seat]).forget()
        self.left -= 1

    def _lost(self, seat: str, error: Exception) -> ToolError:
        """Record that an agent's world could not be finished; return the error for the agent."""
        place = self._place[seat]
        self._served.lose(place, error, self._kept)
        if not passing(error):
            JournalFile.of_unit(self._out, place).forget()
        self._leave(seat)
        self.left -= 1
        return ToolError(
            f"this {self._served.place} cannot go on; its host is told why. {self._after()}"
        )

    def _leave(self, seat: str) -> None:
        session = self._sessions.pop(seat, None)
        if session is not None:
            session.close()
        self._place.pop(seat, None)

    def _after(self) -> str:
        place = self._served.place
        if self._free:
            return f"`{NEXT.name}` begins another {place} ({len(self._free)} free), or stop here."
        return f"No {place} is left for you: stop here."

    def close(self) -> None:
        """Free the resources of all sessions; recorded calls stay."""
        for seat in list(self._sessions):
            self._leave(seat)


class Serving:
    """A run that connected agents carry out."""

    def __init__(self, served: Served, door: Callable[[Seats], None]) -> None:
        """`door` serves the agents of the given seats, and returns when serving ends."""
        self._served, self._door = served, door

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the served run, such as its units or its scores."""
        return getattr(self._served.work, name)

    @property
    def manifest(self) -> dict[str, Any]:
        """Manifest of the run, with a note that it was served."""
        return {**self._served.work.manifest, "served": True}

    def produce(self, left: Sequence[Any], kept: Kept, out: Path) -> None:
        """Serve agents until all is finished, or serving ends early."""
        seats = Seats(self._served, self._served.places(left), kept, out)
        try:
            self._door(seats)
        finally:
            seats.close()
        if not kept.losses and not any(kept.has(unit) for unit in self._served.work.units):
            raise Stopped(f"no {self._served.place} is finished yet; {KEPT}")
        for unit in left:
            if not kept.has(unit):
                kept.losses.setdefault(unit, Passing("no agent has finished them"))
