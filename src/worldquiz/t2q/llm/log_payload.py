"""A world's records as one piece of text, to travel in an eval log."""

from __future__ import annotations

import base64
import json
import tempfile
import zlib
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError
from worldquiz.t2q.store import Played, read_played, write_played

RECORDS = "worldquiz"
"""Where a sample's metadata keeps its packed records."""


def pack(played: Played) -> str:
    """Return a world of a run as text: its files, compressed. Equal worlds, equal texts."""
    with tempfile.TemporaryDirectory(prefix="worldquiz-") as name:
        folder = Path(name)
        write_played(folder, played)
        files = {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.iterdir())}
    data = json.dumps(files, sort_keys=True, ensure_ascii=False).encode()
    return base64.b64encode(zlib.compress(data, 9)).decode()


def unpack(text: Any, place: str) -> Played:
    """Return what `pack` packed. Raises `RecordError`, naming `place`, for anything else."""
    if not isinstance(text, str):
        raise RecordError(f"{place}: it holds no records of a world: it was not finished")
    try:
        files = json.loads(zlib.decompress(base64.b64decode(text, validate=True)))
    except (ValueError, zlib.error) as error:
        raise RecordError(f"{place}: its records cannot be unpacked: {error}") from error
    with tempfile.TemporaryDirectory(prefix="worldquiz-") as name:
        folder = Path(name)
        for file, content in files.items():
            (folder / Path(file).name).write_text(content, encoding="utf-8")
        return read_played(folder)
