"""The worlds by name. An entry is a class or function that opens one world of a suite.

It may ask for ``spec``, the world as a value, and for ``folder``, in which the suite keeps it, and
returns a `World`::

    def opened(spec: WorldSpec, folder: Path) -> World: ...

Packages add worlds under the entry point group ``worldquiz.worlds``; ``module:attribute`` names
one too. `worldquiz.t2q.suite` makes a suite of them, and `checks.check_world` says whether one
keeps the protocol.
"""

from __future__ import annotations

from pathlib import Path
from typing import cast

from worldquiz.errors import CatalogError, WorldError
from worldquiz.plugins import Catalogue
from worldquiz.runs.given import fresh
from worldquiz.t2q.world.base import World
from worldquiz.t2q.world.spec import WorldSpec

CATALOGUE = Catalogue(
    noun="world",
    group="worldquiz.worlds",
    ours={"textworld": "worldquiz.t2q.world.play:from_folder"},
)
METHODS = ("spec", "state", "reset", "step", "close")


def opened(name: str, spec: WorldSpec, folder: Path) -> World:
    """Open a world of a suite by the name of its kind.

    Raises `CatalogError` for a name that nobody has, or that does not make a world; `WorldError`
    where it makes another world than the suite holds.
    """
    world = as_world(fresh(CATALOGUE.load(name), "world", spec=spec, folder=folder), name)
    if world.spec != spec:
        raise WorldError(
            f"world {spec.id!r}: {name!r} makes a world of other facts than {folder} holds: make "
            "the suite again"
        )
    return world


def as_world(made: object, name: str) -> World:
    """Return an object as a world. Raises `CatalogError` if it lacks a method."""
    for method in METHODS:
        if not hasattr(made, method):
            kind = type(made).__name__
            raise CatalogError(f"world {name!r}: {kind} is not a World: missing {method!r}")
    return cast("World", made)
