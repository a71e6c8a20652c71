"""The stand-in for a model provider, called by the clients that worldquiz calls real ones with."""

from __future__ import annotations

import asyncio
import base64
import json
import math
import socket
import struct
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import openai
import pytest
from inspect_ai.model import (
    ChatMessageUser,
    ContentText,
    GenerateConfig,
    Model,
    ModelOutput,
    get_model,
)
from inspect_ai.tool import ToolInfo
from openai import AsyncOpenAI

from modelserver import (
    BROKEN,
    TOO_MANY,
    Apart,
    Hang,
    Request,
    Reset,
    Running,
    Text,
    Use,
    Uses,
    apart,
    constant,
    cuts_off,
    filters,
    flaky,
    in_turn,
    overflows,
    perfect,
    serving,
)
from modelserver.embedding import embed
from modelserver.tokens import PrefixCache, clipped, count

pytestmark = pytest.mark.filterwarnings(
    "ignore:The 'initial' parameter is deprecated:DeprecationWarning"
)

T = TypeVar("T")
LONG = " ".join(f"word{number}" for number in range(3000))
USER: Any = [{"role": "user", "content": "hello"}]


def ask(server: Running, call: Callable[[AsyncOpenAI], Awaitable[T]], **options: Any) -> T:
    """Return what a call of OpenAI's own client returns; it does not retry by itself."""

    async def asked() -> T:
        async with AsyncOpenAI(
            base_url=server.base_url, api_key="none", **{"max_retries": 0, **options}
        ) as client:
            return await call(client)

    return asyncio.run(asked())


def chat(server: Running, content: Any = "hello", **more: Any) -> Any:
    messages: Any = [{"role": "user", "content": content}]
    return ask(
        server, lambda client: client.chat.completions.create(model="m", messages=messages, **more)
    )


