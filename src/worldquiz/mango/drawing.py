"""Drawing of a maze for the page: places, moves, and the step of the walkthrough that told of each.

Every move is drawn once: as a line, where both its places are on one floor, the line points where
the move does and runs under no other box; else as words within the box that it leaves. Edge n is
part n, and the places follow the edges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from math import atan2, cos, hypot, sin
from pathlib import Path
from textwrap import wrap

from worldquiz.mango.layout import COMPASS, Link, Storey, Vector, direction, floors, links, start
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.rows import marked_answers
from worldquiz.mango.running.folder import KIND, MINIGAMES, read_mazes, read_run_manifest
from worldquiz.mango.running.replies import finished
from worldquiz.mango.scoring.grade import Question
from worldquiz.mango.scoring.guide import Guide
from worldquiz.report.drawing import Drawing, DrawnStep
from worldquiz.runs.benchmark import stated_kind

LEGEND = (
    "Places and moves, north being up; a line with a head leads one way. Moves that no line can "
    "show are named in the box that they leave. Marked: the places and the route of the question."
)
_LETTER, _BOLD = 6.2, 7.3  # mean widths in px of a letter of 11 px, and of a name's
_LINE, _PAD, _FRAME, _HEAD = 14, 7, 16, 24
_GAP = (46, 40)  # between columns and between rows
_COLUMNS = (17, 26)  # letters of a name's line, and of a told move's
_CLEAR = 4  # px that a line keeps from a box which is not its own
_FARTHEST = 1100  # px that a line may span
_WIDE = 1500  # px that floors may fill side by side
_STYLE = """.maze .place > rect { fill: var(--paper); stroke: var(--ink) }
.maze .start > rect { stroke-width: 3 } .maze .name { font-weight: 600; text-anchor: middle }
.maze .line { stroke: var(--ink); stroke-width: 2; fill: var(--ink) }
.maze .line.about { stroke: var(--run-4); stroke-width: 5; fill: var(--run-4) }
.maze .floor { fill: none; stroke: var(--line) } .maze .title { fill: var(--soft) }"""
Point = tuple[float, float]


def drawings(run: Path, data: Path | None = None) -> Callable[[str], Drawing | None]:
    """Open a run's mazes to be drawn by name, each as far as it was read."""
    quiz = stated_kind(run) == KIND
    mazes = read_mazes(run, kind=KIND if quiz else MINIGAMES)
    manifest = read_run_manifest(run) if quiz else {}
    read, asked = manifest.get("read", {}), dict[str, list[Question]]()
    for each in marked_answers(run, manifest, finished(run), whole=False)[0] if quiz else ():
        asked.setdefault(each.question.game, []).append(each.question)

    def drawn(world: str) -> Drawing | None:
        maze = mazes.get(world)
        if maze is None:
            return None
        steps = read.get(world, maze.steps)
        about = _about(maze, asked.get(world, ()), steps)
        return Drawing(svg=draw(maze), steps=_steps(maze, steps), about=about, legend=LEGEND)

    return drawn


def _steps(maze: Maze, last: int) -> tuple[DrawnStep, ...]:
    """Return the steps of the walkthrough, each with the moves and places that it tells of."""
    first: dict[int, list[int]] = {}
    told: set[str] = set()
    begin = start(maze)
    numbers = _numbers(maze)
    for number, edge in sorted(enumerate(maze.edges), key=lambda each: each[1].told.first or 0):
        step = edge.told.first
        if step is not None:
            first.setdefault(step, []).append(number)
            for place in {edge.source, edge.target} - told - {begin}:
                first[step].append(numbers[place])
            told |= {edge.source, edge.target}
    if begin is not None:
        first.setdefault(0, []).append(numbers[begin])
    return tuple(
        DrawnStep(step=each.number, text=f"> {each.action}\n{each.observation.strip()}",
                  shows=tuple(sorted(first.get(each.number, ()))))
        for each in maze.walkthrough if each.number <= last
    )  # fmt: skip


def _about(maze: Maze, asked: Iterable[Question], steps: int) -> dict[str, tuple[int, ...]]:
    """Return for each question its places and the moves of a route that answers it."""
    guide, numbers, found = Guide(maze), _numbers(maze), {}
    for each in asked:
        route = guide.answer(each, steps) or []
        places = {each.source, *(maze.edges[number].target for number in route[-1:])}
        found[each.id] = (*route, *sorted(numbers[p] for p in places if p in numbers))
    return found


def _numbers(maze: Maze) -> dict[str, int]:
    """Return the number of each place's part."""
    return {place: number for number, place in enumerate(maze.places, start=len(maze.edges))}


