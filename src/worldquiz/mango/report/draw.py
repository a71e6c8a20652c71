"""A maze drawn as SVG: places, moves, and when the walkthrough told of each.

A drawing is made once per maze. What it shows at some step is left to the page: each move carries
``data-e``, its numbers among the maze's edges, each place ``data-p``; the page marks them as taken,
imputed or not yet told. As drawn they are marked as of the last step that was read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from math import atan2, cos, sin

from worldquiz.mango.maze.maze import Edge, Maze
from worldquiz.mango.report.layout import start
from worldquiz.mango.report.sheet import LINE, PAD, DrawnLine, Panel, Point, Words, sheet

TAKEN, IMPUTED, UNSEEN = "taken", "imputed", "unseen"


def state(edges: Iterable[Edge], steps: int) -> str:
    """Return what the first steps tell of moves between the same places, the best of them."""
    sights = [edge.told.until(steps) for edge in edges]
    if any(sight.forward is not None for sight in sights):
        return TAKEN
    return IMPUTED if any(sight.backward is not None for sight in sights) else UNSEEN


def first_told(maze: Maze) -> list[int | None]:
    """Return for each place the step that first tells of it; None: none does."""
    found: dict[str, int] = {}
    for edge in maze.edges:
        told = edge.told.first
        if told is not None:
            for place in (edge.source, edge.target):
                found[place] = min(told, found.get(place, told))
    begin = start(maze)
    if begin is not None:
        found[begin] = 0
    return [found.get(place) for place in maze.places]


def draw(maze: Maze, steps: int) -> str:
    """Return a maze as one SVG element, marked as of a step. Equal mazes give equal text."""
    found = sheet(maze)
    numbers = {place: number for number, place in enumerate(maze.places)}
    begin, told = start(maze), first_told(maze)
    marks = {
        place: ("told" if (step := told[number]) is not None and step <= steps else "untold")
        + (" start" if place == begin else "")
        for place, number in numbers.items()
    }
    inner = "".join(_panel(maze, panel, numbers, marks, steps) for panel in found.panels)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="maze" viewBox="0 0 {found.width:.0f} '
        f'{found.height:.0f}" width="{found.width:.0f}" height="{found.height:.0f}" role="group" '
        f'aria-label="Map of {escape(maze.name)}">{inner}</svg>'
    )


def _panel(
    maze: Maze,
    panel: Panel,
    numbers: Mapping[str, int],
    marks: Mapping[str, str],
    steps: int,
) -> str:
    title = (
        f'<rect class="floor" x="1" y="1" width="{panel.width - 2:.0f}" '
        f'height="{panel.height - 2:.0f}" rx="9"/>'
        f'<text class="title" x="4" y="-7">{escape(panel.title)}</text>'
        if panel.title
        else ""
    )
    lines = "".join(_link(maze, line, steps) for line in panel.lines)
    places = "".join(
        _place(maze, panel, place, f'class="place {marks[place]}" data-p="{numbers[place]}"', steps)
        for place in panel.boxes
    )
    words = "".join(_words(maze, each, steps) for line in panel.lines for each in line.words)
    return (
        f'<g transform="translate({panel.x:.0f} {panel.y:.0f})">{title}{lines}{places}{words}</g>'
    )


def _place(maze: Maze, panel: Panel, place: str, marks: str, steps: int) -> str:
    box, names, said = panel.boxes[place], panel.names[place], panel.said[place]
    left, top = box.x - box.width / 2, box.y - box.height / 2
    rows = [
        f'<text x="{box.x:.1f}" y="{top + PAD + LINE * row + 10.5:.1f}">{escape(text)}</text>'
        for row, text in enumerate(names)
    ]
    for row, line in enumerate(said, start=len(names)):
        now, y = state([maze.edges[line.edge]], steps), top + PAD + LINE * row + 10.5
        rows.append(
            f'<text class="move {now}" data-e="{line.edge}" x="{left + PAD:.1f}" y="{y:.1f}">'
            f"{escape(line.text)}</text>"
        )
    return (
        f"<g {marks}><title>{escape(place)}</title>"
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" '
        f'rx="6"/>{"".join(rows)}</g>'
    )


def _link(maze: Maze, line: DrawnLine, steps: int) -> str:
    """Draw a line; each half is the moves that leave from its end, the whole if one way only."""
    link = line.link
    if link.both_ways:
        ways = _way(maze, link.there, line.start, line.at(0.5), steps)
        ways += _way(maze, link.back, line.end, line.at(0.5), steps)
    elif link.there:
        ways = _way(maze, link.there, line.start, line.end, steps, head=True)
    else:
        ways = _way(maze, link.back, line.end, line.start, steps, head=True)
    return f'<g class="link {link.kind.name.lower()}">{ways}</g>'


def _way(
    maze: Maze, moves: Sequence[int], start: Point, end: Point, steps: int, *, head: bool = False
) -> str:
    edges = [maze.edges[number] for number in moves]
    path = f"M{_at(start)}L{_at(end)}"
    arrow = f'<path class="head" d="{_head(start, end)}"/>' if head else ""
    named = ", ".join(edge.action for edge in edges)
    title = f"{edges[0].source} — {named} → {edges[0].target}"
    return (
        f'<g class="move {state(edges, steps)}" data-e="{" ".join(map(str, moves))}">'
        f'<title>{escape(title)}</title><path class="grip" d="{path}"/>'
        f'<path class="line" d="{path}"/>{arrow}</g>'
    )


def _head(start: Point, end: Point) -> str:
    """Return an arrowhead at a line's end."""
    angle = atan2(end[1] - start[1], end[0] - start[0])
    wings = [(end[0] - 9 * cos(angle + turn), end[1] - 9 * sin(angle + turn))
             for turn in (0.42, -0.42)]  # fmt: skip
    return f"M{_at(end)}L{_at(wings[0])}L{_at(wings[1])}Z"


def _words(maze: Maze, words: Words, steps: int) -> str:
    inner = ", ".join(
        f'<tspan class="move {state([maze.edges[number]], steps)}" data-e="{number}">'
        f"{escape(text)}</tspan>"
        for number, text in zip(words.edges, words.texts, strict=True)
    )
    return f'<text class="label" x="{words.x:.1f}" y="{words.y + 3.5:.1f}">{inner}</text>'


def _at(point: Point) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"
