"""Drawing of a world for the page: rooms on their grid, passages, doors, and what was where.

The drawing shows the state at the start. Each element carries the numbers of the facts any of which
shows it, and a step shows the facts that it was the first to reveal. So what the drawing calls
shown is what makes questions answerable, by construction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from worldquiz.errors import RecordError
from worldquiz.facts.episode import Episode
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
    PLAYER_AT,
    SHUT,
    UNLOCKED,
    Fact,
)
from worldquiz.facts.requirement import Moment
from worldquiz.report.drawing import Drawing, DrawnStep
from worldquiz.t2q.run_folder import episodes_of, suite_of
from worldquiz.t2q.store import Bundle
from worldquiz.t2q.world.spec import HOLDERS, Passage, WorldSpec

Numbers = Mapping[Fact, int]

LEGEND = (
    "Rooms, passages and things as they were at the start. Thick lines were walked, thin lines are "
    "exits; a hollow door was open. The dot is the player."
)
_LINE, _HEAD, _PAD = 15, 25, 8  # heights and margins in px
_LETTER = 6.3  # mean width in px of a letter of 11 px
_GAP_Y = 54
_TOWARDS = {"north": (0.0, -0.5), "south": (0.0, 0.5), "east": (0.5, 0.0), "west": (-0.5, 0.0)}
_ICONS = {
    "object": '<path d="M6 1 11 6 6 11 1 6Z"/>',
    "food": '<circle cx="6" cy="7" r="4.5"/><path class="line" d="M6 4 8 .5"/>',
    "key": '<path class="line" d="M1 6a2.4 2.4 0 1 0 4.8 0a2.4 2.4 0 1 0-4.8 0h10.5v3M9 6v2"/>',
    "container": '<path class="line" d="M1 4.5h10V11H1ZM.5 2h11v2.5H.5ZM6 4.5v2"/>',
    "supporter": '<path class="line" d="M.5 3.5h11M2.5 3.5V11M9.5 3.5V11"/>',
    "fits": '<path class="line" d="M2 1v5.5h7M6.5 4 9 6.5 6.5 9"/>',
}
_STYLE = """.t2q .line { fill: none; stroke: var(--ink); stroke-width: 1.3 }
.t2q .room > rect { fill: none; stroke: var(--ink) } .t2q .start > rect { stroke-width: 2 }
.t2q .room > text { font-weight: 600; font-size: 12px } .t2q .thing use { fill: var(--accent) }
.t2q .badge { text-anchor: end; fill: var(--accent) } .t2q .state { fill: var(--soft) }
.t2q .exit path { stroke: var(--soft); stroke-width: 1.5 } .t2q .way.unseen { visibility: hidden }
.t2q .way path { stroke: var(--ink); stroke-width: 3.5 }
.t2q .ajar { fill: var(--paper); stroke: var(--ink); stroke-width: 1.5 }"""


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


def drawings(run: Path, data: Path | None = None) -> Callable[[str], Drawing | None]:
    """Open a run to be drawn world by world; nothing is drawn where its suite is not there."""
    try:
        suite = suite_of(run, data)
    except RecordError:
        if data is not None:
            raise
        return lambda world: None
    played = episodes_of(run)
    return lambda world: drawn(suite.bundle(world), played(world))


def drawn(bundle: Bundle, episodes: Sequence[Episode]) -> Drawing:
    """Draw a world as its agent was shown it."""
    spec, numbers = bundle.spec, number(bundle.spec)
    boxes, lines = _layout(spec)
    evidence = Evidence.of(episodes, spec.initial)
    first: dict[Moment, list[int]] = {}
    for fact, moment in evidence.first_seen.items():
        if fact in numbers:
            first.setdefault(moment, []).append(numbers[fact])
    steps = []
    for episode, each in enumerate(episodes):
        room = spec.start
        for step in each.steps:
            room = next((args[0] for args in PLAYER_AT.of(step.added)), room)
            said = "" if step.action is None else f"> {step.action}\n"
            text = said + "\n".join(filter(None, step.observation.text.splitlines()))
            shows = tuple(sorted(first.get(Moment(episode, step.index), ())))
            corner = (boxes[room].edge("west")[0], boxes[room].edge("north")[1])
            steps.append(DrawnStep(episode=episode, step=step.index, text=text, shows=shows,
                                   at=corner))  # fmt: skip
    parts = _named(spec, numbers)
    about = {
        question.id: tuple(part for name in question.about for part in parts.get(name, ()))
        for question in bundle.questions
    }
    svg = draw(spec, boxes, lines, numbers)
    return Drawing(svg=svg, steps=tuple(steps), about=about, legend=LEGEND)


def number(spec: WorldSpec) -> dict[Fact, int]:
    """Number the facts of the initial state that an observation can show."""
    return {fact: n for n, fact in enumerate(sorted(spec.initial)) if fact.predicate != "kind"}


def _named(spec: WorldSpec, numbers: Numbers) -> dict[str, tuple[int, ...]]:
    """Return the numbers of the facts that show a room, a thing or a door, by its name."""
    facts = {room.name: [LISTED(room.name)] for room in spec.rooms}
    facts |= {thing: [fact] for thing, fact in spec.place.items()}
    facts |= {
        door: [DOOR_AT(door, *end) for end in spec.ends(door)] for door in spec.of_kind("door")
    }
    return {name: tuple(numbers[fact] for fact in some if fact in numbers)
            for name, some in facts.items()}  # fmt: skip


def draw(
    spec: WorldSpec,
    boxes: Mapping[str, _Box],
    lines: Mapping[str, list[_Line]],
    numbers: Numbers,
) -> str:
    """Return a world as one SVG element. Equal specs give equal text."""
    width = max(box.x + box.width / 2 for box in boxes.values()) + _PAD
    height = max(box.y + box.height / 2 for box in boxes.values()) + _PAD
    ways = [_passage(spec, way, boxes, numbers) for way in spec.passages]
    rooms = [_room(spec, room, boxes[room], lines[room], numbers) for room in boxes]
    icons = "".join(f'<symbol id="i-{name}" viewBox="0 0 12 12">{icon}</symbol>'
                    for name, icon in _ICONS.items())  # fmt: skip
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="t2q" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" role="group" aria-label="Map of {escape(spec.id)}">'
        f"<style>{_STYLE}</style><defs>{icons}</defs>{''.join(ways)}{''.join(rooms)}</svg>"
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


def _layout(spec: WorldSpec) -> tuple[dict[str, _Box], dict[str, list[_Line]]]:
    """Lay out the grid: one width for all rooms, rows as high as their fullest room."""
    lines = {room.name: list(_content(spec, room.name, 0)) for room in spec.rooms}
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
    boxes = {
        room.name: _Box(left[room.x], middle[room.y], width, height[room.name])
        for room in sorted(spec.rooms, key=lambda room: (-room.y, room.x))
    }
    return boxes, lines


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
    parts = [_mark("g", "room start" if start else "room", (LISTED(name),), numbers, frame)]
    for row, line in enumerate(lines):
        parts.append(_thing(line, x + _PAD + 12 * line.indent, y + _HEAD + _LINE * row, numbers))
    return "".join(parts)


def _thing(line: _Line, x: float, y: float, numbers: Numbers) -> str:
    icon = f'<use href="#i-{line.icon}" x="{x:g}" y="{y:g}" width="11" height="11"/>'
    name = _mark("tspan", "", line.facts, numbers, escape(line.name))
    state = _words(line.state, numbers)
    text = f'<text x="{x + 14:g}" y="{y + 9.5:g}">{name}{state}</text>'
    kind = "fits" if line.icon == "fits" else "thing"
    return _mark("g", kind, line.facts, numbers, icon + text)


def _words(state: Iterable[tuple[str, tuple[Fact, ...]]], numbers: Numbers) -> str:
    """Write the words for a state behind a name, each seen or not by itself."""
    return "".join(" " + _mark("tspan", "state", facts, numbers, word) for word, facts in state)


def _passage(spec: WorldSpec, way: Passage, boxes: Mapping[str, _Box], numbers: Numbers) -> str:
    (x1, y1) = boxes[way.room].edge(way.direction)
    (x2, y2) = boxes[way.other].edge(OPPOSITE[way.direction])
    x, y = (x1 + x2) / 2, (y1 + y2) / 2
    halves = [
        _mark("g", "exit", (end, *_walked(way)), numbers, _stroke(*edge, x, y))
        for end, edge in zip(_ends(way), ((x1, y1), (x2, y2)), strict=True)
    ]
    whole = _mark("g", "way", _walked(way), numbers, _stroke(x1, y1, x2, y2))
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
    name = _mark("tspan", "", facts, numbers, escape(door))
    state = _words(_state(spec, door), numbers)
    if upright:
        label = _label(x, y - 14, "middle", name) + _label(x, y + 22, "middle", state)
    else:
        label = _label(x + 14, y - 3, "start", name) + _label(x + 14, y + 10, "start", state)
    return _mark("g", "door", facts, numbers, leaf + label)


def _label(x: float, y: float, anchor: str, inner: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}">{inner.strip()}</text>'


def _mark(tag: str, kind: str, facts: Iterable[Fact], numbers: Numbers, inner: str) -> str:
    """Wrap a drawing in an element that says what it is and which facts show it."""
    shown = " ".join(str(numbers[fact]) for fact in facts if fact in numbers)
    return f'<{tag} class="{kind}" data-part="{shown}">{inner}</{tag}>'