@dataclass(frozen=True, slots=True)
class Box:
    """A place's rectangle."""

    x: float  # centre
    y: float  # centre
    width: float
    height: float

    def port(self, side: Vector) -> Point:
        """Return the middle of a side, or a corner."""
        return self.x + side[0] * self.width / 2, self.y + side[1] * self.height / 2

    def crossed(self, one: Point, other: Point, clear: float) -> bool:
        """Return whether a line runs through it, or nearer than some pixels."""
        first, last = 0.0, 1.0  # the share of the line that is within both spans
        for begin, end, middle, size in (
            (one[0], other[0], self.x, self.width),
            (one[1], other[1], self.y, self.height),
        ):
            low, high = middle - size / 2 - clear - begin, middle + size / 2 + clear - begin
            if begin == end:
                if not low < 0 < high:
                    return False
                continue
            enters, leaves = sorted((low / (end - begin), high / (end - begin)))
            first, last = max(first, enters), min(last, leaves)
        return first < last


@dataclass(frozen=True, slots=True)
class Panel:
    """A floor in the drawing; its boxes and lines count from its own corner."""

    title: str
    boxes: Mapping[str, Box]
    said: Mapping[str, Sequence[tuple[int, str]]]  # the moves that a place's box tells
    lines: Mapping[tuple[int, ...], tuple[Point, Point, bool]]  # of moves; true: one way only
    width: float
    height: float
    x: float = 0
    y: float = 0


def panels(maze: Maze) -> list[Panel]:
    """Lay out a maze: no two boxes overlap, no line runs under a box, each move is there once."""
    joined = links(maze)
    storeys = floors(maze, joined)
    order = sorted(range(len(storeys)), key=lambda n: (-(storeys[n].level or 0), n))
    found = [_panel(maze, storeys[n], joined, _title(storeys, n)) for n in order]
    wide = max([_WIDE, *(panel.width for panel in found)])
    x = y = tall = 0.0
    placed = []
    for panel in found:
        if x and x + panel.width > wide:
            x, y, tall = 0.0, y + tall + _FRAME, 0.0
        placed.append(replace(panel, x=x, y=y + _HEAD))
        tall = max(tall, panel.height + _HEAD)
        x += panel.width + _FRAME
    return placed


def _title(storeys: Sequence[Storey], n: int) -> str:
    if len(storeys) == 1:
        return ""
    level = storeys[n].level
    where = "elsewhere" if level is None else f"floor {level:+d}" if level else "floor 0"
    return where + (", where the walkthrough starts" if n == 0 else "")


def _panel(maze: Maze, floor: Storey, joined: Sequence[Link], title: str) -> Panel:
    """Draw lines where they find their way; moves without one make boxes larger, so try again."""
    inside = [link for link in joined if {link.one, link.other} <= floor.cells.keys()]
    leaving = [n for n, edge in enumerate(maze.edges) if edge.source in floor.cells]
    drawable = {link: moves for link in inside if (moves := _pointing(maze, floor, link))}
    while True:
        told = sorted(set(leaving) - {n for moves in drawable.values() for n in moves})
        said = {place: [(n, text) for n in told if maze.edges[n].source == place
                        for text in _said(maze, n)] for place in floor.cells}  # fmt: skip
        boxes = _boxes(floor, said)
        lines = {link: line for link in drawable if (line := _line(floor, link, boxes))}
        if len(lines) == len(drawable):
            break
        drawable = {link: drawable[link] for link in lines}
    ways = {}
    for link, (begin, end) in lines.items():
        moves = drawable[link]
        forward = maze.edges[moves[0]].source == link.one
        ways[moves] = (*((begin, end) if forward else (end, begin)), not link.both_ways)
    width = max(box.x + box.width / 2 for box in boxes.values()) + _FRAME
    height = max(box.y + box.height / 2 for box in boxes.values()) + _FRAME
    return Panel(title, boxes, said, ways, width, height)


def _towards(floor: Storey, link: Link) -> Vector:
    """Return where a link's other place lies, to the nearest of eight directions."""
    (x, y), (a, b) = floor.cells[link.one], floor.cells[link.other]
    east, south = a - x, b - y
    return (
        (east > 0) - (east < 0) if 2 * abs(east) >= abs(south) else 0,
        (south > 0) - (south < 0) if 2 * abs(south) >= abs(east) else 0,
    )


def _pointing(maze: Maze, floor: Storey, link: Link) -> tuple[int, ...]:
    """Return the moves of a link that point about where its line leads, as first told."""
    (x, y), (a, b) = floor.cells[link.one], floor.cells[link.other]

    def suits(number: int, east: int, south: int) -> bool:
        dx, dy = COMPASS.get(direction(maze.edges[number].action) or "", (0, 0))
        along, off = east * dx + south * dy, abs(east * dy - south * dx)
        return along > 0 and off <= (1.2 if dx and dy else 0.6) * along

    there = (n for n in link.there if suits(n, a - x, b - y))
    return (*there, *(n for n in link.back if suits(n, x - a, y - b)))


