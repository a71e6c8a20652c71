"""What a stranger may put where a name belongs, and a witness of what is written where."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = (
    "", ".", "..", "../up", "../../../pwned", "/tmp/worldquiz-pwned", "a/b", "a\\b", "..\\up",
    "C:", "c:\\x", "nul\0", "a\nb", "\x1b[31m", "\x07", "\x9b", "con", "CON", "nul.txt", "COM1",
    ".hidden", "x.", "x ", " x", "é" * 150, "\ud800", "a\u202eb", "a\u200bb",
)  # fmt: skip
"""Names that lead elsewhere on some system, or look like another name."""

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
