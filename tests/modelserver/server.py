"""The server itself: three endpoints of OpenAI's, and one that tells what it has counted."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect
from starlette.requests import Request as HTTPRequest
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from uvicorn.protocols.http.h11_impl import H11Protocol

from modelserver.embedding import DIMENSIONS, embed, encoded
from modelserver.prompts import role_of
from modelserver.protocol import (
    BadRequest,
    Failure,
    Hang,
    Raw,
    Reply,
    Request,
    Script,
    Text,
    Uses,
    chat_body,
    error_body,
    events,
    overflow,
    read_chat,
)
from modelserver.record import Book
from modelserver.tokens import PICTURE, PrefixCache, clipped, count


@dataclass(frozen=True, slots=True)
class Options:
    """How the provider behaves, whatever the script says."""

    latency: float = 0.0  # seconds before every reply
    window: int | None = None  # tokens that a prompt may have; None: any number
    block: int = 128  # tokens that are cached together
    minimum: int = 1024  # tokens of a prefix below which nothing is read from the cache
    log: Path | None = None  # gets one JSON line a call
    texts: bool = False  # whether the log holds prompts and replies
    keep: bool = True  # whether `calls` is filled


class Protocol(H11Protocol):
    """Shows the application its connection, so that it can be reset."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Pass the connection on with every request's state."""
        super().connection_made(transport)
        self.app_state = {**self.app_state, "transport": transport}


