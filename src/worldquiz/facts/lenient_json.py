"""JSON as models write it: a reader of objects that nothing makes fail, in linear time.

Models quote as they like, forget braces and commas, and stop in the middle. The reader goes through
the text once, from each opening brace to where its object ends, and never back; whether a quote
ends a text is looked up in a list made once. Nothing is ever evaluated.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Callable
from typing import Any, NamedTuple

DEEPEST = 16
"""How deep brackets may nest; what nests deeper is not read."""
Pairs = list[tuple[str, Any]]

_STRAIGHT = str.maketrans("“”„‟‘’‚‛", "\"\"\"\"''''")
_QUOTE = re.compile(
    r"""\\.|(?P<quote>["'])(?=\s{0,99}(?:[}\]:]|\Z|,\s{0,99}(?:["'{\[\d}\]-]|\w{1,30}\s?:|true|false|null|\Z)))""",
    re.DOTALL,
)
_BARE = re.compile(r"[^,:{}\[\]\"'\n]++")
_ESCAPE = re.compile(r"\\(?:u(?P<code>[0-9a-fA-F]{4})|(?P<one>.))", re.DOTALL)
_CONTROL = {"n": "\n", "t": "\t", "r": "\r", "b": "", "f": ""}
_WORDS = {"true": True, "false": False, "null": None, "none": None}


class Found(NamedTuple):
    """An outermost object of a text, from its brace at `start` to `end`."""

    start: int
    end: int
    value: Any


def strict(text: str, build: Callable[[Pairs], Any] = dict) -> Any:
    """Return the JSON value that a text is, None where it is none."""
    try:
        return json.loads(text, object_pairs_hook=build)
    except (ValueError, RecursionError):
        return None


def objects(text: str, build: Callable[[Pairs], Any] = dict) -> list[Found]:
    """Return the outermost objects of a text in order, each made of its pairs by `build`.

    [] where brackets nest too deep.
    """
    return _Reader(text.translate(_STRAIGHT), build).objects()


class _Open:
    """A bracket that is not closed yet: an object, or a list."""

    def __init__(self, bracket: str) -> None:
        self.object = bracket == "{"
        self.pairs: Pairs = []
        self.items: list[Any] = []
        self.key: str | None = None  # of an object: what stood before the last colon
        self.last: Any = None  # of an object: a text that may turn out to be a key

    def take(self, value: Any) -> None:
        """Take a value in: an item, the value of a key, or what may be a key."""
        if not self.object:
            self.items.append(value)
        elif self.key is not None:
            self.pairs.append((self.key, value))
            self.key = None
        else:
            self.settle()
            self.last = value

    def settle(self) -> None:
        """Give a text that was no key to the text before it: a comma stood within that one."""
        if isinstance(self.last, str) and self.pairs and isinstance(self.pairs[-1][1], str):
            key, value = self.pairs[-1]
            self.pairs[-1] = key, f"{value}, {self.last}"
        self.last = None

    def colon(self) -> None:
        """Make the last text a key."""
        if self.object and isinstance(self.last, str):
            self.key, self.last = self.last, None


class _Reader:
    def __init__(self, text: str, build: Callable[[Pairs], Any]) -> None:
        self.text, self.build = text, build
        self.ends: dict[str, list[int]] = {'"': [], "'": []}
        for found in _QUOTE.finditer(text):
            if found["quote"]:
                self.ends[found["quote"]].append(found.start())
        self.value: Any = None

    def objects(self) -> list[Found]:
        found: list[Found] = []
        place = self.text.find("{")
        while place >= 0:
            end = self._object(place)
            if end is None:
                return []
            found.append(Found(place, end, self.value))
            place = self.text.find("{", end)
        return found

    def _object(self, place: int) -> int | None:
        """Read the object that opens at a place; return where it ends, None if it is too deep."""
        stack: list[_Open] = []
        while place < len(self.text):
            mark = self.text[place]
            if mark in "{[":
                stack.append(_Open(mark))
                if len(stack) > DEEPEST:
                    return None
            elif mark in "}]":
                if self._close(stack):
                    return place + 1
            elif mark == ":":
                stack[-1].colon()
            elif mark in "\"'":
                value, place = self._quoted(place)
                stack[-1].take(value)
                continue
            elif mark not in ",\n":
                place = self._bare(stack[-1], place)
                continue
            place += 1
        while not self._close(stack):
            pass
        return place

    def _close(self, stack: list[_Open]) -> bool:
        """Close the innermost bracket; tell whether it was the outermost."""
        top = stack.pop()
        top.settle()
        value = self.build(top.pairs) if top.object else top.items
        if stack:
            stack[-1].take(value)
        else:
            self.value = value
        return not stack

    def _quoted(self, place: int) -> tuple[str, int]:
        """Return the text that opens at a place, and the place behind it.

        It ends at a quote with a mark of JSON behind it; without one, at the end of the line or the
        object.
        """
        ends = self.ends[self.text[place]]
        at = bisect_left(ends, place + 1)
        if at < len(ends):
            return _unescaped(self.text[place + 1 : ends[at]]), ends[at] + 1
        stop = re.compile(r"[\n}]|\Z").search(self.text, place + 1)
        end = stop.start() if stop else len(self.text)
        return self.text[place + 1 : end].strip(), end

    def _bare(self, top: _Open, place: int) -> int:
        found = _BARE.match(self.text, place)
        end = found.end() if found else place + 1
        word = self.text[place:end].strip()
        if word:
            top.take(_value(word))
        return end


def _value(word: str) -> Any:
    if word.lower() in _WORDS:
        return _WORDS[word.lower()]
    try:
        return float(word) if "." in word else int(word)
    except ValueError:
        return word


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(found: re.Match[str]) -> str:
    if found["code"]:
        return chr(int(found["code"], 16))
    return _CONTROL.get(found["one"], found["one"])
