"""Named colours, and the palettes of styles: what a flat's woods, fabrics and walls look like.

A colour has one name and one value, so that a question about "the dark red mug" has one answer;
a style only chooses among them. Every maker of a model takes a `Draw`: a stream of randomness with
a palette, so that equal seeds give equal things.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from worldquiz.scenes.scene import Paint, Pattern, Vec

COLOURS: dict[str, Vec] = {
    "white": (0.93, 0.93, 0.92),
    "ivory": (0.93, 0.89, 0.78),
    "beige": (0.82, 0.73, 0.58),
    "light grey": (0.74, 0.75, 0.76),
    "grey": (0.5, 0.51, 0.53),
    "dark grey": (0.25, 0.26, 0.28),
    "black": (0.06, 0.06, 0.07),
    "light brown": (0.74, 0.55, 0.35),
    "brown": (0.52, 0.33, 0.18),
    "dark brown": (0.29, 0.18, 0.11),
    "red": (0.82, 0.12, 0.12),
    "dark red": (0.5, 0.07, 0.1),
    "orange": (0.94, 0.5, 0.1),
    "yellow": (0.96, 0.82, 0.18),
    "light green": (0.6, 0.82, 0.45),
    "green": (0.18, 0.58, 0.25),
    "dark green": (0.09, 0.3, 0.16),
    "teal": (0.1, 0.5, 0.5),
    "light blue": (0.56, 0.76, 0.91),
    "blue": (0.15, 0.36, 0.78),
    "dark blue": (0.09, 0.15, 0.38),
    "purple": (0.45, 0.22, 0.6),
    "pink": (0.93, 0.6, 0.7),
}
"""Every colour that a thing may have, by the name that questions use."""
BRIGHT = ("red", "orange", "yellow", "green", "teal", "blue", "purple", "pink", "light blue",
          "light green", "white")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Style:
    """Which colours a flat is made of."""

    woods: tuple[str, ...]
    fabrics: tuple[str, ...]
    fronts: tuple[str, ...]  # of cabinets and wardrobes
    metals: tuple[str, ...]
    walls: tuple[str, ...]
    floors: tuple[str, ...]


STYLES: dict[str, Style] = {
    "modern": Style(
        woods=("light brown", "brown", "white"),
        fabrics=("light grey", "dark grey", "teal", "yellow", "dark blue"),
        fronts=("white", "light grey", "dark grey"),
        metals=("light grey", "black"),
        walls=("ivory", "light grey", "light blue"),
        floors=("light brown", "brown", "light grey"),
    ),
    "cottage": Style(
        woods=("light brown", "white", "beige"),
        fabrics=("beige", "light blue", "pink", "light green", "red"),
        fronts=("white", "ivory", "light blue", "light green"),
        metals=("light grey", "dark grey"),
        walls=("ivory", "light blue", "light green", "pink"),
        floors=("light brown", "beige"),
    ),
    "classic": Style(
        woods=("brown", "dark brown"),
        fabrics=("dark red", "dark green", "dark blue", "beige", "brown"),
        fronts=("brown", "dark brown", "ivory"),
        metals=("grey", "dark grey"),
        walls=("ivory", "beige", "light grey"),
        floors=("brown", "light brown"),
    ),
    "lively": Style(
        woods=("light brown", "white", "brown"),
        fabrics=("orange", "teal", "purple", "yellow", "green", "blue"),
        fronts=("white", "yellow", "teal", "light blue"),
        metals=("light grey", "dark grey"),
        walls=("light blue", "ivory", "light green", "light grey"),
        floors=("light brown", "light grey", "brown"),
    ),
}
"""Palettes by name; the knob `style` names one, or "any"."""


def paint(colour: str, material: str) -> Paint:
    """Return a plain paint of a named colour."""
    return Paint(colour, COLOURS[colour], material)


def patterned(colour: str, second: str, material: str, pattern: Pattern) -> Paint:
    """Return a paint that shows a pattern of two named colours."""
    return Paint(colour, COLOURS[colour], material, pattern, COLOURS[second])


def shaded(base: Paint, share: float) -> Paint:
    """Return a darker (share < 1) or lighter plain paint of the same name, for a thing's edges."""
    red, green, blue = (round(min(1.0, part * share), 4) for part in base.rgb)
    return Paint(base.colour, (red, green, blue), base.material)


def pale(base: Paint) -> Paint:
    """Return a paint of the same name, half way to white: for walls."""
    red, green, blue = (round((part + 0.95) / 2, 4) for part in base.rgb)
    return Paint(base.colour, (red, green, blue), base.material)


@dataclass(frozen=True, slots=True)
class Draw:
    """A stream of randomness with a palette."""

    rng: random.Random
    style: Style

    def size(self, low: float, high: float) -> float:
        """Draw a length in metres, to the millimetre."""
        return round(self.rng.uniform(low, high), 3)

    def count(self, low: int, high: int) -> int:
        """Draw a whole number, ends included."""
        return self.rng.randint(low, high)

    def chance(self, share: float) -> bool:
        """Draw yes with this probability."""
        return self.rng.random() < share

    def wood(self) -> Paint:
        """Draw a wood of the style; white wood is painted over."""
        colour = self.rng.choice(self.style.woods)
        return paint(colour, "plastic" if colour == "white" else "wood")

    def front(self) -> Paint:
        """Draw what doors and drawers are made of."""
        colour = self.rng.choice(self.style.fronts)
        return paint(colour, "wood" if "brown" in colour else "plastic")

    def metal(self) -> Paint:
        """Draw a metal."""
        return paint(self.rng.choice(self.style.metals), "metal")

    def fabric(self, patterns: float = 0.0) -> Paint:
        """Draw a fabric of the style, with a pattern in this share of cases."""
        return self._maybe(self.style.fabrics, "fabric", patterns)

    def bright(self, material: str, patterns: float = 0.0) -> Paint:
        """Draw a colour that stands out, with a pattern in this share of cases."""
        return self._maybe(BRIGHT, material, patterns)

    def of(self, material: str, *colours: str) -> Paint:
        """Draw one of some colours."""
        return paint(self.rng.choice(colours), material)

    def _maybe(self, colours: tuple[str, ...], material: str, patterns: float) -> Paint:
        colour = self.rng.choice(colours)
        if not self.chance(patterns):
            return paint(colour, material)
        pattern = self.rng.choice((Pattern.STRIPES, Pattern.CHECKS, Pattern.DOTS))
        return patterned(colour, "black" if colour == "white" else "white", material, pattern)
