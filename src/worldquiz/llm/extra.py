"""The extra that models need."""

from __future__ import annotations

from worldquiz.errors import MissingExtra


def require() -> None:
    """Raise `MissingExtra` unless models can be run."""
    for library, extra in (("inspect_ai", "llm"), ("openai", "llm"), ("json_repair", "llm")):
        try:
            __import__(library)
        except ImportError as error:
            raise MissingExtra(library.replace("_", "-"), extra) from error
