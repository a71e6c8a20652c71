"""Model calls of memories: by a prompt of ours, or through a library (`Calls`).

A reply that cannot be read never stops a run: the memory goes on as its method would without that
piece, which a library says by an error (`MISREAD`). A call that fails for good does stop it, even
where a library would go on (`Calls.failure`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from worldquiz.facts.replies import read_object, without_thoughts
from worldquiz.llm.model import Model, user
from worldquiz.llm.prompts import object_of
from worldquiz.memory.base import Recalled, Services
from worldquiz.memory.prompts import filled

MISREAD = (AttributeError, IndexError, KeyError, TypeError, ValueError)
"""What libraries raise when they stumble over a reply of another shape than they asked for."""

_DIGITS = 5  # of a score that count, so that a library's order of sums never decides
_TURN = re.compile(r"\[task \d+, step \d+\]")  # how a rendered turn starts


async def reply_text(model: Model, prompt: str, **values: str) -> str:
    """Return the reply to a prompt of that name, without thoughts; "" if there is none."""
    reply = await model.generate([user(filled(prompt, **values))])
    return without_thoughts(reply.text).strip() if reply.given else ""


async def reply_object(
    model: Model, prompt: str, fields: Mapping[str, Any], **values: str
) -> dict[str, Any]:
    """Return the JSON object of a reply that has one of the fields; {} if none has.

    The reply is held to the fields' JSON Schemas; without fields, to nothing, and any object will
    do. Providers that know no schemas are asked without it.
    """
    form = object_of(fields) if fields else None
    reply = await model.generate([user(filled(prompt, **values))], form=form)
    return read_object(reply.text, *fields)[0] if reply.given else {}


def listed(value: object) -> list[Any]:
    """Return a JSON list, an empty one instead of anything else."""
    return value if isinstance(value, list) else []


class Calls:
    """The world's model and embedder, as a library that may go on without a reply calls them."""

    def __init__(self, services: Services) -> None:
        """Raises `CatalogError` without an embedder."""
        self.model: Model = services.model
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
