"""Public names of a package that are imported when they are first asked for (PEP 562)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from worldquiz.errors import needing_scenes


def lazy_names(
    package: str, homes: Mapping[str, str], *more: str
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the functions ``__getattr__`` and ``__dir__`` of a package.

    `homes` says where each name is: a module, or ``module:attribute``; `more` are names that the
    package has already.
    """

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, _, attribute = homes[name].partition(":")
        with needing_scenes():
            found = import_module(module)
        return getattr(found, attribute) if attribute else found

    return find, lambda: sorted([*homes, *more])
