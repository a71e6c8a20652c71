"""Retrieval over what was added, verbatim: by shared words, or by embedding.

The `k` best additions are handed over in the order played, each as it was rendered, so that what is
recalled reads like an excerpt of the history. Ties go to what was added first.

`Vectors` serves every memory of ours that embeds. Similarity is the cosine: vectors have unit
length. It is rounded before it is compared, so that the order of sums in a library's arithmetic
never decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from worldquiz.memory.base import Entry, Recalled, Services
from worldquiz.plugins import later, need

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]
else:
    np = later("numpy", extra="memories")

DIGITS = 5
"""Digits of a similarity that count."""


class BM25:
    """The turns that share words with the query, rare ones first.

    Lucene's BM25, as bm25s has it: k1 = 1.5, b = 0.75, English stop words left out, no stemming.
    Turns that share no word with the query are not returned.
    """

    library, extra = "bm25s", "memories"

    def __init__(self, services: Services) -> None:
        """Raises `MissingExtra` without bm25s."""
        self._library = need("bm25s", extra="memories")
        self._k = services.wiring.k
        self._texts: list[str] = []
        self._words: list[list[str]] = []  # of each text
        self._index: Any = None  # None: texts were added since it was made

    async def add(self, entry: Entry) -> None:
        """Keep the turns."""
        self._texts.append(entry.text)
        self._words.append(self._split(entry.text))
        self._index = None

    async def recall(self, query: str) -> Recalled:
        """Return the `k` additions that share most with the query."""
        asked = self._split(query)
        if not any(self._words) or not asked:
            return Recalled()
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
        self._k = services.wiring.k
        self._vectors = Vectors(services)
        self._texts: list[str] = []

    async def add(self, entry: Entry) -> None:
        """Keep the turns and embed them."""
        vectors = await self._vectors.of([entry.text])
        self._texts.append(entry.text)
        self._vectors.add(vectors)

    async def recall(self, query: str) -> Recalled:
        """Return the `k` additions nearest to the query."""
        if not self._texts:
            return Recalled()
        (vector,) = await self._vectors.of([query])
        return _excerpt(self._texts, self._vectors.nearest(vector, self._k))


class Vectors:
    """Texts of one memory as vectors, by their place in the order added."""

    def __init__(self, services: Services) -> None:
        """Raises `CatalogError` if there is no embedder."""
        self._embedder = services.vectors_by()
        self._rows: list[Vector] = []

    async def of(self, texts: Sequence[str]) -> list[Vector]:
        """Return the texts' vectors, computed in a worker thread."""
        import anyio.to_thread

        if not texts:
            return []
        rows = await anyio.to_thread.run_sync(self._embedder.embed, list(texts))
        return [np.asarray(row, dtype=np.float32) for row in rows]

    def add(self, vectors: Sequence[Vector]) -> None:
        """Append vectors."""
        self._rows += vectors

    def replace(self, place: int, vector: Vector) -> None:
        """Put another vector in a place."""
        self._rows[place] = vector

    def remove(self, place: int) -> None:
        """Take a vector out; later ones move up."""
        del self._rows[place]

    def similar(self, vector: Vector) -> Vector:
        """Return every vector's similarity, rounded."""
        if not self._rows:
            return np.zeros(0, dtype=np.float32)
        return np.round(np.stack(self._rows) @ vector, DIGITS)

    def nearest(
        self, vector: Vector, count: int, *, least: float | None = None, latest: bool = False
    ) -> list[int]:
        """Return the places of the `count` most similar vectors, the most similar first.

        Of equally similar ones the earliest comes first, or the `latest`. Those less similar than
        `least` are left out.
        """
        similar = self.similar(vector)
        order = np.argsort(similar if latest else -similar, kind="stable")[:: -1 if latest else 1]
        return [int(place) for place in order[:count] if least is None or similar[place] >= least]


def _excerpt(texts: list[str], places: Iterable[int]) -> Recalled:
    text = "".join(texts[place] for place in sorted(places))
    return Recalled((text,)) if text else Recalled()
