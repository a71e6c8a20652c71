"""Records on disk: JSONL with a schema version in its first line, written whole or not at all.

A file ``quiz.jsonl`` begins with ``{"records": 35, "schema": "worldquiz/question", "version": 1}``;
each further line is one record, so a file cut short is noticed wherever the cut falls. Writing goes
to a temporary neighbour that is flushed and renamed, so a reader never meets half a file and a full
disk loses nothing. Errors name ``file:line`` and the way out.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar, cast

from worldquiz import trust
from worldquiz.errors import RecordError

if TYPE_CHECKING:
    from pydantic import TypeAdapter, ValidationError

SCHEMA_VERSION = 1
_AGAIN = "restore the file, or delete it and give the command that wrote it again"
_SHOWN = 40
"""Characters of a wrong value that an error shows."""

_LONE = re.compile("[\ud800-\udfff]")

T = TypeVar("T")


class Told(dict[Any, Any]):
    """Dict of a file's content that raises `RecordError`, with file and key, not `KeyError`."""

    def __init__(self, told: Mapping[Any, Any], where: object) -> None:
        super().__init__(
            (key, Told(value, where) if isinstance(value, dict) else value)
            for key, value in told.items()
        )
        self.where = where  # the file, with the line

    def __missing__(self, key: object) -> Any:
        name = "/".join(map(str, key)) if isinstance(key, tuple) else key
        raise RecordError(f"{self.where}: has no {name!r}: it is damaged: {_AGAIN}")


@cache
def _adapter(record: Any) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter  # a tenth of a second, and many commands read no record

    return TypeAdapter(record)


def dumps(record: object, kind: Any) -> str:
    """Return one record as one line of JSON with sorted keys: equal records, equal bytes."""
    plain = _adapter(kind).dump_python(record, mode="json")
    return json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def loads(line: str | bytes, kind: Any, where: object) -> Any:
    """Return the record of one line. Raises `RecordError` that says `where` it stands."""
    from pydantic import ValidationError

    parsed(line, where)
    try:
        return _adapter(kind).validate_json(line)
    except ValidationError as error:
        raise RecordError(f"{where}: {fault(error)}: {_AGAIN}") from error


