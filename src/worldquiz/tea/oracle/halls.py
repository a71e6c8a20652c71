"""Walls, floors and ceilings, met by following rays from room to room through the doorways.

A room is a box that a ray leaves at one place. If that place lies in a doorway, the ray goes on
through a tunnel as deep as the wall is thick, and then into the next room; else it ends there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from worldquiz.errors import RecordError

if TYPE_CHECKING:
    from worldquiz.tea.oracle.solids import Floats

ROOMS = 40
"""Rooms that one ray may pass, at most."""


@dataclass(frozen=True, slots=True)
class Tunnel:
    """A doorway as seen from one of its rooms."""

    to: int  # the room beyond
    axis: int  # that it leads along: 0 or 1
    sign: int  # which way: -1 or 1
    low: Floats  # corners of the tunnel
    high: Floats


class Halls:
    """The rooms of a scene's JSON."""

    def __init__(self, scene: dict[str, Any]) -> None:
        import numpy as np

        self.names = [room["name"] for room in scene["rooms"]]
        self.low = np.array([[*room["low"], 0.0] for room in scene["rooms"]])
        self.high = np.array([[*room["high"], scene["height"]] for room in scene["rooms"]])
        self.tunnels: list[list[Tunnel]] = [[] for _ in self.names]
        for door in scene["doors"]:
            one, two = (self.names.index(name) for name in door["rooms"])
            for start, end in ((one, two), (two, one)):
                self.tunnels[start].append(self._tunnel(door, start, end))

    def _tunnel(self, door: dict[str, Any], start: int, end: int) -> Tunnel:
        import numpy as np

        axis = 1 if door["along"] == "x" else 0
        sign = 1 if self.low[end][axis] >= self.high[start][axis] - 1e-9 else -1
        ends = (self.high[start][axis], self.low[end][axis])
        ends = ends if sign > 0 else (self.low[start][axis], self.high[end][axis])
        low, high = np.zeros(3), np.zeros(3)
        low[axis], high[axis] = min(ends), max(ends)
        middle = door["at"][1 - axis]
        low[1 - axis], high[1 - axis] = middle - door["width"] / 2, middle + door["width"] / 2
        high[2] = door["height"]
        return Tunnel(end, axis, sign, low, high)

    def room(self, point: Any) -> int | None:
        """Return the number of the room that a point is in; None in a doorway."""
        for number, (low, high) in enumerate(zip(self.low, self.high, strict=True)):
            if (point[:2] >= low[:2] - 1e-9).all() and (point[:2] <= high[:2] + 1e-9).all():
                return number
        return None

    def meet(self, starts: Floats, rays: Floats) -> Floats:
        """Return where rays from a point, or from n points of one room, meet a wall."""
        import numpy as np

        starts = np.broadcast_to(starts, rays.shape)
        result = np.full(len(rays), np.inf)
        if not len(rays):
            return result
        rooms = self._first(starts, rays, result)
        for _ in range(ROOMS):
            if not (rooms >= 0).any():
                return result
            for room in np.unique(rooms[rooms >= 0]).tolist():
                mine = np.flatnonzero(rooms == room)
                rooms[mine] = self._leave(room, starts[mine], rays[mine], mine, result)
        return result

    def _first(self, starts: Floats, rays: Floats, result: Floats) -> Any:
        """Return the room that each ray is in at first, or comes into from a doorway."""
        import numpy as np

        room = self.room(starts[0])
        if room is not None:
            return np.full(len(rays), room)
        rooms, every = np.full(len(rays), -1), np.arange(len(rays))
        within = [
            tunnel
            for some in self.tunnels
            for tunnel in some
            if (starts[0] >= tunnel.low - 1e-6).all() and (starts[0] <= tunnel.high + 1e-6).all()
        ]
        if not within:
            raise RecordError(f"a camera at {starts[0].tolist()} is in no room and no doorway")
        for tunnel in within:
            mine = every[rays[:, tunnel.axis] * tunnel.sign >= 0]
            rooms[mine] = _through(tunnel, starts[mine], rays[mine], mine, result)
        return rooms

    def _leave(self, room: int, starts: Floats, rays: Floats, numbers: Any, result: Floats) -> Any:
        """Return the next room of rays in a room (-1 for those that end), and where those end."""
        import numpy as np

        when, axis = _exit(self.low[room], self.high[room], starts, rays)
        after = np.full(len(rays), -1)
        result[numbers] = when
        place = starts + when[:, None] * rays
        for tunnel in self.tunnels[room]:
            side = (axis == tunnel.axis) & (rays[:, tunnel.axis] * tunnel.sign > 0)
            other = 1 - tunnel.axis
            side &= (place[:, other] > tunnel.low[other]) & (place[:, other] < tunnel.high[other])
            side &= place[:, 2] < tunnel.high[2]
            mine = np.flatnonzero(side)
            if len(mine):
                after[mine] = _through(tunnel, starts[mine], rays[mine], numbers[mine], result)
        return after


def _through(tunnel: Tunnel, starts: Floats, rays: Floats, numbers: Any, result: Floats) -> Any:
    """Return the room beyond a doorway for rays that get there, -1 for those that meet its jamb."""
    import numpy as np

    when, axis = _exit(tunnel.low, tunnel.high, starts, rays)
    through = axis == tunnel.axis
    result[numbers] = np.where(through, np.inf, when)
    return np.where(through, tunnel.to, -1)


def _exit(low: Floats, high: Floats, starts: Floats, rays: Floats) -> tuple[Floats, Any]:
    """Return where rays leave a box, and across which axis."""
    import numpy as np

    way = np.where(np.abs(rays) < 1e-300, 1e-300, rays)
    ends = np.where(way > 0, (high - starts) / way, (low - starts) / way)
    return ends.min(axis=1), ends.argmin(axis=1)
