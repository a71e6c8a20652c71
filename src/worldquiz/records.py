"""Records on disk: JSONL with a schema version in its first line, written whole or not at all.

A file ``quiz.jsonl`` begins with ``{"records": 35, "schema": "worldquiz/question", "version": 1}``;
each further line is one record, so a file that was cut short is noticed. A file is written under a
temporary name beside it, flushed and renamed: a reader never sees half a file, and a full disk
loses nothing. Errors name ``file:line`` and the fix.

Suites, mazes, scenes, runs and logs are passed on, so their authors may be malicious. A digest in a
manifest protects only against accidents, since such an author would compute it anew. So a name from
a file becomes part of a path only if `plain_name` or `beneath` returned it. Only ordinary files of
at most `MOST_BYTES` are read. JSON is read by `loads`, which raises only `ValueError`.
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
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cache
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from worldquiz.errors import RecordError

if TYPE_CHECKING:
    from pydantic import TypeAdapter, ValidationError


MOST_BYTES = 512 * 2**20
"""Largest file that is read whole, in bytes."""
MOST_VALUES = 10_000_000
"""Most values of a JSON document; in memory, empty lists take thirty times their bytes on disk."""
MOST_FILES = 1_000_000
"""Most files of a folder."""
LONGEST_NAME = 200
"""Longest name in bytes: file systems allow 255, and temporary files get longer names."""

_SHORTEST_KEY = 8
_KEYS = ("_API_KEY", "_TOKEN", "_SECRET")
"""Ends of the names of environment variables that hold keys."""
_LARGE = re.compile(rb"\d{300}|\d[eE]\+?\d{3}")
"""Marks a number too large for a float."""
_ODD = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""Unicode categories of invisible letters: controls, directions of writing, broken characters."""
_DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?", re.IGNORECASE)
_DRIVE = re.compile(r"[A-Za-z]:")
_SHOWN = 40
"""Longest wrong value that an error shows, in characters."""
_AGAIN = "restore the file, or delete it and run the command that wrote it again"
_LONE = re.compile("[\ud800-\udfff]")
SCHEMA_VERSION = 1


def plain_name(name: object, where: object) -> str:
    """Return a name if it may become part of a path on any system.

    Raises `RecordError`, which says `where` the name was found, if it may not.
    """
    problem = "is not a text" if not isinstance(name, str) else _unfit(name)
    if problem:
        raise RecordError(
            f"{where}: the name {_short(name)} {problem}, and cannot be part of a path: rename "
            "it, or do not trust this file"
        )
    return str(name)


def plain_names(names: Iterable[object], where: object) -> tuple[str, ...]:
    """Return names if they may become files of one folder: all plain, and no two alike.

    Two names are alike if they differ only in case, or in how Unicode encodes the same letters.
    """
    found: dict[str, str] = {}
    for each in names:
        name = plain_name(each, where)
        other = found.setdefault(unicodedata.normalize("NFKC", name).casefold(), name)
        if other is not name:
            raise RecordError(
                f"{where}: the names {_short(other)} and {_short(name)} mean the same file on some "
                "systems: rename one"
            )
    return tuple(found.values())


def beneath(path: object, where: object) -> str:
    """Return a relative path from a file's content, if all of its parts are plain names."""
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
    """Raise `RecordError` for a link that leads out of the folder with the real path `root`."""
    if path.is_symlink() and not path.resolve().is_relative_to(root):
        raise RecordError(
            f"{path}: links to a file outside the folder: copy that file here (`cp -rL`)"
        )


def read_bytes(path: Path, most: int = MOST_BYTES) -> bytes:
    """Return the bytes of an ordinary file.

    Raises `RecordError` for more than `most` bytes, and for devices and pipes, which may never end.
    """
    try:
        kind = stat.S_IFMT(path.stat().st_mode)
        if kind not in (stat.S_IFREG, stat.S_IFDIR):
            raise RecordError(f"{path}: is not an ordinary file: choose another")
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


