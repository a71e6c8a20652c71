"""Object stores for tests: one in this process's memory, and a real S3 server (moto's)."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import fsspec
import pytest

from worldquiz.addresses import CACHE

BUCKET = "worldquiz-tests"


def memory() -> Any:
    """Return the store in memory, emptied."""
    files = fsspec.filesystem("memory")
    files.store.clear()
    files.pseudo_dirs[:] = [""]
    return files


@contextmanager
def s3() -> Iterator[Any]:
    """Serve S3 over HTTP with one bucket, known to clients by the environment; yield a client."""
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    told = {
        "AWS_ACCESS_KEY_ID": "tests", "AWS_SECRET_ACCESS_KEY": "tests",
        "AWS_DEFAULT_REGION": "us-east-1", "AWS_ENDPOINT_URL": f"http://{host}:{port}",
    }  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        for name, value in told.items():
            patch.setenv(name, value)
        files = fsspec.filesystem("s3", use_listings_cache=False, skip_instance_cache=True)
        files.mkdir(BUCKET)
        try:
            yield files
        finally:
            server.stop()


@contextmanager
def on_machine(cache: Path) -> Iterator[None]:
    """Work as on a machine of its own: with working copies in a folder of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(CACHE, str(cache))
        yield


def tree(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder, hidden ones too."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def stored(files: Any, root: str) -> dict[str, bytes]:
    """Return every file below a folder of a store, but for claims."""
    start = root.rstrip("/") + "/"
    return {
        name.removeprefix(start): files.cat_file(name)
        for name in sorted(files.find(root))
        if "/.claims/" not in name
    }
