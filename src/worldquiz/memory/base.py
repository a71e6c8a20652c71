"""Protocol of memories: text in after every step, text out for every decision and every question.

A memory serves one agent in one world. It receives the agent's commands and observations as text
(`entry`), never a fact and never a question's answer. The text that it returns becomes the
``Context:`` of the prompt, which is the only difference between one memory and another.

    add     takes in the turns of one step or one task, in the order played
    recall  returns text that is useful for a query; a query changes nothing
    close   frees stores and threads, if there are any, when the world is finished

Turns are written as text (`rendered`):

    [task 2, step 3] > open brown box
    You open the brown box, revealing a muffin.
    Inventory: You are carrying nothing.

Step 0 of a task is its first observation, which has no command. The headings number the turns, so a
reader of an excerpt sees where turns are missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from worldquiz.errors import CatalogError
from worldquiz.facts.episode import Turn
from worldquiz.facts.requirement import Moment
from worldquiz.llm.model import Model
from worldquiz.runs.given import blamed, settled, text_of


@dataclass(frozen=True, slots=True)
class Entry:
    """One memory write: one turn, or all turns of a task."""

    turns: tuple[tuple[Moment, Turn], ...]
    text: str  # the same, rendered


def heading(moment: Moment, action: str | None) -> str:
    """Return the first line of a turn as text; in it, tasks are numbered from 1."""
    told = "" if action is None else f" > {' '.join(action.split())}"
    return f"[task {moment.episode + 1}, step {moment.step}]{told}"


def rendered(moment: Moment, turn: Turn) -> str:
    """Return a turn as text that ends with a newline, with the inventory if there is one."""
    seen = turn.observation
    held = f"Inventory: {seen.inventory}\n" if seen.inventory else ""
    return f"{heading(moment, turn.action)}\n{seen.text.strip()}\n{held}"


def entry(turns: Iterable[tuple[Moment, Turn]]) -> Entry:
    """Return turns as an entry for a memory."""
    taken = tuple(turns)
    return Entry(taken, "".join(rendered(*turn) for turn in taken))


class Memory(Protocol):
    """Memory of an agent in one world.

    Two more methods are called if a memory has them. ``close() -> None`` frees its resources.
    ``shrink() -> int`` is called when the model's window is full: it drops the oldest quarter of
    the recalled turns for good, and returns how many turns it dropped, 0 if none were left.

    The class attribute ``whole = True`` states that the text holds all that was added, verbatim and
    in order, except for dropped turns. Then prompts do not repeat recent turns.
    """

    async def add(self, entry: Entry) -> None:
        """Store the turns of an entry."""
        ...

    async def recall(self, query: str) -> str:
        """Return text that helps with a query; it may be empty."""
        ...


class Guarded:
    """Adapter that makes a `Memory` of any object with ``add(entry)`` and ``recall(query)``.

    Both methods may be plain or `async`. ``close`` and ``shrink`` are called if they exist, and
    ``whole`` is False unless the object sets it. Errors name the memory.
    """

    def __init__(self, made: Any, name: str) -> None:
        self._made, self._who = made, f"memory {name!r}"
        self.whole = bool(getattr(made, "whole", False))

    async def add(self, entry: Entry) -> None:
        """Pass an entry to the object. Raises `AgentError` if the object raises."""
        with blamed(self._who, "in add"):
            await settled(self._made.add(entry))

    async def recall(self, query: str) -> str:
        """Return the text that the object recalls.

        Raises `AgentError` if the object raises, and `ReplyTypeError` if it returns no string; the
        error gives the file and line of ``recall``.
        """
        with blamed(self._who, "in recall"):
            found = await settled(self._made.recall(query))
        return text_of(found, self._made.recall, self._who, "in recall")

    def shrink(self) -> int:
        """Let the object drop turns; return how many, 0 if it cannot drop any."""
        return self._made.shrink() if hasattr(self._made, "shrink") else 0

    def close(self) -> None:
        """Let the object free its resources, if it can."""
        if hasattr(self._made, "close"):
            self._made.close()


class Embedder(Protocol):
    """Turns texts into vectors of unit length. Shared by all worlds of a run."""

    dimensions: int  # of a vector

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector per text. It blocks: call it in a worker thread, or in several."""
        ...


@dataclass(frozen=True, slots=True)
class Services:
    """The only services that a memory may call; it may not use the network otherwise."""

    model: Model
    embedder: Embedder | None  # None if the memory declared no need of one
    world: str  # the world's id, to keep stores apart
    k: int = 10  # most pieces to recall, for memories that recall pieces

    def vectors_by(self) -> Embedder:
        """Return the embedder for a memory that needs one. Raises `CatalogError` without one."""
        if self.embedder is None:
            raise CatalogError(f"the memory of world {self.world!r} needs an embedder")
        return self.embedder
