"""The pictures of a folder of generated tasks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldquiz.errors import RecordError
from worldquiz.extras import need
from worldquiz.records import read_bytes
from worldquiz.scenes.view import View
from worldquiz.tea.data import Folder

if TYPE_CHECKING:
    from worldquiz.tea.encode import Picture


def opened(folder: Folder, view: View) -> Picture:
    """Return what a view looks like: height x width x 3. Raises `RecordError`, `MissingExtra`."""
    import numpy

    path = _place(folder, view)
    try:
        with pillow().open(path) as image:
            return numpy.asarray(image.convert("RGB"))
    except OSError as error:
        raise RecordError(f"{path}: is no picture: {error}") from error


def picture(folder: Folder, view: View) -> bytes:
    """Return a view's picture as the bytes of a PNG. Raises `RecordError`."""
    return read_bytes(_place(folder, view))


def _place(folder: Folder, view: View) -> Path:
    if "rgb" not in view.files:
        raise RecordError(
            f"{folder.path}: view {view.id} has no picture in colours: generate with --pictures rgb"
        )
    return folder.path / view.files["rgb"]


def pillow() -> Any:
    """Return the library that reads and draws pictures. Raises `MissingExtra`."""
    return need("PIL.Image", extra="scene", library="pillow")
