"""Reader of the game: a map of a world from its text alone, as an agent reads it.

`Reader` follows transcripts and fills a `Graph` of the initial state; `WorldGraph` answers a quiz
from the graph, and only where the text settles the answer. Nothing here knows a fact of the
simulator, nor how the quiz decides what is answerable: the two roads to the truth are independent,
and where they disagree one of them is wrong.
"""

from __future__ import annotations

from worldquiz.t2q.reader.graph import Graph, Reader
from worldquiz.t2q.reader.questions import WorldGraph

__all__ = ["Graph", "Reader", "WorldGraph"]
