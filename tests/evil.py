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


def _based(place: str, folder: Any) -> Path:
    """Return a place in full; it may be told from an open folder."""
    here = f"/proc/self/fd/{folder}" if isinstance(folder, int) and folder >= 0 else "."
    return Path(os.path.normpath(Path(here).resolve() / place))


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if not _watched:
        return
    if event == "open":
        place, _, flags = arguments
        arguments = (-1,)
        if not flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC):
            return
    elif event in _WRITES:
        place = arguments[_WRITES[event]]
    else:
        return
    if not isinstance(place, str | bytes | os.PathLike) or os.fsdecode(place) == os.devnull:
        return
    path = _based(os.fsdecode(place), arguments[-1] if event != "os.truncate" else -1)
    if "__pycache__" in path.parts:  # Python's own
        return
    for allowed, found in _watched:
        if not any(path.is_relative_to(each) for each in allowed):
            found.append(path)


@contextmanager
def witness(*allowed: Path) -> Iterator[list[Path]]:
    """Yield a list of every file or folder that this process writes outside of some folders."""
    if _hook not in _installed:
        sys.addaudithook(_hook)
        _installed.append(_hook)
    entry: tuple[tuple[Path, ...], list[Path]] = (allowed, [])
    _watched.append(entry)
    try:
        yield entry[1]
    finally:
        _watched.remove(entry)


_installed: list[Any] = []
