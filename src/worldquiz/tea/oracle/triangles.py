"""Meshes met by rays, by trimesh and Embree: neither has a part in making tasks or pictures."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldquiz.errors import RecordError
from worldquiz.extras import need

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Triangles:
    """A mesh in its part's frame, ready to be met."""

    mesh: Any  # trimesh.Trimesh

    def meet(self, starts: Floats, rays: Floats, least: float) -> Floats:
        """Return where rays (n x 3, from one point or from n) first meet it; else infinity."""
        import numpy as np

        found = np.full(len(rays), np.inf)
        begin = np.broadcast_to(starts, rays.shape) + least * rays
        places, hit, _ = self.mesh.ray.intersects_location(begin, rays, multiple_hits=False)
        along = np.einsum("ij,ij->i", places - begin[hit], rays[hit])
        found[hit] = least + along / np.einsum("ij,ij->i", rays[hit], rays[hit])
        return found


def load(path: Path, size: Any) -> Triangles:
    """Return a mesh's file as triangles, its box stretched to some half lengths.

    Raises `RecordError` for a file that is missing or broken.
    """
    import numpy as np

    try:
        with np.load(path, allow_pickle=False) as file:
            points, faces = np.array(file["vertices"], float), np.array(file["faces"], int)
    except (OSError, KeyError, ValueError, EOFError) as error:
        raise RecordError(f"{path}: is no mesh: {error}") from error
    low, high = points.min(axis=0), points.max(axis=0)
    half = (high - low) / 2
    points = (points - low - half) * np.array(size, float) / np.maximum(half, 1e-9)
    return tree(points[faces])


def tree(corners: Floats) -> Triangles:
    """Return triangles (m x 3 x 3) with Embree's tree. Raises `MissingExtra`."""
    import numpy as np

    need("embreex", extra="scene")
    trimesh = need("trimesh", extra="scene")
    faces = np.arange(3 * len(corners)).reshape(-1, 3)
    return Triangles(trimesh.Trimesh(corners.reshape(-1, 3), faces, process=False))
