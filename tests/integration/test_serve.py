"""Real clients take worlds over stdio and HTTP, as processes that are killed and started again."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

import worldquiz as wq
from conftest import Cli
from serving import Scripted, calls_of, many_rooms, tree
from worldquiz.t2q import T2QSuite

TESTS = Path(__file__).parents[1]
ENV = {"PYTHONPATH": os.pathsep.join([str(TESTS), *filter(None, sys.path)])}
MANY = 12
WON: list[str | None] = ["go north", "take lamp"]


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> T2QSuite:
    return many_rooms(tmp_path_factory.mktemp("rooms") / "suite", MANY)


@pytest.fixture
def few(tmp_path: Path) -> T2QSuite:
    return many_rooms(tmp_path / "suite", 2)


def command(suite: T2QSuite, out: Path, *options: object) -> list[str]:
    words = ("serve", suite.path, "--agent-name", "claude", "--out", out, *options)
    return [sys.executable, "-m", "worldquiz", *map(str, words)]


async def said(client: Client, tool: str, **told: Any) -> str:
    """Call a tool and return its text; an error is marked."""
    result = await client.call_tool(tool, told)
    text = "".join(getattr(each, "text", "") for each in result.content)
    return f"error: {text}" if result.is_error else text


@asynccontextmanager
async def at_stdio(suite: T2QSuite, out: Path, mode: str) -> AsyncIterator[tuple[Client, int]]:
    """Start a server as clients do; yield the client and the server's process."""
    number = out.with_name("pid")
    script = 'echo $$ > "$1"; shift; exec "$@"'
    words = ["-c", script, "sh", str(number), *command(suite, out, "--set", "max_steps=4")]
    server = StdioServerParameters(command="/bin/sh", args=words, env=ENV)
    async with Client(server, mode=mode, read_timeout_seconds=600) as client:
        yield client, int(number.read_text())


def test_an_agent_over_stdio_is_killed_comes_back_and_is_scored(
    few: T2QSuite, tmp_path: Path, cli: Cli
) -> None:
    """Its records are those of a scripted agent with the same commands."""
    out, answers = tmp_path / "run", ["attic", "yes", "non-answerable", "hall"]
    commands = [*WON, "dance", None]

    async def until_killed() -> None:
        async with at_stdio(few, out, "auto") as (client, process):
            names = [tool.name for tool in (await client.list_tools()).tools]
            assert names == ["look", "act", "done", "answer", "next"]
            assert "error: act: call `look` first" in await said(client, "act", command="look")
            assert "Recover the lamp." in await said(client, "look")
            assert "attic" in await said(client, "act", command="go north")
            os.kill(process, signal.SIGKILL)
            with pytest.raises(MCPError):
                await said(client, "look")

    async def to_the_end() -> str:
        async with at_stdio(few, out, "legacy") as (client, _):
            assert "You are in the attic" in await said(client, "look")
            for call in calls_of(commands[1:], answers):
                await said(client, call[0], **call[1])
            assert "Recover the lamp." in await said(client, "next")
            for call in calls_of(commands, answers):
                last = await said(client, call[0], **call[1])
            return last

    asyncio.run(until_killed())
    assert not (out / "scores.json").exists()
    assert asyncio.run(to_the_end()).endswith("No world is left for you: stop here.")
    make = partial(Scripted, commands, answers)
    make.name = "claude"  # type: ignore[attr-defined]
    few.run(agent=make, answerer=make, out=tmp_path / "scripted", max_steps=4)
    scored = cli("score", out, "--json")
    assert scored.json == cli("score", tmp_path / "scripted", "--json").json
    wanted = {
        name: data for name, data in tree(tmp_path / "scripted").items() if name != "manifest.json"
    }
    assert {name: data for name, data in tree(out).items() if name != "manifest.json"} == wanted


@contextmanager
def at_http(suite: T2QSuite, out: Path, *options: object) -> Iterator[tuple[str, Any]]:
    """Start a server for many; yield its address and its process."""
    words = command(suite, out, "--http", *options)
    process = subprocess.Popen(
        words, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, **ENV}
    )
    assert process.stderr is not None
    try:
        first = process.stderr.readline()
        found = re.search(r"http://\S+/mcp", first)
        assert found, first + process.stderr.read()
        yield found[0], process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


