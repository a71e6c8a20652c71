"""The map as an answerer, and as a memory.

The paper asks for a memory "tailored to grounded world-state representation" (arXiv 2601.09503).
This one reads each turn as it comes, without a model, and hands over the map of the world at the
start as sentences.
"""

from __future__ import annotations

from collections.abc import Sequence

from worldquiz.facts.episode import Transcript
from worldquiz.facts.question import ABSTAIN, Prompt
from worldquiz.memory.base import Entry, Recalled
from worldquiz.t2q.reader.graph import Graph
from worldquiz.t2q.reader.questions import settled
from worldquiz.t2q.reader.reader import Reader
from worldquiz.t2q.reader.sentences import render


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
    """A map of the world at its start, read without a model."""

    def __init__(self) -> None:
        self._reader = Reader()

    async def add(self, entry: Entry) -> None:
        """Read the turns."""
        for moment, turn in entry.turns:
            self._reader.take(moment, turn)

    async def recall(self, query: str) -> Recalled:
        """Return the map, whatever the query."""
        text = render(self._reader.graph)
        return Recalled((text,) if text else ())
