"""Meshes from files: NumPy archives (.npz) beneath a scene's folder of meshes.

`vertices` (n x 3) and `faces` (m x 3) are there always. `uv` (k x 2, from the lower left),
`uv_faces` (m x 3) and `texture` (height x width x 3, uint8, rows from the top) bring a picture.
"""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldquiz.errors import WorldError
from worldquiz.model.scene import Part

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Form:
    """A mesh as its file gives it; texture coordinates count from the lower left."""

    points: NDArray[np.float64]  # n x 3
    faces: NDArray[np.int32]  # m x 3
    uv: NDArray[np.float64] | None = None
    uv_faces: Any = None
    texture: Any = None  # h x w x 3, uint8

    def fitted(self, part: Part) -> NDArray[np.float64]:
        """Return its points with their box's middle at 0 and half lengths as the part has them."""
        import numpy as np

        low, high = self.points.min(axis=0), self.points.max(axis=0)
        stretch = np.array(part.size) / np.maximum((high - low) / 2, 1e-9)
        fitted: NDArray[np.float64] = (self.points - (low + high) / 2) * stretch
        return fitted


def load_form(folder: Path | None, part: Part, owner: str) -> Form:
    """Return a part's mesh from its file: arrays `vertices`, `faces`, and maybe `uv`, `uv_faces`.

    Raises `WorldError` for a file that is missing, broken, or outside the folder.
    """
    import numpy as np

    name = part.mesh or ""
    if folder is None or not name or Path(name).is_absolute() or ".." in Path(name).parts:
        raise WorldError(
            f"thing {owner!r}: mesh {name!r} is in no folder of meshes: give build() "
            "the folder that the scene was saved with"
        )
    path = folder / name
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
            file = {key: stored[key] for key in stored.files}
    except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise WorldError(f"thing {owner!r}: mesh {path}: cannot be read: {error}") from error
    missing = sorted({"vertices", "faces"} - set(file))
    if missing:
        raise WorldError(f"thing {owner!r}: mesh {path}: has no {', '.join(missing)}")
    points, faces = np.asarray(file["vertices"], np.float64), np.asarray(file["faces"], np.int32)
    if not _sound(points, faces):
        raise WorldError(
            f"thing {owner!r}: mesh {path}: its vertices must be n x 3 finite numbers and its "
            "faces m x 3 indices of them"
        )
    uv = file.get("uv")
    return Form(
        points,
        faces,
        None if uv is None else np.asarray(uv, np.float64),
        file.get("uv_faces", faces),
        file.get("texture"),
    )


def _sound(points: NDArray[np.float64], faces: NDArray[np.int32]) -> bool:
    import numpy as np

    shaped = all(each.ndim == 2 and each.shape[1] == 3 and len(each) for each in (points, faces))
    return bool(
        shaped and np.isfinite(points).all() and faces.min() >= 0 and faces.max() < len(points)
    )
