"""Faults laid over a model: each wraps a script and gives a script; a hash says whom it strikes."""

from __future__ import annotations

import json
from collections.abc import Callable

from modelserver.models import lot
from modelserver.prompts import role_of
from modelserver.protocol import Failure, Raw, Reply, Request, Script, Text

TOO_MANY = Failure(429, "Rate limit reached", "requests", "rate_limit_exceeded", retry_after=0.01)
BROKEN = Failure(500, "The server had an error while processing your request")
REPAIRABLE: dict[str, Callable[[str], str]] = {
    "comma": lambda text: f"{text.rstrip('}')},}}",
    "fenced": lambda text: f"```json\n{text}\n```",
    "quotes": lambda text: str(json.loads(text)),
    "thoughts": lambda text: f'<thinking>Is it {{"answer": "a", "command": "a"}}?</thinking>{text}',
    "unclosed": lambda text: text.rstrip("}] \n"),
    "wrapped": lambda text: f"Sure, here is what I think:\n\n{text}\n\nLet me know.",
}
"""Ways to break JSON that leave all of it to be read."""
UNREADABLE: dict[str, Callable[[str], str]] = {
    "cut": lambda text: text[:4],
    "empty": lambda text: "",
    "prose": lambda text: f"I think that it is {'; '.join(map(str, json.loads(text).values()))}.",
}
"""Ways that leave nothing of it to be read."""


def breaks_json(script: Script, share: float, seed: int) -> Script:
    """Break a share of the JSON replies, each in one of these ways; the call's note names it."""
    kinds = REPAIRABLE | UNREADABLE

    def broken(request: Request) -> Reply:
        reply = script(request)
        struck = lot(seed, "share", request.digest) < share
        if not struck or not isinstance(reply, Text) or role_of(request)[:6] == "memory":
            return reply
        kind = sorted(kinds)[int(lot(seed, "kind", request.digest) * len(kinds))]
        finish = "length" if kind in ("cut", "unclosed") else reply.finish
        return Text(kinds[kind](reply.text), finish, kind)

    return broken


def overflow(tokens: int, window: int) -> Raw:
    """Return the error for a prompt that does not fit into the model's window."""
    told = (
        f"This model's maximum context length is {window} tokens. However, your messages resulted "
        f"in {tokens} tokens. Please reduce the length of the messages."
    )
    return Failure(400, told, "invalid_request_error", "context_length_exceeded")


def overflows(script: Script, window: int, wording: Callable[[int, int], Raw] = overflow) -> Script:
    """Refuse prompts of more tokens than the window has, as OpenAI does or as another server."""
    return lambda request: (
        wording(request.tokens, window) if request.tokens > window else script(request)
    )


def vllm_overflow(tokens: int, window: int) -> Raw:
    """Return the error for a prompt that is too long as vLLM 0.32 words it: a number for a code."""
    told = (
        f"This model's maximum context length is {window} tokens. However, your prompt contains at "
        f"least {tokens} input tokens. Please reduce the length of the input prompt."
    )
    return Failure(400, told, "BadRequestError", 400)


def filters(script: Script, share: float) -> Script:
    """Withhold a share of the replies, as a content filter does."""
    withheld = Text("", "content_filter", "filtered")
    return lambda request: withheld if lot("filter", request.digest) < share else script(request)


def flaky(script: Script, share: float) -> Script:
    """Let a share of the requests fail at first: too many, an error, or a reset connection."""
    faults = (TOO_MANY, BROKEN, Raw(None))

    def failing(request: Request) -> Reply:
        drawn = lot("flaky", request.digest) * len(faults) / share if share else len(faults)
        return script(request) if request.attempt or drawn >= len(faults) else faults[int(drawn)]

    return failing
