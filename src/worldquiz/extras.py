"""Libraries that optional parts need: imported when they are used, and missed in one line."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from worldquiz.errors import MissingExtra


def need(module: str, *, extra: str, library: str | None = None) -> Any:
    """Return a module, as ``numpy`` or ``scipy.spatial``, of a library that an extra installs.

    `library` is what pip calls it, where that is not the module's first name (``PIL``: pillow).
    Raises `MissingExtra` naming library and extra where it is not installed.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtra(library or module.partition(".")[0], extra) from error
