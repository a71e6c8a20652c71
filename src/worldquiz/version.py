"""The version of worldquiz. This imports nothing, so that any module may state the version."""

from __future__ import annotations

__version__ = "0.3.0"


def own_version() -> dict[str, str]:
    """Return the entry of worldquiz under ``versions`` in a manifest."""
    return {"worldquiz": __version__}
