"""Replies of models and people: the answer in them, whatever stands around it.

An answer is asked for as a JSON object ``{"answer": ...}`` or as a last line ``ANSWER: ...``.
Thoughts and fences are left out; then the object counts, else a JSON value alone, else plain words,
which the grammar of `answer_text` reads. Models, own answerers, people and imported answers share
this reader. Nothing is evaluated, and any text is read in time linear in its length.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from worldquiz.facts.lenient_json import Pairs, objects, strict
from worldquiz.records import printable

READER = 1
"""Version of what is read of a reply: manifests of runs state it. It rises with any other reading.

`tests/unit/facts/test_replies.py` holds a digest of the readings of its tables, by version.
"""
READ = 400_000
"""Characters of a reply that are kept: of a longer one, the last."""
LONGEST = 20_000
"""Characters of an answer that are read, thoughts left out: of a longer one, the last."""
_DEEPEST = 8
"""How deep lists and objects may nest in a value that is told in words."""
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
    """Return a reply without what the model thought aloud, `gap` in its place."""
    return _THOUGHT.sub(gap, reply[-READ:])


def is_whole(reply: str) -> bool:
    """Tell whether a reply that was cut has given its answer before: its brackets are closed."""
    text = without_thoughts(reply)
    return 0 < text.count("{") + text.count("[") <= text.count("}") + text.count("]")


def read_object(reply: str, *wanted: str) -> dict[str, Any]:
    """Return the last JSON object of a reply that has one of the `wanted` fields (any, if none).

    {} where there is none.
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

    A list is joined by commas; an empty text is as good as none, and so is a placeholder of the
    prompt's template, such as ``<one command>``. The field's name may be in any case.
    """
    found = read_object(reply, field) or _read(reply[-READ:], (field,), _lowered)
    text = said(found.get(field))
    return "" if _PLACEHOLDER.fullmatch(text) else text


def claim(reply: str) -> str:
    """Return a reply's answer as text, "" where there is none. A claim's claim is the same."""
    return answer_said(answer_value(reply))


def answer_value(reply: str) -> Any:
    """Return a reply's answer: a JSON value, or plain words; None where there is none.

    It is the field "answer" of an object, a JSON value, or plain words, thoughts and fences left
    out. There is none in what repeats the prompt's template, or has several objects with different
    answers.
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
    """Return a JSON value as `said` does, lines kept and objects told by their values.

    An empty list is told as "[]": it names nothing.
    """
    match value:
        case [] | "{}":
            return "[]"
        case str():
            return printable(value.strip())
        case list() | dict() if deepest:
            values = value if isinstance(value, list) else [
                each for key, each in value.items() if key not in _ASIDE
            ]  # fmt: skip
            told = (answer_said(each, deepest=deepest - 1) for each in values)
            return ", ".join(part for part in told if part)
        case _:
            return said(value)


def _lowered(pairs: Pairs) -> dict[str, Any]:
    """Return an object by names in lower case; a name with two values has them both, as a list."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        key = name.strip().lower()
        twice = key in found and found[key] != value
        found[key] = [found[key], value] if twice else value
    return found


def _told(found: Sequence[dict[str, Any]]) -> Any:
    """Return the one answer of some objects, None where they differ or have none."""
    given = [_checked(each[name]) for each in found for name in _NAMES if name in each]
    given = [each for each in given if each is not None]
    same = len({" ".join(answer_said(each).lower().split()) for each in given}) == 1
    return given[0] if same else None


def _checked(value: Any) -> Any:
    """Return an answer, None where it has no text or repeats the template."""
    text = answer_said(value)
    return None if not text or text.lower().strip("<>[] ") in _TEMPLATES else value


def _fitting(values: Iterable[Any], wanted: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the outermost objects among values that have a wanted field."""
    for value in values:
        if _fits(value, wanted):
            yield value
        elif isinstance(value, list | dict):
            yield from _fitting(value if isinstance(value, list) else value.values(), wanted)


def _fits(value: object, wanted: Sequence[str]) -> bool:
    return isinstance(value, dict) and (not wanted or any(field in value for field in wanted))
