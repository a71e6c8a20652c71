"""Inputs that no reader should meet: whole ones of a corpus that are mutated, and random ones.

Mutations know bytes, JSON (also a line of it within a file) and the containers that the readers
open: zip archives and GLB. A draw is all that an input depends on.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import struct
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import evil

LONGEST = 40_000
"""Bytes that a mutation by repetition makes of an input at most."""
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
EXTREMES = (
    "0", "-1", "1e308", "-1e308", "1e999", "NaN", "-Infinity", "1e-320", "4294967296", "-0.0",
    "18446744073709551616", "9" * 400, "9" * 5000, "0.1", "true", "null", '"7"', "2147483648",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, 10**30, 10**299, 0.5, -1e308, float("nan"),
    float("inf"), "", "x", "\ud800", "\x00", "x" * 5000, "1", "[]", [], {}, [[]], [None],
    {"": None}, *evil.NAMES,
)  # fmt: skip
TOKENS = tuple(
    token.encode("utf-8", "surrogatepass")
    for token in (
        *evil.NAMES, *EXTREMES, "[" * 990, "{" * 300, "]" * 50,
        '{"a":' * 500, "[[" * 50 + "]]" * 50,
        "<think>", "</think>", "<reasoning>", "```json", "```", '"', "'", "\\", "\\u", "\\ud800",
        '"answer": ', '{"answer": ', "answer: ", "Final answer:", "“", "”", "‘", ",", ":", "\n",
        "\r\n", "\ufeff", "\u2028", "\x00", "{", "}", "[", "]", "(", ")", "#", "=", "[[", "]]",
        "&lt;", "<!DOCTYPE x [<!ENTITY a 'aaaa'>]>", "<![CDATA[", " " * 2000, "\t", "a " * 3000,
        "%s", "{0}", "é" * 200, "\U0001f600", "\u0300" * 500, "\u202e", "__import__('os')",
    )
)  # fmt: skip


@dataclass(frozen=True)
class Container:
    """A kind of file that holds others: how it is taken apart, and put together again."""

    parts: Callable[[bytes], dict[str, bytes]]
    whole: Callable[[Mapping[str, bytes]], bytes]


def _unzipped(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _zipped(parts: Mapping[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return stream.getvalue()


def _chunks(data: bytes) -> dict[str, bytes]:
    size = struct.unpack_from("<I", data, 12)[0]
    return {"json": data[20 : 20 + size], "rest": data[20 + size :]}


def _glb(parts: Mapping[str, bytes]) -> bytes:
    text = parts["json"] + b" " * (-len(parts["json"]) % 4)
    size = 20 + len(text) + len(parts["rest"])
    return struct.pack("<4sIIII", b"glTF", 2, size, len(text), 0x4E4F534A) + text + parts["rest"]


CONTAINERS: Mapping[str, Container] = {
    ".sh3d": Container(_unzipped, _zipped),
    ".glb": Container(_chunks, _glb),
}
"""Containers by the ending of their files' names."""


def drawn(draw: Random, corpus: Sequence[bytes], ending: str = "") -> bytes:
    """Return an input: random, or one of the corpus with up to five mutations."""
    chance = draw.random()
    if chance < 0.04:
        return draw.randbytes(draw.choice((0, 1, 3, 40, 400)))
    if chance < 0.08:
        return text(draw).encode("utf-8", "surrogatepass")
    if chance < 0.13:
        return json.dumps(value(draw), ensure_ascii=draw.random() < 0.5).encode(
            "utf-8", "surrogatepass"
        )
    return _changed(draw, draw.choice(corpus), corpus, ending)


def _changed(draw: Random, data: bytes, corpus: Sequence[bytes], ending: str) -> bytes:
    container = CONTAINERS.get(ending)
    if container is not None and draw.random() < 0.7:
        with contextlib.suppress(Exception):  # what is damaged already cannot be taken apart
            parts = container.parts(data)
            name = draw.choice(sorted(parts))
            parts[name] = _changed(draw, parts[name], corpus, "")
            if draw.random() < 0.05:
                parts[draw.choice(evil.NAMES) or "x"] = parts.pop(name)
            return container.whole(parts)
    for _ in range(draw.choice((1, 1, 1, 2, 3, 5))):
        data = draw.choice(_WAYS)(draw, data, corpus)
    return data


def text(draw: Random) -> str:
    """Return a random text, of letters, marks of JSON and tokens."""
    pieces = [_piece(draw) for _ in range(draw.choice((1, 3, 10, 60)))]
    return "".join(pieces)


