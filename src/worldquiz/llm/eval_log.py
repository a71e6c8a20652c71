"""Evaluation logs of inspect from elsewhere: looked at before inspect opens them.

inspect unpacks a part of a log whole, whatever its size, and its readers raise whatever they meet.
So the parts of a log are unpacked here once, without being kept, to see that they end.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from worldquiz.errors import RecordError, WorldquizError
from worldquiz.trust import MOST_BYTES, MOST_RECORDS

if TYPE_CHECKING:
    from inspect_ai.log import EvalError

MOST_UNPACKED = 16 * MOST_BYTES
"""Bytes that all parts of a log unpack to."""
_CHUNK = 2**16
_HEADER = 30
"""Bytes of what stands before a part, without the names."""
_ZSTANDARD = 93


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Let inspect read a log. Raises `RecordError`, whatever the log makes inspect raise."""
    try:
        _check_size(path)
        yield
    except WorldquizError:
        raise
    except Exception as error:  # of any parser that inspect uses
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise RecordError(f"{path}: is no log of inspect: {reason}") from error


def reason(error: EvalError | None) -> str:
    """Return in one line what went wrong; behind a `RetryError` that is the error retried."""
    if error is None:
        return "no reason on record"
    named = re.findall(r"^[\w.]+(?:Error|Exception|Timeout)\b.*", error.traceback, re.MULTILINE)
    told = [line for line in named if "RetryError" not in line]
    return str((told or [error.message])[-1]).strip()


def _check_size(path: Path) -> None:
    """Raise `RecordError` for a log that is larger than its limits, unpacked or not."""
    if not path.is_file():
        raise RecordError(f"{path}: is no file: give an evaluation log of inspect")
    if not zipfile.is_zipfile(path):
        _within(path.stat().st_size, MOST_BYTES, path)
        return
    total = 0
    with zipfile.ZipFile(path) as archive, path.open("rb") as stream:
        parts = archive.infolist()
        if len(parts) > MOST_RECORDS:
            raise RecordError(f"{path}: has {len(parts):,} parts; the limit is {MOST_RECORDS:,}")
        for part in parts:
            size = 0
            for chunk in _unpacked(part, stream):
                size += len(chunk)
                _within(size, MOST_BYTES, f"{path}: part {part.filename!r}")
            total += size
            _within(total, MOST_UNPACKED, path)


def _within(size: int, most: int, what: object) -> None:
    if size > most:
        raise RecordError(f"{what}: is larger than {most:,} bytes, which is the limit")


def _unpacked(part: zipfile.ZipInfo, stream: IO[bytes]) -> Iterator[bytes]:
    """Yield what a part holds, piece by piece, whatever size the archive states."""
    stream.seek(part.header_offset)
    head = stream.read(_HEADER)
    stream.seek(int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little"), 1)
    packed = _Part(stream, part.compress_size)
    match part.compress_type:
        case zipfile.ZIP_STORED:
            yield from iter(lambda: packed.read(_CHUNK), b"")
        case zipfile.ZIP_DEFLATED:
            yield from _inflated(packed)
        case _ if part.compress_type == _ZSTANDARD:
            import zstandard

            source: Any = packed
            reader = zstandard.ZstdDecompressor().stream_reader(source, read_across_frames=True)
            yield from iter(lambda: reader.read(_CHUNK), b"")
        case kind:
            raise RecordError(f"part {part.filename!r} is packed by method {kind}: not by inspect")


class _Part:
    """So many bytes of a stream."""

    def __init__(self, stream: IO[bytes], size: int) -> None:
        self._stream, self._left = stream, size

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes, none at the end."""
        data = self._stream.read(min(size, self._left) if size >= 0 else self._left)
        self._left -= len(data)
        return data


def _inflated(packed: _Part) -> Iterator[bytes]:
    unpack: Any = zlib.decompressobj(-zlib.MAX_WBITS)
    while (data := unpack.unconsumed_tail or packed.read(_CHUNK)) and not unpack.eof:
        yield unpack.decompress(data, _CHUNK)
