"""Validation of files from elsewhere: bounded sizes, plain names, and JSON within limits.

People pass on suites, mazes, scenes, runs and logs, so whoever wrote one may mean harm. A digest in
a manifest guards against accidents alone: its writer computed it. So the law is: a name that a file
tells becomes part of a path only as `plain_name` or `beneath` returned it; a file is read only if
it is an ordinary one of at most `MOST_BYTES`; packed data are unpacked up to a limit; and JSON is
read by `loads`, which raises nothing but `ValueError`.
"""

from __future__ import annotations

import json
import os
import re
import stat
import tomllib
import unicodedata
import zlib
from collections.abc import Iterable
from math import isinf
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError

MOST_BYTES = 512 * 2**20
"""Bytes of a file that is read whole, and of what it unpacks to."""
MOST_DEPTH = 100
"""How deep lists and objects of a JSON document may be nested."""
MOST_DIGITS = 300
"""Digits of a whole number: every such number is a finite float."""
MOST_RECORDS = 5_000_000
"""Records of a file."""
MOST_FILES = 1_000_000
"""Files of a folder."""
LONGEST_NAME = 200
"""Bytes of a name; file systems take 255, and temporary neighbours have longer names."""

_SHORTEST_KEY = 8
_KEYS = ("_API_KEY", "_TOKEN", "_SECRET")
"""Ends of the names of environment variables that hold keys."""
_DEEP = f"is nested more than {MOST_DEPTH} deep, which is the limit"
_LONG, _LARGE = re.compile(rf"\d{{{MOST_DIGITS + 1}}}"), re.compile(r"\d[eE]\+?\d{3}")
_PART, _DOT = r"""(?:"(?:[^\\"\n]|\\.?)*+"?|'[^'\n]*+'?|[A-Za-z0-9_-]++)""", r"[ \t]*+\.[ \t]*+"
_TOML_KEY = re.compile(
    r'"""(?:[^\\"]|\\.?|"(?!""))*+(?:"{3,5}|\Z)'  # a text of several lines: its dots are no key's
    r"|'''(?:[^']|'(?!''))*+(?:'{3,5}|\Z)"
    r"|\#[^\n]*+"
    rf"|{_PART}(?:{_DOT}{_PART}){{0,{MOST_DEPTH - 1}}}+(?P<more>{_DOT}{_PART})?",
    re.DOTALL,
)
"""A key, or what stands where a key may; `more` holds the part that is one too many."""
_ODD = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""Categories of Unicode that are not seen: controls, directions of writing, broken characters."""
_DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?", re.IGNORECASE)
_DRIVE = re.compile(r"[A-Za-z]:")
_SHOWN = 40


def plain_name(name: object, where: object) -> str:
    """Return a name that may become one part of a path, on any system.

    Raises `RecordError`, which says `where` it stands, for any other.
    """
    problem = "is no text" if not isinstance(name, str) else _unfit(name)
    if problem:
        raise RecordError(
            f"{where}: the name {_short(name)} {problem}: it would become part of a path: do not "
            "trust this file, or rename what it names"
        )
    return str(name)


def plain_names(names: Iterable[object], where: object) -> tuple[str, ...]:
    """Return names that may become files side by side: plain ones, no two of them alike.

    Names are alike that differ in case only, or in how Unicode writes the same letters.
    """
    found: dict[str, str] = {}
    for each in names:
        name = plain_name(each, where)
        other = found.setdefault(unicodedata.normalize("NFKC", name).casefold(), name)
        if other is not name:
            raise RecordError(
                f"{where}: the names {_short(other)} and {_short(name)} are one file on some "
                "systems: rename one"
            )
    return tuple(found.values())


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
        (any(unicodedata.category(letter) in _ODD for letter in name), "holds unseen characters"),
        (_DRIVE.match(name), "begins like a drive"),
        (_DEVICE.fullmatch(name), "is reserved for a device"),
        (len(name.encode(errors="replace")) > LONGEST_NAME, f"has over {LONGEST_NAME} bytes"),
    )
    return next((problem for wrong, problem in rules if wrong), None)


def _short(value: object) -> str:
    shown = ascii(value[: _SHOWN + 1]) if isinstance(value, str) else type(value).__name__
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}..."


def no_link_out(path: Path, root: Path) -> None:
    """Raise `RecordError` for a link that leads out of a folder, whose real path is `root`."""
    if path.is_symlink() and not path.resolve().is_relative_to(root):
        raise RecordError(
            f"{path}: is a link out of the folder: put the file itself there (`cp -rL`)"
        )


def read(path: Path, most: int = MOST_BYTES) -> bytes:
    """Return the bytes of an ordinary file of at most so many; a device or pipe might never end.

    Raises `RecordError`.
    """
    try:
        kind = stat.S_IFMT(path.stat().st_mode)
        if kind not in (stat.S_IFREG, stat.S_IFDIR):
            raise RecordError(f"{path}: is no ordinary file: choose another")
        with path.open("rb") as stream:
            data = stream.read(most + 1)
    except FileNotFoundError as error:
        raise RecordError(f"{path}: no such file") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise RecordError(f"{path}: cannot read: {reason}") from error
    if len(data) > most:
        raise RecordError(f"{path}: is larger than {most:,} bytes, which is the limit")
    return data


def inflated(data: bytes, where: object, most: int = MOST_BYTES) -> bytes:
    """Return what zlib packed. Raises `RecordError` where that is damaged, or more than `most`.

    `where` says what is packed, in the plural: "log: its records".
    """
    try:
        found = zlib.decompressobj().decompress(data, most + 1)
    except zlib.error as error:
        raise RecordError(f"{where} cannot be unpacked: {error}") from error
    if len(found) > most:
        raise RecordError(f"{where} unpack to more than {most:,} bytes, which is the limit")
    return found


def loads(text: str | bytes) -> Any:
    """Return a JSON document within the limits. Raises `ValueError`, and nothing else.

    There is no NaN, no infinite number and no half of a character in it.
    """
    if isinstance(text, bytes):
        text = text.decode()
    hooks: dict[str, Any] = {}
    if doubtful(text):
        hooks = {"parse_int": _number, "parse_float": _finite, "parse_constant": _constant}
    try:
        found = json.loads(text, **hooks)
    except RecursionError as error:
        raise ValueError(_DEEP) from error
    _check_depth(found)
    if "\\ud" in text.lower():
        json.dumps(found, ensure_ascii=False).encode()  # UnicodeEncodeError, a ValueError
    return found


def toml(text: str) -> dict[str, Any]:
    """Return a TOML document nested no deeper than JSON may be. Raises `ValueError` alone.

    Python's parser takes quadratic time for a key of many parts, so these are looked for before.
    """
    if any(key["more"] for key in _TOML_KEY.finditer(text)):
        raise ValueError(_DEEP)
    try:
        found = tomllib.loads(text)
    except RecursionError as error:
        raise ValueError(_DEEP) from error
    _check_depth(found)
    return found


def doubtful(text: str) -> bool:
    """Tell whether a text may hold a number beyond the limits, or what is no number."""
    return bool("NaN" in text or "Infinity" in text or _LONG.search(text) or _LARGE.search(text))


def _check_depth(found: Any) -> None:
    level = [found]
    for _ in range(MOST_DEPTH + 1):
        level = [
            inner
            for each in level
            if isinstance(each, dict | list)
            for inner in (each.values() if isinstance(each, dict) else each)
        ]
        if not level:
            return
    raise ValueError(_DEEP)


def _finite(number: str) -> float:
    if isinf(found := float(number)):
        raise ValueError(f"holds {number[:_SHOWN]}, which is larger than any number we keep")
    return found


def _number(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"holds a number of more than {MOST_DIGITS} digits, which is the limit")
    return int(digits)


def _constant(name: str) -> float:
    raise ValueError(f"holds {name}, which is no number of JSON")


def scrub(text: str, *keys: str) -> str:
    """Return a text without the keys of this process, those of its environment among them."""
    held = (value for name, value in os.environ.items() if name.endswith(_KEYS))
    for key in {*keys, *held}:
        if len(key) >= _SHORTEST_KEY:
            text = text.replace(key, "(key)")
    return text
