"""Files read within limits, as whoever wrote them may mean harm, and written whole or not at all.

A file is read only if it is an ordinary one of at most `MOST_BYTES`, and a name that a file tells
becomes part of a path only as `plain_name` or `beneath` returned it. Writing goes to a temporary
neighbour that is flushed and renamed, so a reader never meets half a file.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import secrets
import shutil
import stat
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from worldquiz_scenes.errors import FileError

MOST_BYTES = 512 * 2**20
"""Bytes of a file that is read, and of what it unpacks to."""
MOST_DIGITS = 300
"""Digits of a whole number in JSON: every such number is a finite float."""
LONGEST_NAME = 200
"""Bytes of a name; file systems take 255, and temporary neighbours have longer names."""
_UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""Categories of Unicode that are not seen: controls, directions of writing, broken characters."""
_DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?", re.IGNORECASE)
_SHOWN = 40


def plain_name(name: object, where: object) -> str:
    """Return a name that may become one part of a path, on any system.

    Raises `FileError`, which says `where` it stands, for any other.
    """
    problem = _unfit(name) if isinstance(name, str) else "is no text"
    if problem:
        shown = ascii(name[: _SHOWN + 1]) if isinstance(name, str) else type(name).__name__
        shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}..."
        raise FileError(
            f"{where}: the name {shown} {problem}: it would become part of a path: do not trust "
            "this file, or rename what it names"
        )
    return str(name)


def beneath(path: object, where: object) -> str:
    """Return a relative path, as a file tells it, all of whose parts are plain names."""
    for part in path.split("/") if isinstance(path, str) else [path]:
        plain_name(part, where)
    return str(path)


def _unfit(name: str) -> str | None:
    """Return why a name may not become part of a path, None if it may."""
    rules = (
        (not name, "is empty"),
        ("/" in name or "\\" in name, "holds a separator"),
        (name.startswith("."), "begins with a dot"),
        (name != name.strip() or name.endswith("."), "begins or ends with a blank or dot"),
        (any(unicodedata.category(sign) in _UNSEEN for sign in name), "holds unseen characters"),
        (re.match("[A-Za-z]:", name), "begins like a drive"),
        (_DEVICE.fullmatch(name), "is reserved for a device"),
        (len(name.encode(errors="replace")) > LONGEST_NAME, f"has over {LONGEST_NAME} bytes"),
    )
    return next((problem for wrong, problem in rules if wrong), None)


def read_bytes(path: Path) -> bytes:
    """Return the bytes of an ordinary file within `MOST_BYTES`. Raises `FileError`."""
    try:
        kind = stat.S_IFMT(path.stat().st_mode)
        if kind not in (stat.S_IFREG, stat.S_IFDIR):
            raise FileError(f"{path}: is no ordinary file: choose another")
        with path.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except FileNotFoundError as error:
        raise FileError(f"{path}: no such file") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FileError(f"{path}: cannot read: {reason}") from error
    if len(data) > MOST_BYTES:
        raise FileError(f"{path}: is larger than {MOST_BYTES:,} bytes, which is the limit")
    return data


def read_json(path: Path) -> Any:
    """Return a JSON document of finite numbers and whole characters. Raises `FileError`."""
    try:
        text = read_bytes(path).decode()
        found = json.loads(text, parse_int=_number, parse_constant=_constant)
        if "\\ud" in text.lower():
            json.dumps(found, ensure_ascii=False).encode()  # half a character is a ValueError
    except (ValueError, RecursionError) as error:
        problem = "is nested too deep" if isinstance(error, RecursionError) else error
        raise FileError(
            f"{path}: {problem}; the file is cut short or damaged: restore it, or delete it and "
            "give the command that wrote it again"
        ) from error
    return found


def _number(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"holds a number of more than {MOST_DIGITS} digits, which is the limit")
    return int(digits)


def _constant(name: str) -> float:
    raise ValueError(f"holds {name}, which is no number of JSON")


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all. Raises `FileError`."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file whole or not at all. Raises `FileError`; an old file then stays."""
    with whole_file(path) as stream:
        stream.write(data)


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Yield a stream to a temporary neighbour; at the end it is flushed to disk and renamed.

    Nothing is changed where the block fails. Raises `FileError` where the system refuses.
    """
    temporary = _aside(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(0o644)
        temporary.replace(path)
    except OSError as error:
        reason = error.strerror or error
        raise FileError(f"{path}: cannot write: {reason}; the file is as it was") from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


def write_folder(target: Path, fill: Callable[[Path], None]) -> None:
    """Fill a folder aside and rename it into place: it appears whole or not at all."""
    if target.exists() and not target.is_dir():
        raise FileError(f"{target}: cannot write: it is no folder; choose another")
    aside = _aside(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        aside.mkdir(0o700)
        fill(aside)
        aside.chmod(0o755)
        if target.exists():
            shutil.rmtree(target)
        aside.replace(target)
    except OSError as error:
        raise FileError(
            f"{target}: cannot write: {error.strerror or error}; the folder is as it was"
        ) from error
    except FileError as error:
        raise FileError(str(error).replace(str(aside), str(target))) from error
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _aside(path: Path) -> Path:
    """Draw the name of a temporary neighbour, known before it is made, so that none stays."""
    return path.parent / f".{path.name}.{secrets.token_hex(4)}"


def digest(*parts: bytes | str) -> str:
    """Return the SHA-256 of the parts, each with its length before it (no two splits collide)."""
    total = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        total.update(len(data).to_bytes(8, "big") + data)
    return total.hexdigest()
