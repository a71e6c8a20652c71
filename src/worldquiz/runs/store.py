"""Folders in object stores, by address: fetched to be read, held to be written.

    fetched(address)     a folder or file to read: what changed in the store is downloaded
    held(folder)         a folder to write: claimed, fetched, uploaded every few seconds and at last
    uploaded(address)    a page, table or export to write: uploaded when it is complete

All that worldquiz does works on local paths: those of working copies (`working_copy`).
"""

from __future__ import annotations

import _thread
import threading
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from worldquiz.addresses import address, address_of, cache, local
from worldquiz.errors import RecordError
from worldquiz.records import write_text
from worldquiz.runs.lease import Lease, Lost
from worldquiz.runs.notices import notice
from worldquiz.runs.system import busy
from worldquiz.runs.working_copy import WorkingCopy, alone, told_as

EVERY = 5.0
"""Seconds between two uploads of a folder that is worked on, at most."""


def _own_id() -> str:
    """Return the name of this machine's working copies, which is drawn once."""
    path = cache() / ".id"
    with alone():
        if not path.is_file():
            write_text(path, uuid.uuid4().hex)
    return path.read_text()


def fetched(path: Path | str) -> Path:
    """Return where a folder or file to be read lies: a local path as it is, else its copy.

    Raises `RecordError` for a store that cannot be read or may not be trusted, `MissingExtra`.
    """
    where = address(path)
    if where is None:
        return local(path)
    refresh(local(where), where)
    return local(where)


def refresh(path: Path, where: str | None = None) -> None:
    """Download what changed in the store, if a path is a working copy that nobody writes here."""
    where = where or address_of(path)
    if where is not None and not busy(path):
        WorkingCopy(where).fetch()


def writer(path: Path) -> str | None:
    """Return who writes a folder of a store; None where nobody does, or the path is a local one."""
    where = address_of(path)
    if where is None:
        return None
    copy = WorkingCopy(where)
    with told_as(where):
        return Lease(copy.files, copy.root, where, _own_id()).holder()


@contextmanager
def held(folder: Path, *, deep: bool = True, last: Sequence[str] = ()) -> Iterator[None]:
    """Hold a folder in a store for writing, where a path is a working copy.

    `deep` and `last` as `WorkingCopy` takes them. Raises `RecordError` where another process holds
    the folder, or at the end, where it cannot be uploaded.
    """
    where = address_of(folder)
    if where is None:
        yield
        return
    copy = WorkingCopy(where, deep=deep, last=last)
    lease = Lease(copy.files, copy.root, where, _own_id())
    with told_as(where):
        lease.take()
    try:
        copy.fetch()
    except BaseException:
        with suppress(RecordError), told_as(where):
            lease.release()
        raise
    keeper = _Keeper(copy, lease)
    try:
        keeper.start()
        yield
    except BaseException:
        keeper.stop(failed=True)
        raise
    keeper.stop(failed=False)


class _Keeper:
    """Renews a claim and uploads what is done, in two threads: an upload may outlast a claim."""

    def __init__(self, copy: WorkingCopy, lease: Lease) -> None:
        self._copy, self._lease = copy, lease
        self._over = threading.Event()
        self._threads = [
            threading.Thread(target=self._repeat, args=told, daemon=True)
            for told in (
                (lease.renew, lease.length / 3),
                (self._upload, min(EVERY, lease.length / 2)),
            )
        ]

    def start(self) -> None:
        """Begin."""
        for thread in self._threads:
            thread.start()

    def stop(self, *, failed: bool) -> None:
        """Upload the rest and let the folder go. Raises `RecordError`, unless the work `failed`."""
        try:
            self._over.set()
            for thread in self._threads:
                thread.join()
            with told_as(self._copy.where):
                if not self._lease.sure:
                    self._lease.renew()
                self._copy.upload()
                self._lease.release()
        except RecordError as error:
            rest = f"{error}; what is done is kept on this machine: give the same command again"
            if not failed:
                raise RecordError(rest) from error
            notice(rest)

    def _repeat(self, what: Any, seconds: float) -> None:
        while not self._over.wait(seconds):
            try:
                with told_as(self._copy.where):
                    what()
            except Lost as error:
                notice(f"{error}; this one stops")
                _thread.interrupt_main()
                return
            except RecordError as error:
                notice(f"{error}; it is tried again")

    def _upload(self) -> None:
        if self._lease.sure:
            self._copy.upload()


@contextmanager
def uploaded(path: Path | str) -> Iterator[Path]:
    """Yield where a page, table or folder is to be written; upload what was written at the end.

    A local path is yielded as it is. Raises `RecordError`.
    """
    target = fetched(path)
    where = address(path)
    if where is None:
        yield target
        return
    above, _, name = where.rpartition("/")
    file = "." in name and not above.endswith(":/")  # what goes beside a file is uploaded too
    copy = WorkingCopy(above, deep=False) if file else WorkingCopy(where)
    before = copy.here()
    yield target
    now = copy.here()
    copy.upload([key for key in now if now[key] != before.get(key)])
