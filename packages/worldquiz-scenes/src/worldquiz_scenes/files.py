"""Reading of untrusted files within limits, and atomic writing.

Only ordinary files of at most `MOST_BYTES` are read. A path that comes from a file is used only if
`beneath` accepts it; a path inside an archive is never used. Sizes are checked before anything is
unpacked or decoded. An error names the file, the location in it, the problem and a fix. A file is
written under a temporary name beside it, flushed and renamed, so a reader never sees half a file.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
import shutil
import stat
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from worldquiz_scenes.arrays import Picture, np
from worldquiz_scenes.errors import FileError

MOST_BYTES = 512 * 2**20  # most bytes of a file that is read, and of its unpacked content
MOST_ENTRIES = 20_000  # most files in an archive
MOST_PIXELS = 64 * 2**20  # most pixels that a picture may declare
SIDE = 512  # pixels along the longer side of a texture that is kept
_DAMAGED = (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, ValueError)
_FORMATS = ("PNG", "JPEG", "BMP", "GIF", "TIFF", "WEBP", "TGA")
_PLAIN = re.compile(r"(?!.*[ .]$)\w[\w .,+()-]{0,99}")


def beneath(path: object, where: object, parts: int = 9) -> str:
    """Return a relative path that a file contains, if it has at most `parts` safe names.

    A safe name has letters of any language, digits, ``_-+,()``, and blanks and dots inside it.
    Raises `FileError` for any other path; its message begins with `where`.
    """
    names = path.split("/") if isinstance(path, str) else []
    if not 0 < len(names) <= parts or not all(map(_PLAIN.fullmatch, names)):
        raise FileError(
            f"{where}: the name {ascii(path)[:60]} cannot be part of a path; it may contain "
            "letters, digits and .,+-_() only. Do not trust this file if you did not make it"
        )
    return "/".join(names)


def read_bytes(path: Path) -> bytes:
    """Return the bytes of an ordinary file within `MOST_BYTES`. Raises `FileError`."""
    try:
        if stat.S_IFMT(path.stat().st_mode) not in (stat.S_IFREG, stat.S_IFDIR):
            raise FileError(f"{path}: is not an ordinary file: choose another")
        with path.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except FileNotFoundError as error:
        raise FileError(f"{path}: no such file") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FileError(f"{path}: cannot read: {reason}") from error
    if len(data) > MOST_BYTES:
        raise FileError(f"{path}: is larger than {MOST_BYTES:,} bytes: use a smaller file")
    return data


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file whole, or raise `FileError` and leave the old file as it was."""
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
        raise FileError(f"{path}: cannot write: {reason}; the file is unchanged") from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


def write_folder(target: Path, fill: Callable[[Path], None]) -> None:
    """Fill a temporary folder and rename it to `target`, which appears whole or not at all."""
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
        raise FileError(f"{target}: cannot write: {reason}; the folder is unchanged") from error


def digest(*parts: bytes | str) -> str:
    """Return the SHA-256 of parts and their lengths, so that "ab", "c" and "a", "bc" differ."""
    total = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        total.update(len(data).to_bytes(8, "big") + data)
    return total.hexdigest()


def refused(file: Path | str, where: str, problem: str, way: str) -> FileError:
    """Return an error that names the file, the location in it, the problem and a fix (`way`)."""
    place = f"{file}: {where}: " if where else f"{file}: "
    return FileError(f"{place}{problem}: {way}")


class Archive:
    """An archive whose files are read into memory by name, within limits."""

    def __init__(self, path: Path) -> None:
        self.path, data = path, read_bytes(path)
        try:
            self._zip = zipfile.ZipFile(BytesIO(data))
        except _DAMAGED as error:
            raise refused(
                path, "", f"is not a zip archive, or was cut short ({error})", "save it again"
            ) from error
        self._info = {info.filename: info for info in self._zip.infolist()}
        total = sum(each.file_size for each in self._info.values())
        way = "remove what is not needed"
        if len(self._info) > MOST_ENTRIES:
            what = f"holds {len(self._info):,} files; the limit is {MOST_ENTRIES:,}"
            raise refused(path, "", what, way)
        if total > MOST_BYTES:
            raise refused(path, "", f"unpacks to {total:,} bytes, more than {MOST_BYTES:,}", way)

    def __contains__(self, name: str) -> bool:
        return name in self._info

    def read(self, name: str, wanted_by: str = "") -> bytes:
        """Return the bytes of a file. Raises `FileError` if it is missing or damaged."""
        where = f"{wanted_by}: entry {name!r}" if wanted_by else f"entry {name!r}"
        if name not in self._info:
            raise refused(self.path, where, "is missing", "save it again with all its models")
        if self._info[name].flag_bits & 1:
            raise refused(self.path, where, "is encrypted", "save it without a password")
        try:
            return self._zip.read(name)
        except _DAMAGED as error:
            raise refused(self.path, where, f"is damaged ({error})", "save it again") from error


@contextmanager
def opened(data: bytes, file: Path | str, where: str) -> Iterator[Any]:
    """Yield a picture whose declared size was checked, so that it may be decoded.

    Raises `FileError` for data that is not a picture or declares too many pixels.
    """
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            image = Image.open(BytesIO(data), formats=_FORMATS)
        declared = image.width * image.height
    except Image.DecompressionBombError:
        declared = MOST_PIXELS + 1
    except (OSError, SyntaxError, ValueError) as error:
        way = "save its textures as PNG or JPEG"
        raise refused(file, where, "is not a picture", way) from error
    if declared > MOST_PIXELS:
        what = f"declares more than {MOST_PIXELS:,} pixels; it was not decoded"
        raise refused(file, where, what, f"scale it down to {SIDE} px")
    try:
        yield image
    except (OSError, SyntaxError, ValueError) as error:
        raise refused(file, where, f"cannot be decoded ({error})", "save it again") from error


def shrunk(image: Any) -> Picture:
    """Return a picture of `SIDE` px (height x width x 3); transparent parts get its mean colour."""
    image.draft("RGB", (SIDE, SIDE))
    full = image.convert("RGBA")
    full.thumbnail((SIDE, SIDE))
    pixels = np.asarray(full, np.float64)
    cover = pixels[..., 3:] / 255
    weight = float(cover.sum())
    even = (pixels[..., :3] * cover).sum(axis=(0, 1)) / weight if weight else np.full(3, 200.0)
    return (pixels[..., :3] * cover + even * (1 - cover) + 0.5).astype(np.uint8)