def _piece(draw: Random) -> str:
    chance = draw.random()
    if chance < 0.3:
        return draw.choice(TOKENS).decode("utf-8", "surrogatepass")
    if chance < 0.8:
        return "".join(draw.choices("{}[]:,\"' \nabenx019.-", k=draw.randint(1, 12)))
    return chr(draw.choice((draw.randrange(0x110000), draw.randrange(0x300))))


def value(draw: Random, depth: int = 3) -> Any:
    """Return a random JSON value."""
    chance = draw.random()
    if depth == 0 or chance < 0.5:
        return draw.choice(VALUES)
    size = draw.randint(0, 3)
    if chance < 0.75:
        return [value(draw, depth - 1) for _ in range(size)]
    keys = ("answer", "id", "kind", "answers", "question", "node", "action", *evil.NAMES)
    return {draw.choice(keys): value(draw, depth - 1) for _ in range(size)}


def _flip(draw: Random, data: bytes, corpus: Sequence[bytes]) -> bytes:
    if not data:
        return data
    at = draw.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << draw.randrange(8)]) + data[at + 1 :]


def _cut(draw: Random, data: bytes, corpus: Sequence[bytes]) -> bytes:
    start, end = _span(draw, data)
    return data[:start] + data[end:]


def _end(draw: Random, data: bytes, corpus: Sequence[bytes]) -> bytes:
    return data[: draw.randint(0, len(data))]


def _repeat(draw: Random, data: bytes, corpus: Sequence[bytes]) -> bytes:
    start, end = _span(draw, data)
    times = min(draw.choice((1, 2, 20, 1000)), LONGEST // max(1, end - start))
    return data[:end] + data[start:end] * times + data[end:]


def _insert(draw: Random, data: bytes, corpus: Sequence[bytes]) -> bytes:
    at = draw.randint(0, len(data))
    return data[:at] + draw.choice(TOKENS) + data[at:]


def _splice(draw: Random, data: bytes, corpus: Sequence[bytes]) -> bytes:
    other = draw.choice(corpus)
    start, end = _span(draw, other)
    at, until = _span(draw, data)
    return data[:at] + other[start:end] + data[until:]


def _number(draw: Random, data: bytes, corpus: Sequence[bytes]) -> bytes:
    at = draw.randint(0, len(data))
    found = _NUMBER.search(data, at) or _NUMBER.search(data)
    if found is None:
        return data
    return data[: found.start()] + draw.choice(EXTREMES).encode() + data[found.end() :]


def _json(draw: Random, data: bytes, corpus: Sequence[bytes]) -> bytes:
    """Change a value of a JSON document, or of a line that is one."""
    start, end = 0, len(data)
    if b"\n{" in data:
        start = data.rfind(b"\n", 0, draw.randint(0, len(data))) + 1
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
    try:
        told = json.loads(data[start:end])
        change(draw, told)
        made = json.dumps(told, ensure_ascii=draw.random() < 0.8)
    except (ValueError, RecursionError):
        return _insert(draw, data, corpus)
    return data[:start] + made.encode("utf-8", "surrogatepass") + data[end:]


def change(draw: Random, told: Any) -> None:
    """Change a value somewhere within a list or object."""
    here = told
    while isinstance(here, list | dict) and here:
        key = draw.choice(list(here) if isinstance(here, dict) else range(len(here)))
        inner = here[key]
        if isinstance(inner, list | dict) and inner and draw.random() < 0.8:
            here = inner
            continue
        _change_at(draw, here, key)
        return


def _change_at(draw: Random, here: Any, key: Any) -> None:
    match draw.randrange(6):
        case 0:
            del here[key]
        case 1:
            here[key] = [here[key]]
        case 2 if isinstance(here, list):
            here.append(here[key])
        case 2:
            here[str(draw.choice(evil.NAMES))] = here[key]
        case 3:
            other = draw.choice(list(here) if isinstance(here, dict) else range(len(here)))
            here[key], here[other] = here[other], here[key]
        case _:
            here[key] = value(draw)


def _span(draw: Random, data: bytes) -> tuple[int, int]:
    start = draw.randint(0, len(data))
    return start, min(len(data), start + draw.choice((1, 2, 8, 40, 300)))


_WAYS: tuple[Callable[[Random, bytes, Sequence[bytes]], bytes], ...] = (
    _flip, _cut, _end, _repeat, _insert, _insert, _splice, _number, _json, _json, _json,
)  # fmt: skip
