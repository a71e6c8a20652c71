"""Task2Quiz (arXiv 2601.09503): an agent explores text games, then takes a quiz about them.

`build` makes a suite of worlds, `suite` makes one of your own worlds, `load` opens one; a suite's
method `run` lets an agent play and an answerer answer. The stages of the
paper: `pipeline`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldquiz.plugins import lazy_names

if TYPE_CHECKING:
    from worldquiz.t2q.front import T2QSuite as T2QSuite
    from worldquiz.t2q.front import build as build
    from worldquiz.t2q.front import load as load
    from worldquiz.t2q.front import suite as suite

__all__ = ["T2QSuite", "build", "load", "suite"]

__getattr__, __dir__ = lazy_names(
    __name__, {name: f"worldquiz.t2q.front:{name}" for name in __all__}
)