def loads(text: str | bytes) -> Any:
    """Return a JSON document. Raises `ValueError`, and nothing else.

    Invalid are NaN, numbers beyond the range of a float, unpaired surrogates, nesting beyond about
    200 levels, and more than `MOST_VALUES` values.
    """
    from pydantic_core import from_json

    data = text.encode() if isinstance(text, str) else text
    if sum(map(data.count, (b",", b"[", b"{"))) > MOST_VALUES:
        raise ValueError(f"holds more than {MOST_VALUES:,} values, which is the limit")
    found = from_json(data, allow_inf_nan=False)
    if _LARGE.search(data):
        json.loads(data, parse_int=_finite, parse_float=_finite)
    return found


def _finite(number: str) -> float:
    if not isfinite(found := float(number)):
        raise ValueError(f"holds {number[:_SHOWN]}, which is too large a number")
    return found


def scrub(text: str, *keys: str) -> str:
    """Return a text without the given API keys and those in this process's environment."""
    held = (value for name, value in os.environ.items() if name.endswith(_KEYS))
    for key in {*keys, *held}:
        if len(key) >= _SHORTEST_KEY:
            text = text.replace(key, "(key)")
    return text


class Told(dict[Any, Any]):
    """A dict from a file; a missing key raises a `RecordError` that names the file and the key."""

    def __init__(self, told: Mapping[Any, Any], where: object) -> None:
        super().__init__(
            (key, Told(value, where) if isinstance(value, dict) else value)
            for key, value in told.items()
        )
        self.where = where  # the file, with the line

    def __missing__(self, key: object) -> Any:
        name = "/".join(map(str, key)) if isinstance(key, tuple) else key
        raise RecordError(f"{self.where}: has no {name!r}, so it is damaged: {_AGAIN}")


@cache
def _adapter(record: Any) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter  # takes 0.1 s, and many commands read no record

    return TypeAdapter(record)


def dumps(record: object, kind: Any) -> str:
    """Return a record as one line of JSON with sorted keys; equal records give equal bytes."""
    plain = _adapter(kind).dump_python(record, mode="json")
    return json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def read_record(line: str | bytes, kind: Any, where: object) -> Any:
    """Return the record in one line. Raises `RecordError`, which says `where` the line is."""
    parsed(line, where)
    return _validated(line, kind, where)


def check(text: str | bytes, kind: Any, where: object) -> Any:
    """Return JSON that was strictly checked against a type: "1" is not a number, and 1 is not text.

    Raises `RecordError`.
    """
    found = parsed(text, where)
    _validated(text, kind, where, strict=True)
    return found


def _validated(text: str | bytes, kind: Any, where: object, *, strict: bool = False) -> Any:
    from pydantic import ValidationError

    try:
        return _adapter(kind).validate_json(text, strict=strict)
    except ValidationError as error:
        raise RecordError(f"{where}: {fault(error)}: {_AGAIN}") from error


def printable(text: str) -> str:
    """Return a text that can be encoded: lone surrogates become U+FFFD."""
    return _LONE.sub("\ufffd", text)


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all (temporary file beside it, flush to disk, rename)."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file whole or not at all.

    Raises `RecordError` if that fails (no space, no permission); an old file is then unchanged.
    """
    with whole_file(path) as stream:
        stream.write(data)


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Yield a stream to a temporary file that is flushed and renamed to `path` at the end.

    If the block fails, nothing is changed. Raises `RecordError` if the file cannot be written.
    """
    temporary = _aside(path)
    try:
        # A link to an open file, such as /dev/stdout, would itself be replaced.
        opened = path.is_symlink() and path.readlink().is_relative_to("/proc")
        if opened or (path.exists() and not path.is_file()):
            what = "a folder" if path.is_dir() else "a device or pipe"
            raise RecordError(f"{path}: cannot write: it is {what}; choose another name")
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(0o644)
        temporary.replace(path)
    except OSError as error:
        reason = error.strerror or error
        raise RecordError(f"{path}: cannot write: {reason}; the file is unchanged") from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


def _aside(path: Path) -> Path:
    """Return a random name for a temporary file beside a path.

    The name is known before the file is made, so a signal at any moment leaves no file behind.
    """
    return path.parent / f".{path.name}.{secrets.token_hex(4)}"


