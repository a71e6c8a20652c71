"""Work spread over the machines of a Ray cluster.

Ray decides where a unit runs. A unit whose worker or machine dies is begun anew elsewhere, up to
`TRIES` times; results that are here already stay. Units carry paths, so folders that they read or
write must be at the same place on every machine, which must have this version of worldquiz.
"""

from __future__ import annotations

import logging
import os
import secrets
import signal
import socket
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from worldquiz.errors import KnobError, WorldError
from worldquiz.plugins import need
from worldquiz.version import __version__

T = TypeVar("T")
R = TypeVar("R")

CLIENT, CLIENT_PORT = "ray://", 10001
TRIES = 4
"""Times that Ray begins a unit whose workers die: Ray's own default of three retries."""
LEAST = 8
"""Units that wait at least: a cluster that grows on demand may have no machine yet."""
SETTINGS = {
    "RAY_USAGE_STATS_ENABLED": "0",  # Ray would report to its makers
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_worker_register_timeout_seconds": "600",  # a busy machine is slow to start a worker
}
"""Settings of Ray by environment variables, unless they say something else."""


class Cluster:
    """A Ray cluster that is connected to when it is first needed; `close` lets it go."""

    def __init__(self, address: str) -> None:
        """Name a cluster: ``ray`` (begun on this machine), ``ray:ADDRESS`` or ``ray://HOST``.

        Raises `KnobError` for another name.
        """
        if address != "ray" and not (address.startswith("ray:") and address != "ray:"):
            raise KnobError(
                f"--on {address!r}: give ray (begun for the command on this machine), "
                "ray:ADDRESS or ray://HOST:PORT"
            )
        self.address = address
        self._ray: Any = None
        self._jobs: int | None = None

    def start(self, jobs: int | None = None) -> None:
        """Connect, or begin the cluster on this machine, for so many units at once at most.

        Raises `MissingExtra` without Ray, `WorldError` where no cluster answers.
        """
        if self._ray is not None:
            return
        where: dict[str, Any] = {"address": "local", "num_cpus": jobs, "include_dashboard": False}
        secret = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
        if self.address != "ray":
            where = {"address": self._listening()}
        elif "ray" not in sys.modules and not secret.keys() & os.environ.keys():
            os.environ.update(secret)  # anyone who may use a cluster may run code in it
        os.environ.update({**SETTINGS, **os.environ})
        ray = need("ray", extra="ray")
        # Ray prints to stdout that a worker died; that is where a command's result goes.
        need("ray._private.worker", extra="ray").print_to_stdstream = lambda *_, **__: None
        before = signal.getsignal(signal.SIGTERM)
        try:
            ray.init(log_to_driver=False, logging_level=logging.ERROR, **where)
        except (OSError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
            ray.shutdown()
            raise self._nobody(error) from error
        finally:
            if threading.current_thread() is threading.main_thread():
                signal.signal(signal.SIGTERM, before)  # Ray would answer in its own way
        self._ray, self._jobs = ray, jobs

    def _listening(self) -> str:
        """Return the address as Ray takes it. Raises `WorldError` where nothing listens there."""
        told = self.address if self.address.startswith(CLIENT) else self.address[len("ray:") :]
        if told.startswith(CLIENT) and ":" not in told.removeprefix(CLIENT):
            told += f":{CLIENT_PORT}"
        host, _, port = told.removeprefix(CLIENT).rpartition(":")
        if host and port.isdecimal():  # else "auto": Ray knows where
            try:
                socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
            except (OSError, OverflowError) as error:
                raise self._nobody(error) from error
        return told

    def _nobody(self, error: Exception) -> WorldError:
        told = (str(error).splitlines() or [type(error).__name__])[0]
        if self.address == "ray":
            return WorldError(f"--on ray: Ray cannot be started on this machine ({told})")
        return WorldError(
            f"--on {self.address}: no Ray cluster answers ({told}): start one by `ray start "
            "--head`, or correct the address"
        )

    def close(self) -> None:
        """Leave the cluster; one that was begun for the command ends."""
        if self._ray is not None:
            self._ray.shutdown()
            self._ray = None

    def most(self) -> int:
        """Return how many units may wait: results never pile up."""
        if self.address != "ray" and self._jobs:
            return self._jobs
        return max(LEAST, 2 * int(self._ray.cluster_resources().get("CPU", 0)))

    def giver(self, work: Callable[[T], R]) -> Callable[[T], Future[R]]:
        """Return a function that sends an item to be worked on."""
        unit = self._ray.remote(num_cpus=1, max_retries=TRIES - 1)(_unit)
        shared, there = self._ray.put(work), (str(Path.cwd()), __version__)
        return lambda item: unit.remote(*there, shared, item).future()

    def explained(self, error: Exception) -> Exception:
        """Return the error of a unit's own work, or what became of its workers."""
        errors = self._ray.exceptions
        if isinstance(error, errors.RayTaskError):
            return error.cause  # type: ignore[no-any-return]
        if not isinstance(error, errors.RayError):
            return error
        return WorldError(
            f"--on {self.address}: a unit could not be finished: its worker was begun up to "
            f"{TRIES} times and died each time, or the cluster is gone (out of memory?); what "
            f"was finished is kept: {(str(error).splitlines() or [''])[0]}"
        )


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
