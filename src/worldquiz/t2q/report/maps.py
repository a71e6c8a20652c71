"""A world drawn as SVG: rooms on their grid, passages, doors and what was where at the start.

A map is drawn once per world and knows no run. Each visible element carries ``data-f``, the
numbers of the facts any of which shows it; a run's page marks an element as seen once one of them
was revealed. So what a map calls seen is what answers questions, by construction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape

from worldquiz.facts.evidence import Evidence
from worldquiz.facts.fact import (
    DOOR_AT,
    EXIT,
    LEADS,
    LISTED,
    LOCKED,
    MATCH,
    OPEN,
    OPPOSITE,
    SHUT,
    UNLOCKED,
    Fact,
)
from worldquiz.t2q.world.spec import HOLDERS, LOCKABLE, Passage, WorldSpec

Numbers = Mapping[Fact, int]

_LINE, _HEAD, _PAD = 15, 25, 8  # heights and margins in px
_LETTER = 6.3  # mean width in px of a letter of 11 px
_GAP_Y = 54
_TOWARDS = {"north": (0.0, -0.5), "south": (0.0, 0.5), "east": (0.5, 0.0), "west": (-0.5, 0.0)}


@dataclass(frozen=True, slots=True)
class Sight:
    """Seen parts of a world, each as (seen, all)."""

    rooms: tuple[int, int]  # entered
    passages: tuple[int, int]  # walked
    exits: tuple[int, int]  # noticed or walked, each from its own room
    things: tuple[int, int]  # seen where they were at the start
    locks: tuple[int, int]  # known to have been locked or not
    matches: tuple[int, int]  # keys turned


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of a room's box."""

    icon: str
    name: str
    facts: tuple[Fact, ...]
    indent: int
    state: tuple[tuple[str, tuple[Fact, ...]], ...] = ()  # words, each with what shows it

    @property
    def width(self) -> float:
        words = " ".join((self.name, *(word for word, _ in self.state)))
        return 14 + 12 * self.indent + _LETTER * len(words)


@dataclass(frozen=True, slots=True)
class _Box:
    """A room's place in the drawing."""

    x: float  # centre
    y: float  # centre
    width: float
    height: float

    def edge(self, direction: str) -> tuple[float, float]:
        dx, dy = _TOWARDS[direction]
        return self.x + dx * self.width, self.y + dy * self.height


def number(spec: WorldSpec) -> dict[Fact, int]:
    """Number the facts of the initial state that an observation can show."""
    return {fact: n for n, fact in enumerate(sorted(spec.initial)) if fact.predicate != "kind"}


def sight(spec: WorldSpec, evidence: Evidence) -> Sight:
    """Count what the evidence shows of a world, as the map draws it."""
    seen = evidence.first_seen.keys()
    rooms, locks = spec.of_kind("room"), spec.of_kind(*LOCKABLE)
    ways = spec.passages
    exits = [(way, end) for way in ways for end in _ends(way)]
    things = spec.place.values()
    keys = [MATCH(*pair) for pair in MATCH.of(spec.facts)]
    return Sight(
        rooms=(sum(LISTED(room) in seen for room in rooms), len(rooms)),
        passages=(sum(not seen.isdisjoint(_walked(way)) for way in ways), len(ways)),
        exits=(sum(not seen.isdisjoint((*_walked(way), end)) for way, end in exits), len(exits)),
        things=(sum(fact in seen for fact in things), len(things)),
        locks=(sum(not seen.isdisjoint(_lock_facts(spec, lock)) for lock in locks), len(locks)),
        matches=(sum(fact in seen for fact in keys), len(keys)),
    )


