"""Replies that a server holds to a JSON Schema (inspect's ``response_schema``)."""

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


def held_to(schema: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return what `Model.generate` is given beside a prompt: nothing without a schema."""
    if schema is None:
        return {}
    from inspect_ai.model import GenerateConfig, ResponseSchema
    from inspect_ai.util import JSONSchema

    form = JSONSchema.model_validate(dict(schema))
    held = ResponseSchema(name="reply", json_schema=form, strict=True)
    return {"config": GenerateConfig(response_schema=held)}
