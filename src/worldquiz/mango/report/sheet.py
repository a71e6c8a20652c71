"""Floors with sizes in pixels: boxes, straight lines between them, and words beside or in these.

Every move is drawn once: as a line, where both its places are on one floor and a straight line
between them runs under no other box; else as words within the box that it leaves. A move whose
line points elsewhere than the move itself carries its words beside the line, near the end that it
leaves, clear of boxes, of its own line and of other words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import hypot
from textwrap import wrap

from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.report.layout import Storey, floors
from worldquiz.mango.report.links import COMPASS, Link, LinkKind, Vector, direction, links

Point = tuple[float, float]

LETTER = 6.2  # mean width in px of a letter of 11 px
BOLD = 7.3  # of a letter of a name
LABEL = 6.3  # of a letter of words beside a line, with its outline
LINE, PAD = 14, 7
CLEAR = 4
"""Pixels that a line keeps from a box which is not its own."""
_COLUMNS = (17, 24)  # letters of a name's line, and of a told move's
_GAP = (46, 40)  # between columns and between rows
_FRAME, _HEAD = 16, 24
_FARTHEST = 1100
"""Pixels that a line may span; beyond, nobody follows it with the eye."""
_WIDE = 1500  # px that floors may fill side by side


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle, such as a place's."""

    x: float  # centre
    y: float  # centre
    width: float
    height: float

    def port(self, side: Vector) -> Point:
        """Return the middle of a side, or a corner."""
        return self.x + side[0] * self.width / 2, self.y + side[1] * self.height / 2

    def facing(self, other: Box) -> Vector:
        """Return the side or corner that is next to another box."""
        dx, dy = other.x - self.x, other.y - self.y
        across = abs(dx) > (self.width + other.width) / 4
        return (_sign(dx) if across else 0, _sign(dy) if abs(dy) > self.height / 2 else 0)

    def overlaps(self, other: Box) -> bool:
        """Return whether another box is within a pixel."""
        return (
            abs(self.x - other.x) < (self.width + other.width) / 2 + 1
            and abs(self.y - other.y) < (self.height + other.height) / 2 + 1
        )

    def crossed(self, line: DrawnLine, clear: float) -> bool:
        """Return whether a line runs through it, or nearer than some pixels."""
        first, last = 0.0, 1.0  # the share of the line that is within both spans
        for start, end, middle, size in (
            (line.start[0], line.end[0], self.x, self.width),
            (line.start[1], line.end[1], self.y, self.height),
        ):
            low, high = middle - size / 2 - clear - start, middle + size / 2 + clear - start
            if start == end:
                if not low < 0 < high:
                    return False
                continue
            enters, leaves = sorted((low / (end - start), high / (end - start)))
            first, last = max(first, enters), min(last, leaves)
        return first < last


@dataclass(frozen=True, slots=True)
class Words:
    """Some moves' words, and the middle of where they stand."""

    edges: tuple[int, ...]
    texts: tuple[str, ...]
    x: float
    y: float

    @property
    def box(self) -> Box:
        """The room that they take."""
        return Box(self.x, self.y, LABEL * len(", ".join(self.texts)), 12.0)


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """A link drawn from a side or corner of its one box to one of its other box."""

    link: Link
    start: Point
    end: Point
    leaves: Vector  # the side or corner of the one box
    reaches: Vector  # of the other
    words: tuple[Words, ...] = ()

    def at(self, share: float) -> Point:
        """Return the point at a share of its way."""
        (x, y), (to_x, to_y) = self.start, self.end
        return x + share * (to_x - x), y + share * (to_y - y)


@dataclass(frozen=True, slots=True)
class MoveLine:
    """A line of a box that tells a move, or goes on telling it."""

    edge: int
    text: str


@dataclass(frozen=True, slots=True)
class Panel:
    """A floor in the drawing: what is in it counts from its own corner."""

    x: float
    y: float
    width: float
    height: float
    title: str
    boxes: Mapping[str, Box]
    names: Mapping[str, tuple[str, ...]]
    said: Mapping[str, tuple[MoveLine, ...]]
    lines: tuple[DrawnLine, ...]


@dataclass(frozen=True, slots=True)
class MapDrawing:
    """A whole drawing."""

    width: float
    height: float
    panels: tuple[Panel, ...]


def sheet(maze: Maze) -> MapDrawing:
    """Lay out a maze: no two boxes overlap, and no line runs under a box."""
    joined = links(maze)
    found = floors(maze, joined)
    order = sorted(
        range(len(found)), key=lambda n: (found[n].level is None, -(found[n].level or 0), n)
    )
    panels = [_panel(maze, found[n], joined, many=len(found) > 1, first=n == 0) for n in order]
    return _packed(panels)


