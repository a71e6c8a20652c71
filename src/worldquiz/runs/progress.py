"""Progress of a run in another process, read from its folder alone; nothing is written there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from worldquiz.records import digest, read_json, write_bytes
from worldquiz.runs.folder import MANIFEST, SCORES
from worldquiz.runs.journal_file import CALLS, SUFFIX, whole_lines
from worldquiz.runs.system import busy

EVERY = 5
"""Seconds between two looks at a run that is followed."""
_SO_FAR: ContextVar[Path | None] = ContextVar("so_far", default=None)


@contextmanager
def so_far() -> Iterator[None]:
    """Read runs as far as they are: worlds and answers that are not there yet are left out."""
    with TemporaryDirectory(prefix="worldquiz-") as scratch:
        token = _SO_FAR.set(Path(scratch))
        try:
            yield
        finally:
            _SO_FAR.reset(token)


def is_so_far() -> bool:
    """Tell whether runs are read as far as they are."""
    return _SO_FAR.get() is not None


def copy_so_far(folder: Path, whole: str, journal: str) -> Path | None:
    """Return a copy of what a journal holds, as the file of a finished run; None where nothing is.

    The copy is of when it is first asked for, and stays that way until `so_far` ends. None too
    where runs are not read as far as they are.
    """
    scratch = _SO_FAR.get()
    if scratch is None:
        return None
    copy = scratch / digest(str(folder.resolve()))[:16] / whole
    if not copy.is_file():
        lines = _whole_lines(folder / journal) or _of_worlds(folder, whole)
        if not lines:
            return None
        write_bytes(copy, b"".join(line + b"\n" for line in lines))
    return copy


@dataclass(frozen=True, slots=True)
class Progress:
    """Worlds, replies and calls that a run has done so far."""

    working: bool  # whether a process writes there now
    finished: bool
    worlds: int = 0  # finished ones, where these are units
    of: int | None = None  # worlds in all
    replies: int = 0  # kept ones, where questions are units
    calls: Mapping[str, int] = field(default_factory=dict)  # of units that are under way

    def words(self) -> str:
        """Say it in a line."""
        if self.finished and not self.working:
            return "finished"
        parts = [] if self.of is None else [f"{self.worlds} of {self.of} worlds"]
        if self.replies or not parts:
            parts.append(f"{self.replies} replies kept")
        parts += [f"{name} at call {count}" for name, count in self.calls.items()]
        return ", ".join(parts) + ("" if self.working else "; nobody is working on it")


def progress_of(run: Path) -> Progress:
    """Return how far a run is. Raises `RecordError` where there is none."""
    manifest = read_json(run / MANIFEST)
    worlds = manifest.get("worlds") if isinstance(manifest, dict) else None
    return Progress(
        working=busy(run),
        finished=(run / SCORES).is_file(),
        worlds=sum(path.is_dir() for path in run.glob("worlds/[!.]*")),
        of=len(worlds) if isinstance(worlds, list) else None,
        replies=sum(len(_whole_lines(path)) for path in run.glob(f".*{SUFFIX}")),
        calls={
            path.name.removesuffix(SUFFIX): len(_whole_lines(path))
            for path in sorted((run / CALLS).glob(f"*{SUFFIX}"))
        },
    )


def _of_worlds(folder: Path, whole: str) -> list[bytes]:
    """Return the lines of the worlds that are finished, where each has a folder of its own."""
    parts = [folder / f".{whole}", *sorted(folder.glob(f"worlds/[!.]*/{whole}"))]
    return [line for path in parts if path.is_file() for line in path.read_bytes().splitlines()]


def _whole_lines(path: Path) -> list[bytes]:
    try:
        return whole_lines(path.read_bytes())[0]
    except FileNotFoundError:  # finished meanwhile, or not begun
        return []
