"""Pieces that a memory found, as the one text that it hands over."""

from __future__ import annotations

import re
from collections.abc import Iterable

from worldquiz.t2q.memory.base import Recalled

# What libraries raise when they stumble over a reply of another shape than they asked for.
MISREAD = (AttributeError, IndexError, KeyError, TypeError, ValueError)

_DIGITS = 5  # of a score that count, so that a library's order of sums never decides
_TURN = re.compile(r"\[task \d+, step \d+\]")  # how a rendered turn starts


def recalled(pieces: Iterable[tuple[float, str]]) -> Recalled:
    """Return pieces, each given with its score, as one part: the best first, ties by text.

    Each piece starts a line: ``- the attic is north of the hall``. Rendered turns stay as they are.
    """
    ordered = sorted((-round(score, _DIGITS), text.strip()) for score, text in pieces)
    lines = [text if _TURN.match(text) else f"- {text}" for _, text in ordered if text]
    return Recalled(("".join(f"{line}\n" for line in lines),)) if lines else Recalled()
