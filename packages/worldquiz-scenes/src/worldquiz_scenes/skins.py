"""Textures of parts, with texture coordinates that place them as MuJoCo does.

A texture is projected onto a part from the six sides of a cube around it; on a box, it is stretched
to fill each side. The texture of a pattern is one period, which repeats.
"""

from __future__ import annotations

from pathlib import Path

from worldquiz_scenes import paints
from worldquiz_scenes.arrays import Floats, Picture, np
from worldquiz_scenes.geometry import half_of
from worldquiz_scenes.meshes import load_form
from worldquiz_scenes.scene import Paint, Part, Pattern, Shape

TILE = 2.0  # metres along a floor's picture


def skin(
    part: Part, corners: Floats, meshes: Path | None, owner: str, *, floor: bool = False
) -> tuple[Picture, Floats] | None:
    """Return a part's texture, and its triangles' texture coordinates (m x 3 x 2).

    `corners` holds the triangles (m x 3 x 3). Coordinates run right and down from the upper left.
    Grey textures are to be multiplied by the part's colour. None for a part without a texture.
    """
    paint = part.paint
    if part.shape is Shape.MESH:
        form = load_form(meshes, part, owner)
        if form.uv is None or form.texture is None:
            return None
        return form.texture, form.uv[form.uv_faces] * (1, -1) + (0, 1)
    if floor:
        return paints.floor(paint.material)[1], corners[..., :2] / TILE * (1, -1) - 0.5
    if paint.rgb2 and worn(paint):
        drawn = paints.pattern(paint.pattern, paint.rgb, paint.rgb2, (1, 1))
        return drawn, _unwrapped(part, corners, paint.pattern)
    grain = paints.finish(paint).grain
    return (paints.GRAINS[grain](), _unwrapped(part, corners)) if grain else None


def _unwrapped(part: Part, triangles: Floats, pattern: Pattern = Pattern.PLAIN) -> Floats:
    """Return the texture coordinates (m x 3 x 2) of triangles on the sides of a cube."""
    half = half_of(part.shape, part.size)
    cube = triangles / np.array(half)
    middles = cube.mean(axis=1)
    axes = np.abs(middles).argmax(axis=1)
    sides = 2 * axes + (middles[np.arange(len(axes)), axes] < 0)
    found = np.empty((*triangles.shape[:2], 2))
    for side, ways in enumerate(paints.SIDES):
        of, often = sides == side, (1, 1)
        if pattern is not Pattern.PLAIN:
            box = half if part.shape is Shape.BOX else (1.0, 1.0, 1.0)
            often = paints.repeats(pattern, box[ways[0][0]], box[ways[1][0]])
        far = np.abs(cube[of][..., side // 2])
        for k, (axis, way) in enumerate(ways):
            found[of, :, k] = (way * cube[of][..., axis] / far + 1) / 2 * often[k]
    return found


def worn(paint: Paint) -> str:
    """Return the suffix of a material's name that encodes its pattern; "" without a pattern."""
    if paint.pattern is Pattern.PLAIN or paint.rgb2 is None:
        return ""
    first, second = (bytes(round(255 * c) for c in rgb).hex() for rgb in (paint.rgb, paint.rgb2))
    return f", {paint.pattern} {first} {second}"
