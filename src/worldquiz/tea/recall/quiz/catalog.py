"""The kinds of question by name. An entry is a `Kind`.

Packages add kinds under the entry point group ``worldquiz.recall_kinds``.
"""

from __future__ import annotations

from typing import cast

from worldquiz.plugins import Catalogue
from worldquiz.tea.recall.quiz.kinds import Kind

_HERE = "worldquiz.tea.recall.quiz"
CATALOGUE = Catalogue(
    noun="kind of question",
    group="worldquiz.recall_kinds",
    ours={
        "colour": f"{_HERE}.looks:COLOUR",
        "count": f"{_HERE}.count:COUNT",
        "doorway": f"{_HERE}.doorway:DOORWAY",
        "nearer": f"{_HERE}.layout:NEARER",
        "pattern": f"{_HERE}.looks:PATTERN",
        "presence": f"{_HERE}.presence:PRESENCE",
        "room": f"{_HERE}.room:ROOM",
        "side": f"{_HERE}.layout:SIDE",
        "support": f"{_HERE}.support:SUPPORT",
    },
)


def kinds() -> tuple[Kind, ...]:
    """Return every kind of question, by name. Raises `CatalogError` where one cannot be had."""
    return tuple(cast("Kind", CATALOGUE.load(name)) for name in CATALOGUE.names())