def _panel(maze: Maze, floor: Storey, joined: Sequence[Link], *, many: bool, first: bool) -> Panel:
    """Draw lines where they find their way; each that does not makes boxes larger, so try again."""
    inside = [link for link in joined if link.one in floor.cells and link.other in floor.cells]
    names = {place: tuple(_broken(place, _COLUMNS[0])) for place in floor.cells}
    leaving = {n for n, edge in enumerate(maze.edges) if edge.source in floor.cells}
    drawable = inside
    while True:
        told = leaving - {n for link in drawable for n in link.moves}
        said = {place: tuple(_said(maze, place, told)) for place in floor.cells}
        boxes = _boxes(maze, floor, names, said, inside)
        lines = tuple(_lines(maze, drawable, boxes))
        if len(lines) == len(drawable):
            break
        drawable = [line.link for line in lines]
    width = max(box.x + box.width / 2 for box in boxes.values()) + _FRAME
    height = max(box.y + box.height / 2 for box in boxes.values()) + _FRAME
    title = _title(floor, first) if many else ""
    return Panel(0, 0, width, height, title, boxes, names, said, lines)


def _lines(maze: Maze, joined: Sequence[Link], boxes: Mapping[str, Box]) -> Iterator[DrawnLine]:
    """Yield the links for which there is a line, and room for the words that it needs."""
    found = [line for link in joined if (line := _line(maze, link, boxes))]
    taken = list(boxes.values())
    for line in found:
        words: list[Words] = []
        for backward in (False, True):
            moves = _untold(maze, line, backward=backward)
            spot = _beside(maze, line, moves, taken, found, backward=backward) if moves else None
            if spot:
                words.append(spot)
                taken.append(spot.box)
            elif moves:
                break
        else:
            yield replace(line, words=tuple(words))


def _line(maze: Maze, link: Link, boxes: Mapping[str, Box]) -> DrawnLine | None:
    """Return a link's line if no box is in its way: where its moves point to, or the nearest."""
    one, other = boxes[link.one], boxes[link.other]
    if hypot(other.x - one.x, other.y - one.y) > _FARTHEST:
        return None
    leave, reach = _side(maze, link, link.there, 1), _side(maze, link, link.back, -1)
    near, far = one.facing(other), other.facing(one)
    for leaves, reaches in ((leave or near, reach or far), (near, far)):
        line = DrawnLine(link, one.port(leaves), other.port(reaches), leaves, reaches)
        suits = (leaves, reaches) == (near, far) or (
            _suits(line.start, line.end, leaves) and _suits(line.end, line.start, reaches)
        )
        clear = ((box, -1 if box in (one, other) else CLEAR) for box in boxes.values())
        if suits and not any(box.crossed(line, pixels) for box, pixels in clear):
            return line
    return None


def _side(maze: Maze, link: Link, moves: Iterable[int], sign: int) -> Vector | None:
    """Return the side on which a link leaves a place: its first compass move's, else opposite."""
    for number in moves:
        if side := _points(maze, number):
            return side
    if link.kind is LinkKind.COMPASS and link.towards:
        return sign * link.towards[0], sign * link.towards[1]
    return None


def _points(maze: Maze, number: int) -> Vector | None:
    """Return where a move points to; None for up, down and no direction."""
    return COMPASS.get(direction(maze.edges[number].action) or "")


