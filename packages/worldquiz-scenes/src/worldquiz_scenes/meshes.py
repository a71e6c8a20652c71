"""Meshes from files: NumPy archives (.npz) beneath a scene's folder of meshes.

`vertices` (n x 3) and `faces` (m x 3) are required. Textured meshes have `uv` (k x 2, from the
lower left), `uv_faces` (m x 3) and `texture` (height x width x 3, uint8, rows from the top), too.
"""

from __future__ import annotations

import struct
import tokenize
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from worldquiz_scenes.arrays import Floats, Ints, np
from worldquiz_scenes.errors import FileError, SceneError
from worldquiz_scenes.files import MOST_BYTES, beneath, digest, read_bytes, write_bytes
from worldquiz_scenes.scene import Part, Scene, Shape

_DAMAGED = (
    OSError, ValueError, TypeError, AttributeError, KeyError, NotImplementedError, MemoryError,
    RuntimeError, EOFError, SyntaxError, OverflowError, struct.error, tokenize.TokenError,
    zlib.error, zipfile.BadZipFile,
)  # fmt: skip
"""Errors that zipfile and numpy raise for a damaged archive."""


@dataclass(frozen=True)
class MeshForm:
    """Content of a mesh file; texture coordinates start at the lower left."""

    points: Floats  # n x 3
    faces: Ints  # m x 3
    uv: Floats | None = None
    uv_faces: Any = None
    texture: Any = None  # h x w x 3, uint8

    def fitted(self, part: Part) -> Floats:
        """Return the points, moved and scaled to a box of the part's size with its middle at 0."""
        low, high = self.points.min(axis=0), self.points.max(axis=0)
        stretch = np.array(part.size) / np.maximum((high - low) / 2, 1e-9)
        fitted: Floats = (self.points - (low + high) / 2) * stretch
        return fitted


def digest_of(form: MeshForm) -> str:
    """Return a digest of a mesh's content, so that equal meshes get equal names."""
    return digest(
        *(
            f"{name} {each.dtype.str} {each.shape} {digest(np.ascontiguousarray(each).tobytes())}"
            for name, each in sorted(_arrays(form).items())
        )
    )


def _arrays(form: MeshForm) -> dict[str, Any]:
    """Return a mesh as the arrays of its file."""
    found: dict[str, Any] = {
        "vertices": np.asarray(form.points, np.float32),
        "faces": np.asarray(form.faces, np.int32),
    }
    if form.uv is not None:
        found["uv"] = np.asarray(form.uv, np.float32)
        found["uv_faces"] = np.asarray(form.uv_faces, np.int32)
    if form.texture is not None:
        found["texture"] = np.asarray(form.texture, np.uint8)
    return found


def save_forms(folder: Path, forms: Mapping[str, MeshForm]) -> None:
    """Write meshes into a folder, under the names that parts use. Equal meshes give equal bytes.

    Raises `FileError` if a file cannot be written.
    """
    for name in sorted(forms):
        stream = BytesIO()
        np.savez_compressed(stream, **_arrays(forms[name]))
        write_bytes(folder / name, stream.getvalue())


def meshes_of(scene: Scene) -> tuple[str, ...]:
    """Return the names of all meshes in a scene's parts, sorted."""
    found = {part.mesh for thing in scene.things for part in thing.parts if part.mesh}
    return tuple(sorted(found))


def copy_meshes(scene: Scene, source: Path | None, target: Path) -> None:
    """Copy a scene's meshes from one folder into another. Raises `FileError`."""
    for name in meshes_of(scene):
        if source is None:
            raise FileError(
                f"scene {scene.id!r}: needs its meshes: give the folder it was saved in"
            )
        write_bytes(target / name, read_bytes(source / name))


def load_form(folder: Path | None, part: Part, owner: str) -> MeshForm:
    """Return a part's mesh from its file of arrays.

    Raises `SceneError` for a file that is missing, broken, or outside the folder.
    """
    if folder is None:
        raise SceneError(
            f"thing {owner!r}: needs its mesh {part.mesh!r}: pass build() the folder that the "
            "scene was saved in"
        )
    try:
        path = folder / beneath(part.mesh, "its name")
        data = BytesIO(read_bytes(path))
        with zipfile.ZipFile(data) as packed:
            size = sum(each.file_size for each in packed.infolist())
        if size > MOST_BYTES:
            raise ValueError(f"it unpacks to {size:,} bytes; the limit is {MOST_BYTES:,}")
        data.seek(0)
        with np.load(data, allow_pickle=False) as stored:
            file = {key: stored[key] for key in stored.files}
    except FileError as error:
        raise SceneError(f"thing {owner!r}: mesh {error}") from error
    except _DAMAGED as error:
        raise SceneError(f"thing {owner!r}: mesh {path}: cannot be read: {error}") from error
    missing = sorted({"vertices", "faces"} - set(file))
    if missing:
        raise SceneError(f"thing {owner!r}: mesh {path}: has no {', '.join(missing)}")
    points, faces = np.asarray(file["vertices"], np.float64), np.asarray(file["faces"], np.int32)
    shaped = all(each.ndim == 2 and each.shape[1] == 3 and len(each) for each in (points, faces))
    if not (shaped and np.isfinite(points).all()) or faces.min() < 0 or faces.max() >= len(points):
        raise SceneError(
            f"thing {owner!r}: mesh {path}: its vertices must be n x 3 finite numbers and its "
            "faces m x 3 indices of vertices"
        )
    uv = None if file.get("uv") is None else np.asarray(file["uv"], np.float64)
    return MeshForm(points, faces, uv, file.get("uv_faces", faces), file.get("texture"))


def triangulated(part: Part, folder: Path | None, owner: str, detail: int) -> Any:
    """Return a part as a trimesh in its own frame; round shapes have 6 * 2**detail sides.

    Raises `SceneError` as `load_form` does.
    """
    import trimesh

    make, (x, y, z), sides = trimesh.creation, part.size, 6 * 2**detail
    match part.shape:
        case Shape.BOX:
            return make.box((2 * x, 2 * y, 2 * z))
        case Shape.CYLINDER:
            return make.cylinder(x, 2 * y, sections=sides)
        case Shape.CAPSULE:
            mesh = make.capsule(2 * y, x, count=(sides, sides))
            mesh.apply_translation(-mesh.bounds.mean(axis=0))
            return mesh
        case Shape.MESH:
            form = load_form(folder, part, owner)
            return trimesh.Trimesh(form.fitted(part), form.faces, process=False)
    mesh = make.icosphere(detail, 1.0)
    mesh.apply_scale((x, x, x) if part.shape is Shape.SPHERE else (x, y, z))
    return mesh