class Server:
    """A provider that replies by a script."""

    def __init__(self, script: Script, options: Options | None = None) -> None:
        self.options = options or Options()
        self._script = script
        self._cache = PrefixCache(self.options.block, self.options.minimum)
        self._asked: Counter[str] = Counter()
        self.mistakes: list[Exception] = []  # of the script: never a model's behaviour
        self.book = Book(log=self.options.log, keep=self.options.keep, texts=self.options.texts)
        self.app = Starlette(
            routes=[
                Route("/v1/chat/completions", self._chat, methods=["POST"]),
                Route("/v1/embeddings", self._embeddings, methods=["POST"]),
                Route("/v1/models", self._models),
                Route("/stats", self._stats),
            ]
        )

    async def _chat(self, http: HTTPRequest) -> Response:
        if (body := await _received(http)) is None:
            return Response()
        index, began = self.book.arrive()
        told: dict[str, Any] = {"index": index, "began": began}
        try:
            request = read_chat(_json(body))
        except BadRequest as error:
            return self._refused(error, told, "other")
        walk = self._cache.walk(request.prompt)
        tokens = walk.tokens + PICTURE * request.images
        reply = self._reply(request, tokens)
        cached = self._cache.cached(walk)
        told |= {
            "role": role_of(request),
            "model": request.model,
            "digest": request.digest,
            "tokens": tokens,
            "images": request.images,
            "prompt": request.text,
            "note": reply.note,
        }
        await self._wait(reply, told)
        match reply:
            case Text() | Uses():
                self._cache.keep(walk)
                return self._answered(request, reply, cached, told)
            case Failure():
                return self._failed(reply, told)
            case Raw():
                self._close(told, reply.status)
                headers = dict(reply.headers)
                return Response(reply.body, reply.status, headers, media_type=reply.media)
        self._close(told, 0)
        _reset(http)
        return Response()

    def _reply(self, request: Request, tokens: int) -> Reply:
        window = self.options.window
        if window is not None and tokens > window:
            return overflow(tokens, window)
        attempt = self._asked[request.digest]
        self._asked[request.digest] += 1
        try:
            reply = self._script(replace(request, attempt=attempt, tokens=tokens))
        except Exception as error:  # raised again where the server is stopped
            self.mistakes.append(error)
            return Failure(400, f"the script failed: {error!r}", note="mistake")
        most = request.max_tokens
        if isinstance(reply, Text) and most is not None and count(reply.text) > most:
            return replace(reply, text=clipped(reply.text, most), finish="length")
        return reply

    async def _wait(self, reply: Reply, told: dict[str, Any]) -> None:
        seconds = reply.seconds if isinstance(reply, Hang) else self.options.latency
        try:
            await asyncio.sleep(seconds)
        except asyncio.CancelledError:
            self._close(told, 0)
            raise

    def _answered(
        self, request: Request, reply: Text | Uses, cached: int, told: dict[str, Any]
    ) -> Response:
        said = reply.text if isinstance(reply, Text) else _uses_text(reply)
        completion = count(said)
        usage = {
            "prompt_tokens": told["tokens"],
            "completion_tokens": completion,
            "total_tokens": told["tokens"] + completion,
            "prompt_tokens_details": {"cached_tokens": cached, "audio_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0},
        }
        finish = reply.finish if isinstance(reply, Text) else "tool_calls"
        self._close(told, 200, finish=finish, cached=cached, completion=completion, reply=said)
        body = chat_body(request, reply, usage)
        if request.streams:
            return Response(events(body), media_type="text/event-stream")
        return JSONResponse(body)

    def _failed(self, failure: Failure, told: dict[str, Any]) -> Response:
        headers = {}
        if failure.retry_after is not None:
            headers = {"retry-after": f"{failure.retry_after:g}"}
            headers["retry-after-ms"] = f"{1000 * failure.retry_after:g}"
        self._close(told, failure.status, reply=failure.message)
        return JSONResponse(error_body(failure), failure.status, headers)

    def _refused(self, error: BadRequest, told: dict[str, Any], role: str) -> Response:
        failure = Failure(400, str(error), "invalid_request_error", param=error.param)
        empty = {"model": "", "digest": "", "tokens": 0, "images": 0, "prompt": ""}
        return self._failed(failure, {**told, **empty, "role": role, "note": "refused"})

    def _close(self, told: Mapping[str, Any], status: int, **more: Any) -> None:
        nothing = {"finish": "", "cached": 0, "completion": 0, "reply": ""}
        self.book.leave(**{**nothing, **told, "status": status, **more})

    async def _embeddings(self, http: HTTPRequest) -> Response:
        if (body := await _received(http)) is None:
            return Response()
        index, began = self.book.arrive()
        told: dict[str, Any] = {"index": index, "began": began}
        try:
            model, texts, form, dimensions = _read_embedding(_json(body))
        except BadRequest as error:
            return self._refused(error, told, "embed")
        vectors = [embed(text, dimensions) for text in texts]
        await asyncio.sleep(self.options.latency)
        tokens = sum(map(count, texts))
        told |= {"role": "embed", "model": model, "digest": "", "tokens": tokens, "images": 0}
        self._close({**told, "prompt": "\n".join(texts), "note": ""}, 200)
        data = [
            {"object": "embedding", "index": number, "embedding": vector}
            for number, vector in enumerate(map(encoded, vectors) if form == "base64" else vectors)
        ]
        usage = {"prompt_tokens": tokens, "total_tokens": tokens}
        return JSONResponse({"object": "list", "data": data, "model": model, "usage": usage})

    async def _models(self, http: HTTPRequest) -> Response:
        line = {"object": "model", "created": 1_700_000_000, "owned_by": "test"}
        data = [
            {"id": name, **line}
            for name in ("m", "diverse", "keeper", "player", "priced", "tester", "tiny")
        ]
        return JSONResponse({"object": "list", "data": data})

    async def _stats(self, http: HTTPRequest) -> Response:
        return JSONResponse(self.book.stats())


async def _received(http: HTTPRequest) -> bytes | None:
    """Return a request's body; None where the client was gone before all of it was sent."""
    try:
        return await http.body()
    except ClientDisconnect:
        return None


def _json(body: bytes) -> object:
    try:
        return json.loads(body)
    except ValueError as error:
        raise BadRequest(f"the body is not JSON: {error}") from error


def _read_embedding(body: Any) -> tuple[str, list[str], str, int]:
    if not isinstance(body, dict) or not isinstance(body.get("model"), str):
        raise BadRequest("you must provide a model parameter", "model")
    given = body.get("input")
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list) or not texts or not all(isinstance(t, str) for t in texts):
        raise BadRequest("'input' must be a string or a list of strings", "input")
    form = body.get("encoding_format") or "float"
    if form not in ("float", "base64"):
        raise BadRequest(f"'encoding_format' must be float or base64, not {form!r}")
    return body["model"], texts, form, int(body.get("dimensions") or DIMENSIONS)


def _uses_text(reply: Uses) -> str:
    return "\n".join(f"{use.name} {json.dumps(use.arguments)}" for use in reply.uses)


def _reset(http: HTTPRequest) -> None:
    """Cut the connection as a crashed peer would: with RST, not FIN."""
    transport = http.scope["state"]["transport"]
    link = transport.get_extra_info("socket")
    link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()
