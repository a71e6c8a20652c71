"""A stand-in for a model provider: a real HTTP server that speaks OpenAI's protocol.

    with serving(perfect(), latency=0.2) as server:
        ...  # server.base_url, server.env(), server.calls, server.stats()

In a process of its own: ``with apart("--latency", 0.2) as server``, or by hand, with `tests`
on the path, ``python -m modelserver --help``. `protocol` is the server, `prompts` knows worldquiz's
prompts, `models` are what may stand behind it, `faults` and `hostile` what goes wrong.

Counters of cached tokens depend on what was asked before, as at any provider. Where bytes of two
runs are compared, give ``minimum=10**9``: then nothing is ever cached.
"""

from __future__ import annotations

from modelserver.models import abstainer, constant, diverse, liar, perfect
from modelserver.protocol import (
    Call,
    Failure,
    Message,
    Raw,
    Reply,
    Request,
    Running,
    Script,
    Text,
    Use,
    Uses,
    apart,
    serving,
)

__all__ = [
    "Call",
    "Failure",
    "Message",
    "Raw",
    "Reply",
    "Request",
    "Running",
    "Script",
    "Text",
    "Use",
    "Uses",
    "abstainer",
    "apart",
    "constant",
    "diverse",
    "liar",
    "perfect",
    "serving",
]
