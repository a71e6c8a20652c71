"""Catalogues: a name stands for an object in a module that is imported when it is asked for.

A catalogue is a table of our own, ``name -> "module:attribute"``, and after it the entry points of
one group that other packages install. Nothing registers itself on import, and no name may mean two
things.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from operator import attrgetter
from typing import Any

from worldquiz.errors import CatalogError, did_you_mean


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Names of one kind of thing: ours, then those of installed packages."""

    noun: str  # "world": how errors call an entry
    group: str  # the entry point group, "worldquiz.worlds"
    ours: Mapping[str, str]  # name -> "module:attribute"

    def names(self) -> tuple[str, ...]:
        """Return all names, sorted. Raises `CatalogError` if one means two things."""
        return tuple(sorted(self._entries()))

    def load(self, name: str) -> Any:
        """Return what a name stands for: an entry, or ``module:attribute`` of any module.

        Raises `CatalogError` if it stands for nothing, or for what cannot be imported.
        """
        entries = self._entries()
        if name not in entries and ":" not in name:
            raise CatalogError(f"no {self.noun} {name!r}{did_you_mean(name, entries)}")
        target = entries.get(name, name)
        module, _, attribute = target.partition(":")
        try:
            return attrgetter(attribute)(import_module(module))
        except (ImportError, AttributeError, ValueError) as error:
            raise CatalogError(
                f"{self.noun} {name!r} stands for {target!r}, which cannot be imported: {error}"
            ) from error

    def _entries(self) -> dict[str, str]:
        found = dict(self.ours)
        for entry in sorted(_installed(self.group), key=lambda entry: (entry.name, entry.value)):
            if entry.name in found:
                raise CatalogError(
                    f"{self.noun} {entry.name!r} means both {found[entry.name]!r} and "
                    f"{entry.value!r} (entry points {self.group!r}): uninstall one of them"
                )
            found[entry.name] = entry.value
        return found


def _installed(group: str) -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=group))
