"""The perfect reader as a process: ``python -m modelserver --latency 0.2``.

The first line that it prints is its base URL. It ends on SIGTERM or SIGINT.
"""

from __future__ import annotations

import argparse
import signal
from contextlib import suppress

from modelserver.models import perfect
from modelserver.protocol import serving


def main() -> None:
    """Serve until told to stop."""
    parser = argparse.ArgumentParser(prog="modelserver", description=__doc__)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before every reply")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with serving(perfect(), latency=given.latency) as server:
        print(server.base_url, flush=True)
        with suppress(KeyboardInterrupt):
            signal.pause()


if __name__ == "__main__":
    main()
