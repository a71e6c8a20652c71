"""Labels on pages and in tables: a run's letter, its settings, and numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_UNSAID = {"agent", "answerer", "code", "data", "folder", "kind", "name", "there", "worlds"}
"""Keys of a manifest that a page tells elsewhere, or that tell a reader nothing."""
_LONGEST = 200
"""Letters of a setting that a page shows."""


def tag(place: int) -> str:
    """Return A, B, ... Z, AA, AB, ..."""
    letters = ""
    while place >= 0:
        letters = chr(ord("A") + place % 26) + letters
        place = place // 26 - 1
    return letters


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
