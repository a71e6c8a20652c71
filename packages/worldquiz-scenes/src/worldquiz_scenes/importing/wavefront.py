"""Models of Sweet Home 3D: Wavefront OBJ inside an archive, read by trimesh within our limits.

Models without a file of materials use names that Java 3D knew; `JAVA3D` says what they look like.
"""

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
from worldquiz_scenes.scene import Vec

trimesh = later("trimesh")
pil = later("PIL.Image")

JAVA3D: dict[str, tuple[float, ...]] = {
    "amber": (0.58, 0.27, 0.0), "lavendar": (0.22, 0.09, 0.35), "redwood": (0.26, 0.03, 0.0),
    "yellow_green": (0.19, 0.41, 0.0), "ruby": (1.0, 0.0, 0.0, 0.25), "white": (1.0, 1.0, 1.0),
    "red": (0.77, 0.0, 0.0), "yellow": (1.0, 0.67, 0.0), "grey": (0.18, 0.18, 0.18),
    "flblack": (0.0, 0.0, 0.0), "flgrey": (0.5, 0.5, 0.5), "florange": (1.0, 0.17, 0.0),
    "flyellow": (1.0, 0.67, 0.0), "flbrown": (0.11, 0.01, 0.0), "brown": (0.09, 0.01, 0.0),
    "flesh": (0.53, 0.41, 0.34), "black": (0.0, 0.0, 0.0), "silver": (0.62, 0.62, 0.62),
    "dkgrey": (0.05, 0.05, 0.05), "flltbrown": (0.28, 0.11, 0.05), "tan": (0.66, 0.52, 0.22),
    "fltan": (0.66, 0.46, 0.13), "brzskin": (0.38, 0.29, 0.21), "bluteal": (0.08, 0.26, 0.2),
    "flblonde": (0.57, 0.33, 0.04), "bone": (0.9, 0.76, 0.43), "teeth": (0.98, 0.8, 0.47),
    "dkred": (0.23, 0.0, 0.0), "dkdkgrey": (0.01, 0.01, 0.01), "dkblue": (0.0, 0.0, 0.06),
    "jetflame": (0.95, 0.49, 0.1), "ltgrey": (0.38, 0.38, 0.38), "flwhite1": (1.0, 1.0, 1.0),
    "flwhite": (0.98, 0.93, 0.84), "fldkdkgrey": (0.01, 0.01, 0.01),
    "brownlips": (0.14, 0.07, 0.04), "flltgrey": (0.82, 0.82, 0.82),
    "offwhite.warm": (0.84, 0.69, 0.45), "yellowbrt": (1.0, 0.78, 0.0),
    "archwhite": (1.0, 1.0, 1.0), "archwhite2": (0.84, 0.84, 0.84), "lighttan": (0.7, 0.42, 0.22),
    "lighttan2": (0.31, 0.19, 0.1), "lighttannew": (0.79, 0.61, 0.32), "ship2": (1.0, 1.0, 1.0),
    "iris": (0.0, 0.06, 0.32), "fldkgrey": (0.09, 0.09, 0.09), "sky_blue": (0.12, 0.59, 0.8),
    "bone2": (0.98, 0.86, 0.65), "bluegrey": (0.19, 0.28, 0.29), "sand_stone": (0.13, 0.11, 0.1),
    "green": (0.0, 0.25, 0.0), "glass": (0.49, 0.49, 0.53, 0.4), "gold": (1.0, 0.49, 0.0),
}  # fmt: skip
"""Materials that Java 3D knows by name: red, green, blue in linear light, and opacity."""
DEFAULTS = "worldquiz-defaults.mtl"
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
    if "mtllib" not in text:
        text = f"mtllib {DEFAULTS}\n{text}"
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
        data = self._found(name)
        if name.lower().endswith(".mtl") or name == DEFAULTS:
            return self._materials(data)
        if data is None:
            raise KeyError(name)
        try:
            return _small(data, self.archive.path, f"{self.where}: texture {name!r}")
        except FileError as error:
            self.trouble = self.trouble or error
            raise

    def _found(self, name: str) -> bytes | None:
        path = posixpath.normpath(posixpath.join(self.folder, name.replace("\\", "/")))
        if path.startswith(("..", "/")) or name == DEFAULTS:
            return None
        return self.archive.read(path, self.where) if path in self.archive else None

    def _materials(self, data: bytes | None) -> bytes:
        """Return a file of materials, those of Java 3D before it."""
        lines = []
        for name, (red, green, blue, *alpha) in JAVA3D.items():
            r, g, b = (_shown(each) for each in (red, green, blue))
            lines += [f"newmtl {name}", f"Kd {r} {g} {b}", f"d {alpha[0] if alpha else 1.0}"]
        text = "\n".join(lines) + "\n" + (data or b"").decode("utf-8", errors="replace")
        return text.encode()


def _shown(linear: float) -> float:
    """Return a share of light as screens count it, about."""
    return float(round(linear ** (1 / 2.2), 3))


def _small(data: bytes, file: Path, where: str) -> bytes:
    """Return a picture, scaled down within limits, as PNG."""
    stream = BytesIO()
    pil.fromarray(limits.picture(data, file, where)).save(stream, "PNG")
    return stream.getvalue()


def _surface(mesh: Any) -> Surface:
    material = getattr(mesh.visual, "material", None)
    kwargs = dict(getattr(material, "kwargs", {}) or {})
    rgb, alpha = _diffuse(kwargs), _opacity(kwargs)
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
    return Surface(points, faces, rgb, alpha, uv, texture, name)


def _diffuse(kwargs: dict[str, Any]) -> Vec:
    value = kwargs.get("kd")
    if not isinstance(value, list) or len(value) != 3:
        return GREY
    red, green, blue = (min(1.0, max(0.0, float(each))) for each in value)
    return (red, green, blue)


def _opacity(kwargs: dict[str, Any]) -> float:
    try:
        if "d" in kwargs:
            return float(kwargs["d"][-1])
        if "tr" in kwargs:
            return 1 - float(kwargs["tr"][-1])
    except (TypeError, ValueError, IndexError):
        return 1.0
    return 1.0


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
