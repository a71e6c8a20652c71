"""Drawing of a world for the page: rooms on their grid, passages, doors, and places of things.

The drawing shows the state at the start. Each element is marked with the numbers of facts, and
appears with the first step of the play that revealed one of them. These facts are also what makes
questions answerable, so the drawing and the grading agree by construction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from worldquiz.facts.episode import Episode
from worldquiz.facts.fact import Fact
from worldquiz.facts.requirement import Moment
from worldquiz.page.html import Drawing, DrawnStep
from worldquiz.runs.folder import if_there
from worldquiz.t2q.compass import OPPOSITE
from worldquiz.t2q.question import AFTER
from worldquiz.t2q.run_folder import episodes_of, suite_of
from worldquiz.t2q.suites import Bundle
from worldquiz.t2q.world import predicates as f
from worldquiz.t2q.world.spec import HOLDERS, Passage, WorldSpec

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
    state: tuple[tuple[str, tuple[Fact, ...]], ...] = ()  # words, each with facts that show it

    @property
    def width(self) -> float:
        words = " ".join((self.name, *(word for word, _ in self.state)))
        return 14 + 12 * self.indent + _LETTER * len(words)


@dataclass(frozen=True, slots=True)
class _Box:
    """Position and size of a room's box."""

    x: float  # centre
    y: float  # centre
    width: float
    height: float

    def edge(self, direction: str) -> tuple[float, float]:
        dx, dy = _TOWARDS[direction]
        return self.x + dx * self.width, self.y + dy * self.height


def drawings(run: Path, data: Path | None = None) -> Callable[[str], Drawing | None]:
    """Return a function that draws a world of a run; it returns None if the suite is missing."""
    suite = if_there(suite_of, run, data)
    if suite is None:
        return lambda world: None
    played = episodes_of(run)
    return lambda world: drawn(suite.bundle(world), played(world))


def drawn(bundle: Bundle, episodes: Sequence[Episode]) -> Drawing:
    """Draw a world, with what each step of the episodes showed of it."""
    spec, drawing = bundle.spec, _Drawing(bundle.spec)
    numbers, first = drawing.numbers, dict[Moment, list[int]]()
    for fact, moment in bundle.evidence(episodes).first_seen.items():
        if fact in numbers:
            first.setdefault(moment, []).append(numbers[fact])
    steps = []
    for episode, each in enumerate(episodes):
        room = spec.start
        for step in each.steps:
            room = next((args[0] for args in f.PLAYER_AT.of(step.added)), room)
            said = "" if step.action is None else f"> {step.action}\n"
            text = said + "\n".join(filter(None, step.observation.text.splitlines()))
            shows = tuple(sorted(first.get(Moment(episode, step.index), ())))
            box = drawing.boxes[room]
            corner = (box.edge("west")[0], box.edge("north")[1])
            steps.append(DrawnStep(episode=episode, step=step.index, text=text, shows=shows,
                                   at=corner))  # fmt: skip
    parts = {room.name: [f.LISTED(room.name)] for room in spec.rooms}
    parts |= {thing: [fact] for thing, fact in spec.place.items()}
    parts |= {door: [f.DOOR_AT(door, *end) for end in spec.ends(door)]
              for door in spec.of_kind("door")}  # fmt: skip
    about = {
        question.id: tuple(
            numbers[fact]
            for name in question.about
            for fact in parts.get(name, ())
            if fact in numbers and question.type != AFTER  # the map shows the start
        )
        for question in bundle.questions
    }
    return Drawing(svg=drawing.svg(), steps=tuple(steps), about=about, legend=LEGEND)


