"""Memories to compare others with: nothing, the whole history, a running summary, and retrieval.

Retrieval finds the `k` best entries, by shared words or by embedding, and returns them as rendered
and in the order played, so that the text reads like an excerpt of the history. Of equally good
entries, the first added is returned.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from worldquiz.memory.base import Entry, Services, rendered
from worldquiz.memory.calls import Vectors, reply_text
from worldquiz.plugins import need

SUMMARY_WORDS = 400
"""Most words of a summary, as stated to the model."""

SUMMARY_LETTERS = 4000
"""Most characters of a summary; a longer one is cut after a line or a sentence."""


class Nothing:
    """Remembers nothing: the lower bound of every comparison between memories.

    An agent with this memory knows only the last turns, which every agent is shown.
    """

    async def add(self, entry: Entry) -> None:
        """Forget the entry."""

    async def recall(self, query: str) -> str:
        """Return nothing."""
        return ""


class InContext:
    """The whole history, verbatim: the paper's baseline (arXiv 2601.09503).

    The text grows only at its end, so that providers' prompt caches hit. `shrink` leaves a line
    that says how many turns are missing: ``[12 earlier turns left out]``.
    """

    whole = True

    def __init__(self) -> None:
        self._turns: list[str] = []  # still shown, in order
        self._left_out = 0

    async def add(self, entry: Entry) -> None:
        """Keep the turns."""
        self._turns += (rendered(*turn) for turn in entry.turns)

    async def recall(self, query: str) -> str:
        """Return all turns except those left out, whatever the query."""
        gap = f"[{self._left_out} earlier turns left out]\n" if self._left_out else ""
        return gap + "".join(self._turns)

    def shrink(self) -> int:
        """Leave out the oldest quarter of the turns still shown, at least one; return how many."""
        gone = max(1, len(self._turns) // 4) if self._turns else 0
        del self._turns[:gone]
        self._left_out += gone
        return gone


class Summary:
    """A short summary, rewritten as turns are added.

    The standard way to fit a long history into a short prompt, and a baseline of AriGraph's paper
    (arXiv 2407.04363, section 4). Each addition takes one model call; the length is bounded.
    Details that a rewrite leaves out are lost; an unusable reply leaves the summary as it is.
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
        if len(rewritten) > SUMMARY_LETTERS:
            rewritten = rewritten[:SUMMARY_LETTERS]
            end = max(rewritten.rfind("\n"), rewritten.rfind(". ") + 1)
            rewritten = (rewritten[:end] if end > 0 else rewritten).rstrip()
        self._summary = rewritten or self._summary

    async def recall(self, query: str) -> str:
        """Return the summary, whatever the query."""
        return f"{self._summary}\n" if self._summary else ""


class BM25:
    """The turns that share words with the query; rare words count more.

    Lucene's BM25, as in bm25s: k1 = 1.5, b = 0.75, English stop words left out, no stemming. Turns
    that share no word with the query are not returned.
    """

    library, extra = "bm25s", "memories"

    def __init__(self, services: Services) -> None:
        """Raises `MissingExtra` without bm25s."""
        self._library = need("bm25s", extra="memories")
        self._k = services.k
        self._texts: list[str] = []
        self._words: list[list[str]] = []  # of each text
        self._index: Any = None  # None: texts were added since it was made

    async def add(self, entry: Entry) -> None:
        """Keep the turns."""
        self._texts.append(entry.text)
        self._words.append(self._split(entry.text))
        self._index = None

    async def recall(self, query: str) -> str:
        """Return the `k` entries that best match the query's words."""
        asked = self._split(query)
        if not any(self._words) or not asked:
            return ""
        if self._index is None:
            self._index = self._library.BM25()
            self._index.index(self._words, show_progress=False)
        scores = self._index.get_scores(asked)
        found = sorted((-float(score), place) for place, score in enumerate(scores) if score > 0)
        return _excerpt(self._texts, (place for _, place in found[: self._k]))

    def _split(self, text: str) -> list[str]:
        (words,) = self._library.tokenize([text], return_ids=False, show_progress=False)
        return list(words)


class Embedding:
    """The turns nearest to the query by embedding."""

    needs_embedder = True

    def __init__(self, services: Services) -> None:
        """Raises `CatalogError` without an embedder."""
        self._k = services.k
        self._vectors = Vectors(services)
        self._texts: list[str] = []

    async def add(self, entry: Entry) -> None:
        """Keep the turns and embed them."""
        vectors = await self._vectors.of([entry.text])
        self._texts.append(entry.text)
        self._vectors.rows += vectors

    async def recall(self, query: str) -> str:
        """Return the `k` entries nearest to the query."""
        if not self._texts:
            return ""
        (vector,) = await self._vectors.of([query])
        return _excerpt(self._texts, self._vectors.nearest(vector, self._k))


def _excerpt(texts: list[str], places: Iterable[int]) -> str:
    return "".join(texts[place] for place in sorted(places))
