"""Reader of replies from models and people: finds the answer, whatever surrounds it.

Prompts ask for an answer as a JSON object ``{"answer": ...}`` or as a last line ``ANSWER: ...``.
Thoughts and code fences are removed. The answer is then read from the object, else from a lone JSON
value, else from plain words (`answer_text`). Replies of models, users' own answerers and people are
all read like this. Nothing is evaluated, and reading takes time linear in the reply's length.

Models write JSON with any kind of quotes, forget braces and commas, and stop in the middle;
`objects` reads such JSON too, and never fails.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from worldquiz.facts.answer_text import DOUBT, LONGEST
from worldquiz.records import printable

READER = 4
"""Version of the reply reader, in manifests; it increases if any reply is read differently.

`tests/unit/facts/test_replies.py` holds a digest of the readings of its tables, by version.
"""
READ = 400_000
"""Most characters of a reply that are kept; of a longer reply, the last."""
_DEEPEST = 8
"""How deep lists and objects may nest in a value that is put into words."""
_TAG = "think|thinking|thought|reasoning|analysis"
_THOUGHT = re.compile(rf"[<\[]({_TAG})[>\]].*?([<\[]/\1[>\]]|\Z)", re.DOTALL | re.IGNORECASE)
_THOUGHT_ENDS = re.compile(rf"[<\[]/(?:{_TAG})[>\]]|<\|message\|>", re.IGNORECASE)
_MARKED = re.compile(
    r"<(?:final_)?answer>(.{0,2000}?)</(?:final_)?answer>"
    r"|\\boxed\{(?:\\text\{)?([^{}]{0,2000})\}",
    re.DOTALL | re.IGNORECASE,
)
_FENCE = re.compile(r"(?:```|~~~)\w{0,20}")
_BRACELESS = re.compile(r"""["'“]answer["'”]\s{0,9}:""", re.IGNORECASE)
_NAMES = ("answer", "final answer", "final_answer")
_ASIDE = ("reason", "why", "confidence", "explanation", "question")
_TEMPLATES = ("your answer", "your_answer", "answer", "...", "…")
_PLACEHOLDER = re.compile(r"<[^<>]{1,40}>")


def without_thoughts(reply: str, gap: str = "") -> str:
    """Return a reply with `gap` in place of thoughts, such as ``<think>...</think>``."""
    return _THOUGHT.sub(gap, reply[-READ:])


def is_whole(reply: str) -> bool:
    """Return whether a reply that was cut off has its whole answer: its brackets are all closed."""
    text = without_thoughts(reply)
    return 0 < text.count("{") + text.count("[") <= text.count("}") + text.count("]")


def read_object(reply: str, *wanted: str) -> dict[str, Any]:
    """Return a reply's last JSON object that has a `wanted` field (any object if none is given).

    {} if there is no such object.
    """
    return _read(reply[-READ:], wanted, dict)


def _read(reply: str, wanted: Sequence[str], build: Callable[[Pairs], Any]) -> dict[str, Any]:
    value = strict(reply, build)
    if _fits(value, wanted):
        return dict(value)
    found = [each.value for each in objects(without_thoughts(reply), build)]
    return [{}, *_fitting(found, wanted)][-1]


def read_text(reply: str, field: str) -> str:
    """Return a field of a reply as one line of text, "" where it cannot be read.

    A list is joined by commas. A placeholder from the prompt's template, such as ``<one command>``,
    counts as an empty text. The field's name may be in upper or lower case.
    """
    found = read_object(reply, field) or _read(reply[-READ:], (field,), _lowered)
    text = said(found.get(field))
    return "" if _PLACEHOLDER.fullmatch(text) else text


def claim(reply: str) -> str:
    """Return a reply's answer as text, "" if there is none; an answer in plain words is kept."""
    return answer_said(answer_value(reply))


def answer_value(reply: str) -> Any:
    """Return a reply's answer, a JSON value or plain words; None if it has none.

    Thoughts and code fences are left out. The answer is the field "answer" of an object, else a
    JSON value, else plain words. A reply that repeats the prompt's template, or whose objects give
    different answers, has none.
    """
    text = _THOUGHT_ENDS.split(without_thoughts(reply))[-1].strip()[-LONGEST:]
    for marked in _MARKED.finditer(text):
        text = (marked[1] or marked[2] or "").strip()
    value = strict(text, _lowered)
    whole = isinstance(value, list | dict)
    values = [value] if whole else [each.value for each in objects(text, _lowered)]
    found = list(_fitting(values, _NAMES))
    if found or isinstance(value, dict):
        return _told(found)
    if value is not None or text == "null":
        return _checked(value)
    plain = printable(_FENCE.sub("", text)).strip()
    if _BRACELESS.match(plain):
        values = [each.value for each in objects("{" + plain, _lowered)]
        return _told(list(_fitting(values, _NAMES)))
    return None if any(values) else _checked(plain)


def said(value: object, *, deepest: int = _DEEPEST) -> str:
    """Return a JSON value as a line of text: yes and no for booleans, lists joined by commas."""
    match value:
        case bool():
            return "yes" if value else "no"
        case str():
            return printable(" ".join(value.split()))
        case int() | float():
            return str(value)
        case list() if deepest:
            return ", ".join(part for each in value if (part := said(each, deepest=deepest - 1)))
        case _:
            return ""


def answer_said(value: object, *, deepest: int = _DEEPEST) -> str:
    """Return a JSON value as `said` does, but keep line breaks, and join an object's values too.

    An empty list becomes "[]", which matches no name.
    """
    match value:
        case [] | "{}":
            return "[]"
        case str():
            return printable(value.strip())
        case list() | dict() if deepest:
            pairs = value.items() if isinstance(value, dict) else (("", each) for each in value)
            parts = (
                (key, answer_said(each, deepest=deepest - 1))
                for key, each in pairs if key not in _ASIDE
            )  # fmt: skip
            return ", ".join(f"{key}: {part}" if DOUBT.search(key) else part
                             for key, part in parts if part)  # fmt: skip
        case _:
            return said(value)


def _lowered(pairs: Pairs) -> dict[str, Any]:
    """Return an object with keys in lower case; a key with two values gets a list of both."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        key = name.strip().lower()
        twice = key in found and found[key] != value
        found[key] = [found[key], value] if twice else value
    return found


def _told(found: Sequence[dict[str, Any]]) -> Any:
    """Return the answer on which objects agree, None if their answers differ or none has one."""
    given = [_checked(each[name]) for each in found for name in _NAMES if name in each]
    given = [each for each in given if each is not None]
    same = len({" ".join(answer_said(each).lower().split()) for each in given}) == 1
    return given[0] if same else None


def _checked(value: Any) -> Any:
    """Return an answer, None where it has no text or repeats the template."""
    text = answer_said(value)
    return None if not text or text.lower().strip("<>[] ") in _TEMPLATES else value


def _fitting(values: Iterable[Any], wanted: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield objects with a wanted field, at any depth, but none from inside another of them."""
    for value in values:
        if _fits(value, wanted):
            yield value
        elif isinstance(value, list | dict):
            yield from _fitting(value if isinstance(value, list) else value.values(), wanted)


def _fits(value: object, wanted: Sequence[str]) -> bool:
    return isinstance(value, dict) and (not wanted or any(field in value for field in wanted))


# --- JSON as models write it --------------------------------------------------------------------

DEEPEST = 16
"""How deep brackets may nest in a text; a text that nests deeper is not read."""
Pairs = list[tuple[str, Any]]
_STRAIGHT = str.maketrans("“”„‟‘’‚‛", "\"\"\"\"''''")
_QUOTE = re.compile(
    r"""\\.|(?P<quote>["'])(?=\s{0,99}(?:[}\]:]|\Z|,\s{0,99}(?:["'{\[\d}\]-]|\w{1,30}\s?:|true|false|null|\Z)))""",
    re.DOTALL,
)
_BARE = re.compile(r"[^,:{}\[\]\"'\n]++")
_UNQUOTED = re.compile(r"[\n}]|\Z")
_ESCAPE = re.compile(r"\\(?:u(?P<code>[0-9a-fA-F]{4})|(?P<one>.))", re.DOTALL)
_CONTROL = {"n": "\n", "t": "\t", "r": "\r", "b": "", "f": ""}
_LITERALS = {"true": True, "false": False, "null": None, "none": None}


class Found(NamedTuple):
    """An outermost object of a text, from its brace at `start` to `end`."""

    start: int
    end: int
    value: Any


def strict(text: str, build: Callable[[Pairs], Any] = dict) -> Any:
    """Return a text as a JSON value, None if it is not JSON."""
    try:
        return json.loads(text, object_pairs_hook=build)
    except (ValueError, RecursionError):
        return None


def objects(text: str, build: Callable[[Pairs], Any] = dict) -> list[Found]:
    """Return the outermost objects of a text in order; `build` makes each from its key-value pairs.

    [] if brackets nest too deep.
    """
    try:
        return list(_Reader(text.translate(_STRAIGHT), build).objects())
    except RecursionError:
        return []


class _Open:
    """A bracket that is not closed yet: an object, or a list."""

    def __init__(self, bracket: str) -> None:
        self.object = bracket == "{"
        self.pairs: Pairs = []
        self.items: list[Any] = []
        self.key: str | None = None  # in an object: the text before the last colon
        self.last: Any = None  # in an object: a text that may turn out to be a key

    def take(self, value: Any) -> None:
        """Add a value: a list's item, a key's value, or a text that may turn out to be a key."""
        if not self.object:
            self.items.append(value)
        elif self.key is not None:
            self.pairs.append((self.key, value))
            self.key = None
        else:
            self.settle()
            self.last = value

    def settle(self) -> None:
        """Join a text that turned out to be no key to the value before it, at the comma."""
        if isinstance(self.last, str) and self.pairs and isinstance(self.pairs[-1][1], str):
            key, value = self.pairs[-1]
            self.pairs[-1] = key, f"{value}, {self.last}"
        self.last = None

    def colon(self) -> None:
        """Make the last text a key."""
        if self.object and isinstance(self.last, str):
            self.key, self.last = self.last, None


class _Reader:
    """Reads a text once, from the opening brace of each object to its end.

    Closing quotes are found in advance, so that no part of the text is read twice.
    """

    def __init__(self, text: str, build: Callable[[Pairs], Any]) -> None:
        self.text, self.build, self.place = text, build, 0
        self.ends: dict[str, list[int]] = {'"': [], "'": []}
        for found in _QUOTE.finditer(text):
            if found["quote"]:
                self.ends[found["quote"]].append(found.start())

    def objects(self) -> Iterator[Found]:
        """Yield the outermost objects. Raises `RecursionError` if brackets nest too deep."""
        while (start := self.text.find("{", self.place)) >= 0:
            self.place = start
            value = self._bracket(1)
            yield Found(start, self.place, value)

    def _bracket(self, depth: int) -> Any:
        """Return the content of the bracket that opens here, even if it is never closed."""
        if depth > DEEPEST:
            raise RecursionError(depth)
        top = _Open(self.text[self.place])
        self.place += 1
        while self.place < len(self.text):
            mark = self.text[self.place]
            if mark in "{[":
                top.take(self._bracket(depth + 1))
            elif mark in "\"'":
                top.take(self._quoted())
            elif word := _BARE.match(self.text, self.place):
                self.place = word.end()
                if plain := word[0].strip():
                    top.take(_value(plain))
            else:
                self.place += 1
                if mark in "}]":
                    break
                if mark == ":":
                    top.colon()
        top.settle()
        return self.build(top.pairs) if top.object else top.items

    def _quoted(self) -> str:
        """Return the quoted text that begins here.

        It ends at a quote followed by a JSON delimiter; without such a quote, at the end of the
        line or the object.
        """
        start, ends = self.place + 1, self.ends[self.text[self.place]]
        at = bisect_left(ends, start)
        if at < len(ends):
            self.place = ends[at] + 1
            return _unescaped(self.text[start : ends[at]])
        stop = _UNQUOTED.search(self.text, start)
        self.place = stop.start() if stop else len(self.text)
        return self.text[start : self.place].strip()


def _value(word: str) -> Any:
    if word.lower() in _LITERALS:
        return _LITERALS[word.lower()]
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
