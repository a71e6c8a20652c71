"""The version of worldquiz. This module imports nothing, so that any module may import it."""

from __future__ import annotations

__version__ = "0.3.0"


def own_version() -> dict[str, str]:
    """Return the version of worldquiz as an entry of ``versions`` in a manifest."""
    return {"worldquiz": __version__}
