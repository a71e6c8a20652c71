"""Calls that memories make: to the model, by our prompts or a library's, and to the embedder.

An unreadable reply never stops a run: the memory continues without it. A library that cannot read a
reply raises one of the errors `MISREAD`. A call that fails for good stops the run, even if a
library would continue (`Calls.failure`).

All our memories that embed texts use `Vectors`. Similarity is the cosine of two vectors, rounded
before comparisons, so that these do not depend on the order in which a library sums numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from worldquiz.facts.replies import read_object, without_thoughts
from worldquiz.llm.model import Model, user
from worldquiz.llm.prompts import filling, object_of
from worldquiz.memory.base import Services
from worldquiz.plugins import need

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

DIGITS = 5
"""Digits of a similarity or a library's score that count."""
MISREAD = (AttributeError, IndexError, KeyError, TypeError, ValueError)
"""Errors that libraries raise for a reply of another shape than they asked for."""

_TURN = re.compile(r"\[task \d+, step \d+\]")  # how a rendered turn starts
filled = filling("worldquiz.memory.prompts")


async def reply_text(model: Model, prompt: str, **values: str) -> str:
    """Return the reply to the prompt named `prompt`, without thoughts; "" if there is none."""
    reply = await model.generate([user(filled(prompt, **values))])
    return without_thoughts(reply.text).strip() if reply.given else ""


async def reply_object(
    model: Model, prompt: str, fields: Mapping[str, Any], **values: str
) -> dict[str, Any]:
    """Return the JSON object in a reply that has one of the fields, {} if there is none.

    The model is asked to follow the fields' JSON Schemas. Without fields, there is no schema, and
    any object is accepted.
    """
    form = object_of(fields) if fields else None
    reply = await model.generate([user(filled(prompt, **values))], form=form)
    return read_object(reply.text, *fields) if reply.given else {}


def listed(value: object) -> list[Any]:
    """Return a value if it is a list, else an empty list."""
    return value if isinstance(value, list) else []


class Calls:
    """Model and embedder for a library; the error of the last failed call is kept as `failure`."""

    def __init__(self, services: Services) -> None:
        """Raises `CatalogError` without an embedder."""
        self.model: Model = services.model
        self._embedder = services.vectors_by()
        self.dimensions = self._embedder.dimensions
        self.failure: BaseException | None = None  # the error of the last failed call

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector per text."""
        with self.noted():
            return self._embedder.embed(texts)

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Keep an error raised in the block as `failure`, and raise it again."""
        try:
            yield
        except BaseException as error:
            self.failure = error
            raise


def recalled(pieces: Iterable[tuple[float, str]]) -> str:
    """Return scored texts as a memory's answer: the best first, equally good ones by alphabet.

    Each text starts a line: ``- the attic is north of the hall``. Rendered turns stay as they are.
    """
    ordered = sorted((-round(score, DIGITS), text.strip()) for score, text in pieces)
    lines = [text if _TURN.match(text) else f"- {text}" for _, text in ordered if text]
    return "".join(f"{line}\n" for line in lines)


class Vectors:
    """Vectors of the texts in one memory, in the order added."""

    def __init__(self, services: Services) -> None:
        """Raises `CatalogError` if there is no embedder."""
        self._embedder = services.vectors_by()
        self._np = need("numpy", extra="memories")
        self.rows: list[Vector] = []

    async def of(self, texts: Sequence[str]) -> list[Vector]:
        """Return the texts' vectors, computed in a worker thread."""
        import anyio.to_thread

        rows = await anyio.to_thread.run_sync(self._embedder.embed, list(texts))
        return [self._np.asarray(row, dtype=self._np.float32) for row in rows]

    def similar(self, vector: Vector) -> Vector:
        """Return every vector's similarity, rounded."""
        rows = self._np.reshape(self.rows, (-1, len(vector)))
        found: Vector = self._np.round(rows @ vector, DIGITS)
        return found

    def nearest(
        self, vector: Vector, count: int, *, least: float | None = None, latest: bool = False
    ) -> list[int]:
        """Return the indices of the `count` most similar vectors, the most similar first.

        Among equally similar vectors the earliest comes first, or the latest if `latest`. Vectors
        less similar than `least` are left out.
        """
        similar = self.similar(vector)
        order = (similar if latest else -similar).argsort(kind="stable")[:: -1 if latest else 1]
        return [int(place) for place in order[:count] if least is None or similar[place] >= least]
