"""What a client of the official SDK is sent: tools with schemas, texts, pictures, errors."""

from __future__ import annotations

import asyncio
import base64
import json
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from worldquiz.runs.executor import silent
from worldquiz.runs.folder import Worlds
from worldquiz.serve.mcp_server import ONLY, Door, http, protocol
from worldquiz.serve.seats import Seats, Served
from worldquiz.serve.session import (
    NUMBER,
    VALUE,
    Offer,
    Parameter,
    Tool,
    ToolError,
    ToolReply,
    offered,
)

PICTURE = b"\x89PNG and so on"


class Riddles(Served):
    """Places in which one thing is asked, with a picture."""

    place = "riddle"
    tools = (
        Tool("answer", "Answers.", (Parameter("answer", "Any value.", VALUE),)),
        Tool("wait", "Waits.", (Parameter("hours", "How long.", NUMBER),)),
    )
    instructions = "Guess."
    work: Any = None

    def __init__(self) -> None:
        self.said: list[object] = []

    def places(self, left: Sequence[str]) -> Sequence[str]:
        return left

    async def script(self, place: str, kept: Any) -> str:
        asked = ToolReply(f"What is {place}?", (PICTURE,))
        call = await offered(Offer(asked, ("answer", "wait")))
        self.said.append(call.arguments)
        if call.arguments.get("answer") == "crash":
            raise ZeroDivisionError("no riddle")
        return "Kept."

    def lose(self, place: str, error: BaseException, kept: Any) -> None:
        self.said.append(error)


def seats(riddles: Riddles, out: Path, places: Sequence[str] = ("one", "two")) -> Seats:
    return Seats(riddles, places, Worlds(out, silent), out)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_client_sees_tools_texts_pictures_and_errors(tmp_path: Path, mode: str) -> None:
    riddles = Riddles()

    mine = seats(riddles, tmp_path)

    async def call(seat: str, tool: str, arguments: Mapping[str, Any]) -> ToolReply:
        return mine.call(seat, tool, arguments)

    async def talk() -> None:
        async with Client(protocol(riddles, call, lambda _: ONLY), mode=mode) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert list(tools) == ["look", "answer", "wait", "next"]
            assert tools["answer"].input_schema["required"] == ["answer"]
            assert "Guess. Begin with `look`." in (client.instructions or "")
            shown = await client.call_tool("look")
            text, picture = shown.content
            assert text.text == "What is one?"  # type: ignore[union-attr]
            assert base64.b64decode(picture.data) == PICTURE  # type: ignore[union-attr]
            assert picture.mime_type == "image/png"  # type: ignore[union-attr]
            refused = await client.call_tool("answer", {"answer": "x" * 20_001})
            assert refused.is_error
            crashed = await client.call_tool("answer", {"answer": "crash"})
            assert crashed.is_error
            assert "this riddle cannot go on; its host is told why" in str(crashed.content)
            assert not (await client.call_tool("next")).is_error
            assert "Kept." in str((await client.call_tool("answer", {"answer": {"a": 1}})).content)
            ended = await client.call_tool("next")
            assert ended.is_error
            assert "no riddle is left for you: all are finished" in str(ended.content)

    asyncio.run(talk())
    assert riddles.said[0] == {"answer": "crash"}
    assert isinstance(riddles.said[1], ZeroDivisionError)
    assert riddles.said[2:] == [{"answer": '{"a": 1}'}]


@pytest.mark.parametrize(
    "hours", [None, True, "one", float("nan"), float("inf"), 10**400, -1e7, [1], {}]
)
def test_what_is_no_number_is_refused(tmp_path: Path, hours: object) -> None:
    mine = seats(Riddles(), tmp_path)
    mine.call("a", "look", {})
    with pytest.raises(ToolError, match=r"hours: (Input should be|Value error, true)"):
        mine.call("a", "wait", {"hours": hours})


def test_values_are_taken_as_meant(tmp_path: Path) -> None:
    """Models write numbers as texts, and texts as numbers."""
    mine = seats(Riddles(), tmp_path)
    mine.call("a", "look", {})
    assert mine.call("a", "wait", {"hours": "1.5"}).text.startswith("Kept.")
    assert Tool("t", "", (Parameter("x", ""),)).read({"x": 3}) == {"x": "3"}
    assert Tool("t", "", (Parameter("x", "", bool),)).read({"x": "true"}) == {"x": True}


