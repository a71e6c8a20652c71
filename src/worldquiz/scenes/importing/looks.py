"""Colours and materials of other people's models, in our words."""

from __future__ import annotations

from functools import cache

from worldquiz.scenes.paints import COLOURS
from worldquiz.scenes.scene import Paint, Vec

_MATERIALS = {
    "wood": ("wood", "oak", "pine", "walnut", "parquet", "plank"),
    "metal": ("metal", "steel", "chrome", "iron", "alumin", "brass", "copper", "silver", "gold"),
    "fabric": ("fabric", "cloth", "cotton", "wool", "textile", "carpet", "leather", "velvet"),
    "ceramic": ("ceramic", "porcelain", "tile", "enamel"),
    "glass": ("glass",),
    "paper": ("paper", "card"),
    "leaf": ("leaf", "leaves", "plant", "grass"),
    "stone": ("stone", "marble", "concrete", "granite", "brick"),
}
CLEAR = 0.75
"""Opacity below which a surface counts as glass."""


def painted(rgb: Vec, material: str = "", alpha: float = 1.0) -> Paint:
    """Return a colour and a material's name as a paint; what is not told counts as plastic."""
    red, green, blue = (round(min(1.0, max(0.0, float(part))), 4) for part in rgb)
    kind = "glass" if alpha < CLEAR else _material(material.lower())
    return Paint(named((red, green, blue)), (red, green, blue), kind)


def _material(name: str) -> str:
    for kind, signs in _MATERIALS.items():
        if kind != "glass" and any(sign in name for sign in signs):
            return kind
    return "plastic"


def named(rgb: Vec) -> str:
    """Return the name of the nearest colour that has one."""
    mine = _lab(rgb)
    return min(
        COLOURS, key=lambda name: (sum((a - b) ** 2 for a, b in zip(mine, _lab(COLOURS[name]),
                                                                    strict=True)), name)
    )  # fmt: skip


@cache
def _lab(rgb: Vec) -> Vec:
    """Return a colour in CIE Lab, where distances are as people see them."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]
    rows = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    x, y, z = (
        sum(a * b for a, b in zip(row, linear, strict=True)) / white
        for row, white in zip(rows, (0.9505, 1.0, 1.089), strict=True)
    )
    f, g, h = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return (116 * g - 16, 500 * (f - g), 200 * (g - h))
