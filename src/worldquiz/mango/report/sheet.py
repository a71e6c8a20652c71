"""Floors with sizes in pixels: boxes, lines between them, and moves that are told within boxes.

Every move is drawn once: as a line, where both its places are on one floor and a line finds its
way; else as words within the box that it leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap

from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.report.edge_routing import Box, Curve, Point, side_of, wire
from worldquiz.mango.report.links import Kind, Link, Vector, direction, links
from worldquiz.mango.report.storeys import Floor, floors
from worldquiz.mango.report.words import LETTER as LABEL
from worldquiz.mango.report.words import Words, beside

LETTER = 6.2  # mean width in px of a letter of 11 px
BOLD = 7.3  # of a letter of a name
LINE, PAD = 14, 7
_COLUMNS = (17, 24)  # letters of a name's line, and of a told move's
_GAP = (46, 40)  # between columns and between rows
_FRAME, _HEAD = 16, 24
REACH = 260
"""Pixels within which something may be in the way of a line's words."""
_WIDE = 1500  # px that floors may fill side by side


@dataclass(frozen=True, slots=True)
class Said:
    """A line of a box that tells a move, or goes on telling it."""

    edge: int
    text: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """A link with its line."""

    link: Link
    curve: Curve
    words: tuple[Words, ...]


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
    said: Mapping[str, tuple[Said, ...]]
    lines: tuple[Drawn, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A whole drawing."""

    width: float
    height: float
    panels: tuple[Panel, ...]


def sheet(maze: Maze) -> Sheet:
    """Lay out a maze: no two boxes overlap, and no line runs under a box."""
    joined = links(maze)
    found = floors(maze, joined)
    order = sorted(
        range(len(found)), key=lambda n: (found[n].level is None, -(found[n].level or 0), n)
    )
    panels = [_panel(maze, found[n], joined, many=len(found) > 1, first=n == 0) for n in order]
    return _packed(panels)


def _panel(maze: Maze, floor: Floor, joined: Sequence[Link], *, many: bool, first: bool) -> Panel:
    """Draw lines where they find their way; each that does not makes boxes larger, so try again."""
    inside = [link for link in joined if link.one in floor.cells and link.other in floor.cells]
    names = {place: tuple(_broken(place, _COLUMNS[0])) for place in floor.cells}
    told: set[int] = {
        number for number, edge in enumerate(maze.edges)
        if edge.source in floor.cells
        and (edge.target not in floor.cells or edge.source == edge.target)
    }  # fmt: skip
    while True:
        said = {place: tuple(_said(maze, place, told)) for place in floor.cells}
        boxes = _boxes(maze, floor, names, said, inside)
        lines = list(_lines(maze, [link for link in inside if not _told(link, told)], boxes))
        drawn = {number for line in lines for number in (*line.link.there, *line.link.back)}
        failed = {n for link in inside for n in (*link.there, *link.back)} - drawn - told
        if not failed:
            break
        told |= failed
    width = max(box.x + box.width / 2 for box in boxes.values()) + _FRAME
    height = max(box.y + box.height / 2 for box in boxes.values()) + _FRAME
    return Panel(0, 0, width, height, _title(floor, first) if many else "",
                 boxes, names, said, tuple(lines))  # fmt: skip


def _told(link: Link, told: Iterable[int]) -> bool:
    return not {*link.there, *link.back}.isdisjoint(told)


def _lines(maze: Maze, joined: Sequence[Link], boxes: Mapping[str, Box]) -> Iterator[Drawn]:
    """Yield the links for which there is a line, and room for the words that it needs."""
    taken, curves = list(boxes.values()), []
    for link in joined:
        sides = (_side(maze, link, link.there, 1), _side(maze, link, link.back, -1))
        curve = wire(boxes[link.one], boxes[link.other], sides, list(boxes.values()))
        if curve:
            curves.append((link, curve))
    courses = [point for _, curve in curves for point in curve.points()]
    for link, curve in curves:
        words = _words(maze, link, curve, taken, courses)
        if words is not None:
            taken += [each.box for each in words]
            yield Drawn(link, curve, tuple(words))


def _words(
    maze: Maze, link: Link, curve: Curve, taken: Sequence[Box], courses: Iterable[Point]
) -> list[Words] | None:
    """Return the words of a line, None where there is no room for some of them."""
    found: list[Words] = []
    for end, course in enumerate((curve, curve.turned())):
        moves = _untold(maze, link, end)
        if not moves:
            continue
        near = _near(course)
        words = beside(
            course, moves, [sign(maze.edges[number].action) for number in moves],
            below=bool(end), farthest=0.45 if link.both_ways else 0.85,
            boxes=[box for box in (*taken, *(each.box for each in found)) if near(box.x, box.y)],
            courses=[point for point in courses if near(*point)],
        )  # fmt: skip
        if words is None:
            return None
        found.append(words)
    return found


def _near(curve: Curve) -> Callable[[float, float], bool]:
    """Return what tells whether a point is near enough to a curve to be in its words' way."""
    points = (curve.start, curve.first, curve.second, curve.end)
    low = [min(point[axis] for point in points) - REACH for axis in (0, 1)]
    high = [max(point[axis] for point in points) + REACH for axis in (0, 1)]
    return lambda x, y: low[0] < x < high[0] and low[1] < y < high[1]


def sign(action: str) -> str:
    """Return what a drawing calls a move: climbs carry an arrow."""
    return {"up": "▲ ", "down": "▼ "}.get(direction(action) or "", "") + action


def _side(maze: Maze, link: Link, moves: Iterable[int], sign: int) -> Vector | None:
    """Return the side on which a link leaves a place: its first compass move's, else opposite."""
    for number in moves:
        side = side_of(direction(maze.edges[number].action))
        if side:
            return side
    if link.kind is Kind.COMPASS and link.towards:
        return sign * link.towards[0], sign * link.towards[1]
    return None


def _said(maze: Maze, place: str, told: Iterable[int]) -> Iterable[Said]:
    numbers = (number for number in told if maze.edges[number].source == place)
    for number in sorted(numbers, key=lambda n: (maze.edges[n].action, maze.edges[n].target)):
        edge = maze.edges[number]
        arrow = "" if direction(edge.action) in ("up", "down") else "→ "
        where = "back here" if edge.target == place else edge.target
        for row, text in enumerate(_broken(f"{arrow}{sign(edge.action)}: {where}", _COLUMNS[1])):
            yield Said(number, text if not row else f"\u2003 {text}")


def _boxes(
    maze: Maze,
    floor: Floor,
    names: Mapping[str, Sequence[str]],
    said: Mapping[str, Sequence[Said]],
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


def _gaps(maze: Maze, floor: Floor, inside: Iterable[Link]) -> dict[int, float]:
    """Return how wide the gap behind each column must be for the words on lines across it."""
    found: dict[int, float] = {}
    for link in inside:
        (one, row), (other, below) = floor.cells[link.one], floor.cells[link.other]
        words = [words for end in (0, 1) for words in _untold(maze, link, end)]
        if words and row == below and abs(one - other) == 1:
            column = min(one, other)
            need = 24 + LABEL * max(map(len, (maze.edges[number].action for number in words)))
            found[column] = max(found.get(column, _GAP[0]), need)
    return found


def _untold(maze: Maze, link: Link, end: int) -> list[int]:
    """Return the moves from one end of a link that its line's direction does not tell."""
    moves, sign = ((link.there, 1), (link.back, -1))[end]
    side = _side(maze, link, moves, sign)
    return [n for n in moves if side_of(direction(maze.edges[n].action)) != side or side is None]


def _title(floor: Floor, first: bool) -> str:
    if floor.level is None:
        return "where the walkthrough starts" if first else "elsewhere"
    where = f"floor {floor.level:+d}".replace("-", "−") if floor.level else "floor 0"
    if first:
        return f"{where}, where the walkthrough starts"
    return where if floor.level else f"{where}, another part"


def _packed(panels: Sequence[Panel]) -> Sheet:
    """Set floors side by side, in as many rows as they need."""
    wide = max(_WIDE, *(panel.width for panel in panels), 0)
    x, y, tall, right = 0.0, 0.0, 0.0, 0.0
    found = []
    for panel in panels:
        head = _HEAD if panel.title else 0
        if x and x + panel.width > wide:
            x, y, tall = 0.0, y + tall + _FRAME, 0.0
        found.append(
            Panel(x, y + head, panel.width, panel.height, panel.title, panel.boxes, panel.names,
                  panel.said, panel.lines)
        )  # fmt: skip
        tall = max(tall, panel.height + head)
        right = max(right, x + panel.width)
        x += panel.width + _FRAME
    return Sheet(right, y + tall, tuple(found))


def _broken(text: str, letters: int) -> list[str]:
    """Break a text into lines; a word longer than a line is broken too."""
    return wrap(text, letters) or [text or "(no name)"]
