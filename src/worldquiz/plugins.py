"""Catalogues: a name stands for an object in a module that is imported when it is asked for.

A catalogue is a table of our own, ``name -> "module:attribute"``, and after it the entry points of
one group that other packages install. Nothing registers itself on import, and no name may mean two
things.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
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
        """Return what a name stands for. Raises `CatalogError` if nothing, or nothing usable."""
        entries = self._entries()
        if name not in entries:
            raise CatalogError(f"no {self.noun} {name!r}{did_you_mean(name, entries)}")
        module, _, attribute = entries[name].partition(":")
        try:
            return getattr(import_module(module), attribute)
        except (ImportError, AttributeError) as error:
            raise CatalogError(
                f"{self.noun} {name!r} stands for {entries[name]!r}, which cannot be imported: "
                f"{error}"
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
    return _read(entry_points, group, tuple(sys.path))


@cache
def _read(
    read: Callable[..., Iterable[EntryPoint]], group: str, _path: tuple[str, ...]
) -> tuple[EntryPoint, ...]:
    """Read a group once for each search path: all installed packages are opened for it."""
    return tuple(read(group=group))
