"""Addresses of object stores, and where on this machine their working copies lie.

    s3://bucket/runs/mine  <->  CACHE/stores/s3/bucket/runs/mine

A folder in a store is worked on in a copy on the local disk (`runs.store` keeps the two alike). The
copies lie to each other as the folders in the store do, so a path from one folder to another, as a
manifest tells it, holds for both. ``file:///data/run`` is the local path itself. Messages show
addresses, never where a copy lies.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

CACHE = "WORLDQUIZ_CACHE"
"""The environment variable that says where working copies are kept, and suites of inspect's."""
_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/{1,3}(?=[^/])(.*)", re.DOTALL)
"""A scheme of two letters or more; `pathlib` makes one slash of several."""
_FILE = "file"
_COPIES = "stores"


def cache_folder() -> Path:
    """Return where what can be had again is kept: ``WORLDQUIZ_CACHE``, else below ``~/.cache``."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(os.path.realpath(os.environ.get(CACHE) or f"{home}/worldquiz"))


def cache() -> Path:
    """Return the folder of all working copies; it need not exist."""
    return cache_folder() / _COPIES


def address(path: Path | str) -> str | None:
    """Return a path as an address of a store, ``scheme://key``; None where it is a local path."""
    told = _ADDRESS.fullmatch(str(path))
    if told is None or told[1].lower() == _FILE:
        return None
    return f"{told[1].lower()}://{told[2].rstrip('/')}"


def local(path: Path | str) -> Path:
    """Return where a folder or file lies on this machine; nothing is fetched."""
    found = address(path)
    if found is not None:
        scheme, _, key = found.partition("://")
        return cache() / scheme / key
    told = _ADDRESS.fullmatch(str(path))
    return Path(f"/{told[2]}") if told else Path(path)


def address_of(path: Path) -> str | None:
    """Return the address whose working copy a path is, or is part of; None for any other path."""
    root = cache()
    here = Path(os.path.normpath(path if path.is_absolute() else Path.cwd() / path))
    if not here.is_relative_to(root):
        return None
    scheme, *key = here.relative_to(root).parts
    return f"{scheme}://{'/'.join(key)}" if key else None


def shown(text: str) -> str:
    """Return a text with addresses in place of the working copies that it names."""
    if f"/{_COPIES}" not in text:  # most texts, told without looking for the folder
        return text
    root = str(cache())
    return re.sub(rf"{re.escape(root)}/([a-z][a-z0-9+.-]+)/", r"\1://", text)