class _Drawing:
    """One world as SVG: rooms in boxes of one width, rows as high as their fullest room."""

    def __init__(self, spec: WorldSpec) -> None:
        self.spec = spec
        facts = enumerate(sorted(spec.initial))
        self.numbers = {fact: n for n, fact in facts if fact.predicate != "kind"}
        self.lines = {room.name: list(self._content(room.name, 0)) for room in spec.rooms}
        self.boxes = self._layout()

    def svg(self) -> str:
        """Return the world as one SVG element. Equal specs give equal text."""
        spec, boxes = self.spec, self.boxes.values()
        width = max(box.x + box.width / 2 for box in boxes) + _PAD
        height = max(box.y + box.height / 2 for box in boxes) + _PAD
        parts = [*map(self._passage, spec.passages), *map(self._room, self.boxes)]
        icons = "".join(f'<symbol id="i-{name}" viewBox="0 0 12 12">{icon}</symbol>'
                        for name, icon in _ICONS.items())  # fmt: skip
        size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="t2q" {size} role="group" '
            f'aria-label="Map of {escape(spec.id)}"><style>{_STYLE}</style><defs>{icons}</defs>'
            f"{''.join(parts)}</svg>"
        )

    def _content(self, spot: str, indent: int) -> Iterator[_Line]:
        """Yield a line for each thing in a room or holder; furniture and its content come last."""
        spec = self.spec
        for thing in sorted(spec.content[spot], key=lambda thing: spec.kinds[thing] in HOLDERS):
            kind = spec.kinds[thing]
            state = self._state(thing) if kind == "container" else ()
            yield _Line(kind, thing, (spec.place[thing],), indent, state)
            for key, lock in sorted(f.MATCH.of(spec.facts)):
                if key == thing:
                    yield _Line("fits", lock, (f.MATCH(key, lock),), indent + 1)
            yield from self._content(thing, indent + 1)

    def _state(self, thing: str) -> tuple[tuple[str, tuple[Fact, ...]], ...]:
        """Return the words for the state of a door or container, each with facts that show it."""
        initial = self.spec.initial
        if f.OPEN(thing) in initial:
            return (("open", (f.OPEN(thing),)),)
        is_locked = f.LOCKED(thing) in initial
        told = (f.LOCKED(thing),) if is_locked else (f.UNLOCKED(thing),)
        locked = "locked" if is_locked else "unlocked"
        return ("closed", (f.SHUT(thing), f.LOCKED(thing))), (locked, told)

    def _layout(self) -> dict[str, _Box]:
        rooms, doors = self.spec.rooms, self.spec.of_kind("door")
        width = max(
            110,
            *(line.width + 2 * _PAD for column in self.lines.values() for line in column),
            *(_LETTER * 1.15 * len(room.name) + 58 for room in rooms),
        )
        gap = max(96 if doors else 40, *(_LETTER * len(door) + 14 for door in (*doors, "")))
        height = {name: _HEAD + _LINE * len(column) + _PAD for name, column in self.lines.items()}
        columns, rows = sorted({room.x for room in rooms}), [room.y for room in rooms]
        left = {x: _PAD + width / 2 + (width + gap) * (x - columns[0]) for x in columns}
        middle, top = {}, float(_PAD)
        for y in range(max(rows), min(rows) - 1, -1):
            row = max((height[room.name] for room in rooms if room.y == y), default=0)
            middle[y] = top + row / 2
            top += row + _GAP_Y
        order = sorted(rooms, key=lambda room: (-room.y, room.x))
        return {
            room.name: _Box(left[room.x], middle[room.y], width, height[room.name])
            for room in order
        }

    def _room(self, name: str) -> str:
        box = self.boxes[name]
        x, y = box.x - box.width / 2, box.y - box.height / 2
        kind, badge = "room", ""
        if name == self.spec.start:
            kind = "room start"
            badge = f'<text class="badge" x="{x + box.width - _PAD:g}" y="{y + 16:g}">start</text>'
        frame = (
            f'<rect x="{x:g}" y="{y:g}" width="{box.width:g}" height="{box.height:g}" rx="7"/>'
            f'<text x="{x + _PAD:g}" y="{y + 16:g}">{escape(name)}</text>{badge}'
        )
        parts = [self._mark("g", kind, (f.LISTED(name),), frame)]
        for row, line in enumerate(self.lines[name]):
            left, top = x + _PAD + 12 * line.indent, y + _HEAD + _LINE * row
            icon = f'<use href="#i-{line.icon}" x="{left:g}" y="{top:g}" width="11" height="11"/>'
            told = self._mark("tspan", "", line.facts, escape(line.name)) + self._words(line.state)
            text = f'<text x="{left + 14:g}" y="{top + 9.5:g}">{told}</text>'
            kind = "fits" if line.icon == "fits" else "thing"
            parts.append(self._mark("g", kind, line.facts, icon + text))
        return "".join(parts)

    def _passage(self, way: Passage) -> str:
        """Draw a passage: a thin half line for each exit, a thick line if walked, and its door."""
        there, back = way.direction, OPPOSITE[way.direction]
        walked = f.LEADS(way.room, there, way.other), f.LEADS(way.other, back, way.room)
        one, two = self.boxes[way.room].edge(there), self.boxes[way.other].edge(back)
        middle = (one[0] + two[0]) / 2, (one[1] + two[1]) / 2
        return "".join((
            self._mark("g", "exit", (f.EXIT(way.room, there), *walked), _stroke(one, middle)),
            self._mark("g", "exit", (f.EXIT(way.other, back), *walked), _stroke(two, middle)),
            self._mark("g", "way", walked, _stroke(one, two)),
            self._door(way.door, there, *middle) if way.door else "",
        ))  # fmt: skip

    def _door(self, door: str, direction: str, x: float, y: float) -> str:
        upright = direction in ("east", "west")
        wide, high = (7, 18) if upright else (18, 7)
        leaf = (
            f'<rect class="{"ajar" if f.OPEN(door) in self.spec.initial else "leaf"}" '
            f'x="{x - wide / 2:g}" y="{y - high / 2:g}" width="{wide}" height="{high}" rx="1.5"/>'
        )
        facts = [f.DOOR_AT(door, *end) for end in self.spec.ends(door)]
        name = self._mark("tspan", "", facts, escape(door))
        state = self._words(self._state(door)).strip()
        if upright:
            label = _label(x, y - 14, "middle", name) + _label(x, y + 22, "middle", state)
        else:
            label = _label(x + 14, y - 3, "start", name) + _label(x + 14, y + 10, "start", state)
        return self._mark("g", "door", facts, leaf + label)

    def _words(self, state: Iterable[tuple[str, tuple[Fact, ...]]]) -> str:
        """Return the words for a state; each is its own element, shown or hidden separately."""
        return "".join(" " + self._mark("tspan", "state", facts, word) for word, facts in state)

    def _mark(self, tag: str, kind: str, facts: Iterable[Fact], inner: str) -> str:
        """Wrap a drawing in an element with its class and the numbers of the facts that show it."""
        shown = " ".join(str(self.numbers[fact]) for fact in facts if fact in self.numbers)
        return f'<{tag} class="{kind}" data-part="{shown}">{inner}</{tag}>'


def _stroke(one: tuple[float, float], two: tuple[float, float]) -> str:
    return f'<path d="M{one[0]:g} {one[1]:g}L{two[0]:g} {two[1]:g}"/>'


def _label(x: float, y: float, anchor: str, inner: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}">{inner}</text>'
