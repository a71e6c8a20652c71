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
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from worldquiz.errors import KnobError, WorldError
from worldquiz.extras import need
from worldquiz.runs.system import cores
from worldquiz.version import __version__

T = TypeVar("T")
R = TypeVar("R")

LOCAL, CLIENT, DIRECT = "ray", "ray://", "ray:"
CLIENT_PORT = 10001
TRIES = 4
"""Times that Ray begins a unit whose workers die: Ray's own default of three retries."""
LEAST = 8
"""Units that wait at least: a cluster that grows on demand may have no machine yet."""
PATIENCE = 10.0
"""Seconds that a cluster has to take a connection; Ray itself waits for minutes."""
NOBODY, BEGIN = "no Ray cluster answers", "start one by `ray start --head`, or correct the address"
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
        if address != LOCAL and not (address.startswith(DIRECT) and address != DIRECT):
            raise KnobError(
                f"--on {address!r}: give ray (begun for the command on this machine), "
                "ray:ADDRESS or ray://HOST:PORT"
            )
        self.address = address
        self._ray: Any = None
        self._at_once: int | None = None
        self._held = ExitStack()

    def start(self, at_once: int | None = None) -> None:
        """Connect, or begin the cluster on this machine, for so many units at once at most.

        Raises `MissingExtra` without Ray, `WorldError` where no cluster answers.
        """
        if self._ray is not None:
            return
        if self.address == LOCAL:
            _lock_out_others()
        else:
            _check_answers(self.address)
        for name, value in SETTINGS.items():
            os.environ.setdefault(name, value)
        ray = need("ray", extra="ray")
        # Ray tells on stdout that a worker died; that is where a command's result goes.
        need("ray._private.worker", extra="ray").print_to_stdstream = _tell_death
        settings = {"log_to_driver": False, "logging_level": logging.ERROR, **self._where(at_once)}
        self._held.callback(ray.shutdown)
        with _handler_kept():
            try:
                ray.init(**settings)
            except (OSError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
                self._held.close()
                raise WorldError(f"--on {self.address}: {self._refused(error)}") from error
        self._ray, self._at_once = ray, at_once

    def _refused(self, error: Exception) -> str:
        told = (str(error).splitlines() or [type(error).__name__])[0]
        if self.address == LOCAL:
            return f"Ray cannot be started on this machine: {told}"
        return f"{NOBODY} ({told}): {BEGIN}"

    def _where(self, at_once: int | None) -> dict[str, Any]:
        """Return how Ray is told which cluster is meant."""
        if self.address != LOCAL:
            return {"address": _full(self.address)}
        # Ray's sockets lie there, and the path of a socket is short (108 characters at most).
        scratch = tempfile.TemporaryDirectory(
            prefix="worldquiz-ray-", dir="/tmp", ignore_cleanup_errors=True
        )
        return {
            "address": "local",
            "num_cpus": at_once or cores(),
            "include_dashboard": False,
            "_temp_dir": self._held.enter_context(scratch),
        }

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
        ray = self._ray
        unit = ray.remote(num_cpus=1, max_retries=TRIES - 1)(_unit)
        shared, pending, queue = ray.put(work), dict[Any, T](), iter(items)
        there = str(Path.cwd()), __version__
        try:
            while True:
                for item in islice(queue, max(0, self._waiting() - len(pending))):
                    pending[unit.remote(*there, shared, item)] = item
                if not pending:
                    return
                (ready, *_), _ = ray.wait(list(pending), num_returns=1)
                yield pending.pop(ready), self._result(ready)
        finally:
            if pending:  # they end with the connection; `ray.cancel` aborts if one just finishes
                self.close()

    def _waiting(self) -> int:
        """Return how many units may be out: results never pile up."""
        if self.address != LOCAL and self._at_once is not None:
            return self._at_once
        return max(LEAST, 2 * int(self._ray.cluster_resources().get("CPU", 0)))

    def _result(self, ready: Any) -> Any:
        errors = self._ray.exceptions
        try:
            return self._ray.get(ready)
        except errors.RayTaskError as error:
            raise error.cause from error
        except errors.RayError as error:
            raise WorldError(
                f"--on {self.address}: a unit could not be finished: its worker was begun up to "
                f"{TRIES} times and died each time, or the cluster is gone (out of memory?); what "
                f"was finished is kept: {(str(error).splitlines() or [''])[0]}"
            ) from error


def _lock_out_others() -> None:
    """Give a cluster on this machine a secret of its own, unless the user decides about that.

    Anyone who may use a cluster may run code in it. Ray reads this when it is imported; where it
    was imported before, its own default holds, a secret in the user's home.
    """
    if "ray" not in sys.modules and not {"RAY_AUTH_MODE", "RAY_AUTH_TOKEN"} & os.environ.keys():
        os.environ.update(RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=secrets.token_hex(32))


def _full(address: str) -> str:
    """Return an address as Ray takes it."""
    if not address.startswith(CLIENT):
        return address.removeprefix(DIRECT)
    host = address.removeprefix(CLIENT)
    return address if ":" in host else f"{address}:{CLIENT_PORT}"


def _check_answers(address: str) -> None:
    """Raise `WorldError` where nothing listens at a cluster's address."""
    host, sign, port = _full(address).removeprefix(CLIENT).rpartition(":")
    if not (sign and port.isdecimal()):
        return  # "auto": Ray knows where
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise WorldError(f"--on {address}: {NOBODY} ({error}): {BEGIN}") from error


def _tell_death(data: Mapping[str, Any], *rest: Any, **more: Any) -> None:
    """Print to stderr that a unit is begun anew; why its worker died is in Ray's log."""
    for line in data.get("lines", ()):
        if str(line).startswith("Task "):
            sys.stderr.write(f"ray: {str(line).partition('. Error')[0]}\n")


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


@contextmanager
def _handler_kept() -> Iterator[None]:
    """Keep the process's own answer to SIGTERM, which Ray would replace.

    A process that would end at once ends by `SystemExit` instead: the cluster is ended too.
    """

    def leave(number: int, frame: object) -> None:
        sys.exit(128 + number)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGTERM)
    kept = leave if before == signal.SIG_DFL else before
    try:
        yield
    except SystemExit:  # Ray's own answer to a signal that came meanwhile
        signal.signal(signal.SIGTERM, kept)
        signal.raise_signal(signal.SIGTERM)
        raise
    finally:
        signal.signal(signal.SIGTERM, kept)
