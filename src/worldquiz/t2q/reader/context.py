"""Texts that a memory recalls: parsing of turns into a map, and writing of a map in sentences.

`read_context` makes a map from turns as text. A memory may return only some turns, in any order,
but a map from any part of a real trajectory is never wrong about the initial state. In a command
given where nothing is in sight, a full name means the thing of that name. If there are other lines
among the turns, the result is not `exact`.

`WorldGraphMemory` keeps a map of the world at its start, read from the text by rules, without a
model. So it shows how much a model gains from a structured memory without mistakes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from worldquiz.facts.episode import Observation, Turn
from worldquiz.facts.requirement import Moment
from worldquiz.memory.base import Entry
from worldquiz.t2q.reader.graph import Graph, Reader


class ReadText(NamedTuple):
    """The maps read from a text. The graph is shared, and must not be changed."""

    graph: Graph
    alone: Sequence[Graph]  # of each turn alone, as if it were the world's first
    exact: bool  # every line was read, so the text settles nothing beyond these maps


_HEADING = re.compile(
    r"\[task (?P<task>[1-9]\d{0,8}), step (?P<step>\d{1,9})\](?: >(?: (?P<action>.*))?)?"
)
_BULLET = re.compile(r"^(?:[-*•]|\d+[.)])\s+")
_LEFT_OUT = re.compile(r"\[\d+ earlier turns left out\]")
_INVENTORY = "Inventory:"


@lru_cache(maxsize=128)
def read_context(text: str, *, changes: bool = False) -> ReadText:
    """Read a recalled text. If statements contradict each other, the first counts."""
    turns, rest = _split(text)
    reader = Reader(changes=changes)
    for moment in sorted(turns):
        reader.take(moment, turns[moment])
    alone = [Reader() for _ in turns]
    for each, turn in zip(alone, turns.values(), strict=True):
        each.step(turn.action or "", turn.observation)
    return ReadText(reader.graph, [each.graph for each in alone], not rest and not reader.unread)


def _split(text: str) -> tuple[dict[Moment, Turn], list[str]]:
    """Return the turns, and the lines that belong to no turn or contradict an earlier copy of it.

    A heading without an inventory below it is not a turn: its text may be cut short.
    """
    turns: dict[Moment, Turn] = {}
    rest, block = list[str](), list[str]()
    moment, action = None, ""  # of the heading above, until its inventory closes the turn
    for raw in text.splitlines():
        line = _BULLET.sub("", raw.strip())
        if heading := _HEADING.fullmatch(line):
            rest += block
            moment = Moment(int(heading["task"]) - 1, int(heading["step"]))
            action, block = heading["action"] or "", []
        elif moment and line.startswith(_INVENTORY):
            told, start = "\n".join(block).strip(), moment.step == 0
            inventory = line.removeprefix(_INVENTORY).strip()
            objective = told.partition("-= ")[0].strip() if start else ""
            seen = Observation(told, inventory, 0, False, objective)
            turn = Turn(None if start else action, seen)
            if turns.setdefault(moment, turn) != turn:
                rest += block
            moment, block = None, []
        else:
            (block if moment else rest).append(line)
    rest += block
    return turns, [line for line in rest if line and not _LEFT_OUT.fullmatch(line)]


# --- The map in sentences -----------------------------------------------------------------------

TITLE = "The world as it was at the start, as far as it has been seen:"
LATER = "Where things were when the last task began, as far as it has been seen:"


class WorldGraphMemory:
    """A map of the world at its start, read without a model."""

    def __init__(self) -> None:
        self._reader = Reader()

    async def add(self, entry: Entry) -> None:
        """Read the turns."""
        for moment, turn in entry.turns:
            self._reader.take(moment, turn)

    async def recall(self, query: str) -> str:
        """Return the map, whatever the query."""
        graph = self._reader.graph
        lines = [*_rooms(graph), *_things(graph, graph.place, graph.contents), *_locks(graph)]
        if graph.later_contents:
            lines += [LATER, *_things(graph, graph.later_place, graph.later_contents)]
        return "\n".join([TITLE, *lines]) if lines else ""


def _rooms(graph: Graph) -> Iterator[str]:
    """Write the exits of each room, and where it lies from the first room that was seen."""
    for room, exits in graph.exits.items():
        told = []
        for way, door in exits.items():
            there = graph.behind(room, way)
            end = f" to the {there}" if there else ", not known where to"
            told.append(f"{way} through the {door}{end}" if door else way + end)
        yield f"Exits of the {room}: {'; '.join(told) or 'none'}."
        first = next(iter(graph.exits))
        if room != first and (offset := graph.offset(first, room)):
            east, north = offset
            steps = [f"{abs(east)} {'east' if east > 0 else 'west'}"] if east else []
            steps += [f"{abs(north)} {'north' if north > 0 else 'south'}"] if north else []
            yield f"The {room} lies {' and '.join(steps) or 'right'} of the {first}."


def _things(
    graph: Graph, places: Mapping[str, str], whole: Mapping[str, frozenset[str]]
) -> Iterator[str]:
    """Write what was in or on each place; if its `whole` content was seen, say that this is all."""
    for spot in dict.fromkeys((*whole, *places.values())):
        there = {thing for thing, place in places.items() if place == spot}
        things = sorted(there.union(whole.get(spot, ())))
        if spot in whole:
            things.append("nothing else" if things else "nothing")
        word = "On" if graph.kinds.get(spot) == "supporter" else "In"
        yield f"{word} the {spot}: {', '.join(things)}."


def _locks(graph: Graph) -> Iterator[str]:
    """Write the states of doors and containers, and which keys fit."""
    for thing in sorted({*graph.lids, *graph.locks}):
        lid, lock = graph.opened(thing), graph.locked(thing)
        told = [] if lid is None else ["open" if lid else "closed"]
        told += [] if lock is None else ["locked" if lock else "not locked"]
        yield f"The {thing} was {' and '.join(told)}."
    yield from (f"The {key} fits the {lock}." for key, lock in sorted(graph.fits.items()))
    yield from (f"The {key} does not fit the {lock}." for key, lock in sorted(graph.unfit))
