"""Rendering quality; it changes colours only, never depths or the owners of pixels."""

from __future__ import annotations

from dataclasses import dataclass

from worldquiz_scenes.errors import ParameterError, did_you_mean


@dataclass(frozen=True, slots=True)
class Quality:
    """Settings that make a picture look like a room, and cost time."""

    shadows: bool = True
    samples: int = 4  # per pixel, against jagged edges; 0 for none
    developed: bool = True  # shaded corners, daylight, the outside and soft highlights


BEST, STANDARD = Quality(), Quality(developed=False)
PLAIN = Quality(shadows=False, samples=0, developed=False)
QUALITIES = {"plain": PLAIN, "standard": STANDARD, "best": BEST}  # what can be asked for by name
USUAL, EARLIER = "best", "standard"  # what is taken where nobody asks, and what once was


def quality(name: str) -> Quality:
    """Return a quality by its name. Raises `ParameterError`."""
    if name not in QUALITIES:
        known = ", ".join(QUALITIES)
        raise ParameterError(
            f"no quality {name!r}{did_you_mean(name, QUALITIES)}: it is one of {known}"
        )
    return QUALITIES[name]
