"""The kinds of task by name. An entry is a `Kind`.

Packages add kinds under the entry point group ``worldquiz.task_kinds``.
"""

from __future__ import annotations

from typing import cast

from worldquiz.plugins import Catalogue
from worldquiz.tea.kinds.kinds import Kind

_HERE = "worldquiz.tea.kinds"
CATALOGUE = Catalogue(
    noun="kind of task",
    group="worldquiz.task_kinds",
    ours={
        "classification": f"{_HERE}.perception:CLASSIFICATION",
        "localization": f"{_HERE}.perception:LOCALIZATION",
        "localization-3d": f"{_HERE}.perception:LOCALIZATION_3D",
        "depth": f"{_HERE}.perception:DEPTH_ESTIMATION",
        "embodied-counting": f"{_HERE}.counting:EMBODIED_COUNTING",
        "mirror-counting": f"{_HERE}.counting:MIRROR_COUNTING",
        "pattern-counting": f"{_HERE}.counting:PATTERN_COUNTING",
        "relation": f"{_HERE}.relation:RELATION",
        "in-view": f"{_HERE}.in_view:IN_VIEW",
        "navigation": f"{_HERE}.navigation:NAVIGATION",
    },
)


def kinds() -> tuple[Kind, ...]:
    """Return every kind of task, by name. Raises `CatalogError` for one that cannot be imported."""
    return tuple(cast("Kind", CATALOGUE.load(name)) for name in CATALOGUE.names())
