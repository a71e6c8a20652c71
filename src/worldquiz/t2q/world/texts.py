"""Texts of rooms and things. Wording varies by seed; the information in it never does.

The game in Python and the Inform source of the same game are both written from here. A text hangs
on the state in two ways only: how a `Lid` stands, and what is in or on a holder (`Content`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from worldquiz import rng
from worldquiz.facts.fact import DIRECTIONS
from worldquiz.t2q.world.spec import WorldSpec


class Lid(NamedTuple):
    """One of two texts about a door or container."""

    thing: str
    open: str = "an open"
    closed: str = "a closed"


class Content(NamedTuple):
    """One of two texts about a supporter or an open container; nothing of a closed one."""

    holder: str
    before: str  # the list of what is there
    after: str
    empty: str


Text = tuple[str | Lid | Content, ...]
"""A text, piece by piece."""


class Texts:
    """The texts of one world, each written when it is first asked for."""

    def __init__(self, spec: WorldSpec) -> None:
        self._spec = spec
        self._written: dict[str, Text] = {}

    def of(self, name: str) -> Text:
        """Return the description of a room (its furniture, then its exits) or thing."""
        text = self._written.get(name)
        if text is None:
            text = self._written[name] = tuple(self._of(name))
        return text

    def _of(self, thing: str) -> Iterable[str | Lid | Content]:
        match self._spec.kinds[thing]:
            case "room":
                return *self._furniture(thing), "\n\n", *self._exits(thing)
            case "door" | "container":
                return f"The {thing} is ", Lid(thing, "open", "closed"), "."
            case "supporter":
                return (f"The {thing} looks steady.",)
        return (f"You see nothing special about the {thing}.",)

    def _furniture(self, room: str) -> Iterator[str | Lid | Content]:
        yield self._worded(
            room, "You are in the {}.", "You find yourself in the {}.", "This is the {}."
        ).format(room)
        kinds, here = self._spec.kinds, self._spec.content.get(room, [])
        for name in (name for name in here if kinds[name] == "supporter"):
            by_wall = "By the wall stands {}."
            form = self._worded(name, "You see {} here.", "There is {} here.", by_wall)
            filled = self._worded(f"on {name}", "On the {} you see", "On the {} lies")
            yield f" {form.format(article(name))}"
            yield Content(name, f" {filled.format(name)} ", ".", f" The {name} is empty.")
        for name in (name for name in here if kinds[name] == "container"):
            corner = "In the corner is {}."
            form = self._worded(name, "You see {} here.", "There is {} here.", corner)
            filled = self._worded(f"in {name}", "In the {} you see", "The {} contains")
            before, after = form.split("{}")
            yield from (f" {before}", Lid(name), f" {name}{after}")
            yield Content(name, f" {filled.format(name)} ", ".", f" The {name} is empty.")

    def _exits(self, room: str) -> Iterator[str | Lid]:
        exits, space = self._spec.exits[room], ""
        for way in (way for way in DIRECTIONS if way in exits):
            if door := exits[way]:
                yield from (f"{space}There is ", Lid(door), f" {door} leading {way}.")
            else:
                yield space + self._worded(
                    f"{room} {way}",
                    "There is an exit to the {}.",
                    "You can go {} from here.",
                    "An open passage leads {}.",
                ).format(way)
            space = " "

    def _worded(self, subject: str, *forms: str) -> str:
        """Return one of the forms, drawn by seed for this subject alone: no text shifts another."""
        return rng.child(self._spec.seed, "wording", subject).choice(forms)


@lru_cache(4096)
def article(name: str) -> str:
    """Return a name with its indefinite article."""
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
