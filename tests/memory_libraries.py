"""What every memory that wraps a library must do, whatever the library: checks for their tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anyio

from modelserver import Running, Script, perfect, serving
from remembering import services, told, with_model
from worldquiz.llm.http import Http
from worldquiz.llm.model import Model
from worldquiz.memory import Memory, Services

Make = Callable[[Services], Memory]


def turns(room: str, count: int = 3) -> list[Any]:
    """Return additions that name a room in every turn, and no other room."""
    return [told(step, f"In the {room} stands jar {step} of the {room}.") for step in range(count)]


def filled(make: Make, script: Script, room: str = "attic", query: str = "jar") -> str:
    """Return what a memory recalls that was given three turns."""

    async def work(model: Model) -> str:
        memory = make(services(room, model))
        for entry in turns(room):
            await memory.add(entry)
        found = await memory.recall(query)
        memory.close()  # type: ignore[attr-defined]
        return found

    return with_model(script, work)


def with_server(
    script: Script, work: Callable[[Model, Running], Awaitable[Any]], **options: object
) -> Any:
    """Run some work with a model, and the server that it runs on."""

    async def run(server: Running) -> Any:
        model = Http("m", server.base_url, "none")
        try:
            return await work(model, server)
        finally:
            await model.close()

    with serving(script, **options) as server:
        return anyio.run(run, server)


_ALONE = """
import sys

calls = []

def watch(event, given):
    if event in ("socket.connect", "socket.sendto"):
        calls.append([event, str(given[1])])
    elif event == "socket.getaddrinfo" and given[0] not in ("127.0.0.1", b"127.0.0.1"):
        calls.append([event, str(given[0])])
    elif event == "subprocess.Popen" and list(given[1]) != ["uname", "-p"]:  # Python's platform
        calls.append([event, str(given[1])])

sys.addaudithook(watch)
import json, os, threading, anyio
from pathlib import Path
from worldquiz.llm.client import Reach
from worldquiz.memory import memory
from worldquiz.runs.settings import RunSettings
from remembering import services
from memory_libraries import turns

async def main():
    model = Reach(RunSettings(model="m", base_url=os.environ["TEST_BASE_URL"])).made()
    made = memory(sys.argv[1], services("attic", model))
    for entry in turns("attic"):
        await made.add(entry)
    text = await made.recall("jar")
    made.close()
    await model.close()
    return text

text = anyio.run(main)
exec(sys.argv[2])
for thread in threading.enumerate():
    if thread.name == "AnyIO worker thread":  # told to end with the loop, which waits for none
        thread.join(10)
names = [thread.name for thread in threading.enumerate()]
print(json.dumps({
    "text": text, "calls": calls, "threads": names, "home": sorted(os.listdir(Path.home())),
}))
"""


CALL = "import socket\nwith socket.socket() as s: s.connect_ex(('127.0.0.3', 9))"
CALLED = ["socket.connect", "('127.0.0.3', 9)"]
"""A call that `alone` does not expect, and how it is told."""


def alone(memory: str, home: Path, *, then: str = "", **environment: str) -> dict[str, Any]:
    """Return what a process did that added to a memory and asked it, all doors being watched.

    `strange` are the connections, look-ups and programs other than the server, `reached` tells
    whether that was called, `said` is what went to stderr. Stdout has to be ours alone.
    """
    tests = Path(__file__).parent
    with serving(perfect()) as server:
        done = subprocess.run(
            [sys.executable, "-c", _ALONE, memory, then],
            env={
                **{name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ},
                **server.env(),
                "HOME": str(home),
                "PYTHONPATH": os.pathsep.join([str(tests), *sys.path]),
                **environment,
            },
            capture_output=True,
            text=True,
            check=False,
        )
        address = urlsplit(server.base_url)
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    expected = ["socket.connect", str((address.hostname, address.port))]
    told["strange"] = [call for call in told["calls"] if call != expected]
    told["reached"] = expected in told["calls"]
    told["said"] = done.stderr
    return told
