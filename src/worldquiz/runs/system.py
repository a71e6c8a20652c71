"""Differences between operating systems: locks, processor cores, memory used, signals."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
    import resource
except ImportError:  # Windows
    fcntl = resource = None  # type: ignore[assignment]

HANGUP = (signal.SIGHUP,) if hasattr(signal, "SIGHUP") else ()
"""The signal that a terminal is closed, where the system has one."""
MOST = 61
"""The most worker processes that Python can wait for on Windows."""


def cores() -> int:
    """Return how many processor cores this process may use."""
    if hasattr(os, "sched_getaffinity"):  # Linux
        return len(os.sched_getaffinity(0))
    return min(os.cpu_count() or 1, MOST)


def most_memory() -> float | None:
    """Return the megabytes that a process of this command held at most; None on Windows."""
    if resource is None:
        return None
    users = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    held = max(resource.getrusage(user).ru_maxrss for user in users)
    return round(held / (1e6 if sys.platform == "darwin" else 1e3), 1)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Lock a folder against other processes; the system unlocks it when this one ends.

    Without `fcntl`, a hidden file beside it is the lock. Windows deletes that file with the
    process, but may leave it after a power failure: then the user has to delete it. Raises
    `BlockingIOError` where another process has the lock; `OSError`.
    """
    if fcntl is None:
        with _lock_file(folder):
            yield
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)


def busy(folder: Path) -> bool:
    """Tell whether a process of this machine holds a folder for writing."""
    if fcntl is None:
        return _beside(folder).exists()
    if not folder.is_dir():
        return False
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


@contextmanager
def _lock_file(folder: Path) -> Iterator[None]:
    lock, temporary = _beside(folder), getattr(os, "O_TEMPORARY", 0)
    try:
        handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_EXCL | temporary, 0o600)
    except FileExistsError as error:
        raise BlockingIOError(error.errno, "is locked", str(lock)) from error
    try:
        yield
    finally:
        with suppress(OSError):
            lock.unlink()
        os.close(handle)


def _beside(folder: Path) -> Path:
    real = folder.resolve()
    return real.parent / f".{real.name}.lock"
