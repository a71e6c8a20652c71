"""A map as English sentences, one a line, and the sentences as a map again.

    Exits of the attic: north through the old gate to the study; east, never taken; no others.
    The attic lies 1 south of the study.
    In the attic: red box (container); on the floor: blue hat (object); nothing else.
    The old gate (door) was closed and perhaps locked.
    The red box (container) was closed and locked.
    In the red box (container): not known.
    The tin key fits the red box.

All of it is about the start of the world. Exits stand in the order in which they were first taken,
either way, and those never taken last. Each line says whole what it says, so any of them may be
read without the others, in any order. The law: ``read(render(graph)) == graph`` for every graph
that was read from real play. Lines that follow from others by the laws (where a room lies, what is
behind a door that was seen from both of its sides) are written for people and models and not read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from worldquiz.facts.fact import DIRECTIONS
from worldquiz.t2q.reader.graph import Graph

TITLE = "The world as it was at the start, as far as it has been seen:"
NOW = "Now: "
"""How lines about the present begin; they say nothing of the start and are not read."""

_EXITS = "Exits of the "
_FURNITURE = ("container", "supporter")
_LID = {True: "open", False: "closed", None: "open or closed"}
_LOCK = {True: "locked", False: "not locked", None: "perhaps locked"}
_EATEN = {True: "can be eaten", False: "cannot be eaten"}


def render(graph: Graph) -> str:
    """Return a map as text that ends with a newline, "" for an empty one.

    Rooms come in the order in which they were first seen, each with its exits, what is in it, and
    the furniture and doors that are found in it.
    """
    groups = [*(_room(graph, room) for room in graph.exits), _elsewhere(graph), _lessons(graph)]
    told = [lines for lines in map(list, groups) if lines]
    if not told:
        return ""
    return "\n\n".join([TITLE, *("\n".join(lines) for lines in told)]) + "\n"


def read(text: str) -> Graph:
    """Return the map that sentences tell; lines of other forms tell nothing."""
    graph = Graph()
    read_lines(graph, text.splitlines())
    return graph


def read_lines(graph: Graph, lines: Iterable[str]) -> list[str]:
    """Add what lines tell to a map, and return those of no known form; blank ones are left out.

    Where two lines contradict each other, the first stands.
    """
    told = [line for line in map(str.strip, lines) if line and line != TITLE]
    told.sort(key=lambda line: not line.startswith(_EXITS))
    unread = [line for line in told if not line.startswith(NOW) and not _read(graph, line)]
    _walk_back(graph)
    return unread


def _room(graph: Graph, room: str) -> Iterator[str]:
    yield _exits(graph, room)
    yield from _lies(graph, room)
    yield _contents(graph, room)
    for door in _doors_first_seen_in(graph, room):
        yield _state(graph, door)
    for thing in _things_at(graph, room):
        if graph.kinds.get(thing) in _FURNITURE:
            yield from _holder(graph, thing)


def _elsewhere(graph: Graph) -> Iterator[str]:
    """Write what belongs to no room that was seen: it was told of, or its room is not known."""
    yield from (_exits(graph, room) for room in sorted(set(graph.ways) - set(graph.exits)))
    doors = {door for room in graph.exits for door in graph.exits[room].values()}
    standing = {
        thing
        for thing, kind in graph.kinds.items()
        if kind in _FURNITURE and graph.place.get(thing) in graph.exits
    }
    holders = {thing for thing, kind in graph.kinds.items() if kind in _FURNITURE}
    for thing in sorted(holders - standing):
        yield from _holder(graph, thing)
    spots = {*graph.place.values(), *graph.contents}
    for spot in sorted(spots - holders - set(graph.exits)):
        yield _contents(graph, spot)
    lidded = {*graph.lids, *graph.locks, *(t for t, kind in graph.kinds.items() if kind == "door")}
    yield from (_state(graph, thing) for thing in sorted(lidded - doors - holders))


def _lessons(graph: Graph) -> Iterator[str]:
    """Write what holds wherever things are: which key fits what, what can be eaten."""
    yield from (f"The {key} fits the {lock}." for key, lock in sorted(graph.fits.items()))
    for key in sorted({key for key, _ in graph.unfit}):
        locks = sorted(lock for tried, lock in graph.unfit if tried == key)
        yield f"The {key} does not fit the {', the '.join(locks)}."
    yield from (f"The {thing} {_EATEN[truth]}." for thing, truth in sorted(graph.edible.items()))


def _exits(graph: Graph, room: str) -> str:
    exits, ways = graph.exits.get(room), graph.ways.get(room, {})
    known = ways if exits is None else exits
    in_order = [way for way in dict.fromkeys((*ways, *DIRECTIONS)) if way in known]
    parts = [_exit(graph, room, way) for way in in_order] or ["none"]
    end = "others not known" if exits is None else "no others"
    return f"{_EXITS}{room}: {'; '.join([*parts, end])}."


def _exit(graph: Graph, room: str, way: str) -> str:
    door = graph.exits.get(room, {}).get(way)
    through = f"{way} through the {door}" if door else way
    other = graph.ways.get(room, {}).get(way)
    if other is not None:
        return f"{through} to the {other}"
    behind = graph.behind(room, way)
    return f"{through}, never taken" + (f", surely to the {behind}" if behind else "")


def _lies(graph: Graph, room: str) -> Iterator[str]:
    """Write where a room lies from the first one, taking each passage to be one step straight."""
    first = next(iter(graph.exits))
    offset = graph.offset(first, room)
    if offset is None or room == first:
        return
    east, north = offset
    steps = [f"{abs(east)} {'east' if east > 0 else 'west'}"] if east else []
    steps += [f"{abs(north)} {'north' if north > 0 else 'south'}"] if north else []
    yield f"The {room} lies {' and '.join(steps) or 'right'} of the {first}."


def _holder(graph: Graph, thing: str) -> Iterator[str]:
    if graph.kinds[thing] == "container" or thing in {*graph.lids, *graph.locks}:
        yield _state(graph, thing)
    yield _contents(graph, thing)


def _state(graph: Graph, thing: str) -> str:
    lid, lock = graph.lids.get(thing), graph.locks.get(thing)
    return f"The {_labelled(thing, graph.kinds.get(thing))} was {_LID[lid]} and {_LOCK[lock]}."


def _contents(graph: Graph, spot: str) -> str:
    things = _things_at(graph, spot)
    standing = [thing for thing in things if graph.kinds.get(thing) in _FURNITURE]
    loose = [thing for thing in things if thing not in standing]
    parts = [", ".join(_labelled(thing, graph.kinds[thing]) for thing in standing)]
    floor = "on the floor: " if spot in graph.exits and loose else ""
    parts += [floor + ", ".join(_labelled(thing, graph.category(thing)) for thing in loose)]
    complete = spot in graph.contents
    parts = [part for part in parts if part]
    parts += ([] if not parts else ["nothing else" if complete else "perhaps more"]) or [
        "nothing" if complete else "not known"
    ]
    kind = graph.kinds.get(spot)
    at = "On" if kind == "supporter" else "In" if kind or spot in graph.exits else "At"
    return f"{at} the {_labelled(spot, kind)}: {'; '.join(parts)}."


def _things_at(graph: Graph, spot: str) -> list[str]:
    placed = (thing for thing, place in graph.place.items() if place == spot)
    return sorted({*placed, *graph.contents.get(spot, ())})


def _doors_first_seen_in(graph: Graph, room: str) -> list[str]:
    hanging = {door for door in graph.exits[room].values() if door}
    return sorted(door for door in hanging if graph.ends(door)[0] == room)


def _labelled(name: str, label: str | None) -> str:
    return f"{name} ({label})" if label else name


_NAME = r"(?P<name>[^:;,()]+)"
_KIND = r"(?: \((?P<kind>container|supporter|door)\))?"
_WAY = re.compile(
    r"(?P<way>north|east|south|west)(?: through the (?P<door>.+?))?"
    r"(?: to the (?P<other>.+)|, never taken(?:, surely to the .+)?)"
)
_ITEM = re.compile(r"(?P<name>.+) \((?P<label>container|supporter|object|food|key)\)")


def _read_exits(graph: Graph, found: dict[str, str | None]) -> bool:
    room, (*parts, end) = str(found["name"]), str(found["list"]).split("; ")
    ways = [_WAY.fullmatch(part) for part in parts if part != "none"]
    matches = [match for match in ways if match]
    if len(matches) < len(ways) or end not in ("no others", "others not known"):
        return False
    if end == "no others":
        graph.exits.setdefault(room, {match["way"]: match["door"] for match in matches})
        doors = {match["door"]: "door" for match in matches if match["door"]}
        graph.kinds = doors | graph.kinds
    for match in matches:
        if match["other"]:
            graph.ways.setdefault(room, {})[match["way"]] = match["other"]
    return True


def _walk_back(graph: Graph) -> None:
    """Take note of the way back of each passage, after those that a room's own line tells."""
    for room, ways in list(graph.ways.items()):
        for way, other in list(ways.items()):
            graph.walk(room, way, other)


