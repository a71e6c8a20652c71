"""Memories by name, and those that a user passes as objects.

Ours stand in one table; installed packages add theirs under the entry point group
``worldquiz.memories``. Every name stands for a function or class that may ask for `Services`, is
called once a world, and returns a `Memory`. It declares what it needs by attributes:
``needs_model``, ``needs_embedder``, ``extra`` (of worldquiz) and ``library`` (the distribution that
it wraps); one that declares nothing needs nothing. The library itself is imported when a memory is
made, and no sooner.

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
"""The role of inspect under which an evaluation names a model for memories."""


@dataclass(frozen=True, slots=True)
class MemoryEntry:
    """One line of the catalogue."""

    name: str
    summary: str
    library: str | None = None  # the distribution that it wraps
    extra: str | None = None  # of ours, that installs all it needs
    calls_model: bool = False  # under the role "memory"
    embeds: bool = False  # with the run's embedder

    @property
    def missing(self) -> str | None:
        """A library that it needs and that is not installed here; None: there is none.

        Embedders are another matter: which one is used, a run's options say.
        """
        needed = [self.library] if self.library else []
        needed += ["aiohttp"] if self.calls_model else []
        return next((library for library in needed if not _version(library)), None)


def memories() -> tuple[MemoryEntry, ...]:
    """Return all memories: ours, then those of entry points.

    Raises `CatalogError` if a name means two things.
    """

    def listed(name: str) -> MemoryEntry:
        try:
            return entry(name)
        except CatalogError:
            return MemoryEntry(name, "cannot be imported")

    others = (name for name in _MEMORIES.names() if name not in _OURS)
    return tuple(map(listed, (*_OURS, *others)))


def entry(what: object) -> MemoryEntry:
    """Return the line of a memory. Raises `CatalogError`, with a near miss, if there is none."""
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
    """Return a new memory for one world: that of a name, or one made of an object.

    Raises `CatalogError` if there is no memory of that name, if it means two things, if what it
    stands for cannot be imported or is not a memory, or if it embeds and was given no embedder;
    `MissingExtra` if a library that it needs is not installed.
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
    """Return the version of what makes a memory, as manifests state it: ``"mem0ai 2.2.1"``.

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
    return next((f"{dist.name} {dist.version}" for dist in dists if dist), "unknown")


def _version(library: str) -> str | None:
    try:
        return installed(library)
    except PackageNotFoundError:
        return None