async def plays(
    http: httpx2.AsyncClient, address: str, seat: int, answers: list[str], stop: int, mode: str
) -> list[str]:
    """Play as one of many: the first `stop` calls, or those after them."""
    calls = [*calls_of([f"say {seat}"], []), ("done", {"all_tasks": True}), *calls_of([], answers)]
    mine = calls[:stop] if stop >= 0 else calls[-stop:]
    transport = streamable_http_client(f"{address}/agent-{seat}", http_client=http)
    async with Client(transport, mode=mode) as client:
        told = [await said(client, "look")]
        return told + [await said(client, call[0], **call[1]) for call in mine]


def test_many_agents_over_http_with_a_server_that_is_killed(
    rooms: T2QSuite, tmp_path: Path, cli: Cli
) -> None:
    out = tmp_path / "run"
    answers = [["attic", "yes", str(seat), "hall"] for seat in range(MANY)]

    async def together(address: str, stop: int) -> list[list[str]]:
        modes = ["legacy" if seat % 5 == 0 else "2026-07-28" for seat in range(MANY)]
        async with httpx2.AsyncClient(timeout=600) as http:
            every = (
                plays(http, address, seat, answers[seat], stop, modes[seat]) for seat in range(MANY)
            )
            return await asyncio.gather(*every)

    with at_http(rooms, out, 0, "--token", "secret") as (address, process):
        began = asyncio.run(together(address, 1))
        process.kill()
    port = address.partition("127.0.0.1:")[2].partition("/")[0]
    with at_http(rooms, out, port, "--token", "secret", "--json") as (again, process):
        assert again == address
        ended = asyncio.run(together(address, -1))
        printed, _ = process.communicate(timeout=600)
        assert process.returncode == 0
    assert all("cannot do that" in told[0] for told in ended)  # where each one was
    assert not any(text.startswith("error") for told in [*began, *ended] for text in told)
    scored = cli("score", out, "--json")
    assert scored.json["counts"]["worlds"] == MANY
    assert f'"worlds": {MANY}' in printed
    run = wq.load(out)
    said_there = {row.world: row.reply for row in run.rows if row.reply.isdigit()}
    acted = {row.world: row.reply for row in run.tasks if row.reply}
    assert {*said_there.values()} == {str(seat) for seat in range(MANY)}
    assert acted == {world: f"say {seat}" for world, seat in said_there.items()}


def test_strangers_are_refused(few: T2QSuite, tmp_path: Path) -> None:
    """A wrong token, a name of another host, another page, much too much: none has any effect."""
    with at_http(few, tmp_path / "run", 0) as (address, process):
        home, token = address.removesuffix("/mcp").rsplit("/", 1)
        ask = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "look"}}
        sound = {"Accept": "application/json, text/event-stream"}

        def status(path: str, told: Any = ask, **headers: str) -> int:
            return httpx.post(home + path, json=told, headers={**sound, **headers}).status_code

        assert len(token) > 16
        assert status("/wrong/mcp/a") == 404
        assert status(f"/{token}/mcp") == 404
        assert status(f"/{token}/mcp/a", Host="evil.example") == 421
        assert status(f"/{token}/mcp/a", Origin="https://evil.example") == 403
        assert status(f"/{token}/mcp/a", {**ask, "pad": "x" * 2**20}) == 413
        assert status(f"/{token}/mcp/a", [ask] * 2) == 400
        assert not (tmp_path / "run" / ".calls").exists()
        assert status(f"/{token}/mcp/a") == 200
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=600)
    assert process.returncode == 3
    assert "no world is finished yet; finished work is kept" in told


def test_nothing_loads_the_protocol_before_it_is_served() -> None:
    code = (
        "import sys, worldquiz, worldquiz.cli, worldquiz.t2q.serve, worldquiz.cli.verbs\n"
        "assert not {'mcp', 'starlette', 'uvicorn', 'mcp_types'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
