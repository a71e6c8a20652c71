"""Files read within limits, as whoever wrote them may mean harm, and written whole or not at all.

A file is read only if it is an ordinary one of at most `MOST_BYTES`, and a name that a file tells
becomes part of a path only if `beneath` returned it. Writing goes to a temporary neighbour that is
flushed and renamed, so a reader never meets half a file.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from worldquiz_scenes.errors import FileError

MOST_BYTES = 512 * 2**20  # bytes of a file that is read, and of what it unpacks to
_PLAIN = re.compile(r"(?!.*[ .]$)\w[\w .,+()-]{0,99}")


def beneath(path: object, where: object, parts: int = 9) -> str:
    """Return a relative path of at most so many plain names, as a file tells it.

    A plain name has letters of any language, digits and ``-.,+()``, and no blank or dot at an end.
    Raises `FileError`, which says `where` it stands, for any other.
    """
    names = path.split("/") if isinstance(path, str) else []
    if not 0 < len(names) <= parts or not all(map(_PLAIN.fullmatch, names)):
        raise FileError(
            f"{where}: the name {ascii(path)[:60]} would become part of a path, and is none of "
            "plain letters and digits: do not trust this file, or rename what it names"
        )
    return "/".join(names)


def read_bytes(path: Path) -> bytes:
    """Return the bytes of an ordinary file within `MOST_BYTES`. Raises `FileError`."""
    try:
        if stat.S_IFMT(path.stat().st_mode) not in (stat.S_IFREG, stat.S_IFDIR):
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


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file whole or not at all. Raises `FileError`; an old file then stays."""
    temporary = path.parent / f".{path.name}.{secrets.token_hex(4)}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("xb") as stream:
            stream.write(data)
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
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as aside:
            folder = Path(aside) / target.name
            folder.mkdir(0o755)
            fill(folder)
            if target.exists():
                shutil.rmtree(target)
            folder.replace(target)
    except OSError as error:
        reason = error.strerror or error
        raise FileError(f"{target}: cannot write: {reason}; the folder is as it was") from error


def digest(*parts: bytes | str) -> str:
    """Return the SHA-256 of the parts, each with its length before it (no two splits collide)."""
    total = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        total.update(len(data).to_bytes(8, "big") + data)
    return total.hexdigest()
