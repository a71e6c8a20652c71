"""OpenAI's chat and embeddings over HTTP, in a thread of this process: a script makes the replies.

A `Script` is a function from a request to a reply, and its reply depends on the request alone; so
a run that is resumed gets the same bytes. `Request.attempt` lets a fault pass away on a retry. Each
call is on record in `Running.calls`.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
import os
import re
import subprocess
import sys
import threading
import urllib.request
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from aiohttp import web

from modelserver.prompts import role_of

DIMENSIONS = 384
PICTURE = 85  # tokens
LISTED = ("m", "diverse", "keeper", "player", "priced", "tester", "tiny")
"""Models that the server names when it is asked which it has."""
_TOKEN = re.compile(r"\w{1,12}+|[^\w\s]")
_BLOCK = 128  # tokens that are cached together


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation, its parts joined."""

    role: str
    text: str
    images: tuple[str, ...] = ()  # their URLs


@dataclass(frozen=True, slots=True)
class Request:
    """A chat completion, as asked for."""

    model: str
    messages: tuple[Message, ...]
    tools: tuple[str, ...] = ()  # their names
    schema: Mapping[str, Any] = field(default_factory=dict)  # that the reply is held to
    max_tokens: int | None = None
    temperature: float | None = None
    attempt: int = 0  # how often the same was asked before
    prompt: str = ""  # all of it as the provider's model would read it
    digest: str = ""  # of model and prompt
    tokens: int = 0  # of the prompt

    @property
    def text(self) -> str:
        """The messages' text, a blank line between them."""
        return "\n\n".join(message.text for message in self.messages)

    @property
    def images(self) -> int:
        """How many images came along."""
        return sum(len(message.images) for message in self.messages)


@dataclass(frozen=True, slots=True)
class Text:
    """A reply in words."""

    text: str
    finish: str = "stop"  # stop, length or content_filter
    note: str = ""  # what the script did, for the record
    after: float = 0.0  # seconds, of this reply alone


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
class Raw:
    """A reply of any bytes, whatever the protocol wants; None: the connection is reset."""

    body: bytes | None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    note: str = "raw"


Reply = Text | Uses | Raw
Script = Callable[[Request], Reply]


def Failure(  # noqa: N802
    status: int,
    message: str,
    kind: str = "server_error",
    code: str | int | None = None,
    *,
    retry_after: float | None = None,
) -> Raw:
    """Return an error as OpenAI words it."""
    told = {"message": message, "type": kind, "param": None, "code": code}
    headers = {} if retry_after is None else {"retry-after": f"{retry_after:g}"}
    return Raw(json.dumps({"error": told}).encode(), status, headers, note="failure")


def read_chat(body: Mapping[str, Any]) -> Request:
    """Return the request that a body of /v1/chat/completions makes."""
    shape = (body.get("response_format") or {}).get("json_schema") or {}
    messages, parts = [], [json.dumps(extra) for extra in (body.get("tools"), shape) if extra]
    for sent in body["messages"]:
        content = sent.get("content") or ""
        content = [{"type": "text", "text": content}] if isinstance(content, str) else content
        text = "".join(part["text"] for part in content if part["type"] == "text")
        images = [part["image_url"]["url"] for part in content if part["type"] == "image_url"]
        messages.append(Message(sent["role"], text, tuple(images)))
        pictures = "".join(f"<image {_hashed(url, 8)}>" for url in images)
        calls = json.dumps(sent["tool_calls"]) if sent.get("tool_calls") else ""
        parts.append(f"<{sent['role']}>\n{text}{pictures}{calls}")
    prompt = "\n".join(parts)
    return Request(
        body["model"],
        tuple(messages),
        tuple(tool["function"]["name"] for tool in body.get("tools") or ()),
        shape.get("schema") or {},
        body.get("max_completion_tokens") or body.get("max_tokens"),
        body.get("temperature"),
        prompt=prompt,
        digest=_hashed(f"{body['model']}\n{prompt}", 16),
    )


def _hashed(text: str, size: int) -> str:
    return hashlib.blake2b(text.encode(), digest_size=size).hexdigest()