def write_folder(target: Path, fill: Callable[[Path], None]) -> None:
    """Fill a temporary folder and rename it to `target`, which appears whole or not at all."""
    if target.exists() and not target.is_dir():
        raise RecordError(f"{target}: cannot write: it is not a folder; choose another")
    aside = _aside(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        aside.mkdir(0o700)
        fill(aside)
        aside.chmod(0o755)
        remove_folder(target)
        aside.replace(target)
    except OSError as error:
        raise RecordError(
            f"{target}: cannot write: {error.strerror or error}; the folder is unchanged"
        ) from error
    except RecordError as error:
        raise RecordError(str(error).replace(str(aside), str(target))) from error
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def remove_folder(folder: Path) -> None:
    """Remove a folder by renaming it first, so that a killed process leaves no half of it."""
    aside = _aside(folder)
    with contextlib.suppress(FileNotFoundError):
        folder.replace(aside)
    shutil.rmtree(aside, ignore_errors=True)


def write_json(path: Path, value: object) -> None:
    """Write a JSON document that people can read, too: indented, with sorted keys."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, indent=2)
    write_text(path, text + "\n")


def read_json(path: Path) -> Any:
    """Read a JSON document. Raises `RecordError` naming the file, line and column."""
    return parsed(read_text(path), path)


def parsed(text: str | bytes, where: object) -> Any:
    """Return parsed JSON. Raises `RecordError`, which says `where` the text is."""
    try:
        return loads(text)
    except ValueError as error:
        raise RecordError(
            f"{where}: is not JSON ({error}): cut short or damaged; {_AGAIN}"
        ) from error


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a file of records."""

    records: int
    schema: str
    version: int


def write_records(path: Path, schema: str, kind: Any, records: Iterable[object]) -> None:
    """Write records of one kind (a dataclass or a union of them) as JSONL."""
    lines = [dumps(record, kind) for record in records]
    header = asdict(Header(len(lines), f"worldquiz/{schema}", SCHEMA_VERSION))
    write_text(path, "\n".join([json.dumps(header), *lines]) + "\n")


def read_records(path: Path, schema: str, kind: Any) -> list[Any]:
    """Read what `write_records` wrote.

    Raises `RecordError` with file and line for a missing file, another schema or version, a line
    that is not a record, and a number of lines other than was written.
    """
    lines = read_text(path).split("\n")
    header = read_record(lines[0], Header, f"{path}:1")
    if (header.schema, header.version) != (f"worldquiz/{schema}", SCHEMA_VERSION):
        raise RecordError(
            f"{path}:1: holds {header.schema}, version {header.version}, expected "
            f"worldquiz/{schema}, version {SCHEMA_VERSION}: use the version of worldquiz that "
            "wrote it, or build again"
        )
    if lines[-1] or len(lines) - 2 != header.records:
        raise RecordError(
            f"{path}:{len(lines)}: has {len(lines) - 2} of {header.records} records, so it is "
            f"cut short or damaged: {_AGAIN}"
        )
    return [
        read_record(line, kind, f"{path}:{number}")
        for number, line in enumerate(lines[1:-1], start=2)
    ]


def fault(error: ValidationError) -> str:
    """Return the first fault of a record: ``sex: Field required: {'kind': 'cat'}``.

    It names the field, then the fault in pydantic's words, then the value.
    """
    first = error.errors(include_url=False)[0]
    place, shown = ".".join(map(str, first["loc"])) or "record", repr(first["input"])
    told = first["msg"].removeprefix("Value error, ")
    return f"{place}: {told}: {shown if len(shown) <= _SHOWN else shown[:_SHOWN] + '...'}"


def read_text(path: Path) -> str:
    """Read a text file. Raises `RecordError` if it is not text, or cannot be read."""
    try:
        return read_bytes(path).decode()
    except UnicodeDecodeError as error:
        raise RecordError(f"{path}: is not text (byte {error.start}): {_AGAIN}") from error


def digest(*parts: bytes | str) -> str:
    """Return the SHA-256 of parts and their lengths, so that ("ab", "c") and ("a", "bc") differ."""
    total = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        total.update(len(data).to_bytes(8, "big") + data)
    return total.hexdigest()
