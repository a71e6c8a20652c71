"""Models that are called through the library inspect_ai, and helpers for its tasks."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from math import inf
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    ContentImage,
    ContentText,
    GenerateConfig,
    ModelOutput,
    ResponseSchema,
)
from inspect_ai.model import Model as InspectsModel
from inspect_ai.tool import ToolCall, ToolFunction, ToolInfo, ToolParams
from inspect_ai.util import JSONSchema

from worldquiz.facts.knowledge import FRACTIONS, SIGNED
from worldquiz.facts.row import Usage
from worldquiz.llm.http import LONGEST_ERROR, is_count, text_of
from worldquiz.llm.model import (
    CUT,
    FILTERED,
    OVERFLOW,
    CallError,
    Completion,
    FunctionCall,
    Message,
)
from worldquiz.records import scrub
from worldquiz.stats.intervals import ratios, standard_error

_STOPS = {"content_filter": FILTERED, "model_length": OVERFLOW, "max_tokens": CUT}


class Inspect:
    """A model of inspect_ai, made from a name or taken from an evaluation that inspect runs."""

    def __init__(self, model: InspectsModel) -> None:
        """Wrap one of inspect's models, which has its own settings, timeout and retries."""
        self._model = model

    def __str__(self) -> str:
        return str(self._model)

    async def generate(
        self,
        messages: Sequence[Message],
        *,
        form: Mapping[str, Any] | None = None,
        tools: Sequence[Mapping[str, Any]] = (),
        tool_choice: str | None = None,
    ) -> Completion:
        """Send messages through inspect, which also retries; return the reply."""
        more: dict[str, Any] = {"config": held_to(form)} if form is not None else {}
        if tools:
            plain = {None: None, "auto": "auto", "none": "none", "required": "any"}
            choice = plain[tool_choice] if tool_choice in plain else ToolFunction(str(tool_choice))
            named = [
                ToolInfo(
                    name=each["name"],
                    description=each.get("description") or each["name"],
                    parameters=ToolParams.model_validate(each["parameters"]),
                )
                for each in tools
            ]
            more |= {"tools": named, "tool_choice": choice}
        output = await self._model.generate(messages_of(messages), **more)
        if not output.choices and output.error:
            raise CallError(scrub(output.error)[:LONGEST_ERROR])
        return read_output(output)

    async def close(self) -> None:
        """Close connections."""
        async with self._model:
            pass


def read_output(output: ModelOutput) -> Completion:
    """Return inspect's output as a reply."""
    if not output.choices:
        return Completion()
    calls = tuple(
        FunctionCall(
            use.id, use.function, None if use.parse_error else use.arguments,
            json.dumps(use.arguments, ensure_ascii=False),
        )
        for use in output.message.tool_calls or ()
    )  # fmt: skip
    text = scrub(text_of(output.completion))
    stop = _STOPS.get(output.stop_reason, output.stop_reason)
    used = output.usage
    if used is None:
        return Completion(text, stop, calls)
    cached, written = used.input_tokens_cache_read or 0, used.input_tokens_cache_write or 0
    whole = used.input_tokens + cached + written
    counts = (used.input_tokens, whole, cached, written, used.output_tokens)
    if not all(map(is_count, counts)) or not 0 <= (used.total_cost or 0) < inf:
        return Completion(text, stop, calls)
    usage = Usage(1, whole, cached, used.output_tokens, used.total_cost)
    return Completion(text, stop, calls, usage)


def messages_of(messages: Iterable[Message]) -> list[ChatMessage]:
    """Return messages in inspect's form."""
    return list(map(_message, messages))


def _message(message: Message) -> ChatMessage:
    content: Any = message["content"]
    if not isinstance(content, str):
        content = [
            ContentImage(image=each["image_url"]["url"])
            if each["type"] == "image_url"
            else ContentText(text=each["text"])
            for each in content
        ]
    match message["role"]:
        case "system":
            return ChatMessageSystem(content=content)
        case "assistant":
            uses = [
                ToolCall(
                    each["id"], each["function"]["name"], json.loads(each["function"]["arguments"])
                )
                for each in message.get("tool_calls", ())
            ]
            return ChatMessageAssistant(content=content, tool_calls=uses or None)
        case "tool":
            return ChatMessageTool(content=content, tool_call_id=message["tool_call_id"])
    return ChatMessageUser(content=content)


def held_to(form: Mapping[str, Any]) -> Any:
    """Return inspect's settings that make a reply follow a JSON Schema."""
    schema = JSONSchema.model_validate(dict(form))
    return GenerateConfig(
        response_schema=ResponseSchema(name="reply", json_schema=schema, strict=True)
    )


def knowledge_metrics(worlds: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the knowledge score, its standard error over worlds, and the false-answer rate.

    `worlds` holds each world's counts (`facts.knowledge.counts`). Undefined values are left out.
    """
    found = ratios(worlds, FRACTIONS, signed=SIGNED)
    told = {
        "knowledge": found["knowledge"].value,
        "stderr": standard_error(found["knowledge"]),
        "false_answers": found["false_answers"].value,
    }
    return {name: value for name, value in told.items() if value is not None}
