"""What goes wrong: each function takes a script and gives one; a hash says whom a fault strikes.

`TEXTS` and `FAULTS` hold what no model and no server should send, each by a name: what a long run
meets. The former can be read, somehow; of the latter no retry makes a completion.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from modelserver.models import lot
from modelserver.prompts import role_of
from modelserver.protocol import Failure, Raw, Reply, Request, Script, Text

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


def overflow(tokens: int, window: int, words: str = "your messages resulted in") -> Raw:
    """Return the error for a prompt that does not fit into the model's window, as OpenAI does."""
    told = f"This model's maximum context length is {window} tokens. However, {words} {tokens}"
    return Failure(
        400, f"{told} tokens. Please reduce its length.", "invalid_request_error",
        "context_length_exceeded" if words.startswith("your messages") else 400,
    )  # fmt: skip


def vllm_overflow(tokens: int, window: int) -> Raw:
    """Return it as vLLM 0.32 words it: with a number for a code."""
    return overflow(tokens, window, "your prompt contains at least")


def overflows(script: Script, window: int, wording: Callable[[int, int], Raw] = overflow) -> Script:
    """Refuse prompts of more tokens than the window has."""
    return lambda request: (
        wording(request.tokens, window) if request.tokens > window else script(request)
    )


def filters(script: Script, share: float) -> Script:
    """Withhold a share of the replies, as a content filter does."""
    withheld = Text("", "content_filter", "filtered")
    return lambda request: withheld if lot("filter", request.digest) < share else script(request)


# Hostile replies

TEXTS: Mapping[str, Callable[[str], str]] = {
    "empty": lambda text: "",
    "escape codes": lambda text: f"\x1b[31m\x1b]0;title\x07{text}\x1b[0m",
    "NUL, bidi and a byte order mark": lambda text: f"\ufeff\x00\u202e{text}\u202c\x00",
    "lone surrogate within": lambda text: text.replace('": "', '": "\ud83d', 1),
    "open brackets": lambda text: '{"answer": ' + "[" * 990,
    "nested objects": lambda text: '{"a":' * 990,
    "quotes of 100 KB": lambda text: '{"a":"' * 17_000,
    "thoughts of 350 KB": lambda text: f"<think>{'so ' * 117_000}</think>{text}",
    "thoughts that never end": lambda text: f"<think>{'so ' * 3000}{text}",
    "NaN": lambda text: '{"answer": NaN, "command": -Infinity}',
    "number of 100,000 digits": lambda text: f'{{"answer": {"9" * 100_000}}}',
    "null": lambda text: "null",
    "a list": lambda text: f"[{text}, {text}]",
    "answer is an object": lambda text: '{"answer": {"answer": {"answer": {}}}, "command": {}}',
    "two answers": lambda text: '{"answer": "yes"} {"answer": "no"}',
    "the template": lambda text: '{"answer": "<your answer>", "command": "<your command>"}',
    "format codes": lambda text: text.replace('": "', '": "%s{0}{}\\\\n', 1),
}
"""What a model may say; the server keeps to the protocol."""

FAULTS: Mapping[str, Reply] = {
    "400": Failure(400, "no", "invalid_request_error"),
    "400 of 100 KB": Failure(400, "\x1b[31mno " * 9_000, "invalid_request_error"),
    "500 without end": Failure(500, "broken"),
    "200 that is no JSON": Raw(b"<html>Bad gateway</html>"),
    "200 with half a body": Raw(b'{"id": "x", "choices": [{"ind'),
    "200 with an empty body": Raw(b""),
    "200 with a text for choices": Raw(b'{"id": "x", "choices": "x"}'),
    "200 with an error": Raw(b'{"error": {"message": "overloaded"}}'),
    "connection reset": Raw(None),
    "a redirect": Raw(b"", 302, headers={"location": "/v1/nowhere"}),
    "429 without end": Failure(429, "\x1b[31mRate limit", "requests", retry_after=0.01),
    "401": Failure(401, "wrong key", "invalid_request_error"),
}
"""What may come in place of a completion, however often it is tried again."""
PASSING = ("a redirect", "429 without end", "401")
"""Those that say nothing of the question: they may pass."""


def hostile(
    kind: str, script: Script, strikes: Callable[[Request], bool] = lambda request: True
) -> Script:
    """Return a model that is hostile in the calls that `strikes` picks."""

    def struck(request: Request) -> Reply:
        right = script(request)
        if not strikes(request) or not isinstance(right, Text):
            return right
        if kind in FAULTS:
            return FAULTS[kind]
        return replace(right, text=TEXTS[kind](right.text))

    return struck


def in_turn_hostile(kinds: Sequence[str], script: Script) -> Script:
    """Return a model that is hostile in each new call by the next kind, and right after the last.

    A call that is tried again meets the same kind.
    """
    met: dict[str, str] = {}

    def struck(request: Request) -> Reply:
        if request.digest not in met and len(met) < len(kinds):
            met[request.digest] = kinds[len(met)]
        kind = met.get(request.digest)
        return script(request) if kind is None else hostile(kind, script)(request)

    return struck
