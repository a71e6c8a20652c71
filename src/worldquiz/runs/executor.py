"""Parallel work on several processes or machines, whose number does not affect the results.

Workers compute results, and the parent process writes them. Worker processes ignore ctrl-C, which
the parent handles, and end when the parent ends, so a killed command leaves no process behind.

Within `ray_cluster.on`, a Ray cluster does the work.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from concurrent.futures.process import BrokenProcessPool
from contextvars import ContextVar, copy_context
from itertools import islice
from multiprocessing.connection import wait as wait_for
from typing import Any, TypeVar

from worldquiz.errors import WorldError

T = TypeVar("T")
R = TypeVar("R")

UNTOLD = (signal.SIGINT, signal.SIGHUP)
"""Signals that workers ignore: ctrl-C, and a terminal that is closed."""
Done = Callable[[str], None]
"""Called with the name of each finished piece of work."""


def silent(name: str) -> None:
    """Ignore progress."""


cluster: ContextVar[Callable[..., Iterator[Any]] | None] = ContextVar("cluster", default=None)
"""Function that replaces `each` on a cluster; None if this machine does the work."""


def each(work: Callable[[T], R], items: Sequence[T], *, jobs: int) -> Iterator[tuple[T, R]]:
    """Yield each item with the result of `work`, in the order in which items finish.

    With one job, this process does all the work; on a cluster, `jobs` has no effect. `work` must be
    importable by name, and depend on nothing but its item. The first error ends the iteration;
    results yielded before it are valid.
    """
    if jobs < 1:
        raise ValueError(f"jobs must be at least 1, got {jobs}")
    if spread := cluster.get():
        yield from spread(work, items)
        return
    if jobs == 1 or len(items) < 2:
        for item in items:
            yield item, work(item)
        return
    with tempfile.TemporaryDirectory(prefix="worldquiz-", ignore_cleanup_errors=True) as scratch:
        context = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(
            min(jobs, len(items)), context, initializer=_enlist, initargs=(scratch,)
        )
        try:
            give = lambda item: _submitted(pool, work, item)  # noqa: E731
            yield from as_done(give, items, lambda: 2 * jobs)
        except BrokenProcessPool as error:
            raise WorldError(
                "a worker process died, perhaps because memory ran out or your script has no "
                "`if __name__ == '__main__':`; finished work is kept: try again with fewer jobs"
            ) from error
        finally:
            _dismiss(pool)


def as_done(
    give: Callable[[T], Future[R]], items: Sequence[T], most: Callable[[], int]
) -> Iterator[tuple[T, R]]:
    """Yield items with their results as they finish; at most `most()` items are under way."""
    pending: dict[Future[R], T] = {}
    queue = iter(items)
    while True:
        for item in islice(queue, max(0, most() - len(pending))):
            pending[give(item)] = item
        if not pending:
            return
        finished, _ = wait(pending, return_when=FIRST_COMPLETED)
        for future in sorted(finished, key=list(pending).index):
            yield pending.pop(future), future.result()


def _submitted(pool: ProcessPoolExecutor, work: Callable[[T], R], item: T) -> Future[R]:
    """Submit an item to the pool, which starts its workers at the first item.

    Workers start with the signals `UNTOLD` blocked. Otherwise ctrl-C, which reaches all processes
    of a terminal, would make a Python process that is still starting print a traceback.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, UNTOLD)
    try:
        return pool.submit(work, item)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _dismiss(pool: ProcessPoolExecutor) -> None:
    """Kill the worker processes, and wait until the pool's manager thread ends.

    Python's exit would wake this thread through a pipe that the thread may be closing. If this
    process closes its end of the result queue, the thread sees that the workers are gone.
    """
    workers = list((pool._processes or {}).values())
    inside: Any = pool  # the library has no public names for these
    thread, results = inside._executor_manager_thread, inside._result_queue
    pool.shutdown(wait=False, cancel_futures=True)
    for worker in workers:
        worker.terminate()
    if thread is not None and results is not None:
        results._writer.close()
        thread.join()


def _enlist(scratch: str) -> None:
    """Set this process up as a worker, with temporary files in the parent's scratch folder."""
    tempfile.tempdir = scratch
    for number in UNTOLD:
        signal.signal(number, signal.SIG_IGN)
    if (parent := multiprocessing.parent_process()) is not None:

        def end_with_parent() -> None:
            wait_for([parent.sentinel])
            os._exit(1)

        threading.Thread(target=end_with_parent, daemon=True).start()


def cores() -> int:
    """Return how many processor cores this process may use."""
    if hasattr(os, "sched_getaffinity"):  # Linux
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def blocking(call: Callable[[], T]) -> T:
    """Return the result of `call`, even if an event loop is already running, as in a notebook.

    In that case the call gets a thread of its own, in which it may start an event loop.
    """
    if not asyncio._get_running_loop():
        return call()
    with ThreadPoolExecutor(1, "worldquiz") as pool:
        return pool.submit(copy_context().run, call).result()
