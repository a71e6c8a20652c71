"""Nearest neighbours among the vectors of one memory, and how they are obtained.

Similarity is the cosine: vectors have unit length. It is rounded before it is compared, so that the
order of sums in a library's arithmetic never decides; ties go to what was added first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from worldquiz.errors import CatalogError
from worldquiz.t2q.memory.base import Embedder, Services

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

_DIGITS = 5


class Vectors:
    """Texts of one memory as vectors, by their place in the order added."""

    def __init__(self, services: Services) -> None:
        """Raises `CatalogError` if there is no embedder."""
        if services.embedder is None:
            raise CatalogError(f"the memory of world {services.world!r} was given no embedder")
        self._embedder: Embedder = services.embedder
        self._rows: list[Vector] = []
        self._matrix: Vector | None = None  # the rows, stacked; None: they have changed

    def __len__(self) -> int:
        return len(self._rows)

    async def of(self, texts: Sequence[str]) -> list[Vector]:
        """Return the texts' vectors, computed in a worker thread."""
        import anyio.to_thread
        import numpy as np

        if not texts:
            return []
        rows = await anyio.to_thread.run_sync(self._embedder.embed, list(texts))
        return [np.asarray(row, dtype=np.float32) for row in rows]

    def add(self, vectors: Sequence[Vector]) -> None:
        """Append vectors."""
        self._rows += vectors
        self._matrix = None

    def replace(self, place: int, vector: Vector) -> None:
        """Put another vector in a place."""
        self._rows[place] = vector
        self._matrix = None

    def remove(self, place: int) -> None:
        """Take a vector out; later ones move up."""
        del self._rows[place]
        self._matrix = None

    def nearest(self, vector: Vector, count: int) -> list[int]:
        """Return the places of the `count` most similar vectors, the most similar first."""
        import numpy as np

        if not self._rows:
            return []
        if self._matrix is None:
            self._matrix = np.stack(self._rows)
        similar = np.round(self._matrix @ vector, _DIGITS)
        return [int(place) for place in np.argsort(-similar, kind="stable")[:count]]
