"""The extra that models need."""

from __future__ import annotations

from worldquiz.extras import need


def require() -> None:
    """Raise `MissingExtra` unless models can be run."""
    for module in ("inspect_ai", "openai"):
        need(module, extra="llm", library=module.replace("_", "-"))
