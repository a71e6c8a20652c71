"""Starting the server: in a thread for tests, or in this process for good."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn

from modelserver.protocol import Script
from modelserver.record import Call
from modelserver.server import Options, Protocol, Server


@dataclass(frozen=True, slots=True)
class Running:
    """A server that takes calls."""

    server: Server
    port: int

    @property
    def base_url(self) -> str:
        """Where clients of OpenAI's protocol find it."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def calls(self) -> list[Call]:
        """All calls so far, in the order in which they ended."""
        return self.server.book.calls

    def env(self, name: str = "TEST") -> dict[str, str]:
        """Return the variables by which inspect finds it as ``openai-api/test/<any model>``."""
        return {f"{name}_API_KEY": "none", f"{name}_BASE_URL": self.base_url}

    def stats(self) -> dict[str, Any]:
        """Return all counters."""
        return self.server.book.stats()


@dataclass(frozen=True, slots=True)
class Apart:
    """A server in a process of its own."""

    process: subprocess.Popen[str]
    base_url: str

    def env(self, name: str = "TEST") -> dict[str, str]:
        """Return the variables by which inspect finds it as ``openai-api/test/<any model>``."""
        return {f"{name}_API_KEY": "none", f"{name}_BASE_URL": self.base_url}

    def stats(self) -> Any:
        """Return all counters."""
        with urllib.request.urlopen(f"{self.base_url.removesuffix('/v1')}/stats") as reply:
            return json.load(reply)


@contextmanager
def apart(*arguments: object) -> Iterator[Apart]:
    """Run ``python -m modelserver`` with some arguments until the block is left."""
    tests = str(Path(__file__).parents[1])
    paths = [tests, *filter(None, [os.environ.get("PYTHONPATH")])]
    process = subprocess.Popen(
        [sys.executable, "-m", "modelserver", *map(str, arguments)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
    )
    with process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().strip()
            if not url:
                raise RuntimeError(f"the model server did not start: {process.wait()}")
            yield Apart(process, url)
        finally:
            process.terminate()


def bound(port: int = 0) -> socket.socket:
    """Return a socket that listens on this machine only; port 0 picks a free one.

    Its protocol is named, since asyncio sends small writes at once only where it is: else every
    reply would wait 40 ms for the client's acknowledgement of its headers.
    """
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", port))
    listening.listen(1024)
    return listening


def uvicorn_of(server: Server) -> uvicorn.Server:
    """Return a server ready to run, which logs nothing and touches no logging."""
    return uvicorn.Server(
        uvicorn.Config(
            server.app,
            http=Protocol,
            ws="none",
            lifespan="off",
            loop="asyncio",
            log_config=None,
            access_log=False,
            backlog=1024,
            timeout_keep_alive=75,
            timeout_graceful_shutdown=1,
        )
    )


@contextmanager
def serving(script: Script, **options: Any) -> Iterator[Running]:
    """Run a server in a thread of its own until the block is left; see `Options`.

    Raises in the end what the script raised, if it did.
    """
    with bound() as listening:
        server = Server(script, Options(**options))
        runner = uvicorn_of(server)
        thread = threading.Thread(
            target=lambda: asyncio.run(runner.serve([listening])), name="model server", daemon=True
        )
        thread.start()
        while not runner.started and thread.is_alive():
            time.sleep(0.001)
        try:
            yield Running(server, listening.getsockname()[1])
        finally:
            runner.should_exit = runner.force_exit = True  # a call that hangs is not waited for
            thread.join(10)
            server.book.close()
            if thread.is_alive():
                raise RuntimeError("the model server did not stop within 10 seconds")
        if server.mistakes:
            raise server.mistakes[0]
