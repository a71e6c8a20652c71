"""How far a run is that another process is at, from its folder alone; nothing is written there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path

from worldquiz.records import read_json
from worldquiz.runs.folder import MANIFEST, SCORES
from worldquiz.runs.journal_file import CALLS, SUFFIX, whole_lines
from worldquiz.runs.store import busy, refresh, writer

EVERY = 5
"""Seconds between two looks at a run that is followed."""
_SO_FAR: ContextVar[bool] = ContextVar("so_far", default=False)


@contextmanager
def so_far() -> Iterator[None]:
    """Read runs as far as they are: worlds that are not finished are left out."""
    token = _SO_FAR.set(True)
    try:
        yield
    finally:
        _SO_FAR.reset(token)


def is_so_far() -> bool:
    """Tell whether runs are read as far as they are."""
    return _SO_FAR.get()


@dataclass(frozen=True, slots=True)
class Progress:
    """What a run has done so far."""

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
    refresh(run)
    manifest = read_json(run / MANIFEST)
    worlds = manifest.get("worlds") if isinstance(manifest, dict) else None
    return Progress(
        working=busy(run) or writer(run) is not None,
        finished=(run / SCORES).is_file(),
        worlds=sum(path.is_dir() for path in run.glob("worlds/[!.]*")),
        of=len(worlds) if isinstance(worlds, list) else None,
        replies=sum(map(_lines, run.glob(f".*{SUFFIX}"))),
        calls={
            path.name.removesuffix(SUFFIX): _lines(path)
            for path in sorted((run / CALLS).glob(f"*{SUFFIX}"))
        },
    )


def _lines(path: Path) -> int:
    try:
        return len(whole_lines(path.read_bytes())[0])
    except FileNotFoundError:  # finished meanwhile
        return 0
