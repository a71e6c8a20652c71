"""Protocol of memories: text in after every step, text out for every decision and every question.

A memory serves one agent in one world. It is given the agent's commands and observations as text
(`entry`), never a fact and never a question's answer. The text that it returns goes into the prompt
as its ``Context:``; it is the only difference between one method and another.

    add     the turns of one step or one task, in the order played
    recall  the text that is of use for a query; asking changes nothing
    close   the world is done: free stores and threads, where there are any

Turns are told as text (`rendered`):

    [task 2, step 3] > open brown box
    You open the brown box, revealing a muffin.
    Inventory: You are carrying nothing.

Steps count from 0, the first look of a task, which has no command. A heading says which turns are
there, so a reader of a part knows where turns are missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from worldquiz.errors import CatalogError, ReplyTypeError
from worldquiz.facts.episode import Turn
from worldquiz.facts.requirement import Moment
from worldquiz.llm.model import Model
from worldquiz.runs.given import OTHER_CODE, blamed, place_of, settled


@dataclass(frozen=True, slots=True)
class Entry:
    """One memory write: one turn, or all turns of a task."""

    turns: tuple[tuple[Moment, Turn], ...]
    text: str  # the same, rendered


def heading(moment: Moment, action: str | None) -> str:
    """Return the first line of a turn; for readers, tasks are numbered from 1."""
    told = "" if action is None else f" > {' '.join(action.split())}"
    return f"[task {moment.episode + 1}, step {moment.step}]{told}"


def rendered(moment: Moment, turn: Turn) -> str:
    """Return a turn as text that ends with a newline; no inventory where none is told."""
    seen = turn.observation
    held = f"Inventory: {seen.inventory}\n" if seen.inventory else ""
    return f"{heading(moment, turn.action)}\n{seen.text.strip()}\n{held}"


def entry(turns: Iterable[tuple[Moment, Turn]]) -> Entry:
    """Return turns as a memory is given them."""
    taken = tuple(turns)
    return Entry(taken, "".join(rendered(*turn) for turn in taken))


@dataclass(frozen=True, slots=True)
class Recalled:
    """Text that a memory returns for a query.

    `parts` are joined without anything between them. Each part stays as it is from call to call
    for as long as possible, so that providers' prompt caches can end between parts; memories that
    recall afresh have one part.
    """

    parts: tuple[str, ...] = ()
    whole: bool = False  # all that was added, verbatim: no recent turns need be repeated

    @property
    def text(self) -> str:
        """The whole text."""
        return "".join(self.parts)


class Memory(Protocol):
    """Memory of an agent in one world.

    Two more methods are called where a memory has them. ``close() -> None`` frees what it holds.
    ``shrink() -> int`` is for when the model's window is full: it leaves out the oldest quarter of
    what is handed over, for good, and returns how many turns that is, 0 where none is left.
    """

    async def add(self, entry: Entry) -> None:
        """Take in what was done and seen."""
        ...

    async def recall(self, query: str) -> Recalled:
        """Return what helps with a query; it may be nothing."""
        ...


class Guarded:
    """A memory as a run and the kit use it: any object with ``add(entry)`` and ``recall(query)``.

    The two may be plain or `async`, and ``recall`` may return a text; ``close`` and ``shrink`` are
    called where there are such methods. Errors name the memory.
    """

    def __init__(self, made: Any, name: str) -> None:
        self._made, self._who = made, f"memory {name!r}"

    async def add(self, entry: Entry) -> None:
        """Hand what was done and seen to the object. Raises `AgentError` for what that raises."""
        with blamed(self._who, "in add"):
            await settled(self._made.add(entry))

    async def recall(self, query: str) -> Recalled:
        """Return what the object recalls.

        Raises `AgentError` if the object raises, and `ReplyTypeError`, naming the line, if it
        returns something other than text.
        """
        with blamed(self._who, "in recall"):
            found = await settled(self._made.recall(query))
        if isinstance(found, str):
            return Recalled((found,) if found else ())
        parts = found.parts if isinstance(found, Recalled) else None
        if isinstance(parts, tuple) and all(isinstance(part, str) for part in parts):
            return found  # type: ignore[no-any-return]
        raise ReplyTypeError(
            f"{self._who} recalled {found!r:.80}, neither a text nor a Recalled with a tuple of "
            f"texts: correct {place_of(self._made.recall)}; {OTHER_CODE}"
        )

    def shrink(self) -> int:
        """Have the object leave turns out; return how many, 0 where it can leave out none."""
        return self._made.shrink() if hasattr(self._made, "shrink") else 0

    def close(self) -> None:
        """Have the object free what it holds, if it holds anything."""
        if hasattr(self._made, "close"):
            self._made.close()


class Embedder(Protocol):
    """Turns texts into vectors of unit length. Shared by all worlds of a run."""

    dimensions: int  # of a vector

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector a text. Blocks: call it in a worker thread. Threads may share it."""
        ...


@dataclass(frozen=True, slots=True)
class Services:
    """Services that a memory may call, and nothing else: no network but these."""

    model: Model
    embedder: Embedder | None  # None where a memory said that it needs none
    world: str  # the world's id, to keep stores apart
    k: int = 10  # pieces recalled at most, where a memory recalls pieces

    def vectors_by(self) -> Embedder:
        """Return the embedder for a memory that needs one. Raises `CatalogError` without one."""
        if self.embedder is None:
            raise CatalogError(f"the memory of world {self.world!r} needs an embedder")
        return self.embedder
