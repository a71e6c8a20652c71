"""A route written out as commands."""

from __future__ import annotations

from worldquiz.facts.fact import EATEN, IN, ON, OPEN, UNLOCKED, Fact
from worldquiz.t2q.tasks.layout import Layout, each
from worldquiz.t2q.tasks.routes import Aim, Route
from worldquiz.t2q.world.spec import HOLDERS


def commands(layout: Layout, aim: Aim, route: Route) -> tuple[str, ...]:
    """Return the commands of a route: each thing is taken at the first passing that allows it."""
    finds = [aim.finds[bit].find for bit in each(route.done & layout.finding)]
    script = _Script(layout, [find.name for find in finds if not find.at_once])
    script.pass_by(layout.rooms[layout.start])
    for way in route.exits:
        if way.door is not None:
            script.open(way.door)
        script.lines.append(f"go {way.direction}")
        script.pass_by(layout.rooms[way.to])
    script.close(aim.goal)
    return tuple(script.lines)


class _Script:
    """Commands so far, and what they changed."""

    def __init__(self, layout: Layout, wanted: list[str]) -> None:
        self.lines: list[str] = []
        self._layout = layout
        self._wanted: dict[str, list[str]] = {}
        for name in wanted:
            room = layout.room_of(name)
            if room is not None:
                self._wanted.setdefault(layout.rooms[room], []).append(name)
        self._held = set(layout.held)
        self._open = set(layout.open)

    def pass_by(self, room: str) -> None:
        """Take what is wanted from a room as far as the keys at hand allow."""
        left = self._wanted.get(room, [])
        before = None
        while left and left != before:
            before, left = left, [thing for thing in left if not self._take(thing)]
        if room in self._wanted:
            self._wanted[room] = left

    def open(self, thing: str) -> None:
        """Open a door or container unless it is open."""
        if thing not in self._open:
            self.unlock(thing)
            self.lines.append(f"open {thing}")
            self._open.add(thing)

    def unlock(self, thing: str) -> None:
        """Unlock a door or container if it is locked."""
        if thing in self._layout.locked:
            self.lines.append(f"unlock {thing} with {self._key(thing)}")

    def close(self, goal: Fact) -> None:
        """Turn what has been reached into the goal."""
        match goal.predicate, goal.args:
            case (OPEN.name, (thing,)):
                self.open(thing)
            case (UNLOCKED.name, (thing,)):
                self.unlock(thing)
            case (ON.name, (thing, holder)):
                self.lines.append(f"put {thing} on {holder}")
            case (IN.name, (thing, holder)):
                self.open(holder)
                self.lines.append(f"insert {thing} into {holder}")
            case (EATEN.name, (thing,)):
                self.lines.append(f"eat {thing}")

    def _key(self, lock: str) -> str | None:
        """Return a key at hand that fits a lock."""
        return next((key for key in self._layout.keys[lock] if key in self._held), None)

    def _take(self, thing: str) -> bool:
        """Take a thing if it can be taken; tell whether it was."""
        layout = self._layout
        holder = layout.spot[thing]
        kind = layout.kinds[holder]
        if kind == "container" and holder not in self._open:
            if holder in layout.locked and self._key(holder) is None:
                return False
            self.open(holder)
        self.lines.append(f"take {thing} from {holder}" if kind in HOLDERS else f"take {thing}")
        self._held.add(thing)
        return True
