"""A model's moves, read from its reply and never evaluated.

MANGO asks for a Python list of dictionaries with the keys ``prev_node``, ``node`` and ``action``
(arXiv 2403.19913, Examples 7 and 8; its programs say ``location_before`` and ``location_after``).
Models wrap that list in prose, fences and thoughts, quote it as they like, or go on from the ``[``
that ends their prompt. The last such list of a reply is its answer:

    clean       the reply is that list, in JSON or Python, and nothing else
    repaired    it stood between other words, or lacked a bracket, or its quotes were mended
    ill-formed  no list of moves with all three keys, each with a text

A reply is hostile until shown otherwise. Text goes to a parser only after a scan that knows
nothing but strings, plain words and brackets, so neither depth nor operators can harm; no step
takes more than linear time in the reply, times small constants.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Any, NamedTuple

from worldquiz.llm.json_replies import READ, without_thoughts

LONGEST = 100_000
"""Characters that a list of moves may have; longer ones are ill-formed."""
DEEPEST = 8
"""How deep brackets may nest; a list of moves needs 2."""
_STARTS, _ENDS = 20, 3
"""How many opening brackets are tried, and closing ones for each, from the last one back."""
KEYS = {
    "prev_node": "source", "location_before": "source",
    "action": "action",
    "node": "target", "location_after": "target",
}  # fmt: skip
"""The names of a move's parts, the paper's and the release's."""

_OPEN = re.compile(r"\[\s*+\{")
_CLOSE = re.compile(r"\}\s*+(?:,\s*+)?\]")
_TOKEN = re.compile(
    r"""(?P<skip>\s++|\#[^\n]*+)
    |(?P<value>'(?:[^'\\\n]|\\.)*+'|"(?:[^"\\\n]|\\.)*+"
        |(?:True|False|None|true|false|null|\d[\d.]{0,30}+)(?![\w.]))
    |(?P<open>[\[({])|(?P<close>[\])}])|(?P<mark>[:,])""",
    re.VERBOSE | re.DOTALL,
)
_OBJECT = re.compile(r"\{[^{}]{0,4000}+\}")
_FIELD = re.compile(
    rf"""(['"])({"|".join(KEYS)})\1\s{{0,9}}:\s{{0,9}}(['"])(.{{0,400}}?)\3\s{{0,9}}(?=[,}}])""",
    re.DOTALL,
)
_DOUBLE = str.maketrans("“”„‟", '""""')
_SINGLE = str.maketrans("‘’‚‛", "''''")


class Form(StrEnum):
    """Outcome of reading a reply."""

    CLEAN = "clean"
    REPAIRED = "repaired"
    ILL_FORMED = "ill-formed"


class ToldMove(NamedTuple):
    """One move as a model tells it."""

    source: str
    action: str
    target: str


@dataclass(frozen=True, slots=True)
class ToldMoves:
    """Moves in a reply: at least one, or none where it is ill-formed."""

    moves: tuple[ToldMove, ...]
    form: Form
    why: str = ""  # what is wrong with an ill-formed reply


def read_moves(reply: object) -> ToldMoves:
    """Return the moves of a reply: a text, or a list that somebody has read already."""
    if isinstance(reply, list | tuple):
        moves = _moves(list(reply))
        return (
            ToldMoves(moves, Form.CLEAN) if moves else _ill("a list of something else than moves")
        )
    if not isinstance(reply, str) or not reply.strip():
        return _ill("no reply")
    moves = _moves(literal(reply.strip()))
    if moves:
        return ToldMoves(moves, Form.CLEAN)
    for text in _candidates(spoken(reply)):
        moves = _mended(text)
        if moves:
            return ToldMoves(moves, Form.REPAIRED)
    return _ill("no list of moves with a text for each of prev_node, action and node")


def spoken(reply: str) -> str:
    """Return what is read of a reply: its end, thoughts left out."""
    return without_thoughts(reply, " ")[-READ:]


def literal(text: str) -> Any:
    """Return the value that a JSON or Python literal of brackets, texts and words stands for.

    None where it is no such literal, or a longer or deeper one than a list of moves can be.
    """
    if len(text) > LONGEST or not _harmless(text):
        return None
    try:
        return json.loads(text)
    except ValueError:
        return _python(text)


def python_literal(text: str) -> Any:
    """Return what `literal` returns for a text that is Python; None for JSON's own words."""
    return _python(text) if len(text) <= LONGEST and _harmless(text) else None


def _python(text: str) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes that Python does not know
            return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def _harmless(text: str) -> bool:
    """Return whether a text holds nothing but texts, words and brackets that nest but little.

    No bracket opens right behind a value: that would be a call or an index.
    """
    place, depth, before = 0, 0, ""
    while place < len(text):
        token = _TOKEN.match(text, place)
        if token is None:
            return False
        place, kind = token.end(), token.lastgroup or ""
        if kind == "open" and before in ("value", "close"):
            return False
        depth += (kind == "open") - (kind == "close")
        if not 0 <= depth <= DEEPEST:
            return False
        before = before if kind == "skip" else kind
    return True


def _moves(value: object) -> tuple[ToldMove, ...]:
    """Return a list of dictionaries as moves, () where one of them is none."""
    if not isinstance(value, list):
        return ()
    moves = [_move(each) for each in value]
    return tuple(move for move in moves if move) if all(moves) else ()


def _move(value: object) -> ToldMove | None:
    if not isinstance(value, dict):
        return None
    parts = {KEYS[key]: said for key, said in value.items() if key in KEYS}
    source, action, target = (parts.get(name) for name in ToldMove._fields)
    if isinstance(source, str) and isinstance(action, str) and isinstance(target, str):
        return ToldMove(source, action, target)
    return None


def _candidates(text: str) -> Iterator[str]:
    """Yield the pieces of a text that might be a list of dictionaries, the last ones first.

    A reply may go on from the bracket that ends its prompt, and so have none.
    """
    starts = [match.start() for match in _OPEN.finditer(text)]
    end = len(text)
    for start in islice(reversed(starts), _STARTS):
        yield from _pieces(text[start:end])
        end = start
    first = text.find("{")
    if not starts and first >= 0:
        yield from _pieces("[" + text[first:])


def _pieces(text: str) -> Iterator[str]:
    """Yield what begins like a list of dictionaries up to where it may end, the last end first.

    Where no bracket closes it, it ends with its last dictionary, if that is not cut short.
    """
    closes = [match.end() for match in _CLOSE.finditer(text)]
    for close in islice(reversed(closes), _ENDS):
        yield text[:close]
    end = text.rfind("}") + 1
    if end and not closes and not set("{]") & set(text[end:]):
        yield text[:end] + "]"


def _mended(text: str) -> tuple[ToldMove, ...]:
    """Return the moves of a list of dictionaries whose quotes may be any."""
    if len(text) > LONGEST:
        return ()
    doubled = text.translate(_DOUBLE)
    versions = dict.fromkeys((text, doubled, doubled.translate(_SINGLE)))
    ways = (*(_moves(literal(version)) for version in versions), *map(_torn, versions))
    return next((moves for moves in ways if moves), ())


def _torn(text: str) -> tuple[ToldMove, ...]:
    """Return the moves of dictionaries with stray quotes within their texts ('Bob's house')."""
    objects: Sequence[str] = _OBJECT.findall(text)
    if len(objects) != text.count("{"):
        return ()
    return _moves([{key: said for _, key, _, said in _FIELD.findall(each)} for each in objects])


def _ill(why: str) -> ToldMoves:
    return ToldMoves((), Form.ILL_FORMED, why)
