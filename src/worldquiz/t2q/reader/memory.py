"""Memory that keeps a map of the world as it was at its start, and hands it over as sentences.

It is read from the text by rules, without a model, so it shows what a structured memory that makes
no mistake is worth to the model that reads it.
"""

from __future__ import annotations

from collections.abc import Iterator

from worldquiz.memory.base import Entry, Recalled
from worldquiz.t2q.reader.graph import Graph, Reader

TITLE = "The world as it was at the start, as far as it has been seen:"


class WorldGraphMemory:
    """A map of the world at its start, read without a model."""

    def __init__(self) -> None:
        self._reader = Reader()

    async def add(self, entry: Entry) -> None:
        """Read the turns."""
        for moment, turn in entry.turns:
            self._reader.take(moment, turn)

    async def recall(self, query: str) -> Recalled:
        """Return the map, whatever the query."""
        graph = self._reader.graph
        lines = [*_rooms(graph), *_things(graph), *_locks(graph)]
        return Recalled(("\n".join([TITLE, *lines]),) if lines else ())


def _rooms(graph: Graph) -> Iterator[str]:
    """Write the exits of each room, and how rooms lie from the first that was seen."""
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


def _things(graph: Graph) -> Iterator[str]:
    """Write what was in or on each place, and that it is all where all of it was seen."""
    for spot in dict.fromkeys((*graph.contents, *graph.place.values())):
        things = sorted(thing for thing, place in graph.place.items() if place == spot)
        if spot in graph.contents:
            things.append("nothing else" if things else "nothing")
        word = "On" if graph.kinds.get(spot) == "supporter" else "In"
        yield f"{word} the {spot}: {', '.join(things)}."


def _locks(graph: Graph) -> Iterator[str]:
    """Write how doors and containers were, and which keys fit."""
    for thing in sorted({*graph.lids, *graph.locks}):
        lid, lock = graph.opened(thing), graph.locked(thing)
        told = [] if lid is None else ["open" if lid else "closed"]
        told += [] if lock is None else ["locked" if lock else "not locked"]
        yield f"The {thing} was {' and '.join(told)}."
    yield from (f"The {key} fits the {lock}." for key, lock in sorted(graph.fits.items()))
    yield from (f"The {key} does not fit the {lock}." for key, lock in sorted(graph.unfit))