@pytest.mark.parametrize("told", [("answer", {}), ("answer", {"answer": 1}), ("dance", {})])
def test_a_call_that_is_refused_takes_no_place(tmp_path: Path, told: Any) -> None:
    mine = seats(Riddles(), tmp_path, ("one",))
    with pytest.raises(ToolError):
        mine.call("a", *told)
    assert mine.call("b", "look", {}).text == "What is one?"


def test_a_server_begun_anew_for_each_call_serves_a_whole_place(tmp_path: Path) -> None:
    """So LangChain's default client does over stdio."""
    calls = [("look", {}), ("answer", {"answer": 1}), ("next", {}), ("answer", {"answer": 2})]
    left, texts = ["one", "two"], []
    for name, arguments in calls:
        reply = seats(Riddles(), tmp_path, left).call("a", name, arguments)
        texts.append(reply.text)
        left = left[1:] if "Kept." in reply.text else left
    assert [text.partition("\n")[0] for text in texts] == [
        "What is one?", "Kept.", "What is two?", "Kept.",
    ]  # fmt: skip


def test_a_seat_that_only_looked_gives_way(tmp_path: Path) -> None:
    busy = Riddles()
    mine = Seats(busy, ("one",), Worlds(tmp_path, silent), tmp_path, idle=0)
    mine.call("a", "look", {})
    assert mine.call("b", "look", {}).text == "What is one?"
    with pytest.raises(ToolError, match="call `look` first"):
        mine.call("a", "answer", {"answer": 1})
    patient = seats(Riddles(), tmp_path / "patient", ("one",))
    patient.call("a", "look", {})
    with pytest.raises(ToolError, match="1 under way with other agents"):
        patient.call("b", "look", {})


def test_json_that_is_too_deep_is_refused(tmp_path: Path) -> None:
    deep: Any = "bottom"
    for _ in range(100_000):
        deep = [deep]
    mine = seats(Riddles(), tmp_path)
    mine.call("a", "look", {})
    with pytest.raises(ToolError, match="JSON that is nested less deeply"):
        mine.call("a", "answer", {"answer": deep})


def test_calls_on_disk_that_are_damaged_are_not_believed(tmp_path: Path) -> None:
    """Whatever stands in the journal, the session begins, and says that it starts over."""
    calls = tmp_path / ".calls"
    calls.mkdir()
    line = '{"arguments": {"answer": "x"}, "seat": "a", "seen": "0", "tool": "answer"}'
    (calls / "one.journal").write_text(f"{line}\n{line}\n")
    (calls / "two.journal").write_text("rubbish\n\x00")
    mine = seats(Riddles(), tmp_path)
    assert mine.call("a", "look", {}).text.startswith("This starts over: what was shown before ca")
    assert mine.call("b", "look", {}).text == "What is two?"


def test_a_call_on_disk_that_no_tool_takes_starts_over(tmp_path: Path) -> None:
    riddles = Riddles()
    seen = Offer(ToolReply("What is one?", (PICTURE,)), ("answer",)).digest
    line = {"seat": "a", "tool": "answer", "arguments": {"question": "x"}, "seen": seen}
    (tmp_path / ".calls").mkdir()
    (tmp_path / ".calls" / "one.journal").write_text(f"{json.dumps(line)}\n")
    told = seats(riddles, tmp_path).call("a", "look", {}).text
    assert told.startswith(
        "This starts over: call 1 on disk is damaged (answer: answer: Field required"
    )
    assert riddles.said == []


def test_clients_are_greeted_before_anything_is_read(tmp_path: Path) -> None:
    """Reading what is served may take longer than clients wait for a handshake."""
    riddles, found, greeted = Riddles(), list[str](), threading.Event()

    async def talk(address: str, door: Door) -> None:
        async with Client(f"{address}/a") as client:
            await client.list_tools()
            greeted.set()
            found.append(str((await client.call_tool("look")).content))
        door.close()

    addresses: list[str] = []
    with http(riddles, 0, None, addresses.append) as door:
        thread = threading.Thread(target=lambda: asyncio.run(talk(addresses[0], door)))
        thread.start()
        assert greeted.wait(600)
        door.serve(seats(riddles, tmp_path))
        thread.join()
    assert "What is one?" in found[0]
