"""Drawing of a maze as SVG: its places, its moves, and the step that first shows each of them.

Places are put on a grid with north up, beginning where the walkthrough starts. Each further place
takes the free cell nearest to the one where a move from its neighbour points. Every move is drawn
once: as a line if its direction leads to its target with no box in between, otherwise as text in
the box of its source. The parts of a drawing are numbered: first the edges, then the places.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from html import escape
from itertools import count, product
from math import atan2, cos, isqrt, sin
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple

from worldquiz.mango.grade import Guide, Question
from worldquiz.mango.mazes import Maze
from worldquiz.mango.recorder.words import spelled
from worldquiz.mango.run import mazes_of, question_of, questions_of, read_run_manifest
from worldquiz.page.html import Drawing, DrawnStep
from worldquiz.runs.folder import if_there

LEGEND = (
    "Places and moves, with north up; an arrow leads one way. Moves that cannot be drawn as lines "
    "are named in the box that they leave. Marked: the places and the route of the question."
)
Cell = tuple[int, int]  # column and row, or distance to the east and to the south
Point = tuple[float, float]
_COMPASS: Mapping[str, Cell] = {
    "north": (0, -1), "northeast": (1, -1), "east": (1, 0), "southeast": (1, 1),
    "south": (0, 1), "southwest": (-1, 1), "west": (-1, 0), "northwest": (-1, -1),
}  # fmt: skip
_CLIMBS: Mapping[str, Cell] = {"up": (1, -1), "down": (-1, 1)}
"""Straight above would read as north."""
_LETTER, _BOLD = 6.2, 7.3  # mean widths in px of a letter of 11 px, and of a name's
_LINE, _PAD, _FRAME = 14, 7, 16
_GAP = (46, 40)  # between columns and between rows
_COLUMNS = (17, 26)  # letters in a line with a name, and with a move
_STYLE = """.maze .place > rect { fill: var(--paper); stroke: var(--ink) }
.maze .start > rect { stroke-width: 3 } .maze .name { font-weight: 600; text-anchor: middle }
.maze .line { stroke: var(--ink); stroke-width: 2; fill: var(--ink) }
.maze .line.about { stroke: var(--run-4); stroke-width: 5; fill: var(--run-4) }"""


def drawings(run: Path, data: Path | None = None) -> Callable[[str], Drawing | None]:
    """Return a function from the name of a run's maze to its drawing, None for a missing maze."""
    mazes = if_there(mazes_of, run, data)
    if mazes is None:
        return lambda world: None
    read = read_run_manifest(run)["read"]
    asked: dict[str, list[Question]] = defaultdict(list)
    for row in questions_of(run):
        asked[row.world].append(question_of(row))

    def drawn(world: str) -> Drawing | None:
        maze = mazes.get(world)
        if maze is None:
            return None
        steps = read.get(world, maze.steps)
        guide, numbers, about = Guide(maze), _numbers(maze), {}
        for each in asked.get(world, ()):
            route = guide.answer(each, steps) or []
            places = {each.source, *(maze.edges[number].target for number in route[-1:])}
            about[each.id] = (*route, *sorted(numbers[p] for p in places if p in numbers))
        return Drawing(svg=draw(maze), steps=_steps(maze, steps), about=about, legend=LEGEND)

    return drawn


def _steps(maze: Maze, last: int) -> tuple[DrawnStep, ...]:
    """Return the steps that were read, each with the parts of the drawing that appear with it."""
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


def _numbers(maze: Maze) -> dict[str, int]:
    """Return each place's number among the parts of the drawing."""
    return {place: number for number, place in enumerate(maze.places, start=len(maze.edges))}


def start(maze: Maze) -> str | None:
    """Return the place where the walkthrough's first move starts, None if there is no move."""
    moves = [(e.seen.forward, e.source) for e in maze.edges if e.seen.forward is not None]
    return min(moves)[1] if moves else None


