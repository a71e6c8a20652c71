"""A map as English sentences, one a line, as the memory hands it over; and the reading of them.

    Exits of the attic: north through the old gate to the study; east, never taken; no others.
    The attic lies 1 south of the study.
    In the attic: red box (container); on the floor: blue hat (object); nothing else.
    The old gate (door) was closed and perhaps locked.
    The red box (container) was closed and locked.
    In the red box (container): not known.
    The tin key fits the red box.

All of it is about the start of the world. Exits stand in the order in which they were first taken,
either way, and those never taken last. Each line says whole what it says, so any of them may be
read without the others, in any order. Lines that follow from others by the laws (where a room lies,
what is behind a door that was seen from both of its sides) are written for people and models and
not read.

`read_context` makes a map of any text that a memory handed over: rendered turns, these sentences or
both. A memory may return some turns and not others, in any order. The law: a map from any part of a
real trajectory is never wrong about the initial state. A thing that is named in full where nothing
is in sight is taken to be the thing of that name. Lines of no known form are handed back, so that a
caller knows when a text was not read exactly.

`shows` tells whether a text holds an answer: the map settles it, or one turn shows it as it stands.
For a turn that was taken out of its task may show what a map cannot be sure of: somebody may have
put the key on the table where it lies. A model that is handed that turn has the evidence all the
same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from worldquiz.facts.episode import Observation, Turn
from worldquiz.facts.fact import DIRECTIONS
from worldquiz.facts.question import Prompt
from worldquiz.facts.requirement import Moment
from worldquiz.memory.base import Entry, Recalled
from worldquiz.t2q.reader.graph import Graph, Reader
from worldquiz.t2q.reader.questions import read_question, settled

TITLE = "The world as it was at the start, as far as it has been seen:"

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
    told = [text for text in map("\n".join, groups) if text]
    return "\n\n".join([TITLE, *told]) + "\n" if told else ""


def _room(graph: Graph, room: str) -> Iterator[str]:
    yield _exits(graph, room)
    first = next(iter(graph.exits))
    offset = graph.offset(first, room)
    if offset is not None and room != first:
        east, north = offset
        steps = [f"{abs(east)} {'east' if east > 0 else 'west'}"] if east else []
        steps += [f"{abs(north)} {'north' if north > 0 else 'south'}"] if north else []
        yield f"The {room} lies {' and '.join(steps) or 'right'} of the {first}."
    yield _contents(graph, room)
    doors = {door for door in graph.exits[room].values() if door}
    yield from (_state(graph, door) for door in sorted(doors) if graph.ends(door)[0] == room)
    for thing in graph.things_at(room):
        if graph.kinds.get(thing) in _FURNITURE:
            yield from _holder(graph, thing)


def _elsewhere(graph: Graph) -> Iterator[str]:
    """Write what belongs to no room that was seen: it was told of, or its room is not known."""
    yield from (_exits(graph, room) for room in sorted(set(graph.ways) - set(graph.exits)))
    holders = {thing for thing, kind in graph.kinds.items() if kind in _FURNITURE}
    for thing in sorted(holders):
        if graph.place.get(thing) not in graph.exits:
            yield from _holder(graph, thing)
    spots = {*graph.place.values(), *graph.contents} - holders - set(graph.exits)
    yield from (_contents(graph, spot) for spot in sorted(spots))
    doors = {door for exits in graph.exits.values() for door in exits.values()}
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
    parts = []
    for way in dict.fromkeys((*ways, *DIRECTIONS)):
        if way in (ways if exits is None else exits):
            door = (exits or {}).get(way)
            behind = graph.behind(room, way)
            surely = f", surely to the {behind}" if behind else ""
            end = f" to the {ways[way]}" if way in ways else f", never taken{surely}"
            parts.append(f"{way} through the {door}{end}" if door else way + end)
    told = "; ".join(parts) or "none"
    return f"{_EXITS}{room}: {told}; {'others not known' if exits is None else 'no others'}."


def _holder(graph: Graph, thing: str) -> Iterator[str]:
    if graph.kinds[thing] == "container" or thing in {*graph.lids, *graph.locks}:
        yield _state(graph, thing)
    yield _contents(graph, thing)


def _state(graph: Graph, thing: str) -> str:
    lid, lock = graph.lids.get(thing), graph.locks.get(thing)
    return f"The {_labelled(thing, graph.kinds.get(thing))} was {_LID[lid]} and {_LOCK[lock]}."


def _contents(graph: Graph, spot: str) -> str:
    things, complete = graph.things_at(spot), spot in graph.contents
    standing = [thing for thing in things if graph.kinds.get(thing) in _FURNITURE]
    loose = ", ".join(_labelled(t, graph.category(t)) for t in things if t not in standing)
    floor = "on the floor: " if spot in graph.exits and loose else ""
    parts = [", ".join(_labelled(thing, graph.kinds[thing]) for thing in standing), floor + loose]
    if things:
        end = "nothing else" if complete else "perhaps more"
    else:
        end = "nothing" if complete else "not known"
    kind = graph.kinds.get(spot)
    at = "On" if kind == "supporter" else "In" if kind or spot in graph.exits else "At"
    return f"{at} the {_labelled(spot, kind)}: {'; '.join([*filter(None, parts), end])}."


def _labelled(name: str, label: str | None) -> str:
    return f"{name} ({label})" if label else name


def read_lines(graph: Graph, lines: Iterable[str]) -> list[str]:
    """Add what lines tell to a map, and return those of no known form; blank ones are left out.

    Where two lines contradict each other, the first stands. Ways back are noted last, after those
    that a room's own line tells.
    """
    told = [line for line in map(str.strip, lines) if line and line != TITLE]
    told.sort(key=lambda line: not line.startswith(_EXITS))
    unread = [line for line in told if not _read(graph, line)]
    for room, ways in list(graph.ways.items()):
        for way, other in list(ways.items()):
            graph.walk(room, way, other)
    return unread


_NAME = r"(?P<name>[^:;,()]+)"
_KIND = r"(?: \((?P<kind>container|supporter|door)\))?"
_WAY = re.compile(
    r"(?P<way>north|east|south|west)(?: through the (?P<door>.+?))?"
    r"(?: to the (?P<other>.+)|, never taken(?:, surely to the .+)?)"
)
_ITEM = r"(?:on the floor: )?([^:;,()]+) \((container|supporter|object|food|key)\)(?:, |; )"
Found = Mapping[str, Any]


def _note_exits(graph: Graph, room: str, found: Found) -> bool:
    """Note exits, unless one of them is of no known form."""
    parts = [part for part in found["list"].split("; ") if part != "none"]
    matches = [match for match in map(_WAY.fullmatch, parts) if match]
    if len(matches) < len(parts):
        return False
    if found["end"] == "no others":
        graph.exits.setdefault(room, {match["way"]: match["door"] for match in matches})
        graph.kinds = {match["door"]: "door" for match in matches if match["door"]} | graph.kinds
    for match in matches:
        if match["other"]:
            graph.ways.setdefault(room, {})[match["way"]] = match["other"]
    return True


def _note_contents(graph: Graph, spot: str, found: Found) -> None:
    """Note what was in or on a spot; of a room that is not all while its doors are not told."""
    things = re.findall(_ITEM, found["list"])
    for name, label in things:
        if label in _FURNITURE:
            graph.kinds.setdefault(name, label)
        graph.place.setdefault(name, spot)
    is_room = found["at"] == "In" and found["kind"] is None
    if found["end"] in ("nothing else", "nothing") and (spot in graph.exits or not is_room):
        graph.contents.setdefault(spot, frozenset(name for name, _ in things))


def _note_state(graph: Graph, thing: str, found: Found) -> None:
    for known, words, role in ((graph.lids, _LID, "lid"), (graph.locks, _LOCK, "lock")):
        truth = next(truth for truth, word in words.items() if word == found[role])
        if truth is not None:
            known.setdefault(thing, truth)


_FORMS: tuple[tuple[re.Pattern[str], Callable[[Graph, str, Found], object]], ...] = tuple(
    (re.compile(pattern), note)
    for pattern, note in (
        (rf"{_EXITS}{_NAME}: (?P<list>.+); (?P<end>no others|others not known)\.", _note_exits),
        (rf"The {_NAME} lies (?:\d+ \w+(?: and \d+ \w+)?|right) of the .+\.", lambda *_: None),
        (rf"(?P<at>In|On|At) the {_NAME}{_KIND}: (?P<list>(?:{_ITEM})*)"
         r"(?P<end>nothing else|perhaps more|nothing|not known)\.", _note_contents),
        (rf"The {_NAME}{_KIND} was (?P<lid>open or closed|open|closed)"
         r" and (?P<lock>locked|not locked|perhaps locked)\.", _note_state),
        (rf"The {_NAME} does not fit the (?P<lock>.+)\.",
         lambda graph, key, found: graph.unfit.update(
             (key, lock) for lock in found["lock"].split(", the "))),
        (rf"The {_NAME} fits the (?P<lock>.+)\.",
         lambda graph, key, found: graph.fits.setdefault(key, found["lock"])),
        (rf"The {_NAME} can(?P<not>not)? be eaten\.",
         lambda graph, thing, found: graph.edible.update(
             {thing: found["not"] is None, **graph.edible})),
    )
)  # fmt: skip
"""Forms of sentences, each with what takes note of it; one that cannot, returns False."""


def _read(graph: Graph, line: str) -> bool:
    """Read one sentence, and tell whether it was one."""
    for pattern, note in _FORMS:
        if match := pattern.fullmatch(line):
            found = match.groupdict()
            if found.get("kind"):
                graph.kinds.setdefault(found["name"], found["kind"])
            return note(graph, found["name"], found) is not False
    return False


class ReadText(NamedTuple):
    """A text as far as it could be read. The graph is shared: nobody may change it."""

    graph: Graph
    unread: tuple[str, ...]  # lines of no known form

    @property
    def exact(self) -> bool:
        """True if every line was read, so that a matter not settled here is settled nowhere."""
        return not self.unread


def shows(text: str, asked: Prompt, golds: Collection[str]) -> bool | None:
    """Tell whether a text holds one of the right answers, None where it cannot be read whole.

    Monotone in turns: a text with more of them holds no less.
    """
    if not text.strip():
        return False
    read = read_context(text)
    if not read.exact or read_question(asked.text) is None:
        return None
    return any(settled(graph, asked) in golds for graph in (read.graph, *_alone(text)))


@lru_cache(maxsize=128)
def _alone(text: str) -> list[Graph]:
    """Return what each turn shows alone, as if it were the world's first."""
    readers = []
    for turn in _split(text)[0].values():
        readers.append(Reader())
        readers[-1].step(turn.action or "", turn.observation)
    return [reader.graph for reader in readers]


