"""Lazy imports of optional libraries, catalogue entries and public names.

A catalogue joins our own table, ``name -> "module:attribute"``, with the entry points that other
packages install under one group. Nothing registers itself on import, and names must be unique.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import Any

from worldquiz.errors import CatalogError, MissingExtra, did_you_mean, needing_scenes


def need(module: str, *, extra: str | None, library: str | None = None) -> Any:
    """Return a module, such as ``scipy.spatial``, of an optional library.

    `extra` installs the library, None if no extra does; `library` is its name on PyPI, if that
    differs (pillow for ``PIL``). Raises `MissingExtra` if the library is not installed.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtra(library or module.partition(".")[0], extra) from error


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Names of one kind of entry: ours, then those of installed packages."""

    noun: str  # what errors call an entry: "world"
    group: str  # the entry point group, "worldquiz.worlds"
    ours: Mapping[str, str]  # name -> "module:attribute"

    def names(self) -> tuple[str, ...]:
        """Return all names, sorted. Raises `CatalogError` if two entries have the same name."""
        return tuple(sorted(self.places()))

    def load(self, name: str) -> Any:
        """Return the object with a name in the catalogue, or at ``module:attribute`` in any module.

        Raises `CatalogError` if there is no such entry, or if it cannot be imported.
        """
        entries = self._entries()
        if name not in entries and ":" not in name:
            raise CatalogError(f"no {self.noun} {name!r}{did_you_mean(name, entries)}")
        place, owner = entries.get(name, (name, ""))
        return imported(place, f"{self.noun} {name!r}{owner}")

    def places(self) -> dict[str, str]:
        """Return ``module:attribute`` by entry name. Raises `CatalogError` as `names` does."""
        return {name: place for name, (place, _) in self._entries().items()}

    def _entries(self) -> dict[str, tuple[str, str]]:
        """Return each entry's ``module:attribute`` and package by name."""
        found = {name: (place, "") for name, place in self.ours.items()}
        for name, value, owner in sorted(entry_points(self.group)):
            if name in found:
                raise CatalogError(
                    f"{self.noun} {name!r} means both {found[name][0]!r} and {value!r} of the "
                    f"package {owner}: uninstall one of them"
                )
            found[name] = value, f" of the package {owner}"
        return found

    def owner(self, name: str) -> str:
        """Return " of the package X" for a name from an installed package, else ""."""
        return self._entries().get(name, ("", ""))[1]


@dataclass(frozen=True, slots=True)
class Hook:
    """A function whose module is imported at its first call: ``Hook("my_package.rows:rows")``."""

    place: str  # "module:attribute"

    def resolved(self) -> Any:
        """Return the function. Raises `CatalogError` if it cannot be imported."""
        return imported(self.place, "benchmark")

    def __call__(self, *arguments: Any) -> Any:
        """Call the function."""
        return self.resolved()(*arguments)


def imported(place: str, whose: str) -> Any:
    """Return the object at ``module:attribute``; errors begin with `whose`."""
    module, _, attribute = place.partition(":")
    if "/" in module or module.endswith(".py"):
        named = f"{Path(module).stem}:{attribute}"
        raise CatalogError(f"{whose}: {place!r} is a file: give its module, as in {named!r}")
    try:
        with needing_scenes():
            return attrgetter(attribute)(import_module(module))
    except (ImportError, AttributeError, ValueError) as error:
        raise CatalogError(f"{whose}: cannot import {place!r}: {error}") from error


def entry_points(group: str) -> list[tuple[str, str, str]]:
    """Return the name, ``module:attribute`` and package of each installed entry point."""
    from importlib import metadata  # takes a third of ``import worldquiz.cli``

    found = metadata.entry_points(group=group)
    return [(each.name, each.value, each.dist.name if each.dist else "?") for each in found]


def lazy_names(
    package: str, homes: Mapping[str, str], *more: str
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the functions ``__getattr__`` and ``__dir__`` of a package (PEP 562).

    `homes` maps each module to the names that come from it, and "" to those names that are modules.
    A module is imported when one of its names is first used. `more` are names that the package has.
    """
    places = {name: home for home, names in homes.items() for name in names.split()}

    def find(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = places[name]
        with needing_scenes():
            found = import_module(f"{package}.{home or name}")
        return getattr(found, name) if home else found

    return find, lambda: sorted([*places, *more])
