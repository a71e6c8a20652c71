"""Memories by name, and those that a user passes as objects.

Ours stand in one table; other packages add theirs under the entry point group
``worldquiz.memories``. Every name stands for a function or class that may ask for `Services`, is
called once a world, and returns a `Memory`. It declares what it needs by attributes:
``needs_model``, ``needs_embedder`` and ``extra``; one that declares nothing needs nothing. The
module of one of ours is imported when a memory is made, and the library that it wraps no sooner.

Any object with ``add(entry)`` and ``recall(query)`` will do. The two may be plain or `async`, and
``recall`` may return a text; ``close`` and ``shrink`` are called where there are such methods.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, entry_points
from importlib.metadata import version as installed
from inspect import iscoroutinefunction
from typing import Any, cast

from worldquiz.errors import AgentError, CatalogError, MissingExtra
from worldquiz.memory.base import Entry, Memory, Recalled, Services, free
from worldquiz.plugins import Catalogue
from worldquiz.runs.given import Declared, check_name, fresh, name_of, settled, summary_of
from worldquiz.version import __version__

GROUP = "worldquiz.memories"


@dataclass(frozen=True, slots=True)
class MemoryEntry:
    """One line of the catalogue."""

    name: str
    target: str | None  # "module:attribute" of a function or class; None: another package's
    summary: str
    source: str  # the paper it follows, or what makes it
    library: str | None = None  # the distribution that it wraps; None: our own code
    extra: str | None = None  # of ours, that installs all it needs
    calls_model: bool = False  # under the role "memory"
    embeds: bool = False  # with the run's embedder


_HERE = "worldquiz.memory"
_OURS = (
    MemoryEntry("in-context", f"{_HERE}.baselines:InContext",
                "the whole history, verbatim", "arXiv 2601.09503"),
    MemoryEntry("none", f"{_HERE}.baselines:Nothing",
                "remembers nothing: the lower bound", "worldquiz"),
    MemoryEntry("summary", f"{_HERE}.baselines:Summary",
                "a short summary, rewritten as turns are added", "worldquiz",
                extra="llm", calls_model=True),
    MemoryEntry("bm25", f"{_HERE}.retrieval:BM25",
                "the turns that share words with the query", "bm25s",
                library="bm25s", extra="memories"),
    MemoryEntry("embedding", f"{_HERE}.retrieval:Embedding",
                "the turns nearest to the query by embedding", "worldquiz",
                extra=None, embeds=True),
    MemoryEntry("mem0", f"{_HERE}.mem0:Mem0",
                "Mem0: facts drawn from the turns", "arXiv 2504.19413",
                library="mem0ai", extra="memories", calls_model=True, embeds=True),
    MemoryEntry("langmem", f"{_HERE}.langmem:LangMem",
                "LangMem: memories written and patched", "langmem",
                library="langmem", extra="memories", calls_model=True, embeds=True),
    MemoryEntry("amem", f"{_HERE}.amem:AMem",
                "A-MEM as its authors' code has it: linked notes", "arXiv 2502.12110",
                extra="llm", calls_model=True, embeds=True),
    MemoryEntry("arigraph", f"{_HERE}.arigraph:AriGraph",
                "AriGraph as its authors' code has it: triplets, and their turns",
                "arXiv 2407.04363", extra="llm", calls_model=True, embeds=True),
    MemoryEntry("worldgraph", f"{_HERE}.worldgraph.memory:WorldGraphMemory",
                "a map of the world, read without a model", "worldquiz"),
)  # fmt: skip

_MEMORIES = Catalogue("memory", GROUP, {entry.name: str(entry.target) for entry in _OURS})


def memories() -> tuple[MemoryEntry, ...]:
    """Return all memories: ours, then those of other packages, with what they declare.

    Raises `CatalogError` if a name means two things.
    """
    others = [name for name in _MEMORIES.names() if name not in _MEMORIES.ours]
    return (*_OURS, *(_foreign(name) for name in others))


def _foreign(name: str) -> MemoryEntry:
    try:
        return _declared(name, _MEMORIES.load(name), "another package")
    except CatalogError:
        return MemoryEntry(name, None, "cannot be imported", "another package")


def _declared(name: str, made: object, source: str) -> MemoryEntry:
    """Return the line of a memory that is not ours."""
    needs, summary = Declared.of(made), summary_of(made) or f"of {source}"
    return MemoryEntry(
        name, None, summary, source, None, needs.extra, needs.needs_model, needs.needs_embedder
    )


def entry(what: object) -> MemoryEntry:
    """Return the line of a memory. Raises `CatalogError`, with a near miss, if there is none."""
    if not isinstance(what, str):
        check_name(what, "memory", _MEMORIES.names())
        return _declared(name_of(what), what, "an object")
    found = {line.name: line for line in memories()}
    if what not in found:
        return _declared(what, _MEMORIES.load(what), "a module")
    return found[what]


def memory(what: object, services: Services) -> Memory:
    """Return a new memory for one world: that of a name, or one made of an object.

    Raises `CatalogError` if there is no memory of that name, if it means two things, if what it
    stands for cannot be imported or is not a memory, or if it embeds and was given no embedder;
    `MissingExtra` if a library that it needs is not installed.
    """
    line = entry(what)
    if line.embeds and services.embedder is None:
        raise CatalogError(f"memory {line.name!r} embeds and was given no embedder")
    found = _MEMORIES.load(what) if isinstance(what, str) else what
    return _as_memory(fresh(found, "memory", services=services), line.name)


def missing(line: MemoryEntry) -> str | None:
    """Return a library that a memory needs and that is not installed here; None: there is none.

    Embedders are another matter: which one is used, a run's options say.
    """
    needed = [line.library] if line.library else []
    needed += ["aiohttp"] if line.calls_model else []
    return next((library for library in needed if not _version(library)), None)


def version(what: object) -> str:
    """Return the version of what makes a memory, as manifests state it: ``"mem0ai 2.2.1"``.

    Raises `CatalogError` as `entry` does, `MissingExtra` if the library that the memory wraps is
    not installed.
    """
    line = entry(what)
    if line.target is None:
        return _package(line.name)
    if line.library is None:
        return f"worldquiz {__version__}"
    found = _version(line.library)
    if found is None:
        raise MissingExtra(line.library, line.extra)
    return f"{line.library} {found}"


def features(what: object) -> dict[str, str]:
    """Return what of a library's features is at work here, for the record; nothing is an answer.

    Asks the function ``features`` of the memory's module, if it has one. Raises `CatalogError` as
    `memory` does, `MissingExtra` if the library is not installed.
    """
    if not isinstance(what, str):
        return {}
    made = _MEMORIES.load(what)
    told = getattr(import_module(made.__module__), "features", None)
    return dict(told()) if told is not None else {}


def _version(library: str) -> str | None:
    try:
        return installed(library)
    except PackageNotFoundError:
        return None


def _package(name: str) -> str:
    """Return the distribution that declares another package's memory, with its version."""
    for point in entry_points(group=GROUP, name=name):
        if point.dist is not None:
            return f"{point.dist.name} {point.dist.version}"
    return "unknown"


