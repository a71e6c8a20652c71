"""The copy on the local disk of a folder in an object store, and how the two are kept alike.

The law of the copy: **the store wins, and what cost money is kept.** A file that changed in the
store replaces the local one, and the rest of its directory follows the store; only lines of
journals that the store lacks are put before its own. A directory that did not change in the store
keeps what is only here: so a killed run goes on from its copy, and on another machine from what was
uploaded. A file that is gone here, while others of its directory are there, was removed here.

Uploads go in an order in which no reader takes half a folder for a whole one: scores that no longer
hold go first, then files in any order, then the manifest, then the scores, and last what is gone
here is removed there. Keys of a store are names from elsewhere, and become paths by the rules of
`worldquiz.trust`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

from worldquiz import trust
from worldquiz.addresses import cache, local
from worldquiz.errors import MissingExtra, RecordError, WorldquizError
from worldquiz.extras import need
from worldquiz.records import read_bytes, write_bytes
from worldquiz.runs.journal_file import CALLS, SUFFIX, framed, whole_lines
from worldquiz.runs.lease import CLAIMS
from worldquiz.runs.system import locked

if TYPE_CHECKING:
    import sqlite3

_TOKENS = ("ETag", "etag", "generation", "md5Hash", "mtime", "LastModified", "created")
"""How file systems of fsspec call what changes with a file's content."""
_LIBRARIES = {"s3": ("s3fs", "s3"), "s3a": ("s3fs", "s3")}
_ROUNDS = 5
"""How often a folder that is being written is read again until it stands still."""


class Entry(NamedTuple):
    """A file in a store as it was listed, and the local one as it was then."""

    token: str
    size: int = -1
    mtime: int = -1  # nanoseconds


