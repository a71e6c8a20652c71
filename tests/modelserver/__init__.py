"""A stand-in for a model provider: a real HTTP server that speaks OpenAI's protocol.

    with serving(perfect(), latency=0.2) as server:
        ...  # server.base_url, server.env(), server.calls, server.stats()

In a process of its own: ``with apart("--personality", "perfect", "--latency", 0.2) as server``, or
by hand, with `tests` on the path, ``python -m modelserver --help``.

    server, serve, record   the endpoints, running them, what is counted
    protocol                requests and replies as values; a `Script` makes one of the other
    tokens, embedding       token counts, the prompt cache, vectors
    prompts, history        reading worldquiz's prompts and the turns in them
    personalities           what kind of model it is; player and memories are its parts
    writers                 a model that writes tasks about marked pictures
    faults                  what goes wrong on top
    hostile                 replies and answers of the protocol that nobody should send

Counters of cached tokens depend on what was asked before, as at any provider. Where bytes of two
runs are compared, give ``minimum=10**9``: then nothing is ever cached.
"""

from __future__ import annotations

from modelserver.faults import (
    BROKEN,
    HARMLESS,
    REPAIRABLE,
    TOO_MANY,
    UNREADABLE,
    breaks_json,
    cuts_off,
    filters,
    flaky,
    in_turn,
    overflows,
)
from modelserver.personalities import abstainer, constant, liar, loops, perfect
from modelserver.protocol import (
    Failure,
    Hang,
    Raw,
    Reply,
    Request,
    Reset,
    Script,
    Text,
    Use,
    Uses,
    overflow,
    vllm_overflow,
)
from modelserver.record import Call
from modelserver.serve import Apart, Running, apart, serving
from modelserver.server import Options, Server
from modelserver.writers import diverse

__all__ = [
    "BROKEN",
    "HARMLESS",
    "REPAIRABLE",
    "TOO_MANY",
    "UNREADABLE",
    "Apart",
    "Call",
    "Failure",
    "Hang",
    "Options",
    "Raw",
    "Reply",
    "Request",
    "Reset",
    "Running",
    "Script",
    "Server",
    "Text",
    "Use",
    "Uses",
    "abstainer",
    "apart",
    "breaks_json",
    "constant",
    "cuts_off",
    "diverse",
    "filters",
    "flaky",
    "in_turn",
    "liar",
    "loops",
    "overflow",
    "overflows",
    "perfect",
    "serving",
    "vllm_overflow",
]