def _read_contents(graph: Graph, found: dict[str, str | None]) -> bool:
    """Read what was in or on a spot; of a room that is not all while its doors are not told."""
    spot, (*parts, end) = str(found["name"]), str(found["list"]).split("; ")
    texts = [text for part in parts for text in part.removeprefix("on the floor: ").split(", ")]
    items = [item for item in map(_ITEM.fullmatch, texts) if item]
    ends = ("nothing else", "perhaps more") if parts else ("nothing", "not known")
    if len(items) < len(texts) or end not in ends:
        return False
    _note_kind(graph, found)
    for item in items:
        if item["label"] in _FURNITURE:
            graph.kinds.setdefault(item["name"], item["label"])
        graph.place.setdefault(item["name"], spot)
    is_room = found["at"] == "In" and found["kind"] is None
    if end in ("nothing else", "nothing") and (spot in graph.exits or not is_room):
        graph.contents.setdefault(spot, frozenset(item["name"] for item in items))
    return True


def _read_state(graph: Graph, found: dict[str, str | None]) -> bool:
    _note_kind(graph, found)
    for known, words, truth in (
        (graph.lids, _LID, found["lid"]),
        (graph.locks, _LOCK, found["lock"]),
    ):
        read = next(value for value, word in words.items() if word == truth)
        if read is not None:
            known.setdefault(str(found["name"]), read)
    return True