def _points(action: str) -> tuple[int, Cell]:
    """Return an action's rank (0: compass, 1: up or down, 2: other) and its direction."""
    words = spelled(action).split()
    last = words[-1] if words else ""
    way = next((word for word in words if word in _CLIMBS), "")
    if last in _COMPASS:
        return 0, _COMPASS[last]
    return (1, _CLIMBS[way]) if way else (2, (0, 0))


def grid(maze: Maze) -> dict[str, Cell]:
    """Return each place's column and row, from 0; unconnected places are put below the rest."""
    around: dict[str, list[tuple[int, int, str, Cell]]] = defaultdict(list)
    for number, edge in enumerate(maze.edges):
        rank, (x, y) = _points(edge.action)
        told = number if edge.told.first is None else edge.told.first
        around[edge.source].append((rank, told, edge.target, (x, y)))
        around[edge.target].append((rank, told, edge.source, (-x, -y)))
    begin, order = start(maze), count()
    cells: dict[str, Cell] = {}
    for root in (*((begin,) if begin is not None else ()), *maze.places):
        row = max((y for _, y in cells.values()), default=-2) + 2
        waiting = [] if root in cells else [(0, 0, next(order), root, (0, row))]
        while waiting:
            *_, place, wanted = heappop(waiting)
            if place in cells:
                continue
            reach = range(-isqrt(len(cells)), isqrt(len(cells)) + 1)  # some cell in reach is free
            near = sorted(product(reach, reach), key=lambda step: step[0] ** 2 + step[1] ** 2)
            taken, free = set(cells.values()), ((wanted[0] + x, wanted[1] + y) for x, y in near)
            x, y = cells[place] = next(each for each in free if each not in taken)
            for rank, told, other, (dx, dy) in around[place]:
                heappush(waiting, (rank, told, next(order), other, (x + dx, y + dy)))
    low = [min(cell[axis] for cell in cells.values()) for axis in (0, 1)] if cells else []
    return {place: (cell[0] - low[0], cell[1] - low[1]) for place, cell in cells.items()}


class Box(NamedTuple):
    """A place's rectangle: its centre and its size."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Plan:
    """Layout of a maze: boxes do not overlap, no line runs under a box, each move appears once."""

    boxes: Mapping[str, Box]
    said: Mapping[str, Sequence[tuple[int, str]]]  # the moves named in a place's box
    lines: Mapping[tuple[int, ...], tuple[Point, Point, bool]]  # by moves; true: one way only


def plan(maze: Maze) -> Plan:
    """Lay out a maze; a move is a line if it points to its target with no box in between."""
    cells = grid(maze)
    taken = set(cells.values())
    lined: dict[frozenset[str], list[int]] = {}
    said: dict[str, list[tuple[int, str]]] = {place: [] for place in cells}
    for number, edge in enumerate(maze.edges):
        rank, (dx, dy) = _points(edge.action)
        (x, y), (a, b) = cells[edge.source], cells[edge.target]
        far = 1 if dx and dy else max(abs(a - x), abs(b - y))
        between = {(x + n * dx, y + n * dy) for n in range(1, far)}
        if far and not rank and (a, b) == (x + far * dx, y + far * dy) and not between & taken:
            lined.setdefault(frozenset((edge.source, edge.target)), []).append(number)
        else:
            said[edge.source] += ((number, text) for text in _said(maze, number))
    boxes, lines = _boxes(cells, said), {}
    for moves in lined.values():
        edge = maze.edges[moves[0]]
        (_, (dx, dy)), one, other = _points(edge.action), boxes[edge.source], boxes[edge.target]
        begin = one.x + dx * one.width / 2, one.y + dy * one.height / 2
        end = other.x - dx * other.width / 2, other.y - dy * other.height / 2
        one_way = len({maze.edges[number].source for number in moves}) == 1
        lines[tuple(moves)] = begin, end, one_way
    return Plan(boxes, said, lines)


def _said(maze: Maze, number: int) -> Iterator[str]:
    """Yield the lines of text that describe a move in the box of its source."""
    edge = maze.edges[number]
    arrow = {_CLIMBS["up"]: "▲", _CLIMBS["down"]: "▼"} if _points(edge.action)[0] == 1 else {}
    where = "back here" if edge.target == edge.source else edge.target
    text = f"{arrow.get(_points(edge.action)[1], '→')} {edge.action}: {where}"
    yield from wrap(text, _COLUMNS[1], subsequent_indent="\u2003")


def _named(place: str) -> list[str]:
    return wrap(place, _COLUMNS[0]) or [place or "(no name)"]


def _boxes(
    cells: Mapping[str, Cell], said: Mapping[str, Sequence[tuple[int, str]]]
) -> dict[str, Box]:
    """Return each place's box: all are equally wide, and a row is as high as its highest box."""
    widths = [_BOLD * len(line) for place in cells for line in _named(place)]
    widths += [_LETTER * len(text) for told in said.values() for _, text in told]
    width = max(64.0, *widths) + 2 * _PAD
    tall = {place: _LINE * (len(_named(place)) + len(said[place])) + 2.0 * _PAD for place in cells}
    rows: dict[int, float] = {}
    for place, (_, row) in cells.items():
        rows[row] = max(rows.get(row, 0.0), tall[place])
    middle, y = {}, float(_FRAME)
    for row in range(max(rows) + 1):
        middle[row] = y + rows.get(row, 0.0) / 2
        y += rows.get(row, 0.0) + _GAP[1]
    return {
        place: Box(_FRAME + width / 2 + column * (width + _GAP[0]), middle[row], width, tall[place])
        for place, (column, row) in cells.items()
    }


