"""The stand-in for a model provider, called by OpenAI's own client."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import openai
import pytest
from openai import AsyncOpenAI

from modelserver import Raw, Request, Running, Text, Use, Uses, apart, constant, serving

T = TypeVar("T")
LONG = " ".join(f"word{number}" for number in range(1500))


def ask(server: Running, call: Callable[[AsyncOpenAI], Awaitable[T]]) -> T:
    """Return what a call of OpenAI's own client returns; it does not retry by itself."""

    async def asked() -> T:
        async with AsyncOpenAI(base_url=server.base_url, api_key="none", max_retries=0) as client:
            return await call(client)

    return asyncio.run(asked())


def chat(server: Running, content: Any = "hello") -> Any:
    told: Any = [{"role": "user", "content": content}]
    return ask(server, lambda client: client.chat.completions.create(model="m", messages=told))


def test_calls_are_on_record_with_usage_and_a_beginning_that_was_cached() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    with serving(constant("two words")) as server:
        reply = chat(server, [{"type": "text", "text": "look"}, image])
        first, again = chat(server, LONG), chat(server, LONG + " and more")
        calls = server.calls
    assert (reply.choices[0].message.content, reply.usage.completion_tokens) == ("two words", 2)
    assert [call.images for call in calls] == [1, 0, 0]
    assert first.usage.prompt_tokens_details.cached_tokens == 0
    assert 1024 <= again.usage.prompt_tokens_details.cached_tokens == calls[2].cached


def test_tools_are_called_texts_embedded_and_connections_reset() -> None:
    with serving(lambda _: Uses((Use("walk", {"way": "north"}),))) as server:
        (call,) = chat(server).choices[0].message.tool_calls
        texts = ["a red box", "go"]
        found = ask(server, lambda client: client.embeddings.create(model="e", input=texts))
    assert (call.function.name, json.loads(call.function.arguments)) == ("walk", {"way": "north"})
    assert sum(value**2 for value in found.data[0].embedding) == pytest.approx(1, abs=1e-5)
    with serving(lambda _: Raw(None)) as server, pytest.raises(openai.APIConnectionError):
        chat(server)


def test_a_process_of_its_own_serves_and_a_mistaken_script_fails_the_test() -> None:
    def mistaken(request: Request) -> Text:
        raise KeyError("a mistake")

    with apart("--latency", 0.01, "--flaky", 1.0) as server:
        with pytest.raises(openai.OpenAIError):
            chat(server)
        assert chat(server).choices[0].message.content == "ok"
        assert server.stats()["ended"] == 2
    with pytest.raises(KeyError), serving(mistaken) as server, pytest.raises(openai.OpenAIError):
        chat(server)
