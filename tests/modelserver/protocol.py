"""What is asked of the server and what it replies: OpenAI's protocol as plain values.

A `Script` is a function from a request to a reply. Its reply depends on nothing but the script's
own settings and the request, so a run that is resumed gets the same bytes whatever the order of
its calls. The one thing beside the request's text is `attempt`, which lets a fault pass away.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


class BadRequest(Exception):
    """A request that a provider would refuse with HTTP 400."""

    def __init__(self, message: str, param: str | None = None) -> None:
        super().__init__(message)
        self.param = param


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation, its parts joined without anything between them."""

    role: str
    text: str
    images: tuple[str, ...] = ()  # their URLs


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that the model may call."""

    name: str
    parameters: Mapping[str, Any]  # a JSON schema


@dataclass(frozen=True, slots=True)
class Request:
    """A chat completion, as asked for."""

    model: str
    messages: tuple[Message, ...]
    tools: tuple[Tool, ...] = ()
    tool_choice: str = "auto"  # auto, none, required, or the name of a tool
    shape: str = "text"  # text, json_object or json_schema
    schema: Mapping[str, Any] = field(default_factory=dict)  # where `shape` is json_schema
    max_tokens: int | None = None
    temperature: float | None = None
    streams: bool = False  # whether the reply comes as events
    attempt: int = 0  # how often the same was asked before
    prompt: str = ""  # all of it as the provider's model would read it
    digest: str = ""  # of model and prompt
    tokens: int = 0  # of the prompt

    @property
    def text(self) -> str:
        """The messages' text, a blank line between them."""
        if len(self.messages) == 1:
            return self.messages[0].text
        return "\n\n".join(message.text for message in self.messages)

    @property
    def images(self) -> int:
        """How many images came along."""
        return sum(len(message.images) for message in self.messages)

    @property
    def must_call(self) -> bool:
        """Whether a reply has to be a call of a tool."""
        return bool(self.tools) and self.tool_choice not in ("auto", "none")


@dataclass(frozen=True, slots=True)
class Text:
    """A reply in words."""

    text: str
    finish: str = "stop"  # stop, length or content_filter
    note: str = ""  # what the script did, for the record


