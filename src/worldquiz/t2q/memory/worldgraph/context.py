"""What a recalled text settles: rendered turns, canonical sentences or both, read exactly.

A memory may hand over some turns and not others, in any order. The law: what is read from any part
of what really happened is never wrong of the initial state. So where turns of a task are missing,
nothing is concluded that they could have changed: things may have been moved and lids and locks
turned, and nobody knows where the player stands before a room is described again. What no command
changes still counts: exits, doors and furniture, which key fits, what can be eaten, and passages
walked from one turn to the next.

A thing that is named in full where nothing is in sight is taken to be the thing of that name. Lines
of no known form are handed back, so that a caller knows when a text was not read exactly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from worldquiz.facts.episode import Observation, Turn
from worldquiz.facts.question import Prompt
from worldquiz.facts.requirement import Moment
from worldquiz.t2q.memory.worldgraph.actions import Wish, read_action
from worldquiz.t2q.memory.worldgraph.graph import Graph
from worldquiz.t2q.memory.worldgraph.quiz import settled
from worldquiz.t2q.memory.worldgraph.reader import Now, Reader
from worldquiz.t2q.memory.worldgraph.sentences import read_lines
from worldquiz.t2q.memory.worldgraph.text import Said, View, read_inventory


@dataclass(frozen=True, slots=True)
class Read:
    """A text as far as it could be read. The graph is shared: nobody may change it."""

    graph: Graph
    unread: tuple[str, ...]  # lines of no known form

    @property
    def exact(self) -> bool:
        """Whether every line was read, so that what is not settled here is settled nowhere."""
        return not self.unread


def settled_by(context: str, prompt: Prompt) -> str | None:
    """Return the answer that a recalled text settles, None if it settles none."""
    return settled(read_context(context).graph, prompt)


@lru_cache(maxsize=128)
def read_context(text: str) -> Read:
    """Read a recalled text. Contradictions raise nothing: what is read first stands."""
    turns, rest, unread = _split(text)
    reader = Patchwork()
    unread += read_lines(reader.graph, rest)
    for moment, turn in turns:
        reader.take(moment, turn)
    return Read(reader.graph, (*unread, *reader.unread))


_HEADING = re.compile(r"\[task (?P<task>[1-9]\d*), step (?P<step>\d+)\](?: >(?: (?P<action>.*))?)?")
_BULLET = re.compile(r"^(?:[-*•]|\d+[.)])\s+")
_LEFT_OUT = re.compile(r"\[\d+ earlier turns left out\]")
_INVENTORY = "Inventory:"

_Turns = list[tuple[Moment, Turn]]


@dataclass(slots=True)
class _Block:
    """A heading and the lines below it; a turn once its inventory closes it."""

    moment: Moment
    action: str
    lines: list[str] = field(default_factory=list)

    def turn(self, inventory: str) -> Turn:
        text = "\n".join(self.lines).strip()
        start = self.moment.step == 0
        objective = text.partition("-= ")[0].strip() if start else ""
        return Turn(
            None if start else self.action, Observation(text, inventory, 0, False, objective)
        )


def _split(text: str) -> tuple[_Turns, list[str], list[str]]:
    """Return the turns in the order played, the other lines, and turns told twice in two ways.

    A heading with no inventory below it is no turn: its text may be cut short.
    """
    turns: dict[Moment, Turn] = {}
    rest: list[str] = []
    twice: list[str] = []
    block: _Block | None = None
    for raw in text.splitlines():
        line = _BULLET.sub("", raw.strip())
        heading = _HEADING.fullmatch(line)
        if heading:
            rest += block.lines if block else ()
            moment = Moment(int(heading["task"]) - 1, int(heading["step"]))
            block = _Block(moment, heading["action"] or "")
        elif block and line.startswith(_INVENTORY):
            turn = block.turn(line.removeprefix(_INVENTORY).strip())
            if turns.setdefault(block.moment, turn) != turn:
                twice += block.lines
            block = None
        else:
            (block.lines if block else rest).append(line)
    rest += block.lines if block else ()
    told = [line for line in rest if line and not _LEFT_OUT.fullmatch(line)]
    return sorted(turns.items()), told, twice


class Patchwork(Reader):
    """Follows a player through episodes of which turns may be missing."""

    def __init__(self) -> None:
        super().__init__()
        self.unread: list[str] = []  # sentences of no known form
        self._last: Moment | None = None
        self._blind = False  # commands that are not told may have moved and turned anything

    def take(self, moment: Moment, turn: Turn) -> None:
        """Read a turn; turns are given in the order played."""
        action, observation = turn
        if moment.step == 0:
            self._blind = False
            self.begin(observation)
        else:
            if self._last != Moment(moment.episode, moment.step - 1):
                self._miss(moment)
            self.step(action or "", observation)
        self._last = moment

    def furniture(self, room: str) -> list[str]:
        """Return the containers and supporters of a room, by name."""
        standing = (thing for thing, spot in self.graph.place.items() if spot == room)
        return sorted(thing for thing in standing if thing in self.graph.kinds)

    def step(self, action: str, observation: Observation) -> None:
        """Take in a command and what came of it."""
        if self.now.room:
            super().step(action, observation)
        else:
            self._see(observation, _unsighted(action, read_inventory(observation.inventory)))

    def _miss(self, moment: Moment) -> None:
        """Take note that turns are missing before this one; a first look alone changes nothing."""
        began = self._last is not None and self._last.episode == moment.episode
        self._blind = began or moment.step > 1
        self.now = Now()

    def _enter(self, view: View, wish: Wish) -> None:
        self.unread += view.unread
        super()._enter(view, wish)

    def _listed(self, spot: str, things: Sequence[str], fixed: Iterable[str] = ()) -> None:
        if not self._blind:
            super()._listed(spot, things, fixed)
            return
        self.now.contents[spot] = list(things)
        for thing in fixed:
            self.graph.place.setdefault(thing, spot)

    def _lid(self, thing: str, is_open: bool) -> None:
        if self._blind:
            self.now.turned_lids.add(thing)
        super()._lid(thing, is_open)

    def _lock(self, thing: str, is_locked: bool) -> None:
        if self._blind:
            self.now.turned_locks.add(thing)
        super()._lock(thing, is_locked)

    def _moved(self, said: Said, thing: str, spot: str) -> None:
        if said is Said.TOOK and not spot:
            self._blind = True  # it lay in a room that is not told: other lists may lack it
        if self._blind and said is Said.TOOK:
            self.now.origin.setdefault(thing, "")
        super()._moved(said, thing, spot)


_TRIED = re.compile(r"(?P<verb>unlock|lock) (?:the )?(?P<noun>.+?) (?:with|using) .+")
_NAMED = re.compile(r"(?:open|close|shut|eat|consume|examine|x) (?:the )?(?P<noun>.+)")


def _unsighted(action: str, carried: Iterable[str]) -> Wish:
    """Read a command given nobody knows where: of what can be named, only what is carried is known.

    A key that was tried is carried, so part of its name will do; all else must be named in full.
    """
    wish = read_action(action, carried, {})
    plain = " ".join(action.strip().strip("\"'`>").lower().split()).rstrip(".! ")
    named = _TRIED.fullmatch(plain) or _NAMED.fullmatch(plain)
    return Wish(wish.verb, way=wish.way, noun=named["noun"] if named else None, second=wish.second)
