"""Limits for input files, which are untrusted.

Sizes are checked before anything is unpacked or decoded, and names inside an archive are never used
as paths on disk. An error names the file, the place in it, the problem and a way out.
"""

from __future__ import annotations

import warnings
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

from worldquiz_scenes.arrays import Picture, np
from worldquiz_scenes.errors import FileError
from worldquiz_scenes.files import MOST_BYTES, read_bytes

MOST_ENTRIES = 20_000  # files in an archive
MOST_PIXELS = 64 * 2**20  # pixels that a picture may declare
SIDE = 512  # pixels along the longer side of a texture as it is kept
MOST_FACES = 2_000_000  # triangles of a scene
_DAMAGED = (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, ValueError)
_FORMATS = ("PNG", "JPEG", "BMP", "GIF", "TIFF", "WEBP", "TGA")


def refused(file: Path | str, where: str, problem: str, way: str) -> FileError:
    """Return the error that names file, place, problem and way out."""
    place = f"{file}: {where}: " if where else f"{file}: "
    return FileError(f"{place}{problem}: {way}")


class Archive:
    """An archive whose files are read into memory, by their names, within limits."""

    def __init__(self, path: Path) -> None:
        self.path, data = path, read_bytes(path)
        try:
            self._zip = zipfile.ZipFile(BytesIO(data))
        except _DAMAGED as error:
            raise refused(
                path, "", f"is not a zip archive, or was cut short ({error})", "save it again"
            ) from error
        self._info = {info.filename: info for info in self._zip.infolist()}
        total, way = (
            sum(info.file_size for info in self._info.values()),
            "remove what is not needed",
        )
        if len(self._info) > MOST_ENTRIES:
            what = f"holds {len(self._info):,} files; the limit is {MOST_ENTRIES:,}"
            raise refused(path, "", what, way)
        if total > MOST_BYTES:
            raise refused(path, "", f"unpacks to {total:,} bytes, more than {MOST_BYTES:,}", way)

    def __contains__(self, name: str) -> bool:
        return name in self._info

    def read(self, name: str, wanted_by: str = "") -> bytes:
        """Return one file's bytes. Raises `FileError` for one that is missing or damaged."""
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
    """Yield a picture that may be decoded: its declared size was looked at first.

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
        raise refused(file, where, what, f"scale it down ({SIDE} px are kept)")
    try:
        yield image
    except (OSError, SyntaxError, ValueError) as error:
        raise refused(file, where, f"cannot be decoded ({error})", "save it again") from error


def shrunk(image: Any) -> Picture:
    """Return a picture at most `SIDE` px long: height x width x 3, its holes filled evenly."""
    image.draft("RGB", (SIDE, SIDE))
    full = image.convert("RGBA")
    full.thumbnail((SIDE, SIDE))
    pixels = np.asarray(full, np.float64)
    cover = pixels[..., 3:] / 255
    weight = float(cover.sum())
    even = (pixels[..., :3] * cover).sum(axis=(0, 1)) / weight if weight else np.full(3, 200.0)
    return (pixels[..., :3] * cover + even * (1 - cover) + 0.5).astype(np.uint8)