class _Own:
    """A memory made of any object that remembers."""

    def __init__(self, made: Any, name: str) -> None:
        self._made, self._name = made, name

    async def add(self, entry: Entry) -> None:
        """Hand what was done and seen to the object."""
        await settled(self._made.add(entry))

    async def recall(self, query: str) -> Recalled:
        """Return what the object holds to be of use."""
        found = await settled(self._made.recall(query))
        if isinstance(found, Recalled):
            return found
        if isinstance(found, str):
            return Recalled((found,) if found else ())
        raise AgentError(f"memory {self._name!r} recalled {found!r}: return a text or a Recalled")

    def close(self) -> None:
        """Have the object free what it holds, if it holds anything."""
        free(self._made)


class _OwnShrinking(_Own):
    """One whose object can leave something out when a prompt is too long."""

    def shrink(self) -> int:
        """Return how many turns the object left out now; 0 when nothing is left to leave out."""
        return int(self._made.shrink())


def _as_memory(made: object, name: str) -> Memory:
    """Return an object as a memory. Raises `CatalogError` if it lacks a method."""
    for method in ("add", "recall"):
        if not hasattr(made, method):
            kind = type(made).__name__
            raise CatalogError(
                f"memory {name!r}: {kind} is not a Memory: missing method {method!r}"
            )
    if all(iscoroutinefunction(getattr(made, method)) for method in ("add", "recall")):
        return cast("Memory", made)
    return (_OwnShrinking if hasattr(made, "shrink") else _Own)(made, name)
