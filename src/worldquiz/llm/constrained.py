"""JSON Schemas that a server holds replies to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def object_of(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an object that has these properties, and no others."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def command_form() -> dict[str, Any]:
    """Return the schema of a command with its reason."""
    return object_of({"reason": {"type": "string"}, "command": {"type": "string"}})
