"""A file of lines that are kept as they come, and read back whatever happened to the file.

    1f2e3d4c 57 {"id": "q17", "reply": "attic", ...}

Before each line stand the CRC-32 of its bytes and their number. So a line that was torn by a kill
or a full disk, or damaged since, is recognized and left out, and all others are read: nobody has to
cut a file by hand. A write that fails is taken back. Journals of old have plain lines of JSON, and
are read too.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from zlib import crc32

from worldquiz.records import read_bytes, write_bytes

CALLS, SUFFIX = ".calls", ".journal"
"""Where calls of models are kept, in a file for each unit that is under way (`llm.calls`)."""
_HEAD = re.compile(rb"([0-9a-f]{8}) ([0-9]{1,10}) ")


def framed(line: bytes) -> bytes:
    """Return a line as a journal holds it."""
    return b"%08x %d %b\n" % (crc32(line), len(line), line)


def whole_lines(data: bytes) -> tuple[list[bytes], int]:
    """Return the lines of a journal that are whole, and how many gaps there are between them."""
    if data[:1] == b"{":
        *lines, torn = data.split(b"\n")
        return lines, int(bool(torn))
    found: list[bytes] = []
    gaps = place = end = 0
    while head := _HEAD.search(data, place):
        line = data[head.end() : head.end() + int(head[2])]
        if len(line) != int(head[2]) or b"%08x" % crc32(line) != head[1]:
            place = head.start() + 1
            continue
        gaps += head.start() > end + bool(found)  # after a line stands its end, damaged or not
        found.append(line)
        place = end = head.end() + len(line)
    return found, gaps + (len(data) > end + bool(found))


class JournalFile:
    """A journal that one process writes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.damaged = 0  # places where lines were lost

    def read(self) -> list[bytes]:
        """Return the whole lines; a file with anything else in it is written anew."""
        if not self.path.is_file():
            return []
        data = read_bytes(self.path)
        lines, self.damaged = whole_lines(data)
        self.write(lines, unless=data)
        return lines

    def write(self, lines: list[bytes], *, unless: bytes | None = None) -> None:
        """Write the whole file, unless it holds these very bytes."""
        data = b"".join(map(framed, lines))
        if data != unless:
            write_bytes(self.path, data)

    def append(self, line: bytes, *, sync: bool = False) -> None:
        """Add a line; with `sync` it is on the disk, also if the power fails.

        Raises `OSError` where it cannot be written, and then leaves the file as it was.
        """
        with self.path.open("ab", buffering=0) as stream:
            size = os.fstat(stream.fileno()).st_size
            data = memoryview(framed(line))
            try:
                while data:
                    data = data[stream.write(data) or 0 :]
                if sync:
                    os.fsync(stream.fileno())
            except OSError:
                stream.truncate(size)
                raise