_HEADING = re.compile(
    r"\[task (?P<task>[1-9]\d{0,8}), step (?P<step>\d{1,9})\](?: >(?: (?P<action>.*))?)?"
)
_BULLET = re.compile(r"^(?:[-*•]|\d+[.)])\s+")
_LEFT_OUT = re.compile(r"\[\d+ earlier turns left out\]")
_INVENTORY = "Inventory:"


@lru_cache(maxsize=128)
def read_context(text: str) -> ReadText:
    """Read a recalled text. Contradictions raise nothing: the first statement stands."""
    turns, rest, twice = _split(text)
    reader = Reader()
    unread = read_lines(reader.graph, rest)
    for moment in sorted(turns):
        reader.take(moment, turns[moment])
    return ReadText(reader.graph, (*twice, *unread, *reader.unread))


def _split(text: str) -> tuple[dict[Moment, Turn], list[str], list[str]]:
    """Return the turns, the other lines, and turns told twice in two ways.

    A heading with no inventory below it is no turn: its text may be cut short.
    """
    turns: dict[Moment, Turn] = {}
    rest, twice, block = list[str](), list[str](), list[str]()
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
                twice += block
            moment, block = None, []
        else:
            (block if moment else rest).append(line)
    rest += block
    return turns, [line for line in rest if line and not _LEFT_OUT.fullmatch(line)], twice


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
        text = render(self._reader.graph)
        return Recalled((text,) if text else ())
