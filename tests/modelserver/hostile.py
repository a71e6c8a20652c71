"""Replies that no model and no server should send, each by a name: what a long run meets.

A kind of `TEXTS` makes a hostile text of the model's right one. A kind of `BODIES` makes a hostile
body of the right one, and a kind of `FAULTS` replies by something else than a completion. A script
of `hostile` strikes all calls that `strikes` picks.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from modelserver.protocol import Failure, Raw, Reply, Request, Script, Text, chat_body

Texts = Mapping[str, Callable[[str], str]]
Bodies = Mapping[str, Callable[[dict[str, Any]], Any]]
_MANY = 990
_MB = 1_000_000

TEXTS: Texts = {
    "empty": lambda text: "",
    "spaces": lambda text: " \n\t" * 1000,
    "html": lambda text: f"<html><body><h1>{text}</h1></body></html>",
    "script": lambda text: text.replace("{", '{"x": "<script>alert(1)</script>", ', 1),
    "escape codes": lambda text: f"\x1b[31m\x1b]0;title\x07{text}\x1b[0m",
    "NUL": lambda text: f"\x00{text}\x00",
    "bidi": lambda text: f"\u202e{text}\u202c\u2066",
    "byte order mark": lambda text: f"\ufeff{text}",
    "lone surrogate around": lambda text: f"\ud800{text}\udfff",
    "lone surrogate within": lambda text: text.replace('": "', '": "\ud83d', 1),
    "open brackets": lambda text: '{"answer": ' + "[" * _MANY,
    "balanced brackets": lambda text: '{"command": ' + "[" * 500 + "]" * 500 + "}",
    "nested objects": lambda text: '{"a":' * _MANY,
    "braces of 10 MB": lambda text: "{" * (10 * _MB),
    "prose of 10 MB": lambda text: "the attic is north. " * (_MB // 2),
    "quotes of 100 KB": lambda text: '{"a":"' * 17_000,
    "thoughts of 350 KB": lambda text: f"<think>{'so ' * 117_000}</think>{text}",
    "thoughts that never end": lambda text: f"<think>{'so ' * 3000}{text}",
    "NaN": lambda text: '{"answer": NaN, "command": NaN}',
    "Infinity": lambda text: '{"answer": -Infinity, "command": Infinity}',
    "number of 100,000 digits": lambda text: f'{{"answer": {"9" * 100_000}}}',
    "number 1e999": lambda text: '{"answer": 1e999}',
    "null": lambda text: "null",
    "a list": lambda text: f"[{text}, {text}]",
    "answer is an object": lambda text: '{"answer": {"answer": {"answer": {}}}, "command": {}}',
    "answer is null": lambda text: '{"answer": null, "command": null}',
    "answer is a number": lambda text: '{"answer": 7, "command": 7}',
    "answer is true": lambda text: '{"answer": true, "command": true}',
    "two answers": lambda text: '{"answer": "yes"} {"answer": "no"}',
    "the template": lambda text: '{"answer": "<your answer>", "command": "<your command>"}',
    "field in capitals": lambda text: text.upper(),
    "python": lambda text: f"__import__('os').system('true') or {text}",
    "format codes": lambda text: text.replace('": "', '": "%s{0}{}\\\\n', 1),
    "other lines' ends": lambda text: text.replace(" ", "\u2028"),
}
"""What a model may say; the server keeps to the protocol."""


def _message(body: dict[str, Any], **told: Any) -> dict[str, Any]:
    body["choices"][0]["message"].update(told)
    return body


def _choice(body: dict[str, Any], **told: Any) -> dict[str, Any]:
    body["choices"][0].update(told)
    return body


def _usage(body: dict[str, Any], **told: Any) -> dict[str, Any]:
    body["usage"].update(told)
    return body


BODIES: Bodies = {
    "content is a list of parts": lambda body: _message(
        body, content=[{"type": "text", "text": body["choices"][0]["message"]["content"]}]
    ),
    "content is a list of odd things": lambda body: _message(body, content=[1, None, {"a": []}]),
    "content is an object": lambda body: _message(body, content={"text": "x"}),
    "content is a number": lambda body: _message(body, content=3),
    "content is null": lambda body: _message(body, content=None),
    "no content": lambda body: _choice(body, message={"role": "assistant"}),
    "message is null": lambda body: _choice(body, message=None),
    "message is a text": lambda body: _choice(body, message="hello"),
    "unknown role": lambda body: _message(body, role="nobody"),
    "refusal": lambda body: _message(body, content=None, refusal="I cannot help with that."),
    "refusal is a list": lambda body: _message(body, content=None, refusal=["no"]),
    "tool calls nobody asked for": lambda body: _message(
        body, tool_calls=[{"id": "1", "type": "function", "function": {"name": "x"}}]
    ),
    "tool calls are a text": lambda body: _message(body, tool_calls="x"),
    "reasoning is a list": lambda body: _message(body, reasoning_content=["a", 1]),
    "unknown finish reason": lambda body: _choice(body, finish_reason="because"),
    "finish reason is a list": lambda body: _choice(body, finish_reason=["stop"]),
    "index is a text": lambda body: _choice(body, index="first"),
    "logprobs are a text": lambda body: _choice(body, logprobs="none"),
    "model is a number": lambda body: body | {"model": 4, "id": None},
    "no usage": lambda body: body | {"usage": None},
    "usage is a text": lambda body: body | {"usage": "many"},
    "usage in words": lambda body: _usage(body, prompt_tokens="many"),
    "usage is negative": lambda body: _usage(body, prompt_tokens=-5, completion_tokens=-1),
    "usage is 10**30": lambda body: _usage(body, prompt_tokens=10**30),
    "usage is a fraction": lambda body: _usage(body, completion_tokens=2.5),
    "cached is more than all": lambda body: _usage(
        body, prompt_tokens_details={"cached_tokens": 10**9}
    ),
    "usage details are a text": lambda body: _usage(body, prompt_tokens_details="none"),
}
"""What a server may wrap around what a model says."""

FAULTS: Mapping[str, Reply] = {
    "400": Failure(400, "no", "invalid_request_error"),
    "400 of 100 KB": Failure(400, "no " * 33_000, "invalid_request_error"),
    "400 with escape codes": Failure(400, "\x1b[31mno\x1b[0m", "invalid_request_error"),
    "500 without end": Failure(500, "broken"),
    "200 that is no JSON": Raw(b"<html>Bad gateway</html>"),
    "200 with half a body": Raw(b'{"id": "x", "choices": [{"ind'),
    "200 with a JSON text": Raw(b'"hello"'),
    "200 with an empty body": Raw(b""),
    "200 with null": Raw(b"null"),
    "200 with no choices": Raw(b'{"id": "x", "choices": []}'),
    "200 with choices of null": Raw(b'{"id": "x", "choices": null}'),
    "200 with a text for choices": Raw(b'{"id": "x", "choices": "x"}'),
    "200 with an error": Raw(b'{"error": {"message": "overloaded"}}'),
    "204": Raw(b"", 204),
    "connection reset": Raw(None),
    "no answer in time": Raw(None, after=30.0),
    "a redirect": Raw(b"", 302, headers={"location": "/v1/nowhere"}),
    "429 without end": Failure(429, "\x1b[31mRate limit", "requests", retry_after=0.01),
    "401": Failure(401, "wrong key", "invalid_request_error"),
}
"""What may come in place of a completion, however often it is tried again."""
KINDS = (*TEXTS, *BODIES, *FAULTS)


def hostile(
    kind: str, script: Script, strikes: Callable[[Request], bool] = lambda request: True
) -> Script:
    """Return a model that is hostile in the calls that `strikes` picks."""

    def struck(request: Request) -> Reply:
        right = script(request)
        if not strikes(request) or not isinstance(right, Text):
            return right
        if kind in TEXTS:
            return _body(chat_body(request, Text(TEXTS[kind](right.text)), _used()))
        if kind in BODIES:
            return _body(BODIES[kind](chat_body(request, right, _used())))
        return FAULTS[kind]

    return struck


def _used() -> dict[str, Any]:
    return {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}


def _body(body: Any) -> Raw:
    return Raw(json.dumps(body).encode())


def in_turn_hostile(kinds: Sequence[str], script: Script) -> Script:
    """Return a model that is hostile in each new call by the next kind, and right after the last.

    A call that is tried again meets the same kind.
    """
    met: dict[str, str] = {}
    scripts = {kind: hostile(kind, script) for kind in kinds}

    def struck(request: Request) -> Reply:
        if request.digest not in met and len(met) < len(kinds):
            met[request.digest] = kinds[len(met)]
        kind = met.get(request.digest)
        return script(request) if kind is None else scripts[kind](request)

    return struck
