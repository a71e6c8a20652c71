"""Imports that wait until they are needed: of optional libraries, of catalogues' entries, of names.

An optional library that is not there is missed in one line. A catalogue is a table of our own,
``name -> "module:attribute"``, and after it the entry points of one group that other packages
install. Nothing registers itself on import, and no name may mean two things.
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

    `extra` is None for what no extra brings; `library` is what pip calls it, where that is not the
    module's first name (``PIL``: pillow).
    Raises `MissingExtra` naming library and extra where it is not installed.
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
        entries = self.places()
        if name not in entries and ":" not in name:
            raise CatalogError(f"no {self.noun} {name!r}{did_you_mean(name, entries)}")
        return imported(entries.get(name, name), f"{self.noun} {name!r} stands for")

    def places(self) -> dict[str, str]:
        """Return where each entry is, by its name. Raises `CatalogError` as `names`."""
        found = dict(self.ours)
        for name, value in sorted(entry_points(self.group)):
            if name in found:
                raise CatalogError(
                    f"{self.noun} {name!r} means both {found[name]!r} and {value!r} "
                    f"(entry points {self.group!r}): uninstall one of them"
                )
            found[name] = value
        return found


@dataclass(frozen=True, slots=True)
class Hook:
    """A function of a module that is imported when the function is first called.

    rows = Hook("my_package.rows:rows")
    """

    place: str  # "module:attribute"

    def resolved(self) -> Any:
        """Return what is there. Raises `CatalogError` if it cannot be imported."""
        return imported(self.place, "a benchmark names")

    def __call__(self, *arguments: Any) -> Any:
        """Call the function."""
        return self.resolved()(*arguments)


def imported(place: str, whose: str) -> Any:
    """Return what is at ``module:attribute``. Raises `CatalogError` saying `whose` name it is."""
    module, _, attribute = place.partition(":")
    if "/" in module or module.endswith(".py"):
        named = f"{Path(module).stem}:{attribute}"
        raise CatalogError(f"{whose} {place!r}: name the module, not its file: {named!r}")
    try:
        with needing_scenes():
            return attrgetter(attribute)(import_module(module))
    except (ImportError, AttributeError, ValueError) as error:
        raise CatalogError(f"{whose} {place!r}, which cannot be imported: {error}") from error


def entry_points(group: str) -> list[tuple[str, str]]:
    """Return the names that installed packages offer under a group, each with its place."""
    from importlib import metadata  # a third of what ``import worldquiz.cli`` takes

    return [(each.name, each.value) for each in metadata.entry_points(group=group)]


def lazy_names(
    package: str, homes: Mapping[str, str], *more: str
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the functions ``__getattr__`` and ``__dir__`` of a package (PEP 562).

    `homes` tells the names in each of its modules, of which one is imported when a name of it is
    first asked for; under "" stand modules. `more` are names that the package has already.
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