def printable(text: str) -> str:
    """Return a text that can be written: each half of a character becomes U+FFFD."""
    return _LONE.sub("\ufffd", text)


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all (temporary neighbour, flush to disk, rename)."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file whole or not at all.

    Raises `RecordError` where the system refuses (no space, no permission); an old file then stays.
    """
    with whole_file(path) as stream:
        stream.write(data)


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Yield a stream to a temporary neighbour; at the end it is flushed to disk and renamed.

    Nothing is changed where the block fails. Raises `RecordError` where the system refuses.
    """
    temporary = _aside(path)
    try:
        _check_target(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(0o644)
        temporary.replace(path)
    except OSError as error:
        reason = error.strerror or error
        raise RecordError(f"{path}: cannot write: {reason}; the file is as it was") from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


def _aside(path: Path) -> Path:
    """Draw the name of a temporary neighbour.

    It is known before the file is made, so that a signal at any moment leaves none behind.
    """
    return path.parent / f".{path.name}.{secrets.token_hex(4)}"


def _check_target(path: Path) -> None:
    """Raise `RecordError` for what would be replaced and is no file.

    Where it leads says nothing of a link to an open file, such as ``/dev/stdout``: the link itself
    would be replaced.
    """
    if path.is_symlink() and path.readlink().is_relative_to("/proc"):
        what = "a device or pipe"
    elif path.exists() and not path.is_file():
        what = "a folder" if path.is_dir() else "a device or pipe"
    else:
        return
    raise RecordError(f"{path}: cannot write: it is {what}; give the name of a file")


def write_folder(target: Path, fill: Callable[[Path], None]) -> None:
    """Fill a folder aside and rename it into place: it appears whole or not at all."""
    if target.exists() and not target.is_dir():
        raise RecordError(f"{target}: cannot write: it is no folder; choose another")
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
        raise RecordError(
            f"{target}: cannot write: {error.strerror or error}; the folder is as it was"
        ) from error
    except RecordError as error:
        raise RecordError(str(error).replace(str(aside), str(target))) from error
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def write_json(path: Path, value: object) -> None:
    """Write a JSON document for people too: indented, keys sorted."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, indent=2)
    write_text(path, text + "\n")


def read_json(path: Path) -> Any:
    """Read a JSON document. Raises `RecordError` naming the file, line and column."""
    try:
        return trust.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise RecordError(
            f"{path}:{error.lineno}:{error.colno}: {error.msg}; the file is cut short or damaged: "
            f"{_AGAIN}"
        ) from error
    except ValueError as error:
        raise RecordError(f"{path}: {error}: {_AGAIN}") from error


def parsed(text: str | bytes, where: object) -> Any:
    """Return a line of JSON. Raises `RecordError` that says `where` it stands."""
    try:
        return trust.loads(text)
    except ValueError as error:
        raise RecordError(
            f"{where}: is no JSON ({error}): cut short or damaged; {_AGAIN}"
        ) from error


def write_records(path: Path, schema: str, kind: Any, records: Iterable[object]) -> None:
    """Write records of one kind (a dataclass or a union of them) as JSONL."""
    lines = [dumps(record, kind) for record in records]
    header = {"records": len(lines), "schema": f"worldquiz/{schema}", "version": SCHEMA_VERSION}
    write_text(path, "\n".join([json.dumps(header), *lines]) + "\n")


def read_records(path: Path, schema: str, kind: Any) -> list[Any]:
    """Read what `write_records` wrote.

    Raises `RecordError` naming file and line: no such file, another schema or version, a line that
    is no record, or fewer lines than were written (a file cut short).
    """
    from pydantic import ValidationError

    text = read_text(path)
    lines, doubtful = text.split("\n"), trust.doubtful(text)
    promised = _check_header(path, lines[0], schema)
    adapter = _adapter(kind)
    records: list[Any] = []
    if lines[-1] or len(lines) - 2 != promised:
        raise RecordError(
            f"{path}:{len(lines)}: {len(lines) - 2} whole records of {promised}: the file is cut "
            f"short or damaged: {_AGAIN}"
        )
    for number, line in enumerate(lines[1:-1], start=2):
        if doubtful:
            parsed(line, f"{path}:{number}")
        try:
            records.append(adapter.validate_json(line))
        except ValidationError as error:
            raise RecordError(f"{path}:{number}: {fault(error)}: {_AGAIN}") from error
    return records


def check(text: str | bytes, kind: Any, where: object) -> None:
    """Raise `RecordError` where JSON is not of a kind: a text is no number, nor a number a text."""
    from pydantic import ValidationError

    parsed(text, where)
    try:
        _adapter(kind).validate_json(text, strict=True)
    except ValidationError as error:
        raise RecordError(f"{where}: {fault(error)}: {_AGAIN}") from error


def checked(value: object, kind: type[T]) -> T:
    """Return a value of a dataclass whose fields are of their types. Raises `TypeError`."""
    from pydantic import ValidationError

    if not isinstance(value, kind):
        raise TypeError(f"{value!r} is no {kind.__name__}")
    told = {name: getattr(value, name) for name in kind.__dataclass_fields__}  # type: ignore[attr-defined]
    try:
        _adapter(cast("Any", kind)).validate_python(told)
    except ValidationError as error:
        raise TypeError(f"{kind.__name__}: {fault(error)}") from error
    return value


def fault(error: ValidationError, *within: str) -> str:
    """Return the first thing that is wrong with a record, as ``kind: 'wher' is unknown``."""
    first = error.errors(include_url=False)[0]
    told, ctx = first["input"], first.get("ctx", {})
    place = [*within, *map(str, first["loc"])]
    match first["type"]:
        case "missing":
            what = "is missing"
        case "union_tag_invalid":
            place.append(ctx["discriminator"].strip("'"))
            what = f"{ctx['tag']!r} is unknown; known: {ctx['expected_tags']}"
        case "union_tag_not_found":
            place.append(ctx["discriminator"].strip("'"))
            what = "is missing"
        case "extra_forbidden" | "unexpected_keyword_argument":
            what = "is unknown"
        case "value_error":
            what = str(ctx["error"])
        case "json_invalid":
            what = f"is no JSON ({ctx['error']})"
        case "dataclass_type":
            what = "should be an object"
        case _:
            shown = repr(told)
            what = first["msg"].replace("Input should be", "should be")
            what = f"{what}, not {shown if len(shown) <= _SHOWN else shown[:_SHOWN] + '...'}"
    return f"{'.'.join(place) or 'record'}: {what}"


def _check_header(path: Path, line: str, schema: str) -> int:
    """Return how many records a header promises."""
    try:
        header = trust.loads(line)
    except ValueError:
        header = None
    if not isinstance(header, dict) or not isinstance(header.get("records"), int):
        raise RecordError(f"{path}:1: no schema line: not a worldquiz file, or cut short")
    if header["records"] > trust.MOST_RECORDS:
        raise RecordError(
            f"{path}:1: states {header['records']:,} records; the limit is {trust.MOST_RECORDS:,}"
        )
    if header.get("schema") != f"worldquiz/{schema}":
        raise RecordError(f"{path}:1: holds {header.get('schema')}, wanted worldquiz/{schema}")
    if header.get("version") != SCHEMA_VERSION:
        raise RecordError(
            f"{path}:1: schema version {header.get('version')}, this worldquiz reads "
            f"{SCHEMA_VERSION}: use the worldquiz that wrote it, or build again"
        )
    return int(header["records"])


def read_bytes(path: Path) -> bytes:
    """Read an ordinary file of at most `trust.MOST_BYTES`. Raises `RecordError`."""
    return trust.read(path)


def read_text(path: Path) -> str:
    """Read a file of text. Raises `RecordError` where it is none, or the system refuses."""
    try:
        return read_bytes(path).decode()
    except UnicodeDecodeError as error:
        raise RecordError(f"{path}: is no text (byte {error.start}): {_AGAIN}") from error


def digest(*parts: bytes | str) -> str:
    """Return the SHA-256 of the parts, each with its length before it (no two splits collide)."""
    total = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        total.update(len(data).to_bytes(8, "big") + data)
    return total.hexdigest()
