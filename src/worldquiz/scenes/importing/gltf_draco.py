"""Triangles that Draco compressed (glTF's KHR_draco_mesh_compression), unpacked by DracoPy."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from worldquiz.extras import need
from worldquiz.scenes.arrays import Floats, np
from worldquiz.scenes.importing.limits import MOST_FACES, refused

FACES = "faces"
"""What the corners of the triangles are called among a mesh's numbers."""
AGAIN = "export it again, without compression"


def unpacked(
    data: bytes, attributes: Mapping[str, int], points: int, file: Path, where: str
) -> dict[str, Floats]:
    """Return a mesh's attributes by name (n x width), and its triangles under `FACES` (m x 3).

    `attributes` are Draco's numbers of them; `points` is how many points the file declares. Raises
    `RecordError` for data that is damaged or does not hold what the file says; `MissingExtra`.
    """
    draco = need("DracoPy", extra="formats")
    try:
        mesh = draco.decode(data)
    except (draco.FileTypeException, ValueError, RuntimeError, MemoryError) as error:
        raise refused(file, where, f"its Draco data is damaged ({error})", AGAIN) from error
    faces = getattr(mesh, "faces", None)
    if faces is None or len(mesh.points) != points or len(faces) > MOST_FACES:
        raise refused(
            file, where, f"its Draco data holds other than the {points:,} points of triangles that "
            "the file declares", AGAIN,
        )  # fmt: skip
    found = {name: _attribute(mesh, number) for name, number in attributes.items()}
    if any(each is None or len(each) != points for each in found.values()):
        raise refused(file, where, "lacks an attribute that it declares", AGAIN)
    kept = {name: np.asarray(each, float) for name, each in found.items()}
    return {**kept, FACES: np.asarray(faces, float)}


def _attribute(mesh: Any, number: int) -> Any:
    found = mesh.get_attribute_by_unique_id(number)
    return None if found is None else np.asarray(found["data"]).reshape(len(found["data"]), -1)
