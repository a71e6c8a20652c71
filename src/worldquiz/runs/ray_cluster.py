"""Work spread over the machines of a Ray cluster.

Ray chooses a machine for each unit of work. If a worker or machine dies, its unit starts over
elsewhere; finished results are kept. The folders that units read or write must have the same path
on every machine, and every machine needs the same version of worldquiz.
"""

from __future__ import annotations

import logging
import os
import secrets
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from worldquiz.errors import KnobError, WorldError
from worldquiz.plugins import need
from worldquiz.runs.executor import as_done, cluster
from worldquiz.version import __version__

T = TypeVar("T")
R = TypeVar("R")

TRIES = 4
"""Most times that Ray starts a unit whose workers die: Ray's own default of three retries."""
LEAST = 8
"""Fewest units to submit at once: a cluster that grows on demand may have no machine yet."""
_RAY_SETTINGS = {
    "RAY_USAGE_STATS_ENABLED": "0",  # Ray would report to its makers
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_worker_register_timeout_seconds": "600",  # a busy machine is slow to start a worker
}


@contextmanager
def on(address: str, jobs: int | None = None) -> Iterator[None]:
    """Context in which a Ray cluster does all work.

    `address` is ``ray`` (a cluster on this machine that runs `jobs` units at once and ends with the
    block), ``ray:ADDRESS`` or ``ray://HOST:PORT``. The address does not affect results. Raises
    `KnobError` for another address, `MissingExtra` without Ray, `WorldError` if no cluster answers.

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
            f"--on {address!r}: expected ray (a cluster on this machine, for this command only), "
            "ray:ADDRESS or ray://HOST:PORT"
        )
    ray, token = _connected(address, where), cluster.set(partial(_each, address))
    try:
        yield
    finally:
        cluster.reset(token)
        ray.shutdown()


def workers() -> int:
    """Return how many units the connected cluster runs at once."""
    return max(1, int(need("ray", extra="ray").cluster_resources().get("CPU", 0)))


def _connected(address: str, where: Mapping[str, Any]) -> Any:
    """Return Ray, connected to a cluster. Raises `MissingExtra`, `WorldError`."""
    os.environ.update({**_RAY_SETTINGS, **os.environ})
    ray = need("ray", extra="ray")
    # Ray reports dead workers on stdout, where a command's result goes.
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
            signal.signal(signal.SIGTERM, before)  # Ray installs a handler of its own
    return ray


def _each(address: str, work: Callable[[T], R], items: Sequence[T]) -> Iterator[tuple[T, R]]:
    """Yield each item with the result of `work`, computed on the connected cluster."""
    ray = need("ray", extra="ray")
    unit = ray.remote(num_cpus=1, max_retries=TRIES - 1)(_unit)
    shared, there = ray.put(work), (str(Path.cwd()), __version__)

    def most() -> int:
        return max(LEAST, 2 * workers())

    try:
        give = lambda item: unit.remote(*there, shared, item).future()  # noqa: E731
        yield from as_done(give, items, most)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from error
    except ray.exceptions.RayError as error:
        raise WorldError(
            f"--on {address}: a worker died {TRIES} times at the same work, perhaps because "
            f"memory ran out, or the cluster is gone ({_first_line(error)}); finished work is kept"
        ) from error


def _unit(home: str, version: str, work: Callable[[T], R], item: T) -> R:
    """Run one unit on a machine of the cluster, in the command's working directory `home`."""
    if version != __version__:
        raise WorldError(
            f"machine {socket.gethostname()!r} of the cluster has worldquiz {__version__}, but the "
            f"command has {version}: install the same version on every machine"
        )
    with suppress(OSError):  # a unit without paths needs no such folder
        os.chdir(home)
    return work(item)


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
