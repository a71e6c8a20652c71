"""Work spread over processes or machines, so that neither their number nor their order shows.

Workers compute, the parent writes. A worker ignores ctrl-C, which is the parent's to handle, and
ends when its parent is gone: a killed command leaves nothing behind that still runs. Within `on`,
the workers are those of a Ray cluster (`runs.cluster`).
"""

from __future__ import annotations

import asyncio
import inspect
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
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar, copy_context
from itertools import islice
from multiprocessing.connection import wait as wait_for
from typing import TYPE_CHECKING, Any, TypeVar

from worldquiz.errors import WorldError
from worldquiz.runs.given import settled

if TYPE_CHECKING:
    from worldquiz.runs.cluster import Cluster

T = TypeVar("T")
R = TypeVar("R")

MOST = 61
"""The most worker processes that Python can wait for on Windows."""
_cluster: ContextVar[Cluster | None] = ContextVar("cluster", default=None)
"""The cluster that work goes to, if any."""
Done = Callable[[str], None]
"""Told the name of each piece of work as it is finished."""


def silent(name: str) -> None:
    """Tell nobody."""


@contextmanager
def on(address: str) -> Iterator[Cluster]:
    """Send all work to a Ray cluster meanwhile, which is connected to when it is first needed.

    `address` is ``ray`` (begun on this machine, and ended with the block), ``ray:ADDRESS`` or
    ``ray://HOST:PORT``. No result depends on it. Raises `KnobError` for another address.

    >>> with worldquiz.on("ray"):                               # doctest: +SKIP
    ...     suite.run(agent="explorer", answerer="worldgraph", out="runs/explorer")
    """
    from worldquiz.runs.cluster import Cluster

    cluster = Cluster(address)
    token = _cluster.set(cluster)
    try:
        yield cluster
    finally:
        _cluster.reset(token)
        cluster.close()


def current_cluster() -> Cluster | None:
    """Return the cluster that work goes to, None where it is done on this machine."""
    return _cluster.get()


def each(work: Callable[[T], R], items: Sequence[T], *, jobs: int) -> Iterator[tuple[T, R]]:
    """Yield each item with the result of `work`, as they are finished.

    With one job everything happens in this process; on a cluster, `jobs` says nothing. `work` must
    be importable by name, and depend on nothing but its item. The first error ends the whole; items
    yielded before it stand.
    """
    if jobs < 1:
        raise ValueError(f"jobs must be at least 1, got {jobs}")
    if cluster := current_cluster():
        cluster.start()
        try:
            yield from _as_done(cluster.giver(work), items, cluster.most)
        except Exception as error:  # whatever the work or Ray raises
            raise cluster.explained(error) from error
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
            yield from _as_done(lambda item: pool.submit(work, item), items, lambda: 2 * jobs)
        except BrokenProcessPool as error:
            raise WorldError(
                "a worker process ended before its work (out of memory? a script without "
                "`if __name__ == '__main__':`?); what was finished is kept: try again with fewer "
                "jobs"
            ) from error
        finally:
            _dismiss(pool)


def _as_done(
    give: Callable[[T], Future[R]], items: Sequence[T], most: Callable[[], int]
) -> Iterator[tuple[T, R]]:
    """Keep every worker busy, and at most so many items waiting: results never pile up."""
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


def _dismiss(pool: ProcessPoolExecutor) -> None:
    """Kill the worker processes and join the pool's manager thread.

    That thread waits for the workers. It must be gone before Python ends: Python wakes it then by a
    pipe that it may be closing. Without a writer here, it sees where a result breaks off.
    """
    workers = list((pool._processes or {}).values())
    inside: Any = pool  # the library has no name for these
    thread, results = inside._executor_manager_thread, inside._result_queue
    pool.shutdown(wait=False, cancel_futures=True)
    for worker in workers:
        worker.terminate()
    if thread is not None and results is not None:
        results._writer.close()
        thread.join()


def _enlist(scratch: str) -> None:
    """Make this process a worker; its half-done files lie in the parent's scratch folder."""
    tempfile.tempdir = scratch
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):  # Windows has no SIGHUP
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    if (parent := multiprocessing.parent_process()) is not None:

        def end_with_parent() -> None:
            wait_for([parent.sentinel])
            os._exit(1)

        threading.Thread(target=end_with_parent, daemon=True).start()


def cores() -> int:
    """Return how many processor cores this process may use."""
    if hasattr(os, "sched_getaffinity"):  # Linux
        return len(os.sched_getaffinity(0))
    return min(os.cpu_count() or 1, MOST)


def blocking(call: Callable[[], T]) -> T:
    """Return the result of `call`, also where an event loop runs already, as in a notebook.

    There the call runs in a thread of its own, so that it may start an event loop.
    """
    if not asyncio._get_running_loop():
        return call()
    with ThreadPoolExecutor(1, "worldquiz") as pool:
        return pool.submit(copy_context().run, call).result()


class Waiting(ExitStack):
    """Calls methods that may be coroutines, all in one event loop that is made when needed."""

    _runner: asyncio.Runner | None = None

    def call(self, method: Callable[..., Any], *arguments: Any) -> Any:
        """Return the result of a method, awaited if need be."""
        found = method(*arguments)
        if not inspect.isawaitable(found):
            return found
        self._runner = self._runner or self.enter_context(asyncio.Runner())
        return self._runner.run(settled(found))
