"""The extra that inspect's tasks, logs and models need."""

from __future__ import annotations

from worldquiz.extras import need


def require() -> None:
    """Raise `MissingExtra` unless inspect is installed."""
    need("inspect_ai", extra="inspect", library="inspect-ai")
