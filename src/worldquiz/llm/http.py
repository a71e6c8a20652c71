"""Client for language models on servers that use OpenAI's protocol.

Servers are not trusted: a call has a deadline, a reply has a limit in bytes, and a server's texts
are shortened and cleared of keys before they are kept. A value of a type that the protocol does not
allow is read as an empty text or an unknown count, so an odd reply costs one question, not the run.

The client is our own because the openai library needs ten times as much processor time per call,
and a framework forty times (docs/decisions/0059-model-calls.md).
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from http import HTTPStatus
from io import BytesIO
from random import uniform
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from worldquiz.facts.replies import READ
from worldquiz.facts.row import Usage
from worldquiz.llm.model import (
    CUT,
    FILTERED,
    OVERFLOW,
    UNKNOWN,
    Again,
    CallError,
    Completion,
    FunctionCall,
    Message,
    NoServer,
)
from worldquiz.records import printable, scrub

if TYPE_CHECKING:
    from aiohttp import ClientResponse, ClientSession

T = TypeVar("T")
MOST_TOKENS = 10**9
"""Most tokens that a call can plausibly have."""
MOST_BYTES = 4 * 2**20
"""Most bytes of a server's answer; a longer one raises an error."""
CONNECT = 10.0
"""Seconds that a server has to accept a connection."""
LONGEST_ERROR = 2_000
"""Most characters of a server's error that are kept."""
LONGEST_WAIT = 120.0
"""Most seconds between two attempts of a call, whatever ``Retry-After`` says."""
_CHUNK = 2**16
_FULL = re.compile(
    r"context.?(length|size|window)|maximum model length|input length", re.IGNORECASE
)
"""Words of servers' errors about a prompt that is too long."""
_AGAIN = (408, 409, 429)
"""HTTP codes below 500 after which a call is tried again."""
_STOPS = {"content_filter": FILTERED, "length": CUT, "tool_calls": "tool_calls"}
"""Stop reasons that are distinguished."""
_THOUGHT, _THOUGHT_ENDS = "<think>", "</think>"


