"""Work spread over processes or machines, so that neither their number nor their order shows.

Workers compute, the parent writes. A worker process ignores ctrl-C from its birth on, which is the
parent's to handle, and ends when its parent is gone: a killed command leaves nothing behind that
still runs.

Within `on`, the workers are those of a Ray cluster, and Ray decides where a unit runs. One whose
worker or machine dies is begun anew elsewhere; results that are here already stay. Units carry
paths, so folders that they read or write must be at the same place on every machine, which must
have this version of worldquiz.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import secrets
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from contextvars import ContextVar, copy_context
from itertools import islice
from multiprocessing.connection import wait as wait_for
from pathlib import Path
from typing import Any, TypeVar

from worldquiz.errors import KnobError, WorldError
from worldquiz.plugins import need
from worldquiz.version import __version__

T = TypeVar("T")
R = TypeVar("R")

MOST = 61
"""The most worker processes that Python can wait for on Windows."""
TRIES = 4
"""Times that Ray begins a unit whose workers die: Ray's own default of three retries."""
LEAST = 8
"""Units that wait at a cluster at least: one that grows on demand may have no machine yet."""
_RAY_SETTINGS = {
    "RAY_USAGE_STATS_ENABLED": "0",  # Ray would report to its makers
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_worker_register_timeout_seconds": "600",  # a busy machine is slow to start a worker
}
UNTOLD = [getattr(signal, name) for name in ("SIGINT", "SIGHUP") if hasattr(signal, name)]
"""Signals that a worker never hears of: ctrl-C, and a terminal that is closed."""
Done = Callable[[str], None]
"""Told the name of each piece of work as it is finished."""


def silent(name: str) -> None:
    """Tell nobody."""


cluster: ContextVar[str | None] = ContextVar("cluster", default=None)
"""The address of the cluster that work goes to, None where it is done on this machine."""


@contextmanager
def on(address: str, jobs: int | None = None) -> Iterator[None]:
    """Send all work to a Ray cluster meanwhile.

    `address` is ``ray`` (begun on this machine for so many `jobs` at once, and ended with the
    block), ``ray:ADDRESS`` or ``ray://HOST:PORT``. No result depends on it. Raises `KnobError` for
    another address, `MissingExtra` without Ray, `WorldError` where no cluster answers.

    >>> with worldquiz.on("ray"):                               # doctest: +SKIP
    ...     suite.run(agent="explorer", answerer="worldgraph", out="runs/explorer")
    """
    where: dict[str, Any] = {"address": address if "://" in address else address[len("ray:") :]}
    if address == "ray":
        where = {"address": "local", "num_cpus": jobs, "include_dashboard": False}
        secret = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
        if "ray" not in sys.modules and not secret.keys() & os.environ.keys():
            os.environ.update(secret)  # anyone who may use a cluster may run code in it
    elif not address.startswith("ray:") or address == "ray:":
        raise KnobError(
            f"--on {address!r}: give ray (begun for the command on this machine), ray:ADDRESS or "
            "ray://HOST:PORT"
        )
    ray, token = _connected(address, where), cluster.set(address)
    try:
        yield
    finally:
        cluster.reset(token)
        ray.shutdown()


def _connected(address: str, where: Mapping[str, Any]) -> Any:
    """Return Ray, connected to a cluster. Raises `MissingExtra`, `WorldError`."""
    os.environ.update({**_RAY_SETTINGS, **os.environ})
    ray = need("ray", extra="ray")
    # Ray prints to stdout that a worker died; that is where a command's result goes.
    need("ray._private.worker", extra="ray").print_to_stdstream = lambda *_, **__: None
    before = signal.getsignal(signal.SIGTERM)
    try:
        host, _, port = str(where["address"]).removeprefix("ray://").rpartition(":")
        if host and port.isdecimal():  # Ray itself waits long for a cluster that is not there
            socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
        ray.init(log_to_driver=False, logging_level=logging.ERROR, **where)
    except (OSError, OverflowError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
        ray.shutdown()
        what = "no Ray cluster answers: start one by `ray start --head`, or correct the address"
        if address == "ray":
            what = "Ray cannot be started on this machine"
        raise WorldError(f"--on {address}: {what} ({_first_line(error)})") from error
    finally:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, before)  # Ray would answer in its own way
    return ray


def _each_by_ray(address: str, work: Callable[[T], R], items: Sequence[T]) -> Iterator[tuple[T, R]]:
    """Yield each item with the result of `work`: `each`, on the cluster that is connected to."""
    ray = need("ray", extra="ray")
    unit = ray.remote(num_cpus=1, max_retries=TRIES - 1)(_unit)
    shared, there = ray.put(work), (str(Path.cwd()), __version__)

    def most() -> int:
        return max(LEAST, 2 * int(ray.cluster_resources().get("CPU", 0)))

    try:
        give = lambda item: unit.remote(*there, shared, item).future()  # noqa: E731
        yield from _as_done(give, items, most)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from error
    except ray.exceptions.RayError as error:
        raise WorldError(
            f"--on {address}: a unit could not be finished: its worker was begun up to {TRIES} "
            "times and died each time, or the cluster is gone (out of memory?); what was finished "
            f"is kept: {_first_line(error)}"
        ) from error


def each(work: Callable[[T], R], items: Sequence[T], *, jobs: int) -> Iterator[tuple[T, R]]:
    """Yield each item with the result of `work`, as they are finished.

    With one job everything happens in this process; on a cluster, `jobs` says nothing. `work` must
    be importable by name, and depend on nothing but its item. The first error ends the whole; items
    yielded before it stand.
    """
    if jobs < 1:
        raise ValueError(f"jobs must be at least 1, got {jobs}")
    if address := cluster.get():
        yield from _each_by_ray(address, work, items)
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
            yield from _as_done(give, items, lambda: 2 * jobs)
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


def _submitted(pool: ProcessPoolExecutor, work: Callable[[T], R], item: T) -> Future[R]:
    """Give a unit to the pool, which starts its workers with the first one.

    They are born with `UNTOLD` signals blocked, and the parent gets one that comes meanwhile right
    after: ctrl-C goes to all processes of a terminal, and Python prints a traceback where it is
    still starting.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        return pool.submit(work, item)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, UNTOLD)
    try:
        return pool.submit(work, item)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _unit(home: str, version: str, work: Callable[[T], R], item: T) -> R:
    """Do one unit, on a machine of the cluster; relative paths begin where they did."""
    if version != __version__:
        raise WorldError(
            f"machine {socket.gethostname()!r} of the cluster has worldquiz {__version__}, the "
            f"command {version}: install the same version on all"
        )
    with suppress(OSError):  # a unit without paths needs no such folder
        os.chdir(home)
    return work(item)


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


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
    return min(os.cpu_count() or 1, MOST)


def blocking(call: Callable[[], T]) -> T:
    """Return the result of `call`, also where an event loop runs already, as in a notebook.

    There the call runs in a thread of its own, so that it may start an event loop.
    """
    if not asyncio._get_running_loop():
        return call()
    with ThreadPoolExecutor(1, "worldquiz") as pool:
        return pool.submit(copy_context().run, call).result()
