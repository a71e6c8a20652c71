"""numpy, imported when it is first used, and names for the arrays that scenes are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldquiz.extras import later

__all__ = ["Depths", "Floats", "Indices", "Ints", "Longs", "Mask", "NDArray", "Picture", "Plane"]
__all__ += ["Singles", "np"]

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Depths = NDArray[np.float32]  # metres along a camera's axis; 0 where nothing is
    Singles = NDArray[np.float32]
    Ints = NDArray[np.int32]
    Longs = NDArray[np.int64]
    Indices = NDArray[np.intp]
    Mask = NDArray[np.bool_]
    Picture = NDArray[np.uint8]  # height x width x 3, rows from the top
else:
    np = later("numpy", extra="tea")
    Floats = Depths = Singles = Ints = Longs = Indices = Mask = Picture = NDArray = Any

Plane = tuple[Floats, Floats]
"""A point on it, and the direction that it looks in."""