class Http:
    """A model on an OpenAI-compatible server, for one event loop at a time until it is closed."""

    def __init__(
        self,
        name: str,
        base_url: str,
        key: str,
        settings: Mapping[str, Any] | None = None,
        *,
        timeout: float = 600.0,
        retries: int = 0,
        label: str | None = None,
    ) -> None:
        """Set up a model by its name at the server, with settings that every request contains.

        `timeout` is in seconds per attempt; `label` is the name with its provider (for manifests).
        """
        self._label = label or name
        self.name, self._base, self._key = name, base_url.rstrip("/"), key
        self._settings = dict(settings or {})
        self._settings |= self._settings.pop("extra_body", {})
        if "api.openai.com" in base_url and "max_tokens" in self._settings:
            self._settings["max_completion_tokens"] = self._settings.pop("max_tokens")
        self._timeout, self._retries = timeout, retries
        there = urlsplit(base_url)
        past = there.hostname is None or proxy_bypass(there.hostname)
        self._proxy = None if past else getproxies().get(there.scheme)
        self._session: ClientSession | None = None
        self._met = False  # whether the server ever answered

    def __str__(self) -> str:
        return self._label

    async def generate(
        self,
        messages: Sequence[Message],
        *,
        form: Mapping[str, Any] | None = None,
        tools: Sequence[Mapping[str, Any]] = (),
        tool_choice: str | None = None,
    ) -> Completion:
        """Send messages, again if the server is busy or the connection breaks; return the reply."""
        body: dict[str, Any] = {**self._settings, "model": self.name, "messages": list(messages)}
        if form is not None:
            schema = {"name": "reply", "schema": form, "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        if tools:
            body["tools"] = [{"type": "function", "function": each} for each in tools]
        if tool_choice is not None:
            named = {"type": "function", "function": {"name": tool_choice}}
            plain = tool_choice in ("auto", "none", "required")
            body["tool_choice"] = tool_choice if plain else named

        async def asked() -> Completion:
            try:
                return read_completion(await self.sent("chat/completions", body))
            except NoServer as gone:
                if self._met:
                    raise
                raise CallError(str(gone)) from gone  # a wrong address is reported at once

        try:
            return await retried(asked, self._retries)
        except CallError as error:
            if error.status_code in (400, 413, 422) and _FULL.search(str(error)):
                return Completion(str(error), OVERFLOW)
            raise

    async def close(self) -> None:
        """Close connections; a later call opens new ones."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def sent(self, path: str, body: object) -> Any:
        """Send a request once; return the JSON of its answer. Raises `CallError`, `OSError`."""
        from aiohttp import (
            ClientConnectorError,
            ClientError,
            ConnectionTimeoutError,
            NonHttpUrlClientError,
        )

        nobody = (ClientConnectorError, ConnectionTimeoutError, NonHttpUrlClientError, ValueError)

        try:
            async with (
                asyncio.timeout(self._timeout),
                self._connected().post(
                    f"{self._base}/{path}",
                    data=BytesIO(json.dumps(body).encode()),  # sent in parts: pictures are large
                    allow_redirects=False, proxy=self._proxy,
                    headers={
                        "Authorization": f"Bearer {self._key}", "Content-Type": "application/json",
                    },
                ) as answer,
            ):  # fmt: skip
                text = scrub((await _read(answer)).decode(errors="replace"), self._key)
                status, headers, self._met = answer.status, answer.headers, True
        except nobody as error:
            raise NoServer(scrub(f"{self._proxy or self._base}: {error}", self._key)) from error
        except TimeoutError as error:
            raise Again(f"no answer within {self._timeout:g} seconds") from error
        except (ClientError, OSError) as error:
            raise Again(scrub(f"{type(error).__name__}: {error}", self._key)) from error
        if status >= HTTPStatus.BAD_REQUEST:
            wait = re.fullmatch(r"\d{1,9}(\.\d{0,9})?", headers.get("Retry-After", ""))  # or a date
            raise _failed(_error(text), status, float(wait[0]) if wait else None)
        if status >= HTTPStatus.MULTIPLE_CHOICES:
            place = printable(headers.get("Location", "elsewhere"))[:LONGEST_ERROR]
            raise CallError(f"the server redirects to {place}: use that address", status)
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            raise CallError(f"the server's answer is not JSON: {type(error).__name__}") from error

    def _connected(self) -> ClientSession:
        """Return the HTTP session, which is opened in the running event loop if needed."""
        from aiohttp import ClientSession, ClientTimeout, TCPConnector

        if self._session is None:
            self._session = ClientSession(
                connector=TCPConnector(limit=0),
                timeout=ClientTimeout(total=None, sock_connect=CONNECT),
            )
        return self._session


async def retried(attempt: Callable[[], Awaitable[T]], retries: int) -> T:
    """Return the result of an attempt, repeated up to `retries` times while it raises `Again`."""
    for number in range(retries + 1):
        try:
            return await attempt()
        except Again as error:
            if number == retries:
                raise
            wait = uniform(0.5, 1.0) * 2**number if error.wait is None else error.wait
            await asyncio.sleep(min(wait, LONGEST_WAIT))
    raise AssertionError("unreachable")


async def _read(answer: ClientResponse) -> bytes:
    data = bytearray()
    async for chunk in answer.content.iter_chunked(_CHUNK):
        data += chunk
        if len(data) > MOST_BYTES:
            answer.close()
            raise CallError(f"the server's answer is longer than {MOST_BYTES:,} bytes")
    return bytes(data)


def _failed(text: str, status: int, wait: float | None = None) -> CallError:
    """Return the error for an HTTP error code; it is `Again` if another attempt may succeed."""
    told = f"the server answered {status}: {text}"
    if status in _AGAIN or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return Again(told, status, wait)
    return CallError(told, status)


def _error(text: str) -> str:
    """Return the message in a server's error as one line."""
    try:
        told = json.loads(text[: 16 * LONGEST_ERROR])
    except (ValueError, RecursionError):
        return " ".join(printable(text[:LONGEST_ERROR]).split())
    inner = told.get("error", told) if isinstance(told, dict) else told
    if isinstance(inner, dict):
        inner = inner.get("message") or inner.get("detail") or json.dumps(inner)
    return " ".join(text_of(inner)[:LONGEST_ERROR].split())


def read_completion(told: Any) -> Completion:
    """Read a chat completion, even if parts are malformed. Raises `CallError` if there is none."""
    choices = _object(told).get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    for each in (_object(first), {} if first else _object(told)):
        if error := each.get("error"):  # instead of a reply, perhaps with a code
            code, text = _object(error).get("code"), _error(json.dumps(each))
            if type(code) is int and 400 <= code < 600:
                raise _failed(text, code)
            raise CallError(f"the server sent an error: {text}")
    if first is None:
        raise CallError(
            "the server's answer has no choices: use the base URL of a chat completions API"
        )
    message = _object(first).get("message", first)
    said = message if isinstance(message, dict) else {"content": message}
    text = text_of(said.get("content")) or text_of(said.get("refusal"))
    if text.lstrip().startswith(_THOUGHT) and _THOUGHT_ENDS in text:
        text = text.partition(_THOUGHT_ENDS)[2].lstrip()
    stop = _STOPS.get(str(_object(first).get("finish_reason")), "stop")
    used = _usage(_object(_object(told).get("usage")))
    return Completion(text, stop, _tool_calls(said.get("tool_calls")), used)


def _usage(told: Mapping[str, Any]) -> Usage:
    """Return a call's usage as the server counted it, or `UNKNOWN`."""
    whole, output = told.get("prompt_tokens"), told.get("completion_tokens")
    if not (is_count(whole) and is_count(output)):
        return UNKNOWN
    cached = _object(told.get("prompt_tokens_details")).get("cached_tokens")
    known = cached if is_count(cached) and cached <= whole else 0
    return Usage(1, whole, known, output, None)


def _object(value: Any) -> Mapping[str, Any]:
    """Return a value if it is an object, else an empty object."""
    return value if isinstance(value, dict) else {}


def _tool_calls(told: Any) -> tuple[FunctionCall, ...]:
    """Return the tool calls whose id, name and arguments are strings."""
    found = []
    for each in told if isinstance(told, list) else ():
        call = _object(_object(each).get("function"))
        id, name, text = _object(each).get("id"), call.get("name"), call.get("arguments")
        if isinstance(id, str) and isinstance(name, str) and isinstance(text, str):
            try:
                read = json.loads(text or "{}")
            except (ValueError, RecursionError):
                read = None
            given = read if isinstance(read, dict) else None
            found.append(FunctionCall(printable(id), printable(name), given, printable(text)))
    return tuple(found)


def is_count(value: object) -> TypeGuard[int]:
    """Return whether a value can be a number of tokens."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS


def text_of(value: object) -> str:
    """Return content as encodable text: parts are joined, and a long text is reduced to its end."""
    if isinstance(value, list):
        value = "".join(text_of(each) for each in value)
    if isinstance(value, dict):
        value = value.get("text")
    return printable(value[-READ:]) if isinstance(value, str) else ""
