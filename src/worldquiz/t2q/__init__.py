"""Task2Quiz (arXiv 2601.09503): an agent explores text games, then takes a quiz about them.

`build` makes a suite of worlds, `suite` makes one of your own worlds, `load` opens one; a suite's
method `run` lets an agent play and an answerer answer. The stages of the paper: `pipeline`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from worldquiz.t2q.front import T2QSuite as T2QSuite
    from worldquiz.t2q.front import build as build
    from worldquiz.t2q.front import load as load
    from worldquiz.t2q.front import suite as suite

__all__ = ["T2QSuite", "build", "load", "suite"]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from worldquiz.t2q import front

    return getattr(front, name)


def __dir__() -> list[str]:
    return sorted(__all__)
