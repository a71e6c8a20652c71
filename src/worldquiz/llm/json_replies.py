"""Parser of models' replies: lenient, and nothing is ever evaluated.

Models wrap JSON in fences and thoughts, forget braces and quote as they like. A reply that only
the lenient reader `objects` can read counts as repaired; one without the wanted field is
unreadable. An answer may come without JSON too (`read_answer`).

The lenient reader is one for hostile text. It goes through the text once, from each opening brace
to where its object ends, and never goes back; whether a quote ends a text is looked up in a list
made once. So any text can be read, in time linear in its length.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from worldquiz.llm.model import Status
from worldquiz.records import printable

READ = 400_000
"""Characters of a reply that are kept and read: of a longer one, the last."""
LONGEST = 20_000
"""Characters of one reply to one question that are read, thoughts left out; more are unreadable."""
_DEEPEST = 8
"""How deep lists and objects may nest in a value that is told in words."""
_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?(</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_THOUGHT_ENDS = re.compile(r"</(?:think|thinking|reasoning)>", re.IGNORECASE)
_FENCE = re.compile(r"```\w{0,20}")
_BRACELESS = re.compile(r"""["'“]answer["'”]\s{0,9}:""", re.IGNORECASE)
_NAMES = ("answer", "final answer", "final_answer")
_ASIDE = ("reason", "why", "confidence", "explanation", "question")
_TEMPLATES = ("your answer", "your_answer", "answer", "...", "…")
_PLACEHOLDER = re.compile(r"<[^<>]{1,40}>")
_SENTENCE = re.compile(r"\b(?:is|was|are|were|answer)\b|[.!?]\s|\n", re.IGNORECASE)


def without_thoughts(reply: str, gap: str = "") -> str:
    """Return a reply without what the model thought aloud, `gap` in its place."""
    return _THOUGHT.sub(gap, reply)


def read_object(reply: str, *wanted: str) -> tuple[dict[str, Any], Status]:
    """Return the last JSON object of a reply that has one of the `wanted` fields (any, if none).

    ``({}, Status.UNREADABLE)`` where there is none. Only the end of a reply longer than `READ` is
    read.
    """
    return _read(reply[-READ:], wanted, dict)


def _read(
    reply: str, wanted: Sequence[str], build: Callable[[Pairs], Any]
) -> tuple[dict[str, Any], Status]:
    value = _strict(reply, build)
    if _fits(value, wanted):
        return value, Status.CLEAN
    found = list(_fitting(objects(without_thoughts(reply), build), wanted))
    return (found[-1], Status.REPAIRED) if found else ({}, Status.UNREADABLE)


def read_text(reply: str, field: str) -> tuple[str, Status]:
    """Return a field of a reply as one line of text, "" where it cannot be read.

    A list is joined by commas; an empty text is as good as none, and so is a placeholder of the
    prompt's template, such as ``<one command>``. The field's name may be in any case.
    """
    found, status = read_object(reply, field)
    if not found:
        found, status = _read(reply[-READ:], (field,), _lowered)
    text = said(found.get(field))
    return ("", Status.UNREADABLE) if not text or _PLACEHOLDER.fullmatch(text) else (text, status)


def read_answer(reply: str) -> tuple[str, Status]:
    """Return a reply's answer as text, "" where there is none.

    It is the field "answer" of an object, a JSON value, or plain words, thoughts and fences left
    out. Unreadable is what is longer than `LONGEST`, repeats the prompt's template, or has several
    objects with different answers.
    """
    text = _THOUGHT_ENDS.split(without_thoughts(reply))[-1].strip()
    if len(text) > LONGEST:
        return "", Status.UNREADABLE
    value = _strict(text, _lowered)
    if _fits(value, _NAMES):
        return _told([value], Status.CLEAN if text == reply.strip() else Status.REPAIRED)
    whole = isinstance(value, list | dict)
    found = list(_fitting([value] if whole else objects(text, _lowered), _NAMES))
    if found or isinstance(value, dict):
        return _told(found, Status.REPAIRED)
    if value is None and text != "null":
        return _words(text)
    return _checked(answer_said(value), Status.BARE)


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
    """Return a JSON value as `said` does, lines kept and objects told by their values.

    An empty list is told as "[]": it names nothing.
    """
    match value:
        case []:
            return "[]"
        case str():
            return printable(value.strip())
        case list() if deepest:
            return _joined(value, deepest)
        case dict() if deepest:
            return _joined((each for key, each in value.items() if key not in _ASIDE), deepest)
        case _:
            return said(value)


def read_value(value: object) -> str:
    """Return an answer's JSON value as text, "" where it is none or repeats the template."""
    return _checked(answer_said(value), Status.CLEAN)[0]


def _joined(values: Iterable[object], deepest: int) -> str:
    told = (answer_said(each, deepest=deepest - 1) for each in values)
    return ", ".join(part for part in told if part)


def _strict(text: str, build: Any = dict) -> Any:
    """Return the JSON value that a text is, None where it is none."""
    try:
        return json.loads(text, object_pairs_hook=build)
    except (ValueError, RecursionError):
        return None


def _lowered(pairs: Pairs) -> dict[str, Any]:
    """Return an object by names in lower case; a name with two values has them both, as a list."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        key = name.strip().lower()
        twice = key in found and found[key] != value
        found[key] = [found[key], value] if twice else value
    return found


def _told(found: Sequence[dict[str, Any]], status: Status) -> tuple[str, Status]:
    """Return the one answer of some objects; a text that repeats the template is no answer."""
    texts = {
        answer: " ".join(answer.lower().split())
        for each in found
        for name in _NAMES
        if (answer := _checked(answer_said(each.get(name)), status)[0])
    }
    if len(set(texts.values())) != 1:
        return "", Status.UNREADABLE
    return next(iter(texts)), status


def _words(text: str) -> tuple[str, Status]:
    """Return plain words as an answer; an object without an answer is none."""
    plain = printable(_FENCE.sub("", text)).strip()
    if _BRACELESS.match(plain):
        return _told(list(_fitting(objects("{" + plain, _lowered), _NAMES)), Status.REPAIRED)
    if objects(plain):
        return "", Status.UNREADABLE
    return _checked(plain, Status.PROSE if _SENTENCE.search(plain) else Status.BARE)


def _checked(text: str, status: Status) -> tuple[str, Status]:
    """Return an answer, or that there is none: no text, or the template's own."""
    if not text or text.lower().strip("<>[] ") in _TEMPLATES:
        return "", Status.UNREADABLE
    return text, status


def _fitting(values: Iterable[Any], wanted: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the outermost objects among values that have a wanted field."""
    for value in values:
        if _fits(value, wanted):
            yield value
        elif isinstance(value, list | dict):
            yield from _fitting(value if isinstance(value, list) else value.values(), wanted)


def _fits(value: object, wanted: Sequence[str]) -> bool:
    return isinstance(value, dict) and (not wanted or any(field in value for field in wanted))


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


def objects(text: str, build: Callable[[Pairs], Any] = dict) -> list[Any]:
    """Return the objects of a text in order, each made of its pairs by `build`.

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
        self.found: list[Any] = []

    def objects(self) -> list[Any]:
        place = self.text.find("{")
        while place >= 0:
            end = self._object(place)
            if end is None:
                return []
            place = self.text.find("{", end)
        return self.found

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
            self.found.append(value)
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