@dataclass(frozen=True, slots=True)
class Use:
    """One call of a tool."""

    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Uses:
    """A reply that calls tools."""

    uses: tuple[Use, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """A reply that is an error."""

    status: int
    message: str
    kind: str = "server_error"
    code: str | int | None = None
    retry_after: float | None = None  # seconds
    param: str | None = None
    note: str = "failure"


@dataclass(frozen=True, slots=True)
class Hang:
    """No reply for some time, and then none: the connection is reset."""

    seconds: float
    note: str = "hang"


@dataclass(frozen=True, slots=True)
class Reset:
    """No reply: the connection is reset."""

    note: str = "reset"


@dataclass(frozen=True, slots=True)
class Raw:
    """A reply of any bytes, whatever the protocol wants."""

    body: bytes
    status: int = 200
    media: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    note: str = "raw"


Reply = Text | Uses | Failure | Hang | Reset | Raw
Script = Callable[[Request], Reply]


def read_chat(body: object) -> Request:
    """Return the request that a body of /v1/chat/completions makes. Raises `BadRequest`."""
    if not isinstance(body, dict):
        raise BadRequest("the body is not a JSON object")
    if body.get("n") not in (None, 1):
        raise BadRequest("this server gives one choice: leave out 'n'", "n")
    model, messages = body.get("model"), body.get("messages")
    if not isinstance(model, str):
        raise BadRequest("you must provide a model parameter", "model")
    if not isinstance(messages, list) or not messages:
        raise BadRequest("'messages' must be a list with at least one message", "messages")
    tools = tuple(_tool(tool) for tool in body.get("tools") or ())
    read = tuple(_message(message) for message in messages)
    shape = body.get("response_format") or {"type": "text"}
    prompt = _rendered(body.get("tools"), shape, messages, read)
    return Request(
        model,
        read,
        tools,
        _choice(body.get("tool_choice"), tools),
        str(shape.get("type", "text")),
        (shape.get("json_schema") or {}).get("schema") or {},
        body.get("max_completion_tokens") or body.get("max_tokens"),
        body.get("temperature"),
        bool(body.get("stream")),
        prompt=prompt,
        digest=hashlib.blake2b(f"{model}\n{prompt}".encode(), digest_size=16).hexdigest(),
    )


def _tool(tool: Any) -> Tool:
    try:
        return Tool(tool["function"]["name"], tool["function"].get("parameters") or {})
    except (KeyError, TypeError) as error:
        raise BadRequest(f"not a function tool: {tool!r}", "tools") from error


def _choice(choice: Any, tools: Sequence[Tool]) -> str:
    if choice is None or isinstance(choice, str):
        return choice or "auto"
    name = str((choice.get("function") or {}).get("name"))
    if name not in {tool.name for tool in tools}:
        raise BadRequest(f"tool_choice names {name!r}, which is none of the tools", "tool_choice")
    return name


def _message(message: Any) -> Message:
    if not isinstance(message, dict) or not isinstance(message.get("role"), str):
        raise BadRequest("a message needs a 'role'", "messages")
    content = message.get("content")
    if content is None or isinstance(content, str):
        return Message(message["role"], content or "")
    texts, images = [], []
    for part in content:
        match part:
            case {"type": "text", "text": str(text)}:
                texts.append(text)
            case {"type": "image_url", "image_url": {"url": str(url)}}:
                images.append(url)
            case _:
                raise BadRequest(f"a part of this kind is not known: {part!r}", "messages")
    return Message(message["role"], "".join(texts), tuple(images))


def _rendered(tools: Any, shape: Any, raw: Sequence[Any], read: Sequence[Message]) -> str:
    """Return the whole prompt: tools and schema first, as providers place them."""
    parts = [json.dumps(extra) for extra in (tools, shape.get("json_schema")) if extra]
    for sent, message in zip(raw, read, strict=True):
        pictures = "".join(f"<image {_short(url)}>" for url in message.images)
        calls = json.dumps(sent["tool_calls"]) if sent.get("tool_calls") else ""
        parts.append(f"<{message.role}>\n{message.text}{pictures}{calls}")
    return "\n".join(parts)


def _short(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def error_body(failure: Failure) -> dict[str, Any]:
    """Return an error as OpenAI words it."""
    told = {"message": failure.message, "type": failure.kind}
    return {"error": {**told, "param": failure.param, "code": failure.code}}


Wording = Callable[[int, int], Failure]
"""What a server says of a prompt of so many tokens that is too long for its window."""


def overflow(tokens: int, window: int) -> Failure:
    """Return the error for a prompt that does not fit into the model's window."""
    return Failure(
        400,
        f"This model's maximum context length is {window} tokens. However, your messages resulted "
        f"in {tokens} tokens. Please reduce the length of the messages.",
        "invalid_request_error",
        "context_length_exceeded",
        param="messages",
        note="overflow",
    )


def vllm_overflow(tokens: int, window: int) -> Failure:
    """Return the error for the same as vLLM 0.32 words it: the code is a number."""
    return Failure(
        400,
        f"This model's maximum context length is {window} tokens. However, your prompt contains at "
        f"least {tokens} input tokens. Please reduce the length of the input prompt.",
        "BadRequestError",
        400,
        param="input_tokens",
        note="overflow",
    )


def chat_body(request: Request, reply: Text | Uses, usage: Mapping[str, Any]) -> dict[str, Any]:
    """Return a chat completion. Its id and time follow from the request: no clock is read."""
    message: dict[str, Any] = {"role": "assistant", "content": None, "refusal": None}
    match reply:
        case Text(text=text, finish=finish):
            message["content"] = text
        case Uses(uses=uses):
            finish = "tool_calls"
            message["tool_calls"] = [
                {
                    "id": f"call_{request.digest[:20]}_{number}",
                    "type": "function",
                    "function": {"name": use.name, "arguments": json.dumps(use.arguments)},
                }
                for number, use in enumerate(uses)
            ]
    return {
        "id": f"chatcmpl-{request.digest}",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": request.model,
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": finish}],
        "usage": usage,
        "system_fingerprint": None,
    }


def events(body: Mapping[str, Any]) -> bytes:
    """Return a chat completion as a stream that tells all of its message at once."""
    choice = body["choices"][0]
    message = dict(choice["message"])
    if "tool_calls" in message:
        message["tool_calls"] = [
            {"index": number, **call} for number, call in enumerate(message["tool_calls"])
        ]
    first = {"index": 0, "delta": message, "logprobs": None, "finish_reason": None}
    last = {**first, "delta": {}, "finish_reason": choice["finish_reason"]}
    same = {**body, "object": "chat.completion.chunk", "usage": None}
    lines = [{**same, "choices": [each]} for each in (first, last)]
    lines.append({**same, "choices": [], "usage": body["usage"]})
    return "".join(f"data: {line}\n\n" for line in [*map(json.dumps, lines), "[DONE]"]).encode()
