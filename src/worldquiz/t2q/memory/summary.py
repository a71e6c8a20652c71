"""A running summary: after every addition the model rewrites what it holds, within a bound.

The standard way to fit a long history into a short prompt, and a baseline of AriGraph's paper
(arXiv 2407.04363, section 4). One call an addition. What a rewrite leaves out is gone.
"""

from __future__ import annotations

from worldquiz.t2q.memory.base import Entry, Recalled, Services
from worldquiz.t2q.memory.llm_call import Asking

WORDS = 400
"""How long the summary may be, as the model is told."""

LETTERS = 4000
"""How long it may be in fact: the rest is cut off, at the end of a line or a sentence."""


class Summary:
    """One text, rewritten again and again; an unusable reply leaves it as it is."""

    def __init__(self, services: Services) -> None:
        self.asking = Asking(services.model)
        self._summary = ""

    async def add(self, entry: Entry) -> None:
        """Rewrite the summary so that it holds the new turns too."""
        rewritten = await self.asking.text(
            "memory_summary",
            words=str(WORDS),
            summary=self._summary or "(nothing yet)",
            turns=entry.text.rstrip("\n"),
        )
        self._summary = _bounded(rewritten) or self._summary

    async def recall(self, query: str) -> Recalled:
        """Return the summary, whatever the query."""
        return Recalled((f"{self._summary}\n",)) if self._summary else Recalled()

    def close(self) -> None:
        """Do nothing."""


def _bounded(text: str) -> str:
    if len(text) <= LETTERS:
        return text
    head = text[:LETTERS]
    end = max(head.rfind("\n"), head.rfind(". ") + 1)
    return (head[:end] if end > 0 else head).rstrip()
