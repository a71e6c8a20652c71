"""Libraries that optional parts need: imported when they are used, and missed in one line."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from worldquiz.errors import MissingExtra


def need(module: str, *, extra: str | None, library: str | None = None) -> Any:
    """Return a module, as ``numpy`` or ``scipy.spatial``, of a library that an extra installs.

    `extra` is None for what no extra brings; `library` is what pip calls it, where that is not the
    module's first name (``PIL``: pillow).
    Raises `MissingExtra` naming library and extra where it is not installed.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtra(library or module.partition(".")[0], extra) from error


class _Later:
    """Stands for a module, and imports it when an attribute is first asked for."""

    def __init__(self, module: str, extra: str, library: str | None) -> None:
        self._wanted = (module, extra, library)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # asked by doctest, pickle and the like, not by users
            raise AttributeError(name)
        module, extra, library = self._wanted
        value = getattr(need(module, extra=extra, library=library), name)
        setattr(self, name, value)  # found at once from now on
        return value


def later(module: str, *, extra: str, library: str | None = None) -> Any:
    """Return what stands for a module at the top of a file, and costs nothing until it is used.

    Type checkers see the module itself where the file says
    ``if TYPE_CHECKING: import numpy as np`` and, in its else, ``np = later("numpy", extra=...)``.
    """
    return _Later(module, extra, library)
