"""What a stranger may put into a file or a name, and a witness of what is written where."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

NAMES = (
    "", ".", "..", "../up", "../../../pwned", "/tmp/worldquiz-pwned", "a/b", "a\\b", "..\\up",
    "C:", "c:\\x", "nul\0", "a\nb", "\x1b[31m", "\x07", "\x9b", "con", "CON", "nul.txt", "COM1",
    ".hidden", "x.", "x ", " x", "é" * 150, "\ud800", "a\u202eb", "a\u200bb",
)  # fmt: skip
"""Names that lead elsewhere on some system, or look like another name."""

VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 2**63, 10**299, 0.5, -1e308, float("nan"), float("inf"), "", "\ud800",
    "x" * 5000, [], {}, [[]], [None], {"": None}, *NAMES,
)  # fmt: skip
TOKENS = (
    "0", "-1", "1e999", "NaN", "9" * 5000, "[" * 990, "{" * 300, '{"a":' * 990, "]", '"', "\\",
    "\\ud800", ",", "\n", "\ufeff", "\u2028", "\x00", " " * 2000, "<think>", "é" * 200, "\u202e",
    "<!DOCTYPE x [<!ENTITY a 'aaaa'>]>",
)  # fmt: skip


def changed(draw: Random, told: Any) -> Any:
    """Return a JSON value with one change within it."""
    if not isinstance(told, list | dict) or not told or draw.random() < 0.1:
        return draw.choice((*VALUES, [told]))
    pairs = list(told.items() if isinstance(told, dict) else enumerate(told))
    place = draw.randrange(len(pairs))
    key, value = pairs[place]
    match draw.randrange(5):
        case 0:
            del pairs[place]
        case 1:
            pairs.append((draw.choice(NAMES), value))
        case _:
            pairs[place] = key, changed(draw, value)
    return dict(pairs) if isinstance(told, dict) else [value for _, value in pairs]


def mutated(draw: Random, data: bytes) -> bytes:
    """Return bytes of which something is lost, changed, put in or said again."""
    lines = data.split(b"\n") if b"\n{" in data else [data]
    number = draw.randrange(len(lines))
    if draw.random() < 0.5:
        with suppress(ValueError, RecursionError):
            told = changed(draw, json.loads(lines[number]))
            lines[number] = json.dumps(told, ensure_ascii=False).encode("utf-8", "surrogatepass")
            return b"\n".join(lines)
    start = draw.randint(0, len(data))
    end = min(len(data), start + draw.choice((1, 2, 8, 40, 300)))
    middle = draw.choice((
        b"", data[start:end] * 40, bytes(each ^ 4 for each in data[start:end]),
        draw.choice(TOKENS).encode("utf-8", "surrogatepass"),
    ))  # fmt: skip
    return data[:start] + middle + data[draw.choice((start, end, len(data))) :]


_WRITES = {
    "os.mkdir": 0, "os.rename": 1, "os.remove": 0, "os.rmdir": 0, "os.symlink": 1, "os.link": 1,
    "os.truncate": 0, "os.chmod": 0,
}  # fmt: skip
"""Audit events that change a file system, and which argument is the place."""
_watched: list[tuple[tuple[Path, ...], list[Path]]] = []


def written(event: str, arguments: tuple[Any, ...]) -> Path | None:
    """Return the place that an audit event changes, None where it changes nothing of ours."""
    if event == "open":
        place, folder = arguments[0], -1
        if not arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC):
            return None
    elif event in _WRITES:
        place, folder = arguments[_WRITES[event]], arguments[-1]
    else:
        return None
    if not isinstance(place, str | bytes | os.PathLike) or os.fsdecode(place) == os.devnull:
        return None
    here = "."  # a place may be told from an open folder
    if event != "os.truncate" and isinstance(folder, int) and folder >= 0:
        here = f"/proc/self/fd/{folder}"
    path = Path(os.path.normpath(Path(here).resolve() / os.fsdecode(place)))
    return None if "__pycache__" in path.parts else path  # Python's own


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if _watched and (path := written(event, arguments)):
        for allowed, found in _watched:
            if not any(path.is_relative_to(each) for each in allowed):
                found.append(path)


@contextmanager
def witness(*allowed: Path) -> Iterator[list[Path]]:
    """Yield a list of every file or folder that this process writes outside of some folders."""
    if not _installed:
        sys.addaudithook(_hook)
        _installed.append(_hook)
    entry: tuple[tuple[Path, ...], list[Path]] = (allowed, [])
    _watched.append(entry)
    try:
        yield entry[1]
    finally:
        _watched.remove(entry)


_installed: list[Any] = []
