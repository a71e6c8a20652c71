"""Memories by name, and memories that a user passes as objects.

Our memories are in one table; installed packages add theirs under the entry point group
``worldquiz.memories``. Every name refers to a function or class that may accept `Services`, is
called once per world, and returns a `Memory`. Attributes of this function or class declare its
needs: ``needs_model``, ``needs_embedder``, ``extra`` (of worldquiz) and ``library`` (the
distribution that it wraps). The library is imported only when a memory is made.

Any object with ``add(entry)`` and ``recall(query)`` will do (`memory.base.Guarded`).
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, entry_points
from importlib.metadata import version as installed

from worldquiz.errors import CatalogError, MissingExtra
from worldquiz.memory.base import Guarded, Services
from worldquiz.plugins import Catalogue
from worldquiz.runs.given import check_name, fresh, name_of, summary_of
from worldquiz.version import __version__

GROUP = "worldquiz.memories"
_HERE = "worldquiz.memory"
_OURS = {
    "in-context": f"{_HERE}.baselines:InContext",
    "none": f"{_HERE}.baselines:Nothing",
    "summary": f"{_HERE}.baselines:Summary",
    "bm25": f"{_HERE}.baselines:BM25",
    "embedding": f"{_HERE}.baselines:Embedding",
    "mem0": f"{_HERE}.mem0:Mem0",
    "langmem": f"{_HERE}.langmem:LangMem",
    "amem": f"{_HERE}.amem:AMem",
    "arigraph": f"{_HERE}.arigraph:AriGraph",
}
_MEMORIES = Catalogue("memory", GROUP, _OURS)
MEMORY_ROLE = "memory"
"""Role in inspect under which an evaluation names the model for memories."""


@dataclass(frozen=True, slots=True)
class MemoryEntry:
    """One memory of the catalogue."""

    name: str
    summary: str
    library: str | None = None  # the distribution that it wraps
    extra: str | None = None  # worldquiz's extra that installs all it needs
    calls_model: bool = False  # under the role "memory"
    embeds: bool = False  # with the run's embedder

    @property
    def missing(self) -> str | None:
        """Name of a needed library that is not installed, None if there is none.

        Libraries of embedders do not count, since a run's options choose the embedder.
        """
        needed = [self.library] if self.library else []
        needed += ["aiohttp"] if self.calls_model else []
        return next((library for library in needed if not _version(library)), None)


def memories() -> tuple[MemoryEntry, ...]:
    """Return all memories: ours, then those of entry points.

    Raises `CatalogError` if two of them have the same name.
    """

    def listed(name: str) -> MemoryEntry:
        try:
            return entry(name)
        except CatalogError:
            return MemoryEntry(name, "cannot be imported")

    others = (name for name in _MEMORIES.names() if name not in _OURS)
    return tuple(map(listed, (*_OURS, *others)))


def entry(what: object) -> MemoryEntry:
    """Return a memory's entry in the catalogue. Raises `CatalogError` if there is none."""
    check_name(what, "memory", _MEMORIES.names())
    made = _MEMORIES.load(what) if isinstance(what, str) else what
    library, extra = (getattr(made, name, None) for name in ("library", "extra"))
    return MemoryEntry(
        name_of(what),
        summary_of(made),
        library if isinstance(library, str) else None,
        extra if isinstance(extra, str) else None,
        calls_model=bool(getattr(made, "needs_model", False)),
        embeds=bool(getattr(made, "needs_embedder", False)),
    )


def memory(what: object, services: Services) -> Guarded:
    """Return a new memory for one world, by name or from an object.

    Raises `CatalogError` if the name is unknown or ambiguous, if its entry cannot be imported or is
    not a memory, or if the memory needs an embedder and `services` has none; `MissingExtra` if a
    needed library is not installed.
    """
    line = entry(what)
    found = _MEMORIES.load(what) if isinstance(what, str) else what
    made = fresh(found, "memory", services=services)
    for method in ("add", "recall"):
        if not hasattr(made, method):
            kind = type(made).__name__
            raise CatalogError(
                f"memory {line.name!r}: {kind} is not a Memory: missing method {method!r}"
            )
    return Guarded(made, line.name)


def version(what: object) -> str:
    """Return the package of a memory with its version, ``"mem0ai 2.2.1"``; "" if it has none.

    Raises `CatalogError` as `entry` does, `MissingExtra` if the library that the memory wraps is
    not installed.
    """
    line = entry(what)
    if line.library is not None:
        if not (found := _version(line.library)):
            raise MissingExtra(line.library, line.extra)
        return f"{line.library} {found}"
    if line.name in _OURS:
        return f"worldquiz {__version__}"
    dists = (point.dist for point in entry_points(group=GROUP, name=line.name))
    return next((f"{dist.name} {dist.version}" for dist in dists if dist), "")


def _version(library: str) -> str | None:
    try:
        return installed(library)
    except PackageNotFoundError:
        return None
