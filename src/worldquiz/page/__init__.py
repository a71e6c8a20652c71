"""Reports of runs: tables for a terminal, and one self-contained page with drawings of worlds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldquiz.plugins import lazy_names

if TYPE_CHECKING:
    from worldquiz.page.html import Drawing, DrawnPicture, DrawnStep

__all__ = ["Drawing", "DrawnPicture", "DrawnStep"]

__getattr__, __dir__ = lazy_names(__name__, {name: f"{__name__}.html:{name}" for name in __all__})
