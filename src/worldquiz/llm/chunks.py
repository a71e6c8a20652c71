"""Prompts in pieces, which say how far a provider's prompt cache can reach.

Pieces that stay from call to call come first: optional texts, then the memory's text, then the
last turns, and last the question. Pieces are joined without anything between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from worldquiz.llm.model import Model

_BOUNDARIES = 3
"""Cache boundaries a prompt has at most; providers allow four."""


class Chunk(NamedTuple):
    """Part of a prompt."""

    text: str
    stable: bool  # all up to its end stays as it is from call to call


def in_context(before: str, parts: Sequence[str], recent: str, after: str) -> list[Chunk]:
    """Return a prompt in pieces; its ``Context:`` is left out where there is none."""
    kept = [part for part in parts if part]
    if not kept and not recent:
        return [Chunk(before + after, stable=False)]
    opening = f"{before}Context:\n"
    if not kept:
        return [Chunk(f"{opening}{recent}\n{after}", stable=False)]
    kept[0] = opening + kept[0]
    return [*(Chunk(part, stable=True) for part in kept), Chunk(f"{recent}\n{after}", stable=False)]


def content(model: Model, pieces: Sequence[Chunk]) -> str | list[dict[str, Any]]:
    """Return pieces as they are sent, with cache boundaries where the provider takes them."""
    if not model.marks:
        return "".join(piece.text for piece in pieces)
    stable = [place for place, piece in enumerate(pieces) if piece.stable][-_BOUNDARIES:]
    return [
        {"type": "text", "text": piece.text, "cache_breakpoint": place in stable or None}
        for place, piece in enumerate(pieces)
    ]
