"""Faults laid over a model: each wraps a script and gives a script.

Which request is struck follows from a hash of the fault's seed and the request, so it is the same
in every run. What passes away on a retry looks at `Request.attempt`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import accumulate

from modelserver.prompts import role_of
from modelserver.protocol import (
    Failure,
    Hang,
    Reply,
    Request,
    Reset,
    Script,
    Text,
    Wording,
    overflow,
)

TOO_MANY = Failure(
    429, "Rate limit reached", "requests", "rate_limit_exceeded", retry_after=0.01, note="429"
)
BROKEN = Failure(500, "The server had an error while processing your request", note="500")


def lot(seed: int, *names: str) -> float:
    """Return a number from 0 to 1 that depends on nothing but its arguments."""
    text = "\x1f".join((str(seed), *names))
    hashed = hashlib.blake2b(text.encode(), digest_size=7).digest()  # 53 bits fit into a float
    return (int.from_bytes(hashed, "big") >> 3) / 2**53


def _fenced(text: str) -> str:
    return f"```json\n{text}\n```"


def _wrapped(text: str) -> str:
    return f"Sure, here is what I think:\n\n{text}\n\nLet me know if you need more."


def _comma(text: str) -> str:
    return f"{text.rstrip('}')},}}"


def _quotes(text: str) -> str:
    return str(json.loads(text))


def _thoughts(text: str) -> str:
    return f'<thinking>Is it {{"answer": "a", "command": "a"}}? No.</thinking>\n{text}'


def _think(text: str) -> str:
    return f"<think>Let me see. It must be so.</think>{text}"


def _unclosed(text: str) -> str:
    return text.rstrip("}] \n")


def _prose(text: str) -> str:
    return f"I think that it is {'; '.join(map(str, json.loads(text).values()))}."


def _cut(text: str) -> str:
    return text[:4]


def _empty(text: str) -> str:
    return ""


REPAIRABLE: dict[str, Callable[[str], str]] = {
    "comma": _comma,
    "fenced": _fenced,
    "quotes": _quotes,
    "thoughts": _thoughts,
    "unclosed": _unclosed,
    "wrapped": _wrapped,
}
"""Ways to break JSON that leave all of it to be read."""
UNREADABLE: dict[str, Callable[[str], str]] = {"cut": _cut, "empty": _empty, "prose": _prose}
"""Ways that leave nothing of it to be read."""
HARMLESS: dict[str, Callable[[str], str]] = {"think": _think}
"""Ways that inspect undoes before anybody reads the reply."""
_KINDS = REPAIRABLE | UNREADABLE | HARMLESS


def breaks_json(
    script: Script,
    share: float = 1.0,
    seed: int = 0,
    *,
    kinds: Iterable[str] = tuple(_KINDS),
    roles: Sequence[str] = ("act", "quiz", "batch"),
) -> Script:
    """Break a share of the JSON replies, each in one of some ways; the call's note names it."""
    chosen = sorted(kinds)

    def broken(request: Request) -> Reply:
        reply = script(request)
        if not isinstance(reply, Text) or role_of(request) not in roles:
            return reply
        if not reply.text.startswith("{") or lot(seed, "share", request.digest) >= share:
            return reply
        kind = chosen[int(lot(seed, "kind", request.digest) * len(chosen))]
        finish = "length" if kind in ("cut", "unclosed") else reply.finish
        return Text(_KINDS[kind](reply.text), finish, kind)

    return broken


def overflows(script: Script, window: int, wording: Wording = overflow) -> Script:
    """Refuse prompts of more tokens than the window has, as OpenAI does or as another server."""
    return lambda request: (
        wording(request.tokens, window) if request.tokens > window else script(request)
    )


def flaky(
    script: Script,
    *,
    too_many: float = 0.0,
    broken: float = 0.0,
    hang: float = 0.0,
    reset: float = 0.0,
    seconds: float = 60.0,
    times: int = 1,
    seed: int = 0,
) -> Script:
    """Let shares of the requests fail, each `times` times: after that the same request succeeds.

    The shares are of HTTP 429, HTTP 500, hanging for some seconds, and reset connections.
    """
    faults: tuple[Reply, ...] = (TOO_MANY, BROKEN, Hang(seconds), Reset())
    ends = list(accumulate((too_many, broken, hang, reset)))
    if ends[-1] > 1:
        raise ValueError(f"shares of faults add up to {ends[-1]}, more than 1")

    def failing(request: Request) -> Reply:
        if request.attempt < times:
            drawn = lot(seed, "flaky", request.digest)
            for end, fault in zip(ends, faults, strict=True):
                if drawn < end:
                    return fault
        return script(request)

    return failing


def filters(script: Script, share: float = 1.0, seed: int = 0) -> Script:
    """Withhold a share of the replies in words, as a content filter does."""
    withheld = Text("", "content_filter", "filtered")
    return _struck(script, share, seed, "filter", lambda reply: withheld)


def cuts_off(script: Script, share: float = 1.0, seed: int = 0) -> Script:
    """Cut a share of the replies in words in half, as a limit on their length does."""
    return _struck(
        script, share, seed, "length",
        lambda reply: replace(
            reply, text=reply.text[: len(reply.text) // 2], finish="length", note="cut off"
        ),
    )  # fmt: skip


def _struck(
    script: Script, share: float, seed: int, name: str, change: Callable[[Text], Text]
) -> Script:
    def struck(request: Request) -> Reply:
        reply = script(request)
        if isinstance(reply, Text) and lot(seed, name, request.digest) < share:
            return change(reply)
        return reply

    return struck


def in_turn(script: Script, *first: Reply) -> Script:
    """Give some replies to the first calls, one each, whatever they ask; this goes by their order.

    For tests that make one call after another.
    """
    left = list(first)
    return lambda request: left.pop(0) if left else script(request)
