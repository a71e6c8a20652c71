"""What a model's reply says, read leniently and never evaluated.

Models wrap JSON in fences and thoughts, forget braces and quote as they like. What `json_repair`
can mend is mended and counted as repaired; a reply without the wanted field is unreadable.
"""

from __future__ import annotations

import json
import re
from itertools import islice
from typing import Any

from worldquiz.extras import need
from worldquiz.llm.records import Status

_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?(</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_STARTS = 20
"""How many opening braces are tried: prose has some of its own."""


def without_thoughts(reply: str, gap: str = "") -> str:
    """Return a reply without what the model thought aloud, `gap` in its place."""
    return _THOUGHT.sub(gap, reply)


def read_object(reply: str, *wanted: str) -> tuple[dict[str, Any], Status]:
    """Return the last JSON object of a reply that has one of the `wanted` fields (any, if none).

    ``({}, Status.UNREADABLE)`` where there is none. Raises `MissingExtra` without json-repair.
    """
    try:
        value = json.loads(reply)
    except (ValueError, RecursionError):
        value = None
    if _fits(value, wanted):
        return value, Status.CLEAN
    text = without_thoughts(reply)
    for start in islice(re.finditer(r"\{", text), _STARTS):
        found = [each for each in _repaired(text[start.start() :]) if _fits(each, wanted)]
        if found:
            return found[-1], Status.REPAIRED
    return {}, Status.UNREADABLE


def read_text(reply: str, field: str) -> tuple[str, Status]:
    """Return a field of a reply as one line of text, "" where it cannot be read.

    A list is joined by commas; an empty text is as good as none.
    """
    found, status = read_object(reply, field)
    text = said(found.get(field))
    return (text, status) if text else ("", Status.UNREADABLE)


def said(value: object) -> str:
    """Return a JSON value as a line of text: yes and no for booleans, lists joined by commas."""
    match value:
        case bool():
            return "yes" if value else "no"
        case str():
            return " ".join(value.split())
        case int() | float():
            return str(value)
        case list():
            return ", ".join(part for part in map(said, value) if part)
        case _:
            return ""


def read_share(value: object) -> float | None:
    """Return a confidence as 0..1: a number, or text such as "0.8" or "80%"; None for all else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    text = str(value).strip()
    try:
        number = float(text.removesuffix("%"))
    except ValueError:
        return None
    number = number / 100 if text.endswith("%") else number
    return number if 0 <= number <= 1 else None


def _fits(value: object, wanted: tuple[str, ...]) -> bool:
    return isinstance(value, dict) and (not wanted or any(field in value for field in wanted))


def _repaired(text: str) -> list[dict[str, Any]]:
    """Return the objects of a text that begins with one."""
    json_repair = need("json_repair", extra="llm", library="json-repair")
    try:
        value = json_repair.loads(text)
    except ValueError:  # nested beyond all sense
        return []
    parts = value if isinstance(value, list) else [value]
    return [part for part in parts if isinstance(part, dict)]