class WorkingCopy:
    """A folder or file in a store with its copy on the local disk."""

    def __init__(self, where: str, *, deep: bool = True, last: Sequence[str] = ()) -> None:
        """Name an address. Raises `RecordError` for one that no path can be made of.

        With `deep`, all folders within are meant too. `last` are the files at its top that say that
        the rest is there, in the order of their uploads: the manifest, the scores.
        """
        self.where, self.deep, self.last = where, deep, tuple(last)
        trust.beneath(where.partition("://")[2], where)
        self.path = local(where)
        self.files, self.root = _opened(where)

    def fetch(self) -> None:
        """Download what changed in the store. Raises `RecordError`."""
        with alone():
            remote = self._listed()
            for _ in range(_ROUNDS):
                if not self._follow(remote):
                    return
                before, remote = remote, self._listed()
                if before == remote:
                    return
        raise RecordError(f"{self.where}: is being written all the time: wait until it is finished")

    def upload(self, among: Iterable[str] | None = None) -> None:
        """Upload what changed here, or only some of that. Raises `RecordError`."""
        known = self._known()
        gone = [key for key in known if among is None and not (self.path / key).is_file()]
        here = self.here()  # whatever took the place of what is gone is seen here
        changed = [
            key for key, entry in here.items()
            if (among is None or key in among) and not _alike(entry, known.get(key))
        ]  # fmt: skip
        if not changed and not gone:
            return
        scores = [key for key in self.last[-1:] if key in known and key in {*gone, *changed}]
        if changed == scores:
            scores = []  # they alone are written anew
        with told_as(self.where):
            self._remove(scores)
            self._put([key for key in changed if key not in self.last])
            for key in self.last:
                self._put([key] if key in changed else [])
            self._remove([key for key in gone if key not in scores])
        remote = self._listed()
        self._note({k: here[k]._replace(token=remote[k].token) for k in changed if k in remote})

    def _put(self, keys: list[str]) -> None:
        if keys:
            paths = [str(self.path / key) for key in keys]
            self.files.put(paths, [self._key(key) for key in keys])

    def _remove(self, keys: list[str]) -> None:
        if keys:
            with suppress(FileNotFoundError):
                self.files.rm([self._key(key) for key in keys])
            self._forget(keys)

    def _follow(self, remote: Mapping[str, Entry]) -> bool:
        """Make the copy follow the store; tell whether anything was to be done."""
        known, here = self._known(), self.here()
        moved = {key for key, entry in remote.items() if _token(known.get(key)) != entry.token}
        moved |= known.keys() - remote.keys()
        stale, living = ({_folder(key) for key in keys} for keys in (moved, here))
        mine = {key for key, entry in here.items() if not _alike(entry, known.get(key))}
        for key in here.keys() - remote.keys():
            if key in known or (_folder(key) in stale and not _journal(key)):
                (self.path / key).unlink(missing_ok=True)
        wanted = {
            key for key in remote
            if key in moved
            or (key not in here and _folder(key) not in living)
            or (key in mine and _folder(key) in stale and not _journal(key))
        }  # fmt: skip
        paid = {key: _lines(self.path / key) for key in wanted & mine if _journal(key)}
        self._download(sorted(wanted), remote)
        self._forget(known.keys() - remote.keys())
        for key, lines in paid.items():
            self._join(self.path / key, lines)
        return bool(wanted)

    def _download(self, keys: list[str], remote: Mapping[str, Entry]) -> None:
        if not keys:
            return
        for key in keys:
            (self.path / key).parent.mkdir(parents=True, exist_ok=True)
        with told_as(self.where):
            paths = [str(self.path / key) for key in keys]
            self.files.get([self._key(key) for key in keys], paths)
        here = self.here()
        self._note({k: here[k]._replace(token=remote[k].token) for k in keys if k in here})

    @staticmethod
    def _join(path: Path, lines: list[bytes]) -> None:
        """Put lines that only the local journal had before those of the store, which come last."""
        theirs = _lines(path)
        if extra := [line for line in lines if line not in set(theirs)]:
            write_bytes(path, b"".join(map(framed, [*extra, *theirs])))

    def _key(self, key: str) -> str:
        return f"{self.root}/{key}" if key else self.root

    def _listed(self) -> dict[str, Entry]:
        """Return all files in the store by their paths from the folder; "" is the root as a file.

        Raises `RecordError` for names that lead elsewhere, and for too many or too large files.
        """
        with told_as(self.where):
            told = self.files.find(self.root, detail=True, **({} if self.deep else {"maxdepth": 1}))
        if len(told) > trust.MOST_FILES:
            raise RecordError(
                f"{self.where}: holds more than {trust.MOST_FILES:,} files, which is the limit"
            )
        found = {}
        for name, info in told.items():
            key = name.removeprefix(self.root).removeprefix("/")
            if info["type"] == "directory" or (name.endswith("/") and not info["size"]):
                continue
            if CLAIMS in key.split("/"):
                continue
            self._check_key(key, int(info["size"]))
            token = next((str(info[each]) for each in _TOKENS if info.get(each)), "")
            found[key] = Entry(f"{token} {info['size']}")
        _check_tree(found, self.where)
        return found

    def _check_key(self, key: str, size: int) -> None:
        """Raise `RecordError` for a key that leads elsewhere, or a file that is too large."""
        kept = _hidden(key)  # then its names may begin with a dot
        for part in key.split("/") if key else ():
            trust.plain_name(part.removeprefix(".") if kept else part, f"{self.where}/{key}")
        if size > trust.MOST_BYTES:
            raise RecordError(
                f"{self.where}/{key}: is larger than {trust.MOST_BYTES:,} bytes, which is the limit"
            )

    def here(self) -> dict[str, Entry]:
        """Return the files of the copy that are finished.

        The `last` ones are looked at first: what they tell of was there before them.
        """
        if self.path.is_file():
            return {"": _entry(self.path)}
        there = (name for name in self.last if (self.path / name).is_file())
        found = {name: _entry(self.path / name) for name in there}
        for folder, inner, names in os.walk(self.path):
            at = PurePosixPath(Path(folder).relative_to(self.path))
            inner[:] = [each for each in inner if self.deep and (each == CALLS or each[0] != ".")]
            for name in names:
                key = str(at / name)
                if key in self.last or (name[0] == "." and not _hidden(key)):
                    continue
                with suppress(FileNotFoundError):  # replaced or removed meanwhile
                    found[key] = _entry(self.path / key)
        return found

    def _known(self) -> dict[str, Entry]:
        """Return the files that were alike once, with what they were then."""
        with closing(_alike_then()) as table:
            rows = table.execute(
                "SELECT path, token, size, mtime FROM files "
                "WHERE path = ?1 OR (path >= ?1 || '/' AND path < ?1 || '0')",
                (self.where,),
            )
            found = {path[len(self.where) + 1 :]: Entry(*told) for path, *told in rows}
        return {key: entry for key, entry in found.items() if self.deep or "/" not in key}

    def _note(self, entries: Mapping[str, Entry]) -> None:
        rows = [(self._place(key), *entry) for key, entry in entries.items()]
        with closing(_alike_then()) as table, table:
            table.executemany("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?)", rows)

    def _forget(self, keys: Iterable[str]) -> None:
        with closing(_alike_then()) as table, table:
            rows = [(self._place(key),) for key in keys]
            table.executemany("DELETE FROM files WHERE path = ?", rows)

    def _place(self, key: str) -> str:
        return f"{self.where}/{key}" if key else self.where