def chat_body(request: Request, reply: Text | Uses, usage: Mapping[str, Any]) -> dict[str, Any]:
    """Return a chat completion. Its id follows from the request: no clock is read."""
    message: dict[str, Any] = {"role": "assistant", "content": None, "refusal": None}
    finish = "tool_calls"
    if isinstance(reply, Text):
        message["content"], finish = reply.text, reply.finish
    else:
        message["tool_calls"] = [
            {
                "id": f"call_{request.digest[:20]}_{number}",
                "type": "function",
                "function": {"name": use.name, "arguments": json.dumps(use.arguments)},
            }
            for number, use in enumerate(reply.uses)
        ]
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": finish}
    return {
        "id": f"chatcmpl-{request.digest}", "object": "chat.completion", "created": 1_700_000_000,
        "model": request.model, "choices": [choice], "usage": usage,
    }  # fmt: skip


def embed(text: str) -> list[float]:
    """Return a text's vector, of unit length: near those of texts that share words with it."""
    vector = [0.0] * DIMENSIONS
    for word in re.findall(r"\w+", text.lower()):
        framed = f"<{word}>"
        pieces = [(framed, 1.0), *((framed[n : n + 3], 0.3) for n in range(len(framed) - 2))]
        for piece, weight in pieces:
            hashed = zlib.crc32(piece.encode())
            vector[hashed % DIMENSIONS] += weight if hashed >> 16 & 1 else -weight
    length = math.hypot(*vector)
    return [value / length for value in vector] if length else [1.0, *vector[1:]]


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the server, as it ended."""

    role: str  # what it seems to be for: act, quiz, embed, or a memory's request
    model: str
    digest: str  # of model and prompt
    prompt: str
    tokens: int  # of the prompt
    images: int
    status: int = 0  # HTTP; 0 where the connection was reset
    finish: str = ""  # stop, length, content_filter, tool_calls; "" where there was no reply
    note: str = ""  # what the script did, in a word
    cached: int = 0  # tokens
    completion: int = 0  # tokens of the reply


class Server:
    """A provider that replies by a script."""

    def __init__(
        self,
        script: Script,
        *,
        latency: float = 0.0,  # seconds before every reply
        minimum: int = 1024,  # tokens of a prompt from which on it is read from the cache
    ) -> None:
        self._script, self._latency, self._minimum = script, latency, minimum
        self._asked: Counter[str] = Counter()
        self._seen: set[str] = set()  # beginnings of prompts, in whole blocks
        self.mistakes: list[Exception] = []  # of the script: never a model's behaviour
        self.calls: list[Call] = []
        self.arrived = self.most = 0

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer a request, whatever it is."""
        told = await request.json() if request.can_read_body else {}
        try:
            match request.path:
                case "/v1/models":
                    listed = [{"id": name} for name in LISTED]
                    return web.json_response({"object": "list", "data": listed})
                case "/stats":
                    return web.json_response(self.stats())
                case "/v1/embeddings":
                    made = self._embeddings
                case _:
                    made = self._chat
            self.arrived += 1
            self.most = max(self.most, self.arrived - len(self.calls))
            call, reply = await made(told)
        except Exception as error:
            self.mistakes.append(error)
            return web.Response(status=400, text=f"the server failed: {error!r}")
        self.calls.append(replace(call, status=0 if reply.body is None else reply.status))
        if reply.body is None:  # as a crashed peer would
            assert request.transport is not None
            request.transport.abort()
            return web.Response()
        head = {"content-type": "application/json", **reply.headers}
        return web.Response(status=reply.status, body=reply.body, headers=head)

    async def _chat(self, told: Mapping[str, Any]) -> tuple[Call, Raw]:
        request = read_chat(told)
        ends = [each.end() for each in _TOKEN.finditer(request.prompt)]
        tokens, attempt = len(ends) + PICTURE * request.images, self._asked[request.digest]
        self._asked[request.digest] += 1
        reply = self._script(replace(request, attempt=attempt, tokens=tokens))
        call = Call(role_of(request), request.model, request.digest, request.text, tokens,
                    request.images, note=reply.note)  # fmt: skip
        cached, blocks = self._cached(request.prompt, ends)
        await asyncio.sleep(self._latency + getattr(reply, "after", 0.0))
        if isinstance(reply, Raw):
            return call, reply
        self._seen |= blocks
        text = json.dumps([[use.name, use.arguments] for use in getattr(reply, "uses", ())])
        if isinstance(reply, Text):
            said = list(_TOKEN.finditer(reply.text))
            if request.max_tokens is not None and len(said) > request.max_tokens:
                cut = reply.text[: said[request.max_tokens].start()].rstrip()
                reply = replace(reply, text=cut, finish="length")
            text = reply.text
        completion = len(_TOKEN.findall(text))
        body = chat_body(request, reply, {
            "prompt_tokens": tokens, "completion_tokens": completion,
            "total_tokens": tokens + completion, "prompt_tokens_details": {"cached_tokens": cached},
        })  # fmt: skip
        finish = body["choices"][0]["finish_reason"]
        call = replace(call, finish=finish, cached=cached, completion=completion)
        return call, Raw(json.dumps(body).encode())

    def _cached(self, prompt: str, ends: list[int]) -> tuple[int, set[str]]:
        """Return the tokens of a prompt's beginning that another one had too, and its blocks."""
        if len(ends) < self._minimum:
            return 0, set()
        blocks = [_hashed(prompt[:end], 16) for end in ends[_BLOCK - 1 :: _BLOCK]]
        known = next((n for n, each in enumerate(blocks) if each not in self._seen), len(blocks))
        return known * _BLOCK if known * _BLOCK >= self._minimum else 0, set(blocks)

    async def _embeddings(self, told: Mapping[str, Any]) -> tuple[Call, Raw]:
        texts = [told["input"]] if isinstance(told["input"], str) else told["input"]
        tokens = sum(len(_TOKEN.findall(text)) for text in texts)
        await asyncio.sleep(self._latency)
        data = [{"object": "embedding", "index": n, "embedding": embed(text)}
                for n, text in enumerate(texts)]  # fmt: skip
        usage = {"prompt_tokens": tokens, "total_tokens": tokens}
        body = {"object": "list", "data": data, "model": told["model"], "usage": usage}
        call = Call("embed", told["model"], "", "\n".join(texts), tokens, 0)
        return call, Raw(json.dumps(body).encode())

    def stats(self) -> dict[str, int]:
        """Return what was counted."""
        return {"arrived": self.arrived, "ended": len(self.calls), "most_at_once": self.most}


