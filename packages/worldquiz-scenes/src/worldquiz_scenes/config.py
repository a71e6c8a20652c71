"""Parameters of generated apartments (`Knobs`), and presets of them.

Counts are ranges, ends included, from which the generator samples; shares are 0..1. The preset
``paper`` has ten scenes, as in the evaluation of TEA (arXiv 2602.05249, "Experimental Setup"). The
paper does not list their rooms and things; ours are typical of a furnished apartment.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from worldquiz_scenes.errors import ParameterError, did_you_mean
from worldquiz_scenes.paints import STYLES

Range = tuple[int, int]
MOST_ROOMS = 24
ANY = "any"


@dataclass(frozen=True, slots=True)
class Knobs:
    """Parameters of one generated apartment."""

    rooms: Range = (3, 6)
    loops: Range = (0, 2)  # doorways beyond those that connect every room
    furniture: float = 0.85  # share of the furniture that its kind of room may hold
    small: Range = (1, 3)  # small objects on a table or board
    repeat: float = 0.4  # share of tables, boards and seats with a row of similar things
    most: int = 110  # most things; small objects beyond it are left out
    mirrors: Range = (1, 3)  # mirrors, if walls have room
    lights: Range = (1, 2)  # lamps in a room
    style: str = ANY  # a palette, or ANY for a random one


@dataclass(frozen=True, slots=True)
class Preset:
    """A number of scenes and their parameters."""

    scenes: int
    knobs: Knobs


PRESETS: dict[str, Preset] = {
    "tiny": Preset(1, Knobs(rooms=(1, 2), loops=(0, 0), furniture=0.7, small=(1, 2), repeat=0.6,
                            most=60, mirrors=(1, 1), lights=(1, 1))),
    "paper": Preset(10, Knobs()),
    "large": Preset(1, Knobs(rooms=(7, 8), loops=(1, 3), furniture=1.0, small=(4, 7), most=400,
                             mirrors=(2, 5), lights=(1, 3))),
}  # fmt: skip
"""Presets by name."""


def preset(name: str) -> Preset:
    """Return the preset with this name. Raises `ParameterError` for an unknown name."""
    if name not in PRESETS:
        raise ParameterError(f"no preset {name!r}{did_you_mean(name, PRESETS)}")
    return PRESETS[name]


def turned(knobs: Knobs, settings: dict[str, str]) -> Knobs:
    """Return `knobs` with values replaced by `settings`, name -> text. Raises `ParameterError`."""
    kinds = {field.name: str(field.type) for field in fields(Knobs)}
    values: dict[str, Any] = {}
    for name, text in settings.items():
        if name not in kinds:
            raise ParameterError(f"no parameter {name!r}{did_you_mean(name, kinds)}")
        try:
            if kinds[name] == "Range":
                low, _, high = text.partition("..")
                values[name] = (int(low), int(high or low))
            else:
                values[name] = {"float": float, "int": int}.get(kinds[name], str)(text)
        except ValueError:
            wanted = {"Range": "LOW..HIGH", "int": "a whole number"}.get(kinds[name], "a number")
            raise ParameterError(f"parameter {name}: {text!r} is not {wanted}") from None
    return checked(replace(knobs, **values))


_WITHIN = {"rooms": (1, MOST_ROOMS), "loops": (0, 8), "small": (0, 12), "mirrors": (0, 12),
           "lights": (0, 4)}  # fmt: skip


def checked(knobs: Knobs) -> Knobs:
    """Return the parameters unchanged. Raises `ParameterError` if no apartment can have them."""
    for name, (least, most) in _WITHIN.items():
        low, high = getattr(knobs, name)
        if not least <= low <= high <= most:
            raise ParameterError(
                f"parameter {name}: {low}..{high} is not LOW..HIGH within {least}..{most}"
            )
    for name in ("furniture", "repeat"):
        if not 0 <= (share := getattr(knobs, name)) <= 1:  # NaN fails as well
            raise ParameterError(f"parameter {name}: {share} is not a share from 0 to 1")
    if knobs.most < 1:
        raise ParameterError(f"parameter most: {knobs.most} is below 1")
    if knobs.style not in STYLES and knobs.style != ANY:
        hint = did_you_mean(knobs.style, [*STYLES, ANY])
        raise ParameterError(f"parameter style: no style {knobs.style!r}{hint}")
    return knobs