def _opened(where: str) -> tuple[Any, str]:
    """Return the file system of an address, and the path in it. Raises `MissingExtra`."""
    core = need("fsspec.core", extra="store")
    scheme = where.partition("://")[0]
    try:
        files, root = core.url_to_fs(where, use_listings_cache=False)
    except ImportError as error:
        if scheme in _LIBRARIES:
            raise MissingExtra(*_LIBRARIES[scheme]) from error
        raise RecordError(f"{where}: {error}") from error
    except ValueError as error:
        raise RecordError(f"{where}: no store is known by {scheme!r}: {error}") from error
    return files, str(root).rstrip("/")


@contextmanager
def told_as(where: str) -> Iterator[None]:
    """Turn what a store's client raises into a `RecordError`: each has errors of its own kinds."""
    try:
        yield
    except WorldquizError:
        raise
    except Exception as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise RecordError(f"{where}: the store refuses: {reason}") from error


def _entry(path: Path) -> Entry:
    told = path.stat()
    return Entry("", told.st_size, told.st_mtime_ns)


def _alike(one: Entry, other: Entry | None) -> bool:
    """Tell whether a local file is as it was when it was last as in the store."""
    return other is not None and one[1:] == other[1:]


def _token(entry: Entry | None) -> str | None:
    return entry.token if entry else None


def _folder(key: str) -> str:
    return key.rpartition("/")[0]


def _journal(key: str) -> bool:
    """Tell whether lines of a file stand by themselves, and each may have cost money."""
    return key.startswith(".") and key.endswith(SUFFIX) and "/" not in key


def _hidden(key: str) -> bool:
    """Tell whether a file whose path has a leading dot is one that a run keeps."""
    *folders, name = key.split("/")
    return name.endswith(SUFFIX) and all(
        each[0] != "." or each == CALLS for each in folders if each
    )


def _lines(path: Path) -> list[bytes]:
    return whole_lines(read_bytes(path))[0]


def _check_tree(found: Mapping[str, Entry], where: str) -> None:
    """Raise `RecordError` where one name is both a file and a folder: a disk cannot hold that."""
    folders = {str(each) for key in found for each in PurePosixPath(key).parents}
    if both := sorted((folders - {"."}) & found.keys()):
        raise RecordError(f"{where}/{both[0]}: is a file and a folder at once: remove one")


def _alike_then() -> sqlite3.Connection:
    """Open the table of files that were alike once."""
    import sqlite3  # most commands meet no store

    cache().mkdir(parents=True, exist_ok=True)
    table = sqlite3.connect(cache() / ".files.sqlite", timeout=60)
    table.execute(
        "CREATE TABLE IF NOT EXISTS files "
        "(path TEXT PRIMARY KEY, token TEXT, size INTEGER, mtime INTEGER)"
    )
    return table


@contextmanager
def alone() -> Iterator[None]:
    """Have one process at a time download into this machine's copies."""
    cache().mkdir(parents=True, exist_ok=True)
    with locked(cache() / ".lock", wait=True):
        yield
