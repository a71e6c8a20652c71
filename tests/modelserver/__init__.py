"""A stand-in for a model provider: a real HTTP server that speaks OpenAI's protocol.

    with serving(perfect(), latency=0.2) as server:
        ...  # server.base_url, server.env(), server.calls, server.stats()

In a process of its own: ``with apart("--latency", 0.2) as server``, or by hand, with `tests`
on the path, ``python -m modelserver --help``. `protocol` is the server, `prompts` knows worldquiz's
prompts, `models` are what may stand behind it, `faults` what goes wrong.

Counters of cached tokens depend on what was asked before, as at any provider. Where bytes of two
runs are compared, give ``minimum=10**9``: then nothing is ever cached.
"""

from __future__ import annotations

from modelserver.models import constant, diverse, liar, perfect
from modelserver.protocol import Failure, Raw, Reply, Request, Running, Script, Text, Use, Uses
from modelserver.protocol import apart as apart
from modelserver.protocol import serving as serving

__all__ = [
    "Failure", "Raw", "Reply", "Request", "Running", "Script", "Text", "Use", "Uses",
    "apart", "constant", "diverse", "liar", "perfect", "serving",
]  # fmt: skip
