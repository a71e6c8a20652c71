"""The pictures of a folder of generated tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldquiz.errors import RecordError
from worldquiz.extras import need
from worldquiz.scenes.view import View
from worldquiz.tea.data import Folder

if TYPE_CHECKING:
    from worldquiz.tea.encode import Picture


def opened(folder: Folder, view: View) -> Picture:
    """Return what a view looks like: height x width x 3. Raises `RecordError`, `MissingExtra`."""
    import numpy

    if "rgb" not in view.files:
        raise RecordError(
            f"{folder.path}: view {view.id} has no picture in colours: generate with --pictures rgb"
        )
    path = folder.path / view.files["rgb"]
    try:
        with pillow().open(path) as image:
            return numpy.asarray(image.convert("RGB"))
    except OSError as error:
        raise RecordError(f"{path}: is no picture: {error}") from error


def pillow() -> Any:
    """Return the library that reads and draws pictures. Raises `MissingExtra`."""
    return need("PIL.Image", extra="scene", library="pillow")
