"""A model's moves, read from its reply and never evaluated.

MANGO asks for a Python list of dictionaries with the keys ``prev_node``, ``node`` and ``action``
(arXiv 2403.19913, Examples 7 and 8; its programs say ``location_before`` and ``location_after``).
Models wrap that list in prose, fences and thoughts, quote it as they like, or go on from the ``[``
that ends their prompt. The last such list of a reply is its answer. A reply without a list of moves
that have all three keys, each with a text, is ill-formed.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from worldquiz.facts.replies import objects, strict, without_thoughts

LONGEST = 100_000
"""Characters that a list of moves may have; longer ones are ill-formed."""
_TRIED = 20
"""How many lists are tried, from the last one back."""
KEYS = {
    "prev_node": "source", "location_before": "source",
    "action": "action",
    "node": "target", "location_after": "target",
}  # fmt: skip
"""The names of a move's parts, the paper's and the release's."""
_BETWEEN = re.compile(r"\s*,?\s*(?:#[^\n]*\s*)?")
_GOES_ON = re.compile(r"\s*,\s*[^\s\]]")


class ToldMove(NamedTuple):
    """One move as a model tells it."""

    source: str
    action: str
    target: str


def read_moves(reply: object) -> tuple[ToldMove, ...]:
    """Return the moves of a reply, () where it is ill-formed.

    A reply is a text, or a list that somebody has read already.
    """
    if not isinstance(reply, str):
        return _moves(list(reply) if isinstance(reply, list | tuple) else None)
    if moves := _moves(_literal(reply.strip())):
        return moves
    told = islice(_lists(without_thoughts(reply, " ")), _TRIED)
    return next(filter(None, map(_moves, told)), ())


def _literal(text: str) -> Any:
    """Return the value that a text of JSON or Python is, None where it is none."""
    value = strict(text) if len(text) <= LONGEST else None
    return python_literal(text) if value is None else value


def python_literal(text: str) -> Any:
    """Return the value that a Python literal stands for, None where a text is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes that Python does not know
            return ast.literal_eval(text) if len(text) <= LONGEST else None
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def _lists(text: str) -> Iterator[Any]:
    """Yield what may be a list of dictionaries in a text, the last first.

    Only commas, blanks and comments part its dictionaries. It may lack its brackets, for a reply
    may go on from the bracket that ends its prompt.
    """
    found = objects(text)
    while found:
        run = [found.pop()]
        while found and _BETWEEN.fullmatch(text, found[-1].end, run[-1].start):
            run.append(found.pop())
        start, end = run[-1].start, run[0].end
        if end - start > LONGEST or text[end - 1] != "}" or _GOES_ON.match(text, end):
            continue
        if len(run) == 1 and not _move(run[0].value):
            yield from (each for each in run[0].value.values() if isinstance(each, list))
        told = _literal(f"[{text[start:end]}]")
        yield [each.value for each in reversed(run)] if told is None else told


def _moves(value: object) -> tuple[ToldMove, ...]:
    """Return a list of dictionaries as moves, () where one of them is none."""
    moves = [_move(each) for each in value] if isinstance(value, list) else []
    return tuple(move for move in moves if move) if all(moves) else ()


def _move(value: object) -> ToldMove | None:
    if not isinstance(value, dict):
        return None
    parts = {KEYS[key]: said for key, said in value.items() if key in KEYS}
    source, action, target = (parts.get(name) for name in ToldMove._fields)
    if isinstance(source, str) and isinstance(action, str) and isinstance(target, str):
        return ToldMove(source, action, target)
    return None
