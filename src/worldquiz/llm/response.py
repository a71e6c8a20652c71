"""Makes what a server sent safe to read, whatever its type and length.

A server is trusted with nothing: its reply may be a list of parts, an object or nothing, its counts
words or negative, its texts of any length and with halves of characters. What inspect could not
read is put right in the answer before inspect reads it, so that one odd reply costs one question
and never a run. Counts that no provider can mean become unknown.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from worldquiz.errors import WorldError
from worldquiz.llm.json_replies import READ, printable

if TYPE_CHECKING:
    from inspect_ai.model import Model, ModelOutput

MOST_TOKENS = 10**9
"""More tokens than this are in no call."""
_ENTRY = "_generate_completion"
"""The method of inspect's OpenAI-compatible providers that returns what the server sent."""
_TEXTS = ("refusal", "reasoning_content", "reasoning")
_DETAILS = ("prompt_tokens_details", "completion_tokens_details")


def guarded(model: Model) -> Model:
    """Return the model; what an OpenAI-compatible server answers is put right from now on."""
    api: Any = getattr(model, "api", None)
    if hasattr(api, _ENTRY) and _ENTRY not in vars(api):
        setattr(api, _ENTRY, _guarding(getattr(api, _ENTRY)))
    return model


def _guarding(ask: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    async def asked(*arguments: Any, **options: Any) -> Any:
        return put_right(await ask(*arguments, **options))

    return asked


def put_right(completion: Any) -> Any:
    """Put right a chat completion that the openai library made without looking at types.

    Anything else is returned as it is: inspect calls it an error of the server.
    """
    from openai.types.chat import ChatCompletion

    if not isinstance(completion, ChatCompletion):
        return completion
    told: Any = completion
    choices = told.choices if isinstance(told.choices, list) else []
    if not choices and isinstance(getattr(told, "error", None), dict):
        raise WorldError(f"the server sent an error: {text_of(told.error.get('message'))[:200]}")
    told.id, told.model = text_of(told.id), text_of(told.model)
    told.choices = [_choice(each, place) for place, each in enumerate(choices or [None])]
    told.usage = told.usage if _counted(told.usage) else None
    return told


def _choice(told: Any, index: int) -> Any:
    from openai.types.chat import ChatCompletionMessage
    from openai.types.chat.chat_completion import Choice

    message = getattr(told, "message", None)
    if not isinstance(message, ChatCompletionMessage):
        message = ChatCompletionMessage(role="assistant", content=text_of(message))
    one: Any = message
    one.role = "assistant"
    one.content = None if one.content is None else text_of(one.content)
    for name in _TEXTS:
        if getattr(one, name, None) is not None:
            setattr(one, name, text_of(getattr(one, name)))
    one.tool_calls = _calls(one.tool_calls)
    if not isinstance(told, Choice):
        return Choice(finish_reason="stop", index=index, message=one)
    choice: Any = told
    choice.index, choice.message = index, one
    if not isinstance(choice.finish_reason, str):
        choice.finish_reason = "stop"
    choice.logprobs = _likely(choice.logprobs)
    return choice


def _likely(told: Any) -> Any:
    """Return the probabilities of a choice's tokens, None for what are none."""
    from openai.types.chat.chat_completion import ChoiceLogprobs
    from pydantic import ValidationError

    if not isinstance(told, ChoiceLogprobs) or not isinstance(told.content, list):
        return None
    try:
        return ChoiceLogprobs.model_validate(told.model_dump(warnings=False))
    except ValidationError:
        return None


def _calls(told: Any) -> Any:
    """Return the calls of tools that name a tool and its arguments by texts, None without any."""
    calls = told if isinstance(told, list) else []
    whole = [
        call
        for call in calls
        if (asked := getattr(call, "function", None)) is not None
        and isinstance(getattr(call, "id", None), str)
        and isinstance(getattr(asked, "name", None), str)
        and isinstance(getattr(asked, "arguments", None), str)
    ]
    return whole or None


def _counted(usage: Any) -> bool:
    """Tell whether a completion's counts are numbers of tokens."""
    if not hasattr(usage, "prompt_tokens"):
        return False
    counts = [usage.prompt_tokens, usage.completion_tokens, usage.total_tokens]
    details = [getattr(usage, name, None) for name in _DETAILS]
    for detail in details:
        if detail is not None:
            if not hasattr(detail, "model_dump"):
                return False
            counts += [each for each in vars(detail).values() if each is not None]
    return all(map(is_count, counts))


def is_count(value: object) -> bool:
    """Tell whether a value can be a number of tokens."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS


def text_of(value: object) -> str:
    """Return a value as a text that can be written: the end of a long one, the texts of parts."""
    if isinstance(value, list):
        value = "".join(text_of(each) for each in value)
    if isinstance(value, dict):
        value = value.get("text")
    return printable(value[-READ:]) if isinstance(value, str) else ""


def make_printable(output: ModelOutput) -> ModelOutput:
    """Replace halves of characters in what any provider's model said, and cut what is too long."""
    for choice in output.choices:
        parts: Any = choice.message.content
        if isinstance(parts, str):
            choice.message.content = text_of(parts)
            continue
        for part in parts:
            name = part.type  # "text" and "reasoning" are called like what they hold
            if isinstance(vars(part).get(name), str):
                setattr(part, name, text_of(vars(part)[name]))
    return output
