"""Memories to compare others with: nothing, the whole history, and a running summary."""

from __future__ import annotations

from worldquiz.memory.base import Entry, Recalled, Services, rendered
from worldquiz.memory.llm_call import reply_text

SUMMARY_WORDS = 400
"""How long a summary may be, as the model is told."""

SUMMARY_LETTERS = 4000
"""How long it may be in fact: the rest is cut off, at the end of a line or a sentence."""


class Nothing:
    """Remembers nothing: the lower bound of every comparison between memories.

    An agent with this memory knows only the last turns, which every agent is shown.
    """

    async def add(self, entry: Entry) -> None:
        """Forget it."""

    async def recall(self, query: str) -> Recalled:
        """Return nothing."""
        return Recalled()


class InContext:
    """The whole history, verbatim: the paper's baseline (arXiv 2601.09503).

    The text grows at its end only, in two parts: the earlier tasks, and the current one. A part
    that was returned once starts every later one, so that providers' prompt caches hit.
    `shrink` leaves a line that says how many turns are missing: ``[12 earlier turns left out]``.
    """

    def __init__(self) -> None:
        self._earlier: list[str] = []  # turns of earlier tasks that are still shown, in order
        self._current: list[str] = []  # those of the task of the last turn
        self._episode = 0  # the last turn's task
        self._left_out = 0
        self._parts: tuple[str, ...] | None = ()  # what is handed over; None: to be joined anew

    async def add(self, entry: Entry) -> None:
        """Keep the turns."""
        for moment, turn in entry.turns:
            if moment.episode != self._episode:
                self._earlier += self._current
                self._current = []
                self._episode = moment.episode
            self._current.append(rendered(moment, turn))
        self._parts = None

    async def recall(self, query: str) -> Recalled:
        """Return all turns but those left out, whatever the query."""
        if self._parts is None:
            self._parts = self._joined()
        return Recalled(self._parts, whole=True)

    def shrink(self) -> int:
        """Leave out the oldest quarter of the turns still shown, at least one, and return how many.

        Raises nothing; 0 means that none is left.
        """
        shown = len(self._earlier) + len(self._current)
        gone = max(1, shown // 4) if shown else 0
        of_current = max(0, gone - len(self._earlier))
        del self._earlier[:gone], self._current[:of_current]
        self._left_out += gone
        self._parts = None
        return gone

    def _joined(self) -> tuple[str, ...]:
        gap = f"[{self._left_out} earlier turns left out]\n" if self._left_out else ""
        parts = (gap + "".join(self._earlier), "".join(self._current))
        return tuple(part for part in parts if part)


class Summary:
    """A short summary, rewritten as turns are added.

    The standard way to fit a long history into a short prompt, and a baseline of AriGraph's paper
    (arXiv 2407.04363, section 4). One call an addition, within a bound. Text that a rewrite leaves
    out is gone; an unusable reply leaves the summary as it is.
    """

    needs_model, extra = True, "llm"

    def __init__(self, services: Services) -> None:
        self._model = services.model
        self._summary = ""

    async def add(self, entry: Entry) -> None:
        """Rewrite the summary so that it holds the new turns too."""
        rewritten = await reply_text(
            self._model,
            "memory_summary",
            words=str(SUMMARY_WORDS),
            summary=self._summary or "(nothing yet)",
            turns=entry.text.rstrip("\n"),
        )
        self._summary = _bounded(rewritten) or self._summary

    async def recall(self, query: str) -> Recalled:
        """Return the summary, whatever the query."""
        return Recalled((f"{self._summary}\n",)) if self._summary else Recalled()


def _bounded(text: str) -> str:
    if len(text) <= SUMMARY_LETTERS:
        return text
    head = text[:SUMMARY_LETTERS]
    end = max(head.rfind("\n"), head.rfind(". ") + 1)
    return (head[:end] if end > 0 else head).rstrip()