def _note_kind(graph: Graph, found: dict[str, str | None]) -> None:
    if found["kind"]:
        graph.kinds.setdefault(str(found["name"]), found["kind"])


def _read_fit(graph: Graph, found: dict[str, str | None]) -> bool:
    graph.fits.setdefault(str(found["name"]), str(found["lock"]))
    return True


def _read_unfit(graph: Graph, found: dict[str, str | None]) -> bool:
    graph.unfit |= {(str(found["name"]), lock) for lock in str(found["locks"]).split(", the ")}
    return True


def _read_eaten(graph: Graph, found: dict[str, str | None]) -> bool:
    graph.edible.setdefault(str(found["name"]), found["not"] is None)
    return True


_FORMS: tuple[tuple[re.Pattern[str], Callable[[Graph, dict[str, str | None]], bool]], ...] = tuple(
    (re.compile(pattern), reader)
    for pattern, reader in (
        (rf"{_EXITS}{_NAME}: (?P<list>.+)\.", _read_exits),
        (rf"The {_NAME} lies (?:\d+ \w+(?: and \d+ \w+)?|right) of the .+\.", lambda *_: True),
        (rf"(?P<at>In|On|At) the {_NAME}{_KIND}: (?P<list>.+)\.", _read_contents),
        (
            rf"The {_NAME}{_KIND} was (?P<lid>open or closed|open|closed)"
            r" and (?P<lock>locked|not locked|perhaps locked)\.",
            _read_state,
        ),
        (rf"The {_NAME} does not fit the (?P<locks>.+)\.", _read_unfit),
        (rf"The {_NAME} fits the (?P<lock>.+)\.", _read_fit),
        (rf"The {_NAME} can(?P<not>not)? be eaten\.", _read_eaten),
    )
)


def _read(graph: Graph, line: str) -> bool:
    """Read one sentence, and tell whether it was one."""
    for pattern, reader in _FORMS:
        match = pattern.fullmatch(line)
        if match:
            return reader(graph, match.groupdict())
    return False
