"""Work spread over the machines of a Ray cluster: units go out, results come back.

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
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from itertools import islice
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
"""What Ray is told by environment variables, unless they say something else."""


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
        self.address, self._local = address, address == "ray"
        self._ray: Any = None
        self._at_once: int | None = None
        self._held = ExitStack()

    def start(self, at_once: int | None = None) -> None:
        """Connect, or begin the cluster on this machine, for so many units at once at most.

        Raises `MissingExtra` without Ray, `WorldError` where no cluster answers.
        """
        if self._ray is not None:
            return
        secret = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
        if self._local and "ray" not in sys.modules and not secret.keys() & os.environ.keys():
            os.environ.update(secret)  # anyone who may use a cluster may run code in it
        os.environ.update({**SETTINGS, **os.environ})
        where: dict[str, Any] = {} if self._local else {"address": self._full()}
        if self._local:  # the path of a socket is short (108 characters at most)
            scratch = tempfile.TemporaryDirectory(
                "-worldquiz", dir="/tmp", ignore_cleanup_errors=True
            )
            where = {"address": "local", "num_cpus": at_once, "include_dashboard": False,
                     "_temp_dir": self._held.enter_context(scratch)}  # fmt: skip
        ray = need("ray", extra="ray")
        # Ray prints to stdout that a worker died; that is where a command's result goes.
        need("ray._private.worker", extra="ray").print_to_stdstream = lambda *_, **__: None
        self._held.callback(ray.shutdown)
        before = signal.getsignal(signal.SIGTERM)
        try:
            ray.init(log_to_driver=False, logging_level=logging.ERROR, **where)
        except (OSError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
            self._held.close()
            raise self._nobody(error) from error
        finally:
            if threading.current_thread() is threading.main_thread():
                signal.signal(signal.SIGTERM, before)  # Ray would answer in its own way
        self._ray, self._at_once = ray, at_once

    def _full(self) -> str:
        """Return the address as Ray takes it. Raises `WorldError` where nothing listens there."""
        told = self.address if self.address.startswith(CLIENT) else self.address[len("ray:") :]
        host, sign, port = told.removeprefix(CLIENT).rpartition(":")
        if told.startswith(CLIENT) and not sign:
            host, port, told = port, str(CLIENT_PORT), f"{told}:{CLIENT_PORT}"
        if host and port.isdecimal():  # else "auto": Ray knows where
            try:
                socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
            except (OSError, OverflowError) as error:
                raise self._nobody(error) from error
        return told

    def _nobody(self, error: Exception) -> WorldError:
        told = (str(error).splitlines() or [type(error).__name__])[0]
        what = "Ray cannot be started on this machine" if self._local else "no Ray cluster answers"
        help = "" if self._local else ": start one by `ray start --head`, or correct the address"
        return WorldError(f"--on {self.address}: {what} ({told}){help}")

    def close(self) -> None:
        """Leave the cluster; one that was begun for the command ends."""
        self._ray = None
        self._held.close()

    def each(self, work: Callable[[T], R], items: Sequence[T]) -> Iterator[tuple[T, R]]:
        """Yield each item with the result of `work`, as they are finished.

        Raises `WorldError` where a unit's workers died again and again; errors of `work` are raised
        here.
        """
        self.start(self._at_once)
        ray, errors = self._ray, self._ray.exceptions
        unit = ray.remote(num_cpus=1, max_retries=TRIES - 1)(_unit)
        shared, pending, queue = ray.put(work), dict[Any, T](), iter(items)
        there = str(Path.cwd()), __version__
        try:
            while True:
                most = None if self._local else self._at_once  # results never pile up
                most = most or max(LEAST, 2 * int(ray.cluster_resources().get("CPU", 0)))
                for item in islice(queue, max(0, most - len(pending))):
                    pending[unit.remote(*there, shared, item)] = item
                if not pending:
                    return
                (ready, *_), _ = ray.wait(list(pending), num_returns=1)
                yield pending.pop(ready), ray.get(ready)
        except errors.RayTaskError as error:
            raise error.cause from error
        except errors.RayError as error:
            raise WorldError(
                f"--on {self.address}: a unit could not be finished: its worker was begun up to "
                f"{TRIES} times and died each time, or the cluster is gone (out of memory?); what "
                f"was finished is kept: {(str(error).splitlines() or [''])[0]}"
            ) from error
        finally:
            if pending:  # they end with the connection; `ray.cancel` aborts if one just finishes
                self.close()


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
