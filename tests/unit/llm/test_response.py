"""What a server sent can be read, whatever it is, and what is right stays as it was."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modelserver.hostile import BODIES
from modelserver.protocol import Text, chat_body, read_chat
from worldquiz.llm.json_replies import READ
from worldquiz.llm.records import Purpose, Usage
from worldquiz.llm.response import MOST_TOKENS, is_count, put_right, text_of
from worldquiz.llm.usage import Counter

pytest.importorskip("inspect_ai")

from inspect_ai.model import ModelOutput, ModelUsage
from inspect_ai.model._openai import chat_choices_from_openai, model_output_from_openai
from openai._models import construct_type
from openai.types.chat import ChatCompletion

ASKED = read_chat({"model": "m", "messages": [{"role": "user", "content": "?"}]})
USED = {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)


def read(body: Any) -> ModelOutput:
    """Read a body as inspect does: the openai library makes it, without looking at types."""
    completion: Any = put_right(construct_type(type_=ChatCompletion, value=body))
    return model_output_from_openai(completion, chat_choices_from_openai(completion, []))


def body() -> dict[str, Any]:
    return chat_body(ASKED, Text('{"answer": "attic"}'), dict(USED))


def test_what_keeps_to_the_protocol_stays_as_it_was() -> None:
    output = read(body())
    assert output.completion == '{"answer": "attic"}'
    assert output.usage is not None
    assert (output.usage.input_tokens, output.usage.output_tokens) == (10, 2)


@pytest.mark.parametrize("kind", BODIES)
def test_any_answer_of_a_server_can_be_read(kind: str) -> None:
    sent = json.loads(json.dumps(BODIES[kind](body())))
    assert isinstance(read(sent).completion, str)


@settings(max_examples=150)
@given(st.sampled_from(["message", "finish_reason", "index", "logprobs"]), JSON)
def test_any_part_of_a_choice_may_be_anything(name: str, value: Any) -> None:
    sent = body()
    sent["choices"][0][name] = value
    json.dumps(read(sent).model_dump()).encode()


@settings(max_examples=150)
@given(st.sampled_from(["content", "refusal", "reasoning_content", "tool_calls", "role"]), JSON)
def test_any_part_of_a_message_may_be_anything(name: str, value: Any) -> None:
    sent = body()
    sent["choices"][0]["message"][name] = value
    json.dumps(read(sent).model_dump()).encode()


@settings(max_examples=150)
@given(st.sampled_from([*USED, "prompt_tokens_details"]), JSON)
def test_counts_are_numbers_of_tokens_or_unknown(name: str, value: Any) -> None:
    sent = body()
    sent["usage"][name] = value
    counter = Counter()
    counter.add(counter.number(), Purpose.QUIZ, read(sent))
    (used,) = counter.usage()
    assert used.calls == 1
    assert all(map(is_count, (used.input, used.cached, used.output)))
    assert used.unknown in (0, 1)
    if name in USED and type(value) in (int, dict, list) and not is_count(value):
        assert used == Usage(Purpose.QUIZ, calls=1, unknown=1)


def test_unlikely_counts_of_any_provider_are_unknown() -> None:
    for usage in (ModelUsage(input_tokens=-5), ModelUsage(output_tokens=MOST_TOKENS + 1), None):
        counter = Counter()
        counter.add(counter.number(), Purpose.ACT, ModelOutput(model="m", usage=usage))
        assert counter.usage() == (Usage(Purpose.ACT, calls=1, unknown=1),)


@given(st.text())
def test_texts_can_be_written(text: str) -> None:
    text_of(text + "\ud800").encode()
    assert text_of([{"type": "text", "text": "a"}, "b", 3, None]) == "ab"


def test_of_a_text_without_end_the_end_is_kept() -> None:
    assert text_of("{" * (10 * READ) + "end") == "{" * (READ - 3) + "end"