@pytest.fixture
def inspect(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Return a way to run code with inspect's model of a server."""

    def run(server: Running, work: Callable[[Model], Awaitable[T]]) -> T:
        for name, value in server.env().items():
            monkeypatch.setenv(name, value)

        async def with_model() -> T:
            model = get_model("openai-api/test/m", memoize=False)
            try:
                return await work(model)
            finally:
                await model.api.aclose()

        return asyncio.run(with_model())

    return run


class TestChat:
    def test_a_reply_comes_with_its_usage(self) -> None:
        with serving(constant("two words")) as server:
            reply = chat(server)
        assert reply.choices[0].message.content == "two words"
        assert reply.choices[0].finish_reason == "stop"
        assert reply.usage.completion_tokens == 2
        assert reply.usage.total_tokens == reply.usage.prompt_tokens + 2

    def test_content_may_come_in_parts(self) -> None:
        with serving(constant("ok")) as server:
            chat(server, [{"type": "text", "text": "one "}, {"type": "text", "text": "two"}])
            assert server.calls[0].prompt == "one two"

    def test_images_are_taken_counted_and_priced(self) -> None:
        image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
        with serving(constant("ok")) as server:
            plain = chat(server, [{"type": "text", "text": "look"}])
            shown = chat(server, [{"type": "text", "text": "look"}, image, image])
            assert [call.images for call in server.calls] == [0, 2]
        assert shown.usage.prompt_tokens >= plain.usage.prompt_tokens + 2 * 85

    def test_every_call_is_on_record(self) -> None:
        with serving(constant("well")) as server:
            chat(server, "first")
            chat(server, "second")
            assert [call.index for call in server.calls] == [0, 1]
            assert [call.prompt for call in server.calls] == ["first", "second"]
            assert {call.reply for call in server.calls} == {"well"}
            assert all(call.began <= call.ended for call in server.calls)
            assert server.stats()["total"]["calls"] == 2

    def test_latency_is_waited_for_by_many_at_once(self) -> None:
        async def many(client: AsyncOpenAI) -> None:
            calls = (client.chat.completions.create(model="m", messages=USER) for _ in range(20))
            await asyncio.gather(*calls)

        with serving(constant("ok"), latency=0.3) as server:
            ask(server, many)
            assert server.stats()["most_at_once"] == 20
            assert all(call.ended - call.began >= 0.3 for call in server.calls)
            assert max(call.ended for call in server.calls) < 3

    def test_the_same_request_gets_the_same_bytes_from_another_server(self) -> None:
        replies = []
        for _ in range(2):
            with serving(constant("ok")) as server:
                replies.append(chat(server).model_dump_json())
        assert replies[0] == replies[1]

    @pytest.mark.parametrize("reply", [Text("ok"), Uses((Use("go", {"way": "north"}),) * 2)])
    def test_a_stream_tells_what_a_reply_at_once_tells(self, reply: Text | Uses) -> None:
        async def streamed(client: AsyncOpenAI) -> Any:
            asked: Any = {"model": "m", "messages": USER}
            async with client.chat.completions.stream(**asked) as stream:
                return await stream.get_final_completion()

        with serving(lambda request: reply) as server:
            told = ask(server, streamed).choices[0]
            whole = chat(server).choices[0]
        assert told.finish_reason == whole.finish_reason
        assert told.message.content == whole.message.content
        assert [
            (call.id, call.function.name, call.function.arguments)
            for call in told.message.tool_calls or ()
        ] == [
            (call.id, call.function.name, call.function.arguments)
            for call in whole.message.tool_calls or ()
        ]

    @pytest.mark.parametrize(
        "body",
        [
            [],
            {"messages": [{"role": "user", "content": "x"}]},
            {"model": "m", "messages": []},
            {"model": "m", "messages": [{"content": "x"}]},
            {"model": "m", "messages": [{"role": "user", "content": [{"type": "sound"}]}]},
            {"model": "m", "messages": [{"role": "user", "content": "x"}], "n": 2},
            {"model": "m", "messages": [{"role": "user", "content": "x"}], "tools": [{"a": 1}]},
        ],
    )
    def test_a_malformed_request_is_refused(self, body: object) -> None:
        with serving(constant("ok")) as server, pytest.raises(openai.BadRequestError):
            ask(server, lambda client: client.post("/chat/completions", body=body, cast_to=object))

    def test_a_script_that_fails_fails_the_test(self) -> None:
        def mistaken(request: Request) -> Text:
            raise KeyError("a mistake")

        with (
            pytest.raises(KeyError, match="a mistake"),
            serving(mistaken) as server,
            pytest.raises(openai.BadRequestError, match="the script failed"),
        ):
            chat(server)

    def test_models_are_listed(self) -> None:
        async def listed(client: AsyncOpenAI) -> list[str]:
            return [model.id async for model in client.models.list()]

        with serving(constant("ok")) as server:
            assert "m" in ask(server, listed)


SCHEMA = {
    "type": "object",
    "properties": {
        "command": {"type": "string"},
        "steps": {"type": "integer", "minimum": 3},
        "way": {"enum": ["north", "south"]},
        "more": {"type": "array", "items": {"type": "string"}, "minItems": 1},
        "spare": {"type": "string"},
    },
    "required": ["command", "steps", "way", "more"],
}
TOOL = {"type": "function", "function": {"name": "walk", "parameters": SCHEMA}}


class TestShapes:
    def test_a_tool_that_must_be_called_is_called(self) -> None:
        with serving(perfect()) as server:
            reply = chat(server, tools=[TOOL], tool_choice="required")
        [call] = reply.choices[0].message.tool_calls
        assert reply.choices[0].finish_reason == "tool_calls"
        assert call.function.name == "walk"
        assert json.loads(call.function.arguments) == {
            "command": "x", "steps": 3, "way": "north", "more": ["x"]
        }  # fmt: skip

    def test_a_tool_can_be_chosen_by_name(self) -> None:
        other = {"type": "function", "function": {"name": "sing"}}
        choice = {"type": "function", "function": {"name": "walk"}}
        with serving(perfect()) as server:
            reply = chat(server, tools=[other, TOOL], tool_choice=choice)
            with pytest.raises(openai.BadRequestError, match="none of the tools"):
                chat(server, tools=[other], tool_choice=choice)
        assert reply.choices[0].message.tool_calls[0].function.name == "walk"

    def test_structured_output_fits_its_schema(self) -> None:
        shape = {"type": "json_schema", "json_schema": {"name": "move", "schema": SCHEMA}}
        with serving(perfect()) as server:
            reply = chat(server, response_format=shape)
        assert json.loads(reply.choices[0].message.content)["steps"] == 3

    def test_a_json_object_is_one(self) -> None:
        with serving(perfect()) as server:
            reply = chat(server, response_format={"type": "json_object"})
        assert json.loads(reply.choices[0].message.content) == {}


class TestEmbeddings:
    def vectors(self, server: Running, texts: str | list[str], form: Any) -> list[Any]:
        reply = ask(
            server,
            lambda client: client.embeddings.create(model="e", input=texts, encoding_format=form),
        )
        return [item.embedding for item in reply.data]

    def test_floats_and_base64_are_the_same_vectors(self) -> None:
        with serving(constant("")) as server:
            [plain] = self.vectors(server, "a red box", "float")
            [packed] = self.vectors(server, ["a red box"], "base64")
        if isinstance(packed, str):
            packed = struct.unpack("<384f", base64.b64decode(packed))
        assert list(packed) == pytest.approx(plain, abs=1e-6)
        assert len(plain) == 384

    def test_vectors_are_of_unit_length_and_near_where_words_are_shared(self) -> None:
        query, near, far = map(embed, ("Where was the red box?", "a red box", "go north now"))
        for vector in (query, near, far, embed("")):
            assert math.hypot(*vector) == pytest.approx(1)
        assert dot(query, near) > dot(query, far) + 0.2

    def test_the_default_of_the_client_works(self) -> None:
        with serving(constant("")) as server:
            reply = ask(server, lambda client: client.embeddings.create(model="e", input="box"))
            assert server.calls[0].role == "embed"
        assert reply.data[0].embedding == pytest.approx(embed("box"), abs=1e-6)

    def test_other_input_is_refused(self) -> None:
        with serving(constant("")) as server, pytest.raises(openai.BadRequestError, match="input"):
            ask(server, lambda client: client.embeddings.create(model="e", input=[[1, 2]]))


def dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


class TestTokens:
    def test_words_are_counted_in_runs_of_twelve_and_marks_by_themselves(self) -> None:
        assert count("Open the door, now!") == 6
        assert count("a" * 25) == 3
        assert count(" \n") == 0

    def test_clipping_keeps_that_many_tokens(self) -> None:
        assert clipped("one two, three", 3) == "one two,"
        assert clipped("one two", 9) == "one two"

    @pytest.mark.parametrize("text", ["", "one", LONG, "a" * 5000, LONG + ", " + LONG])
    def test_walking_counts_what_counting_counts(self, text: str) -> None:
        assert PrefixCache().walk(text).tokens == count(text)

    def test_a_walk_that_goes_on_from_another_is_a_walk_from_the_start(self) -> None:
        texts = [LONG, LONG + " and more of it " + LONG, LONG[:9001] + "x", LONG[:9001], LONG * 2]
        cache = PrefixCache()
        for text in texts:
            walk, fresh = cache.walk(text), PrefixCache().walk(text)
            assert (walk.ends, walk.blocks) == (fresh.ends, fresh.blocks)
            assert walk.tokens == fresh.tokens
            cache.keep(walk)

    def test_whole_blocks_of_a_common_beginning_are_read_from_the_cache(self) -> None:
        with serving(constant("ok")) as server:
            first = chat(server, LONG)
            again = chat(server, LONG + " and a question?")
            other = chat(server, "Something else: " + LONG)
        cached = [r.usage.prompt_tokens_details.cached_tokens for r in (first, again, other)]
        assert cached == [0, first.usage.prompt_tokens // 128 * 128, 0]

    def test_short_beginnings_are_never_read_from_the_cache(self) -> None:
        short = " ".join(LONG.split()[:900])
        with serving(constant("ok")) as server:
            chat(server, short)
            assert chat(server, short).usage.prompt_tokens_details.cached_tokens == 0

    def test_block_and_minimum_can_be_chosen(self) -> None:
        with serving(constant("ok"), block=10, minimum=20) as server:
            replies = [chat(server, " ".join(LONG.split()[:47])) for _ in "ab"]
        assert replies[1].usage.prompt_tokens_details.cached_tokens == 50

    def test_calls_at_the_same_time_cannot_read_each_others_prompts(self) -> None:
        async def twice(client: AsyncOpenAI) -> list[int]:
            message: Any = [{"role": "user", "content": LONG}]
            calls = (client.chat.completions.create(model="m", messages=message) for _ in "ab")
            usages = [reply.usage for reply in await asyncio.gather(*calls)]
            return [usage.prompt_tokens_details.cached_tokens for usage in usages]  # type: ignore

        with serving(constant("ok"), latency=0.2) as server:
            assert ask(server, twice) == [0, 0]
            assert ask(server, twice)[0] > 1024


class TestFaults:
    def test_too_many_requests(self) -> None:
        with (
            serving(in_turn(constant("ok"), TOO_MANY)) as server,
            pytest.raises(openai.RateLimitError) as error,
        ):
            chat(server)
        assert error.value.response.headers["retry-after"] == "0.01"
        assert error.value.code == "rate_limit_exceeded"

    def test_an_error_of_the_server(self) -> None:
        with (
            serving(in_turn(constant("ok"), BROKEN)) as server,
            pytest.raises(openai.InternalServerError),
        ):
            chat(server)

    def test_a_reset_connection(self) -> None:
        with (
            serving(in_turn(constant("ok"), Reset())) as server,
            pytest.raises(openai.APIConnectionError),
        ):
            chat(server)

    def test_a_client_that_dies_while_it_sends_has_made_no_call(self) -> None:
        with serving(constant("ok")) as server:
            with socket.create_connection(("127.0.0.1", server.port)) as client:
                client.sendall(
                    b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\n"
                    b'Content-Length: 999\r\n\r\n{"model"'
                )
                time.sleep(0.1)  # for its headers to arrive
            chat(server)
            told = server.stats()
        assert (told["arrived"], told["ended"]) == (1, 1)

    def test_a_call_that_hangs_longer_than_the_client_waits(self) -> None:
        with (
            serving(in_turn(constant("ok"), Hang(60))) as server,
            pytest.raises(openai.APITimeoutError),
        ):
            ask(
                server,
                lambda client: client.chat.completions.create(model="m", messages=USER),
                timeout=0.3,
            )

    def test_a_prompt_beyond_the_window(self) -> None:
        for script, window in ((constant("ok"), 100), (overflows(constant("ok"), 100), None)):
            with serving(script, window=window) as server:
                chat(server)
                with pytest.raises(openai.BadRequestError, match="maximum context") as error:
                    chat(server, LONG)
                assert error.value.code == "context_length_exceeded"
                assert [call.note for call in server.calls] == ["", "overflow"]

    def test_a_withheld_and_a_cut_reply(self) -> None:
        with serving(filters(constant("ok"))) as server:
            assert chat(server).choices[0].finish_reason == "content_filter"
        with serving(cuts_off(constant("a long reply"))) as server:
            [choice] = chat(server).choices
        assert (choice.finish_reason, choice.message.content) == ("length", "a long")

    def test_a_limit_on_the_reply_cuts_it(self) -> None:
        with serving(constant("one two three four")) as server:
            [choice] = chat(server, max_tokens=2).choices
        assert (choice.finish_reason, choice.message.content) == ("length", "one two")

    def test_what_is_flaky_succeeds_when_asked_again_whatever_the_order(self) -> None:
        script = flaky(constant("ok"), too_many=0.3, broken=0.3, reset=0.3, seed=4)

        async def all_of(client: AsyncOpenAI, texts: Sequence[str]) -> list[str | None]:
            async def one(text: str) -> str | None:
                message: Any = [{"role": "user", "content": text}]
                reply = await client.chat.completions.create(model="m", messages=message)
                return reply.choices[0].message.content

            return list(await asyncio.gather(*map(one, texts)))

        texts = [f"request {number}" for number in range(30)]
        notes = []
        for order in (texts, texts[::-1]):
            with serving(script) as server:
                replies = ask(server, partial(all_of, texts=order), max_retries=2)
                assert replies == ["ok"] * 30
                struck = {call.prompt: call.note for call in server.calls if call.note}
                notes.append(struck)
        assert notes[0] == notes[1]
        assert set(notes[0].values()) == {"429", "500", "reset"}

    def test_shares_of_faults_beyond_one_are_refused(self) -> None:
        with pytest.raises(ValueError, match="add up"):
            flaky(constant("ok"), too_many=0.7, broken=0.7)


class TestInspect:
    def test_it_generates(self, inspect: Callable[..., Any]) -> None:
        with serving(constant("well said")) as server:
            output: ModelOutput = inspect(server, lambda model: model.generate("hello"))
        assert output.completion == "well said"
        assert output.usage is not None
        assert output.usage.output_tokens == 2

    def test_tokens_from_the_cache_are_counted_apart(self, inspect: Callable[..., Any]) -> None:
        async def twice(model: Model) -> list[ModelOutput]:
            return [await model.generate(LONG) for _ in "ab"]

        with serving(constant("ok")) as server:
            outputs = inspect(server, twice)
            [_, call] = server.calls
        usage = outputs[1].usage
        assert usage.input_tokens_cache_read == call.cached >= 1024
        assert usage.total_tokens == call.tokens + call.completion
        assert usage.input_tokens + usage.input_tokens_cache_read == call.tokens

    def test_parts_of_a_message_arrive_in_order(self, inspect: Callable[..., Any]) -> None:
        parts: list[Any] = [ContentText(text=text) for text in ("a\n", "b\n")]
        with serving(constant("ok")) as server:
            inspect(server, lambda model: model.generate([ChatMessageUser(content=parts)]))
            assert server.calls[0].prompt == "a\nb\n"

    def test_a_full_window_stops_the_model(self, inspect: Callable[..., Any]) -> None:
        with serving(constant("ok"), window=50) as server:
            output = inspect(server, lambda model: model.generate(LONG))
        assert output.stop_reason == "model_length"

    def test_a_filter_stops_the_model(self, inspect: Callable[..., Any]) -> None:
        with serving(filters(constant("ok"))) as server:
            output = inspect(server, lambda model: model.generate("hello"))
        assert output.stop_reason == "content_filter"

    def test_too_many_requests_are_asked_again(self, inspect: Callable[..., Any]) -> None:
        with serving(flaky(constant("ok"), too_many=1)) as server:
            output = inspect(server, lambda model: model.generate("hello"))
            assert [call.status for call in server.calls] == [429, 200]
        assert output.completion == "ok"

    def test_tools_are_called(self, inspect: Callable[..., Any]) -> None:
        walk = ToolInfo(name="walk", description="Walk.")
        with serving(in_turn(constant(""), Uses((Use("walk", {"way": "north"}),)))) as server:
            output = inspect(server, lambda model: model.generate("go", tools=[walk]))
        [call] = output.message.tool_calls
        assert (call.function, call.arguments) == ("walk", {"way": "north"})

    def test_attempts_that_hang_are_given_up(self, inspect: Callable[..., Any]) -> None:
        config = GenerateConfig(attempt_timeout=1, max_retries=3)
        with serving(in_turn(constant("ok"), Hang(60))) as server:
            output = inspect(server, lambda model: model.generate("hello", config=config))
        assert output.completion == "ok"


class TestProcess:
    def test_it_serves_counts_and_logs_in_a_process_of_its_own(self, tmp_path: Path) -> None:
        log = tmp_path / "calls.jsonl"
        with apart("--personality", "constant", "--log", log, "--too-many", 1) as server:
            asyncio.run(asked_of(server, 3))
            stats = server.stats()
        assert server.process.returncode is not None
        assert stats["total"]["calls"] == 4
        assert stats["status"] == {"200": 3, "429": 1}
        lines = [json.loads(line) for line in log.read_text().splitlines()]
        assert [line["status"] for line in lines] == [429, 200, 200, 200]
        assert "prompt" not in lines[0]
        assert len({line["digest"] for line in lines}) == 1

    def test_a_call_costs_little_of_the_processor(self) -> None:
        with apart("--personality", "constant") as server:
            asyncio.run(asked_of(server, 200))
            stats = server.stats()
        assert stats["cpu_seconds"] / stats["ended"] < 0.01  # it is a tenth of that


async def asked_of(server: Apart, times: int) -> None:
    async with AsyncOpenAI(base_url=server.base_url, api_key="none", max_retries=2) as client:
        for _ in range(times):
            await client.chat.completions.create(model="m", messages=USER)
