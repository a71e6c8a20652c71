"""Places on floors, each floor a grid with north up.

Places that compass moves join are laid out together. Where a few of them hang on others by a climb
or by a move of no direction, they are drawn beside those; larger groups have a floor of their own.
On a grid, first every place is put where its move points, rows and columns being inserted where
there is no room; then places move while that makes the drawing better (`settle`).
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.report.layout_optimizer import settle
from worldquiz.mango.report.links import Kind, Link, Vector

FEW = 3
"""So many places at most are drawn beside what they hang on."""
TRIES = 150
"""Places laid out in all while looking for the best place to begin with."""
_RING = ((1, 0), (1, 1), (-1, 0), (1, -1), (-1, 1), (0, 1), (-1, -1), (0, -1))
_ABOVE = ((1, -1), (-1, -1), (0, -1), (1, 0), (-1, 0))

Cell = tuple[int, int]  # column and row


@dataclass(frozen=True, slots=True)
class Floor:
    """Places in their cells; no cell holds two."""

    cells: Mapping[str, Cell]
    level: int | None  # floors above the first; None: no climb leads there


def floors(maze: Maze, joined: Sequence[Link]) -> list[Floor]:
    """Return a maze's floors, that where the walkthrough starts first."""
    begin = start(maze)
    groups = sorted(_groups(maze.places, joined), key=lambda group: begin not in group)
    floor_of = {place: number for number, group in enumerate(groups) for place in group}
    levels = _levels(len(groups), joined, floor_of)
    found = []
    for number, group in enumerate(groups):
        inside = [link for link in joined if floor_of[link.one] == floor_of[link.other] == number]
        found.append(Floor(_settled(group, inside), levels.get(number)))
    return found


def start(maze: Maze) -> str | None:
    """Return where the walkthrough's first move starts, None if it never moves."""
    moves = [(e.seen.forward, e.source) for e in maze.edges if e.seen.forward is not None]
    return min(moves)[1] if moves else None


def _settled(places: Sequence[str], joined: Sequence[Link]) -> dict[str, Cell]:
    """Return the best cells of those found from each of some places to begin with."""
    compass = Counter(
        place for link in joined for place in (link.one, link.other) if link.kind is Kind.COMPASS
    )
    hubs = sorted(places, key=lambda place: -compass[place])[: max(1, TRIES // len(places))]
    tries = [settle(_put(places, joined, hub), joined) for hub in hubs]
    return min(tries, key=lambda found: found[0])[1]


def _groups(places: Sequence[str], joined: Sequence[Link]) -> list[list[str]]:
    """Divide places into floors: by compass moves, then by what few places hang on."""
    home = {place: place for place in places}
    size = dict.fromkeys(places, 1)

    def root(place: str) -> str:
        while home[place] != place:
            place = home[place]
        return place

    for link in sorted(joined, key=_closeness):
        one, other = root(link.one), root(link.other)
        if one != other and (link.kind is Kind.COMPASS or min(size[one], size[other]) <= FEW):
            home[other] = one
            size[one] += size[other]
    found: dict[str, list[str]] = {}
    for place in places:
        found.setdefault(root(place), []).append(place)
    return list(found.values())


def _closeness(link: Link) -> tuple[int, bool]:
    return (link.kind.value, not link.both_ways)


def _levels(count: int, joined: Iterable[Link], floor_of: Mapping[str, int]) -> dict[int, int]:
    """Return how far above the first floor others are, by the climbs between them."""
    climbs: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for link in joined:
        one, other = floor_of[link.one], floor_of[link.other]
        if one != other and link.kind is Kind.VERTICAL and link.towards:
            climbs[one].append((other, -link.towards[1]))
            climbs[other].append((one, link.towards[1]))
    found, queue = {0: 0}, deque([0][:count])
    while queue:
        floor = queue.popleft()
        for other, up in climbs[floor]:
            if other not in found:
                found[other] = found[floor] + up
                queue.append(other)
    return found


def _put(places: Sequence[str], joined: Sequence[Link], hub: str) -> dict[str, Cell]:
    """Put every place beside one that it is linked to, from a hub on, compass moves first."""
    around: dict[str, list[tuple[Link, str, Vector | None]]] = {place: [] for place in places}
    for link in joined:
        back = (-link.towards[0], -link.towards[1]) if link.towards else None
        around[link.one].append((link, link.other, link.towards))
        around[link.other].append((link, link.one, back))
    cells: dict[str, Cell] = {hub: (0, 0)}
    waiting: list[deque[tuple[str, Link, str, Vector | None]]] = [deque(), deque(), deque()]

    def reach(place: str) -> None:
        for link, other, towards in around[place]:
            waiting[link.kind.value].append((place, link, other, towards))

    reach(hub)
    while any(waiting):
        here, link, place, towards = next(queue for queue in waiting if queue).popleft()
        if place not in cells:
            _beside(cells, here, place, link.kind, towards)
            reach(place)
    return cells


def _beside(
    cells: dict[str, Cell], here: str, place: str, kind: Kind, towards: Vector | None
) -> None:
    if kind is Kind.COMPASS and towards:
        _open(cells, here, towards)
        x, y = cells[here]
        cells[place] = (x + towards[0], y + towards[1])
        return
    taken, (x, y) = set(cells.values()), cells[here]
    ring = _RING if towards is None else [(dx, -dy * towards[1]) for dx, dy in _ABOVE]
    for dx, dy in ring:
        if (x + dx, y + dy) not in taken:
            cells[place] = (x + dx, y + dy)
            return
    _open(cells, here, (1, 0))
    cells[place] = (x + 1, y)


def _open(cells: dict[str, Cell], here: str, towards: Vector) -> None:
    """Insert a column or row where the cell that a move points to is taken."""
    x, y = cells[here]
    dx, dy = towards
    if (x + dx, y + dy) not in cells.values():
        return
    for place, (column, row) in cells.items():
        if dx and (column - x) * dx > 0:
            cells[place] = (column + dx, row)
        elif not dx and (row - y) * dy > 0:
            cells[place] = (column, row + dy)
