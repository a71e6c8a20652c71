"""Catalogues: a name stands for an object in a module that is imported when it is asked for.

A catalogue is a table of our own, ``name -> "module:attribute"``, and after it the entry points of
one group that other packages install. Nothing registers itself on import, and no name may mean two
things.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

from worldquiz.errors import CatalogError, did_you_mean, needing_scenes


class EntryPoint(NamedTuple):
    """A name that an installed package offers."""

    name: str
    value: str  # "module:attribute"


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
        return self._loaded(name, entries.get(name, name))

    def every(self) -> dict[str, Any]:
        """Return what all names stand for, sorted by name. Raises `CatalogError` as `load`."""
        return {name: self._loaded(name, place) for name, place in sorted(self._entries().items())}

    def _loaded(self, name: str, place: str) -> Any:
        return imported(place, f"{self.noun} {name!r} stands for")

    def _entries(self) -> dict[str, str]:
        found = dict(self.ours)
        for entry in sorted(_installed(self.group), key=lambda one: (one.name, one.value)):
            if entry.name in found:
                raise CatalogError(
                    f"{self.noun} {entry.name!r} means both {found[entry.name]!r} and "
                    f"{entry.value!r} (entry points {self.group!r}): uninstall one of them"
                )
            found[entry.name] = entry.value
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


def _installed(group: str) -> tuple[EntryPoint, ...]:
    return _read(entry_points, group, tuple(sys.path))


@cache
def _read(
    read: Callable[..., Iterable[EntryPoint]], group: str, _path: tuple[str, ...]
) -> tuple[EntryPoint, ...]:
    """Read a group once for each search path: all installed packages are opened for it."""
    return tuple(read(group=group))


def entry_points(group: str) -> tuple[EntryPoint, ...]:
    """Return what the packages on `sys.path` offer under a group.

    `importlib.metadata` says the same, but takes 60 ms in an environment of 270 packages, a quarter
    of what ``worldquiz --help`` may take.
    """
    return tuple(entry for text in _declarations() for entry in _section(text, group))


def _declarations() -> Iterator[str]:
    """Return each distribution's ``entry_points.txt``, that of the first one of a name."""
    seen = set()
    for folder in dict.fromkeys(sys.path):
        for path in sorted(Path(folder or ".").glob("*.*-info")):
            name = path.name.removesuffix(".egg-info").partition("-")[0].lower()
            if name not in seen:
                seen.add(name)
                with contextlib.suppress(OSError):
                    yield (path / "entry_points.txt").read_text(encoding="utf-8")


def _section(text: str, group: str) -> Iterator[EntryPoint]:
    """Return the lines of one section of an ``entry_points.txt``."""
    here = False
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            here = line == f"[{group}]"
        elif here and line and line[0] not in "#;":
            name, _, value = line.partition("=")
            yield EntryPoint(name.strip(), value.strip())
