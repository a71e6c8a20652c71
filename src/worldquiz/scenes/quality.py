"""How much a picture is given beside colours. No depth and no owner of a pixel depends on it."""

from __future__ import annotations

from dataclasses import dataclass

from worldquiz.errors import KnobError, did_you_mean


@dataclass(frozen=True, slots=True)
class Quality:
    """What makes a picture look like a room, and costs time."""

    shadows: bool = True
    samples: int = 4  # per pixel, against jagged edges; 0 for none
    developed: bool = True  # shaded corners, daylight, the outside and soft highlights


BEST, STANDARD = Quality(), Quality(developed=False)
PLAIN = Quality(shadows=False, samples=0, developed=False)
QUALITIES = {"plain": PLAIN, "standard": STANDARD, "best": BEST}
"""What can be asked for by name."""
USUAL, EARLIER = "best", "standard"
"""What is taken where nobody asks, and what was before there was a choice."""


def quality(name: str) -> Quality:
    """Return a quality by its name. Raises `KnobError`."""
    if name not in QUALITIES:
        known = ", ".join(QUALITIES)
        raise KnobError(f"no quality {name!r}{did_you_mean(name, QUALITIES)}: it is one of {known}")
    return QUALITIES[name]
