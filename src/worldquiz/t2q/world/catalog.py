"""The worlds by name. An entry is a function that opens one world of a suite.

It receives the world as a value and the folder in which the suite keeps it, and returns a `World`::

    def opened(spec: WorldSpec, folder: Path) -> World: ...

Packages add worlds under the entry point group ``worldquiz.worlds``; `checks.check_world` says
whether one keeps the protocol.
"""

from __future__ import annotations

from pathlib import Path
from typing import cast

from worldquiz.plugins import Catalogue
from worldquiz.t2q.world.base import World
from worldquiz.t2q.world.spec import WorldSpec

CATALOGUE = Catalogue(
    noun="world",
    group="worldquiz.worlds",
    ours={"textworld": "worldquiz.t2q.world.play:from_folder"},
)


def opened(name: str, spec: WorldSpec, folder: Path) -> World:
    """Open a world of a suite by the name of its kind. Raises `CatalogError`, `WorldError`."""
    return cast("World", CATALOGUE.load(name)(spec, folder))