def draw(spec: WorldSpec) -> str:
    """Return a world as one SVG element. Equal specs give equal text."""
    numbers = number(spec)
    lines = {room.name: list(_content(spec, room.name, 0)) for room in spec.rooms}
    boxes = _place(spec, lines)
    width = max(box.x + box.width / 2 for box in boxes.values()) + _PAD
    height = max(box.y + box.height / 2 for box in boxes.values()) + _PAD
    ways = [_passage(spec, way, boxes, numbers) for way in spec.passages]
    rooms = [_room(spec, room, boxes[room], lines[room], numbers) for room in boxes]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="map" viewBox="0 0 {width:g} {height:g}" '
        f'style="max-width:{width:g}px;min-width:{0.7 * width:.0f}px" role="group" '
        f'aria-label="Map of {escape(spec.id)}">{"".join(ways)}{"".join(rooms)}'
        '<circle class="you" r="5"><title>the player</title></circle></svg>'
    )


def _walked(way: Passage) -> tuple[Fact, Fact]:
    """Return the facts either of which shows that a passage was walked."""
    there = LEADS(way.room, way.direction, way.other)
    return there, LEADS(way.other, OPPOSITE[way.direction], way.room)


def _ends(way: Passage) -> tuple[Fact, Fact]:
    return EXIT(way.room, way.direction), EXIT(way.other, OPPOSITE[way.direction])


def _content(spec: WorldSpec, spot: str, indent: int) -> Iterator[_Line]:
    """Yield what is in a room or holder, furniture last so that its own content stands under it."""
    for thing in sorted(spec.content[spot], key=lambda thing: spec.kinds[thing] in HOLDERS):
        kind = spec.kinds[thing]
        state = tuple(_state(spec, thing)) if kind == "container" else ()
        yield _Line(kind, thing, (spec.place[thing],), indent, state)
        for key, lock in sorted(MATCH.of(spec.facts)):
            if key == thing:
                yield _Line("fits", lock, (MATCH(key, lock),), indent + 1)
        yield from _content(spec, thing, indent + 1)


def _state(spec: WorldSpec, thing: str) -> Iterator[tuple[str, tuple[Fact, ...]]]:
    """Yield the words for a door or container, each with the facts that tell it."""
    if OPEN(thing) in spec.initial:
        yield "open", (OPEN(thing),)
        return
    yield "closed", (SHUT(thing), LOCKED(thing))
    locked = LOCKED(thing) in spec.initial
    yield "locked" if locked else "unlocked", _lock_facts(spec, thing)


def _lock_facts(spec: WorldSpec, thing: str) -> tuple[Fact, ...]:
    """Return what tells whether a thing was locked; an open one was not."""
    told = (LOCKED(thing), UNLOCKED(thing), OPEN(thing))
    return tuple(fact for fact in told if fact in spec.initial)


def _place(spec: WorldSpec, lines: Mapping[str, list[_Line]]) -> dict[str, _Box]:
    """Lay out the grid: one width for all rooms, rows as high as their fullest room."""
    width = max(
        110,
        *(line.width + 2 * _PAD for column in lines.values() for line in column),
        *(_LETTER * 1.15 * len(room.name) + 58 for room in spec.rooms),
    )
    doors = spec.of_kind("door")
    gap = max(96 if doors else 40, *(_LETTER * len(door) + 14 for door in (*doors, "")))
    height = {name: _HEAD + _LINE * len(column) + _PAD for name, column in lines.items()}
    columns = sorted({room.x for room in spec.rooms})
    left = {x: _PAD + width / 2 + (width + gap) * (x - columns[0]) for x in columns}
    middle, top = {}, float(_PAD)
    rows = [room.y for room in spec.rooms]
    for y in range(max(rows), min(rows) - 1, -1):
        row = max((height[room.name] for room in spec.rooms if room.y == y), default=0)
        middle[y] = top + row / 2
        top += row + _GAP_Y
    return {
        room.name: _Box(left[room.x], middle[room.y], width, height[room.name])
        for room in sorted(spec.rooms, key=lambda room: (-room.y, room.x))
    }


