"""Lazy imports of optional libraries, of entries of catalogues, and of public names.

A catalogue is our own table, ``name -> "module:attribute"``, and the entry points of one group that
other packages install. Nothing registers itself on import, and no name may mean two things.
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
    """Return a module, as ``numpy`` or ``scipy.spatial``, of a library that an extra installs.

    `extra` is None where no extra installs it; `library` is pip's name for it, if that differs
    (``PIL``: pillow). Raises `MissingExtra` where it is not installed.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtra(library or module.partition(".")[0], extra) from error


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Names of one kind of thing: ours, then those of installed packages."""

    noun: str  # "world": how errors call an entry
    group: str  # the entry point group, "worldquiz.worlds"
    ours: Mapping[str, str]  # name -> "module:attribute"

    def names(self) -> tuple[str, ...]:
        """Return all names, sorted. Raises `CatalogError` if one means two things."""
        return tuple(sorted(self.places()))

    def load(self, name: str) -> Any:
        """Return what a name stands for: an entry, or ``module:attribute`` of any module.

        Raises `CatalogError` if it stands for nothing, or for what cannot be imported.
        """
        entries = self._entries()
        if name not in entries and ":" not in name:
            raise CatalogError(f"no {self.noun} {name!r}{did_you_mean(name, entries)}")
        place, owner = entries.get(name, (name, ""))
        return imported(place, f"{self.noun} {name!r}{owner}")

    def places(self) -> dict[str, str]:
        """Return the place of each entry by name. Raises `CatalogError` as `names`."""
        return {name: place for name, (place, _) in self._entries().items()}

    def _entries(self) -> dict[str, tuple[str, str]]:
        """Return each entry's place and owner by name; installed packages are read once."""
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
        """Return " of the package X" for a name that an installed package brings, else ""."""
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
        raise CatalogError(f"{whose}: {place!r} names a file: name its module, as {named!r}")
    try:
        with needing_scenes():
            return attrgetter(attribute)(import_module(module))
    except (ImportError, AttributeError, ValueError) as error:
        raise CatalogError(f"{whose}: cannot import {place!r}: {error}") from error


def entry_points(group: str) -> list[tuple[str, str, str]]:
    """Return what installed packages offer under a group: names, places, and the package's name."""
    from importlib import metadata  # a third of what ``import worldquiz.cli`` takes

    found = metadata.entry_points(group=group)
    return [(each.name, each.value, each.dist.name if each.dist else "?") for each in found]


def lazy_names(
    package: str, homes: Mapping[str, str], *more: str
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the functions ``__getattr__`` and ``__dir__`` of a package (PEP 562).

    `homes` maps its modules to their names; a module is imported when one of its names is first
    used. Under "" stand modules themselves; `more` are names that the package already has.
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
