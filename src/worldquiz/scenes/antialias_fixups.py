"""Pixels of a drawing that stand alone, asked again by rays.

OpenGL draws round shapes with flat facets: along their edges a pixel here and there shows what is
behind them. One such pixel is nothing in a count, but it can stretch the box around a thing that is
else hidden there. A pixel that truly shows a thing through a gap looks the same, so a ray through
its middle decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldquiz.scenes.build import Built
from worldquiz.scenes.rays import Caster
from worldquiz.scenes.view import Camera

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from worldquiz.scenes.cameras import Ids, Mask

LONE = 1
"""Neighbours (of four) showing the same thing up to which a pixel stands alone."""


def recast(
    built: Built, camera: Camera, shown: Mask, owners: Ids, depth: NDArray[np.float32]
) -> tuple[Ids, NDArray[np.float32]]:
    """Return a drawing's owners and depths (m) with those of rays where a pixel stands alone."""
    import numpy as np

    rows, columns = np.nonzero(alone(np.append(built.thing, np.int32(-1))[owners]))
    owners, depth = owners.copy(), depth.copy()
    owners[rows, columns], depth[rows, columns] = Caster(built).pixels(
        camera, shown, columns.astype(float), rows.astype(float)
    )
    return owners, depth


def alone(things: Ids) -> Mask:
    """Tell which pixels of an image of things (-1 for none) stand alone."""
    import numpy as np

    like = np.zeros(things.shape, np.int8)
    across, below = things[:, 1:] == things[:, :-1], things[1:] == things[:-1]
    like[:, 1:] += across
    like[:, :-1] += across
    like[1:] += below
    like[:-1] += below
    result: Mask = (like <= LONE) & (things >= 0)
    return result
