"""Models of Sweet Home 3D: Wavefront OBJ inside an archive, read by trimesh within our limits."""

from __future__ import annotations

import posixpath
from io import BytesIO
from pathlib import Path
from typing import Any, cast

from worldquiz_scenes.arrays import Floats, later, np
from worldquiz_scenes.errors import FileError
from worldquiz_scenes.geometry import SIGNS
from worldquiz_scenes.importing import limits
from worldquiz_scenes.importing.limits import Archive, refused
from worldquiz_scenes.importing.pieces import GREY, Surface

trimesh = later("trimesh")
pil = later("PIL.Image")

UNSEEN = 0.02
"""Opacity below which a surface is not there."""


def model(archive: Archive, name: str, where: str) -> list[Surface]:
    """Return the triangles of a model in an archive, in its own frame: y up, any unit.

    None where it is no OBJ. Raises `FileError` for a model that is missing, broken or empty.
    """
    data, file = archive.read(name, where), archive.path
    if not readable(data, name):
        return []
    files = _Files(archive, name, where)
    text = data.decode("utf-8", errors="replace")
    try:
        scene = trimesh.load_scene(
            BytesIO(text.encode()), file_type="obj", resolver=cast("Any", files), process=False,
            group_material=True,
        )  # fmt: skip
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise refused(
            file, where, f"its model {name!r} cannot be read ({error})", "replace the model"
        ) from error
    if files.trouble:
        raise files.trouble
    found = [_surface(mesh) for mesh in scene.geometry.values() if hasattr(mesh, "faces")]
    kept = [each for each in found if each.alpha > UNSEEN and len(each.faces)]
    if not kept:
        raise refused(file, where, f"its model {name!r} has no faces", "replace the model")
    return kept


def readable(data: bytes, name: str) -> bool:
    """Tell whether a model is Wavefront OBJ, whatever it is called."""
    if name.lower().endswith((".3ds", ".dae", ".kmz", ".lws")):
        return False
    head = data[:4096].lstrip()
    return b"\0" not in head and not head.startswith((b"PK", b"<"))


class _Files:
    """The files beside a model, as trimesh asks for them; the first error in one is kept."""

    def __init__(self, archive: Archive, name: str, where: str) -> None:
        self.folder, self.archive, self.where = posixpath.dirname(name), archive, where
        self.trouble: FileError | None = None

    def __getitem__(self, name: str) -> bytes:
        return self.get(name)

    def get(self, name: str) -> bytes:
        """Return a file. Raises `KeyError` for one that is not there."""
        path = posixpath.normpath(posixpath.join(self.folder, name.replace("\\", "/")))
        if path.startswith(("..", "/")) or path not in self.archive:
            raise KeyError(name)
        data = self.archive.read(path, self.where)
        if name.lower().endswith(".mtl"):
            return data
        try:
            return _small(data, self.archive.path, f"{self.where}: texture {name!r}")
        except FileError as error:
            self.trouble = self.trouble or error
            raise


def _small(data: bytes, file: Path, where: str) -> bytes:
    """Return a picture, scaled down within limits, as PNG."""
    stream = BytesIO()
    pil.fromarray(limits.picture(data, file, where)).save(stream, "PNG")
    return stream.getvalue()


def _surface(mesh: Any) -> Surface:
    material = getattr(mesh.visual, "material", None)
    kwargs = dict(getattr(material, "kwargs", {}) or {})
    red, green, blue = (min(1.0, max(0.0, each)) for each in _told(kwargs, "kd", GREY))
    (clear,) = _told(kwargs, "tr", (0.0,))
    (alpha,) = _told(kwargs, "d", (1 - clear,))
    image = getattr(material, "image", None)
    uv = getattr(mesh.visual, "uv", None)
    points = np.asarray(mesh.vertices, float)
    if image is None or uv is None or len(uv) != len(points):
        texture, uv = None, None
    else:
        texture, uv = np.asarray(image.convert("RGB"), np.uint8), np.asarray(uv, float)
        uv = np.where(np.isfinite(uv), uv, 0.0)
    faces = np.asarray(mesh.faces, np.int32)
    finite = np.isfinite(points).all(axis=1)
    if not finite.all():
        faces = faces[finite[faces].all(axis=1)]
        points = np.where(finite[:, None], points, 0.0)
    name = str(getattr(material, "name", "") or "")
    return Surface(points, faces, (red, green, blue), alpha, uv, texture, name)


def _told(kwargs: dict[str, Any], key: str, usual: tuple[float, ...]) -> tuple[float, ...]:
    """Return a material's numbers, the usual ones where it has others or none."""
    try:
        found = tuple(float(each) for each in kwargs[key])
    except (KeyError, TypeError, ValueError):
        return usual
    return found if len(found) == len(usual) else usual


def box() -> Surface:
    """Return a cube of 1, for what has no model that can be read."""
    faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7],
             [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]  # fmt: skip
    return Surface(np.array(SIGNS) / 2, np.array(faces, np.int32), GREY)


def fitted(pieces: list[Surface], turn: Floats, size: tuple[float, float, float]) -> list[Surface]:
    """Return a model with its box around 0 and as wide, deep and high as said, in metres.

    `turn` is the model's own rotation; afterwards z is up and the front looks to -y.
    """
    flip = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
    turned = [each.moved(flip @ turn, np.zeros(3)) for each in pieces]
    points = np.concatenate([each.points[np.unique(each.faces)] for each in turned])
    low, high = points.min(axis=0), points.max(axis=0)
    stretch = np.array(size) / np.maximum(high - low, 1e-9)
    stretch = np.where(high - low < 1e-9, 1.0, stretch)
    shift = -(low + high) / 2 * stretch
    return [each.moved(np.diag(stretch), shift) for each in turned]