def draw(maze: Maze) -> str:
    """Return a maze as one SVG element. Equal mazes give equal text."""
    laid, parts = plan(maze), []
    for moves, ((x, y), (a, b), one_way) in laid.lines.items():
        turns = (atan2(b - y, a - x) + turn for turn in (0.42, -0.42))
        wings = "L".join(f"{a - 9 * cos(turn):.1f} {b - 9 * sin(turn):.1f}" for turn in turns)
        head = f"M{a:.1f} {b:.1f}L{wings}Z" if one_way else ""
        names = "; ".join(f"{maze.edges[n].source}, {maze.edges[n].action}" for n in moves)
        parts.append(
            f'<path class="line" data-part="{" ".join(map(str, moves))}" '
            f'd="M{x:.1f} {y:.1f}L{a:.1f} {b:.1f}{head}"><title>{escape(names)}</title></path>'
        )
    numbers, begin = _numbers(maze), start(maze)
    for place, box in laid.boxes.items():
        left, top = box.x - box.width / 2, box.y - box.height / 2 + _PAD + 10.5
        rows = [(f'class="name" x="{box.x:.1f}"', text) for text in _named(place)]
        rows += [(f'data-part="{edge}" x="{left + _PAD:.1f}"', text)
                 for edge, text in laid.said[place]]  # fmt: skip
        texts = (
            f'<text {how} y="{top + _LINE * n:.1f}">{escape(text)}</text>'
            for n, (how, text) in enumerate(rows)
        )
        parts.append(
            f'<g class="place{" start" if place == begin else ""}" data-part="{numbers[place]}">'
            f'<rect x="{left:.1f}" y="{box.y - box.height / 2:.1f}" width="{box.width:.1f}" '
            f'height="{box.height:.1f}" rx="6"/>{"".join(texts)}</g>'
        )
    width = max(box.x + box.width / 2 for box in laid.boxes.values()) + _FRAME
    height = max(box.y + box.height / 2 for box in laid.boxes.values()) + _FRAME
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="maze" viewBox="0 0 {width:.0f} '
        f'{height:.0f}" width="{width:.0f}" height="{height:.0f}" role="group" '
        f'aria-label="Map of {escape(maze.name)}"><style>{_STYLE}</style>{"".join(parts)}</svg>'
    )
