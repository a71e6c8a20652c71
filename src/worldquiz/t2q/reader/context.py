"""Map from a recalled text: rendered turns, canonical sentences or both, read exactly.

A memory may return some turns and not others, in any order. The law: a map from any part of a real
trajectory is never wrong about the initial state. `Reader` says what is concluded where turns are
missing.

A thing that is named in full where nothing is in sight is taken to be the thing of that name. Lines
of no known form are handed back, so that a caller knows when a text was not read exactly.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from worldquiz.facts.episode import Observation, Turn
from worldquiz.facts.requirement import Moment
from worldquiz.t2q.reader.graph import Graph
from worldquiz.t2q.reader.reader import Reader
from worldquiz.t2q.reader.sentences import read_lines


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text as far as it could be read. The graph is shared: nobody may change it."""

    graph: Graph
    unread: tuple[str, ...]  # lines of no known form

    @property
    def exact(self) -> bool:
        """True if every line was read, so that a matter not settled here is settled nowhere."""
        return not self.unread


@lru_cache(maxsize=128)
def read_context(text: str) -> ReadText:
    """Read a recalled text. Contradictions raise nothing: the first statement stands."""
    turns, rest, unread = _split(text)
    reader = Reader()
    unread += read_lines(reader.graph, rest)
    for moment, turn in turns:
        reader.take(moment, turn)
    return ReadText(reader.graph, (*unread, *reader.unread))


_HEADING = re.compile(
    r"\[task (?P<task>[1-9]\d{0,8}), step (?P<step>\d{1,9})\](?: >(?: (?P<action>.*))?)?"
)
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