def _suits(start: Point, end: Point, side: Vector) -> bool:
    """Return whether a line leaves a side well enough."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    along, off = dx * side[0] + dy * side[1], abs(dx * side[1] - dy * side[0])
    return along > 0 and off <= (1.2 if side[0] and side[1] else 0.6) * along


def _untold(maze: Maze, line: DrawnLine, *, backward: bool) -> list[int]:
    """Return the moves from one end of a line that its direction does not tell."""
    moves, side = (line.link.back, line.reaches) if backward else (line.link.there, line.leaves)
    return [number for number in moves if _points(maze, number) != side]


def _beside(
    maze: Maze,
    line: DrawnLine,
    moves: Sequence[int],
    taken: Sequence[Box],
    lines: Sequence[DrawnLine],
    *,
    backward: bool,
) -> Words | None:
    """Return words near an end of a line, None where no free spot is found.

    Spots that are off all lines come before those that are only off its own.
    """
    texts = tuple(sign(maze.edges[number].action) for number in moves)
    free = []
    for spot in _spots(line, Words(tuple(moves), texts, 0, 0).box.width, backward=backward):
        words = Words(tuple(moves), texts, *spot)
        room = words.box
        if room.crossed(line, 0) or any(room.overlaps(box) for box in taken):
            continue
        if not any(room.crossed(other, 2) for other in lines):
            return words
        free.append(words)
    return free[0] if free else None


def _spots(line: DrawnLine, width: float, *, backward: bool) -> Iterator[Point]:
    """Yield places for words so wide, those nearest to the end that they leave first."""
    farthest = 0.45 if line.link.both_ways else 0.85
    aside, height = width / 2 + 6, -10 if backward else 10
    for hundredths in range(4, int(100 * farthest), 6):
        x, y = line.at(1 - hundredths / 100 if backward else hundredths / 100)
        for dx, dy in product((aside, -aside, 0), (-height, height, 0)):
            if dx or dy:
                yield x + dx, y + dy


def sign(action: str) -> str:
    """Return what a drawing calls a move: climbs carry an arrow."""
    return {"up": "▲ ", "down": "▼ "}.get(direction(action) or "", "") + action


def _said(maze: Maze, place: str, told: Iterable[int]) -> Iterable[MoveLine]:
    numbers = (number for number in told if maze.edges[number].source == place)
    for number in sorted(numbers, key=lambda n: (maze.edges[n].action, maze.edges[n].target)):
        edge = maze.edges[number]
        arrow = "" if direction(edge.action) in ("up", "down") else "→ "
        where = "back here" if edge.target == place else edge.target
        for row, text in enumerate(_broken(f"{arrow}{sign(edge.action)}: {where}", _COLUMNS[1])):
            yield MoveLine(number, text if not row else f"\u2003 {text}")


def _boxes(
    maze: Maze,
    floor: Storey,
    names: Mapping[str, Sequence[str]],
    said: Mapping[str, Sequence[MoveLine]],
    inside: Iterable[Link],
) -> dict[str, Box]:
    """Give every place its box: one width for all, rows as high as their fullest box."""
    rows = {place: len(names[place]) + len(said[place]) for place in floor.cells}
    widths = [BOLD * len(line) for lines in names.values() for line in lines]
    widths += [LETTER * len(each.text) for lines in said.values() for each in lines]
    width = max(64.0, *widths) + 2 * PAD
    columns = {cell[0] for cell in floor.cells.values()}
    heights: dict[int, float] = {}
    for place, (_, row) in floor.cells.items():
        heights[row] = max(heights.get(row, 0.0), LINE * rows[place] + 2 * PAD)
    gaps = _gaps(maze, floor, inside)
    left, x = {}, float(_FRAME)
    for column in range(max(columns) + 1):
        left[column] = x + width / 2
        x += width + gaps.get(column, _GAP[0])
    middle, y = {}, float(_FRAME)
    for row in range(max(heights) + 1):
        middle[row] = y + heights.get(row, 0.0) / 2
        y += heights.get(row, 0.0) + _GAP[1]
    return {
        place: Box(left[column], middle[row], width, LINE * rows[place] + 2.0 * PAD)
        for place, (column, row) in floor.cells.items()
    }


def _gaps(maze: Maze, floor: Storey, inside: Iterable[Link]) -> dict[int, float]:
    """Return how wide the gap behind each column must be for the words on lines across it."""
    found: dict[int, float] = {}
    for link in inside:
        (one, row), (other, below) = floor.cells[link.one], floor.cells[link.other]
        if row != below or abs(one - other) != 1:
            continue
        column, way = min(one, other), other - one
        for number in link.moves:
            if _points(maze, number) != (way if number in link.there else -way, 0):
                need = 24 + LABEL * len(sign(maze.edges[number].action))
                found[column] = max(found.get(column, _GAP[0]), need)
    return found


def _title(floor: Storey, first: bool) -> str:
    if floor.level is None:
        return "where the walkthrough starts" if first else "elsewhere"
    where = f"floor {floor.level:+d}".replace("-", "−") if floor.level else "floor 0"
    if first:
        return f"{where}, where the walkthrough starts"
    return where if floor.level else f"{where}, another part"


def _packed(panels: Sequence[Panel]) -> MapDrawing:
    """Set floors side by side, in as many rows as they need."""
    wide = max(_WIDE, *(panel.width for panel in panels), 0)
    x, y, tall, right = 0.0, 0.0, 0.0, 0.0
    found = []
    for panel in panels:
        head = _HEAD if panel.title else 0
        if x and x + panel.width > wide:
            x, y, tall = 0.0, y + tall + _FRAME, 0.0
        found.append(replace(panel, x=x, y=y + head))
        tall = max(tall, panel.height + head)
        right = max(right, x + panel.width)
        x += panel.width + _FRAME
    return MapDrawing(right, y + tall, tuple(found))


def _broken(text: str, letters: int) -> list[str]:
    """Break a text into lines; a word longer than a line is broken too."""
    return wrap(text, letters) or [text or "(no name)"]


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)
