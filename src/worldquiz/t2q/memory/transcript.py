"""Turns as text: how every memory is told what happened, and what the in-context method recalls.

    [task 2, step 3] > open brown box
    You open the brown box, revealing a muffin.
    Inventory: You are carrying nothing.

Steps count from 0, the first look of a task, which has no command. A heading says which turns are
there, so a reader of a part knows where turns are missing.
"""

from __future__ import annotations

from collections.abc import Iterable

from worldquiz.facts.episode import Turn
from worldquiz.facts.requirement import Moment
from worldquiz.t2q.memory.base import Entry


def heading(moment: Moment, action: str | None) -> str:
    """Return a turn's first line; tasks are numbered from 1 here, for people."""
    told = "" if action is None else f" > {' '.join(action.split())}"
    return f"[task {moment.episode + 1}, step {moment.step}]{told}"


def rendered(moment: Moment, turn: Turn) -> str:
    """Return a turn as text that ends with a newline."""
    seen = turn.observation
    return f"{heading(moment, turn.action)}\n{seen.text.strip()}\nInventory: {seen.inventory}\n"


def entry(turns: Iterable[tuple[Moment, Turn]]) -> Entry:
    """Return turns as a memory is given them."""
    taken = tuple(turns)
    return Entry(taken, "".join(rendered(*turn) for turn in taken))
