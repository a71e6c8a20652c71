"""The map as an answerer, and as a memory.

The paper asks for a memory "tailored to grounded world-state representation" (arXiv 2601.09503).
This one reads each turn as it comes, without a model, and hands over the map of the world at the
start as sentences. While a task goes on, a few lines say what is different now, as of the turn last
added; where the player is asked about the start, or starts anew, those are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from worldquiz.facts.episode import Observation, Transcript
from worldquiz.facts.question import ABSTAIN, Prompt
from worldquiz.memory.base import Entry, Recalled
from worldquiz.t2q.reader.graph import Graph
from worldquiz.t2q.reader.questions import read_question, settled
from worldquiz.t2q.reader.reader import Reader
from worldquiz.t2q.reader.sentences import NOW, render


class WorldGraph:
    """Upper bound without privilege: right wherever the text settles the answer, else silent."""

    def __init__(self) -> None:
        self._graph = Graph()

    async def study(self, transcripts: Sequence[Transcript]) -> None:
        """Read all that a player saw in this world, in the order played."""
        self._graph = Reader.of(transcripts).graph

    async def answer(self, prompt: Prompt) -> str:
        """Return the answer that the text settles, else "non-answerable"."""
        return settled(self._graph, prompt) or ABSTAIN


class WorldGraphMemory:
    """Keeps the map of one world."""

    def __init__(self) -> None:
        self._reader = Reader()
        self._task = 0  # of the last turn, numbered from 1
        self._last: Observation | None = None
        self._map = ""

    async def add(self, entry: Entry) -> None:
        """Read the turns."""
        for moment, turn in entry.turns:
            self._reader.take(moment, turn)
            self._task, self._last = moment.episode + 1, turn.observation
        self._map = render(self._reader.graph)

    async def recall(self, query: str) -> Recalled:
        """Return the map, and for a query from the current task its changes as well."""
        now = "".join(f"{NOW}{line}\n" for line in self._now()) if self._acting(query) else ""
        return Recalled(tuple(part for part in (self._map, now) if part))

    def _acting(self, query: str) -> bool:
        """Tell whether a query comes from the task of the last turn: no question, no new task."""
        if self._last is None or not self._reader.now.room:
            return False
        if self._last.done or _asks(query):
            return False
        before, heading, _ = query.partition("-= ")
        return not heading or before.strip() in ("", self._last.objective)

    def _now(self) -> Iterator[str]:
        now = self._reader.now
        carried = f", carrying {_the(now.carried)}" if now.carried else ""
        yield f"before the last command of task {self._task} you were in the {now.room}{carried}."
        for words, turned, state in (
            (("open", "closed"), now.turned_lids, now.lids),
            (("locked", "not locked"), now.turned_locks, now.locks),
        ):
            for thing in sorted(turned):
                yield f"the {thing} was {words[not state[thing]]}."
        for thing in sorted(set(now.origin) - set(now.carried)):
            spots = sorted(spot for spot, things in now.contents.items() if thing in things)
            yield f"the {thing} was {f'at the {spots[0]}' if spots else 'eaten'}."


_END = re.compile(r"[.?](?= |$)", re.MULTILINE)


def _asks(query: str) -> bool:
    """Tell whether a query begins with a quiz question; choices may follow it."""
    line = query.partition("\n")[0]
    ends = [match.end() for match in _END.finditer(line)]
    return any(read_question(line[:end]) is not None for end in ends[:3])


def _the(names: list[str]) -> str:
    return ", ".join(f"the {name}" for name in names)