@dataclass(frozen=True, slots=True)
class Running:
    """A server that takes calls, in this process or in one of its own."""

    base_url: str  # where clients of OpenAI's protocol find it
    server: Server | None = None

    @property
    def calls(self) -> list[Call]:
        """All calls so far, in the order in which they ended."""
        assert self.server is not None
        return self.server.calls

    def env(self) -> dict[str, str]:
        """Return the variables by which inspect finds it as ``openai-api/test/<any model>``."""
        return {"TEST_API_KEY": "none", "TEST_BASE_URL": self.base_url}

    def stats(self) -> Any:
        """Return all counters."""
        if self.server is not None:
            return self.server.stats()
        with urllib.request.urlopen(f"{self.base_url.removesuffix('/v1')}/stats") as reply:
            return json.load(reply)


@contextmanager
def serving(script: Script, **options: Any) -> Iterator[Running]:
    """Run a server in a thread of its own until the block is left; see `Server`.

    Raises in the end what the script raised, if it did. A call that hangs is not waited for.
    """
    server, stop = Server(script, **options), asyncio.Event()
    started: Future[tuple[asyncio.AbstractEventLoop, int]] = Future()

    async def work() -> None:
        app = web.Application(client_max_size=2**30)
        app.router.add_route("*", "/{path:.*}", server.handle)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)  # 0 is for ever
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0, backlog=1024).start()
        started.set_result((asyncio.get_running_loop(), runner.addresses[0][1]))
        await stop.wait()
        await runner.cleanup()

    thread = threading.Thread(target=lambda: asyncio.run(work()), name="model server", daemon=True)
    thread.start()
    loop, port = started.result(10)
    try:
        yield Running(f"http://127.0.0.1:{port}/v1", server)
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(10)
    if server.mistakes:
        raise server.mistakes[0]


@contextmanager
def apart(*options: object) -> Iterator[Running]:
    """Run ``python -m modelserver`` with some options until the block is left."""
    command = [sys.executable, "-m", "modelserver", *map(str, options)]
    paths = [str(Path(__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env) as process:
        try:
            assert process.stdout is not None
            yield Running(process.stdout.readline().strip())
        finally:
            process.terminate()