def _room(spec: WorldSpec, name: str, box: _Box, lines: Iterable[_Line], numbers: Numbers) -> str:
    x, y = box.x - box.width / 2, box.y - box.height / 2
    start = name == spec.start
    badge = (
        f'<text class="badge" x="{x + box.width - _PAD:g}" y="{y + 16:g}">start</text>'
        if start
        else ""
    )
    frame = (
        f'<rect x="{x:g}" y="{y:g}" width="{box.width:g}" height="{box.height:g}" rx="7"/>'
        f'<text x="{x + _PAD:g}" y="{y + 16:g}">{escape(name)}</text>{badge}'
    )
    marker = f'data-x="{x:g}" data-y="{y:g}"'
    parts = [
        _mark("g", "room start" if start else "room", name, (LISTED(name),), numbers, frame, marker)
    ]
    for row, line in enumerate(lines):
        parts.append(_thing(line, x + _PAD + 12 * line.indent, y + _HEAD + _LINE * row, numbers))
    return "".join(parts)


def _thing(line: _Line, x: float, y: float, numbers: Numbers) -> str:
    icon = f'<use href="#i-{line.icon}" x="{x:g}" y="{y:g}" width="11" height="11"/>'
    name = _mark("tspan", "", line.name, line.facts, numbers, escape(line.name))
    state = _words(line.name, line.state, numbers)
    text = f'<text x="{x + 14:g}" y="{y + 9.5:g}">{name}{state}</text>'
    kind = "fits" if line.icon == "fits" else "thing"
    return _mark("g", kind, line.name, line.facts, numbers, icon + text)


def _words(name: str, state: Iterable[tuple[str, tuple[Fact, ...]]], numbers: Numbers) -> str:
    """Write the words for a state behind a name, each seen or not by itself."""
    return "".join(
        " " + _mark("tspan", "state", name, facts, numbers, word) for word, facts in state
    )


def _passage(spec: WorldSpec, way: Passage, boxes: Mapping[str, _Box], numbers: Numbers) -> str:
    (x1, y1) = boxes[way.room].edge(way.direction)
    (x2, y2) = boxes[way.other].edge(OPPOSITE[way.direction])
    x, y = (x1 + x2) / 2, (y1 + y2) / 2
    name = f"{way.room} {way.direction} to {way.other}"
    halves = [
        _mark("g", "exit", name, (end, *_walked(way)), numbers, _stroke(*edge, x, y))
        for end, edge in zip(_ends(way), ((x1, y1), (x2, y2)), strict=True)
    ]
    whole = _mark("g", "way", name, _walked(way), numbers, _stroke(x1, y1, x2, y2))
    door = _door(spec, way, x, y, numbers) if way.door else ""
    return "".join(halves) + whole + door


def _stroke(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<path d="M{x1:g} {y1:g}L{x2:g} {y2:g}"/>'


def _door(spec: WorldSpec, way: Passage, x: float, y: float, numbers: Numbers) -> str:
    door = way.door or ""
    upright = way.direction in ("east", "west")
    wide, high = (7, 18) if upright else (18, 7)
    leaf = (
        f'<rect class="{"ajar" if OPEN(door) in spec.initial else "leaf"}" x="{x - wide / 2:g}" '
        f'y="{y - high / 2:g}" width="{wide}" height="{high}" rx="1.5"/>'
    )
    facts = [DOOR_AT(door, *end) for end in spec.ends(door)]
    name = _mark("tspan", "", door, facts, numbers, escape(door))
    state = _words(door, _state(spec, door), numbers)
    if upright:
        label = _label(x, y - 14, "middle", name) + _label(x, y + 22, "middle", state)
    else:
        label = _label(x + 14, y - 3, "start", name) + _label(x + 14, y + 10, "start", state)
    return _mark("g", "door", door, facts, numbers, leaf + label)


def _label(x: float, y: float, anchor: str, inner: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}">{inner.strip()}</text>'


def _mark(
    tag: str,
    kind: str,
    name: str,
    facts: Iterable[Fact],
    numbers: Numbers,
    inner: str,
    extra: str = "",
) -> str:
    """Wrap a drawing in an element that says what it is and which facts show it."""
    shown = " ".join(str(numbers[fact]) for fact in facts if fact in numbers)
    opening = f'<{tag} class="{kind}" data-name="{escape(name)}" data-f="{shown}" {extra}'
    return f"{opening.rstrip()}>{inner}</{tag}>"
