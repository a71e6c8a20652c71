"""The server as a process: ``python -m modelserver --personality perfect --latency 0.2``.

The first line that it prints is its base URL. It ends on SIGTERM or SIGINT.
"""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from modelserver import faults, personalities, writers
from modelserver.protocol import Script
from modelserver.serve import bound, uvicorn_of
from modelserver.server import Options, Server


def options() -> argparse.Namespace:
    """Return what the command line says."""
    parser = argparse.ArgumentParser(prog="modelserver", description=__doc__)
    parser.add_argument("--personality", choices=sorted(_PERSONALITIES), default="perfect")
    parser.add_argument("--port", type=int, default=0, help="0: any free one")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before every reply")
    parser.add_argument("--lossy", type=float, default=0.0, help="share of turns not remembered")
    parser.add_argument("--broken", type=float, default=0.0, help="share of broken JSON replies")
    parser.add_argument("--too-many", type=float, default=0.0, help="share of first calls with 429")
    parser.add_argument("--error", type=float, default=0.0, help="share of first calls with 500")
    parser.add_argument("--hang", type=float, default=0.0, help="share of first calls that hang")
    parser.add_argument("--reset", type=float, default=0.0, help="share of first calls reset")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long a call hangs")
    parser.add_argument("--window", type=int, help="tokens that a prompt may have")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--block", type=int, default=128, help="tokens cached together")
    parser.add_argument("--minimum", type=int, default=1024, help="least tokens read from cache")
    parser.add_argument("--log", type=Path, help="gets one JSON line a call")
    parser.add_argument("--texts", action="store_true", help="log prompts and replies as well")
    return parser.parse_args()


def script(given: argparse.Namespace) -> Script:
    """Return the personality with its faults."""
    made = _PERSONALITIES[given.personality](given)
    if given.broken:
        made = faults.breaks_json(made, given.broken, given.seed)
    return faults.flaky(
        made,
        too_many=given.too_many,
        broken=given.error,
        hang=given.hang,
        reset=given.reset,
        seconds=given.seconds,
        seed=given.seed,
    )


_PERSONALITIES = {
    "abstainer": lambda given: personalities.abstainer(),
    "constant": lambda given: personalities.constant("ok"),
    "diverse": lambda given: writers.diverse(),
    "liar": lambda given: personalities.liar(lossy=given.lossy, seed=given.seed),
    "loops": lambda given: personalities.loops(),
    "perfect": lambda given: personalities.perfect(lossy=given.lossy, seed=given.seed),
}


def main() -> None:
    """Serve until told to stop."""
    given = options()
    names = ("latency", "window", "block", "minimum", "log", "texts")
    chosen = Options(**{name: getattr(given, name) for name in names}, keep=False)
    with bound(given.port) as listening:
        server = Server(script(given), chosen)
        print(f"http://127.0.0.1:{listening.getsockname()[1]}/v1", flush=True)
        try:
            asyncio.run(uvicorn_of(server).serve([listening]))
        except KeyboardInterrupt:
            pass
        finally:
            server.book.close()


if __name__ == "__main__":
    main()
