"""Labels on pages and in tables: names and settings of runs, numbers, and escaped text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

_UNSAID = {
    "agent",
    "answerer",
    "code",
    "data",
    "folder",
    "kind",
    "label",
    "name",
    "unfinished",
    "worlds",
}
"""Manifest keys that a page shows elsewhere, or that do not help a reader."""
_LONGEST = 200
"""Longest setting that a page shows, in characters."""
_SHORT = 40
"""Longest setting in a run's name, in characters: shorter than digests."""
_WHO = ("kind", "agent", "answerer", "model", "name")
"""Manifest keys that name the agent and the answerer."""


def decimal(value: float | None, digits: int = 2, *, sign: str = "") -> str:
    """Return a number with `digits` decimals, or a dash for None."""
    return "–" if value is None else f"{value:{sign}.{digits}f}"


def settings(manifest: Mapping[str, Any]) -> dict[str, str]:
    """Return a run's settings from its manifest; nested settings are separate entries."""
    told = {
        key.replace("_", " "): _word(value)
        for name, group in sorted(manifest.items())
        if name not in _UNSAID
        for key, value in _parts(name, group)
    }
    return {key: value for key, value in told.items() if 0 < len(value) <= _LONGEST}


def _parts(name: str, value: object) -> Iterator[tuple[str, object]]:
    """Yield a setting's name and value; for a group, those of each setting, as ``group: name``."""
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
    """Return text with all non-printable characters escaped, since names may contain any."""
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() or each == "\n" else ascii(each)[1:-1] for each in text
    )


def told_apart(manifests: Mapping[Path, Mapping[str, Any]]) -> dict[Path, str]:
    """Return a distinct name for each run: its label, or its folder's name with the settings that
    differ among runs of the same agent and answerer. The folder's path is added to names that are
    still equal.
    """
    made = {run: settings(manifest) for run, manifest in manifests.items()}
    who = {run: [told.get(key) for key in _WHO] for run, told in manifests.items()}
    found = {}
    for run, manifest in manifests.items():
        others = [made[other] for other in manifests if who[other] == who[run]]
        parts = [f"{key} {value}" for key, value in made[run].items() if len(value) <= _SHORT
                 and any(each.get(key) != value for each in others)]  # fmt: skip
        more = f" ({', '.join(parts)})" if parts else ""
        found[run] = str(manifest.get("label") or run.name + more)
    shared = Counter(found.values())
    return {run: name if shared[name] == 1 else f"{name} ({run})" for run, name in found.items()}
