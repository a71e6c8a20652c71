"""What memories that wrap a library share: its calls, noted where they fail, and what it found."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from worldquiz.t2q.memory.base import Recalled, Services

if TYPE_CHECKING:
    from inspect_ai.model import Model

# What libraries raise when they stumble over a reply of another shape than they asked for.
MISREAD = (AttributeError, IndexError, KeyError, TypeError, ValueError)

_DIGITS = 5  # of a score that count, so that a library's order of sums never decides
_TURN = re.compile(r"\[task \d+, step \d+\]")  # how a rendered turn starts


class Calls:
    """The world's model and embedder, as a library that may go on without a reply calls them."""

    def __init__(self, services: Services) -> None:
        """Raises `CatalogError` without an embedder."""
        self._model: Model = services.model
        self._embedder = services.vectors_by()
        self.dimensions = self._embedder.dimensions
        self.failure: BaseException | None = None  # what the last call that failed raised

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector a text."""
        with self.noted():
            return self._embedder.embed(texts)

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Note as `failure` what a call raises."""
        try:
            yield
        except BaseException as error:
            self.failure = error
            raise


def recalled(pieces: Iterable[tuple[float, str]]) -> Recalled:
    """Return pieces, each given with its score, as one part: the best first, ties by text.

    Each piece starts a line: ``- the attic is north of the hall``. Rendered turns stay as they are.
    """
    ordered = sorted((-round(score, _DIGITS), text.strip()) for score, text in pieces)
    lines = [text if _TURN.match(text) else f"- {text}" for _, text in ordered if text]
    return Recalled(("".join(f"{line}\n" for line in lines),)) if lines else Recalled()