def _line(floor: Storey, link: Link, boxes: Mapping[str, Box]) -> tuple[Point, Point] | None:
    """Return the ends of a link's line if no box is in its way."""
    one, other, (x, y) = boxes[link.one], boxes[link.other], _towards(floor, link)
    begin, end = one.port((x, y)), other.port((-x, -y))
    if hypot(end[0] - begin[0], end[1] - begin[1]) > _FARTHEST:
        return None
    clear = ((box, -1 if box in (one, other) else _CLEAR) for box in boxes.values())
    return None if any(box.crossed(begin, end, px) for box, px in clear) else (begin, end)


def _said(maze: Maze, number: int) -> Iterator[str]:
    """Yield the lines of a box that tell a move."""
    edge = maze.edges[number]
    arrow = {"up": "▲", "down": "▼"}.get(direction(edge.action) or "", "→")
    where = "back here" if edge.target == edge.source else edge.target
    yield from wrap(f"{arrow} {edge.action}: {where}", _COLUMNS[1], subsequent_indent="\u2003")


def _named(place: str) -> list[str]:
    return wrap(place, _COLUMNS[0]) or [place or "(no name)"]


def _boxes(floor: Storey, said: Mapping[str, Sequence[tuple[int, str]]]) -> dict[str, Box]:
    """Give every place its box: one width for all, rows as high as their fullest box."""
    widths = [_BOLD * len(line) for place in floor.cells for line in _named(place)]
    widths += [_LETTER * len(text) for told in said.values() for _, text in told]
    width = max(64.0, *widths) + 2 * _PAD
    tall = {place: _LINE * (len(_named(place)) + len(said[place])) + 2.0 * _PAD
            for place in floor.cells}  # fmt: skip
    rows: dict[int, float] = {}
    for place, (_, row) in floor.cells.items():
        rows[row] = max(rows.get(row, 0.0), tall[place])
    middle, y = {}, float(_FRAME)
    for row in range(max(rows) + 1):
        middle[row] = y + rows.get(row, 0.0) / 2
        y += rows.get(row, 0.0) + _GAP[1]
    return {
        place: Box(_FRAME + width / 2 + column * (width + _GAP[0]), middle[row], width, tall[place])
        for place, (column, row) in floor.cells.items()
    }


def draw(maze: Maze) -> str:
    """Return a maze as one SVG element. Equal mazes give equal text."""
    found = panels(maze)
    width = max(panel.x + panel.width for panel in found)
    height = max(panel.y + panel.height for panel in found)
    inner = "".join(_drawn(maze, panel) for panel in found)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="maze" viewBox="0 0 {width:.0f} '
        f'{height:.0f}" width="{width:.0f}" height="{height:.0f}" role="group" '
        f'aria-label="Map of {escape(maze.name)}"><style>{_STYLE}</style>{inner}</svg>'
    )


def _drawn(maze: Maze, panel: Panel) -> str:
    frame = (
        f'<rect class="floor" x="1" y="1" width="{panel.width - 2:.0f}" '
        f'height="{panel.height - 2:.0f}" rx="9"/><text class="title" x="4" y="-7">'
        f"{escape(panel.title)}</text>"
    )
    parts = [frame if panel.title else ""]
    for moves, ((x, y), (a, b), one_way) in panel.lines.items():
        turns = (atan2(b - y, a - x) + turn for turn in (0.42, -0.42))
        wings = "L".join(f"{a - 9 * cos(turn):.1f} {b - 9 * sin(turn):.1f}" for turn in turns)
        head = f"M{a:.1f} {b:.1f}L{wings}Z" if one_way else ""
        names = "; ".join(f"{maze.edges[n].source}, {maze.edges[n].action}" for n in moves)
        parts.append(
            f'<path class="line" data-part="{" ".join(map(str, moves))}" '
            f'd="M{x:.1f} {y:.1f}L{a:.1f} {b:.1f}{head}"><title>{escape(names)}</title></path>'
        )
    numbers, begin = _numbers(maze), start(maze)
    for place, box in panel.boxes.items():
        left, top = box.x - box.width / 2, box.y - box.height / 2 + _PAD + 10.5
        rows = [("", text) for text in _named(place)]
        rows += [(f'data-part="{edge}" ', text) for edge, text in panel.said[place]]
        texts = [
            f'<text {part}x="{left + _PAD:.1f}" y="{top + _LINE * n:.1f}">{escape(text)}</text>'
            if part
            else f'<text class="name" x="{box.x:.1f}" y="{top + _LINE * n:.1f}">{escape(text)}'
            "</text>"
            for n, (part, text) in enumerate(rows)
        ]
        parts.append(
            f'<g class="place{" start" if place == begin else ""}" data-part="{numbers[place]}">'
            f'<rect x="{left:.1f}" y="{box.y - box.height / 2:.1f}" width="{box.width:.1f}" '
            f'height="{box.height:.1f}" rx="6"/>{"".join(texts)}</g>'
        )
    return f'<g transform="translate({panel.x:.0f} {panel.y:.0f})">{"".join(parts)}</g>'
