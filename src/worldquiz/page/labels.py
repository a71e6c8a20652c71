"""Labels on pages and in tables: a run's letter, its settings, numbers, and text made visible."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

_UNSAID = {"agent", "answerer", "code", "data", "folder", "kind", "name", "there", "worlds"}
"""Keys of a manifest that a page tells elsewhere, or that tell a reader nothing."""
_LONGEST = 200
"""Letters of a setting that a page shows."""
_CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""What a terminal obeys; marks that change the direction of writing; halves of characters."""


def tag(place: int) -> str:
    """Return A, B, ... Z, AA, AB, ..."""
    letters = ""
    while place >= 0:
        letters = chr(ord("A") + place % 26) + letters
        place = place // 26 - 1
    return letters


def colour(place: int) -> str:
    """Return the CSS variable of a run's colour; runs beyond the eighth take them again."""
    return f"--run-{place % 8}"


def decimal(value: float | None, digits: int = 2, *, sign: str = "") -> str:
    """Return a number with some digits behind the point, a dash where there is none."""
    return "–" if value is None else f"{value:{sign}.{digits}f}"


def settings(manifest: Mapping[str, Any]) -> dict[str, str]:
    """Return what a manifest says of how a run was made, nested settings each by itself."""
    told = {
        key.replace("_", " "): _word(value)
        for name, group in sorted(manifest.items())
        if name not in _UNSAID
        for key, value in _parts(name, group)
    }
    return {key: value for key, value in told.items() if 0 < len(value) <= _LONGEST}


def _parts(name: str, value: object) -> Iterator[tuple[str, object]]:
    """Yield a setting, or each of a group's under the group's name."""
    if not isinstance(value, Mapping):
        yield name, value
        return
    for key in sorted(value):
        yield f"{name}: {key}", value[key]


def _word(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_word(value[key])}" for key in sorted(value))
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def visible(text: str) -> str:
    """Return text whose control characters are shown, not obeyed: a name may hold any."""
    return _CONTROLS.sub(lambda found: ascii(found[0])[1:-1], text)
