"""mem0, the real library, against a real server."""

from __future__ import annotations

import gc
import re
import sys
from datetime import UTC, datetime
from importlib.util import find_spec
from operator import mul
from pathlib import Path

import anyio
import anyio.to_thread
import pytest

from memory_libraries import (
    CALL,
    CALLED,
    alone,
    filled,
    turns,
    with_server,
)
from modelserver import Failure, Reply, Request, Running, Text, perfect
from remembering import Words, services, told, with_model
from worldquiz.errors import MissingExtra, WorldquizError
from worldquiz.memory.base import Services, Wiring

if find_spec("mem0") is None:
    pytest.skip("mem0ai is not installed", allow_module_level=True)

from worldquiz.memory import mem0


def test_what_was_added_is_found_again_word_for_word() -> None:
    text = filled(mem0.Mem0, perfect(), query="jar 1")
    assert text.count("\n[task 1, step ") + text.startswith("[task 1, step ") == 3
    assert "[task 1, step 1] > look\nIn the attic stands jar 1 of the attic.\n" in text
    assert text.endswith("Inventory: You are carrying nothing.\n")


def test_facts_in_the_models_own_words_come_as_a_list() -> None:
    def reply(request: Request) -> Reply:
        step = str(re.findall(r"jar (\d)", request.text)[-1])
        fact = f"There is a jar, number {step}."
        return Text(f'{{"memory": [{{"id": "0", "text": "{fact}", "attributed_to": "user"}}]}}')

    text = filled(mem0.Mem0, reply, query="jar number")
    assert sorted(text.splitlines()) == [f"- There is a jar, number {n}." for n in range(3)]


def test_thirty_worlds_wait_for_replies_without_using_up_the_threads_that_replies_need() -> None:
    async def work(model: object, server: Running) -> int:
        anyio.to_thread.current_default_thread_limiter().total_tokens = 1
        memories = [mem0.Mem0(services(f"w{n}", model)) for n in range(30)]  # type: ignore[arg-type]
        with anyio.fail_after(60):
            async with anyio.create_task_group() as group:
                for memory in memories:
                    group.start_soon(memory.add, turns("attic")[0])
                await anyio.to_thread.run_sync(gc.collect)  # the one shared thread is free
        for memory in memories:
            memory.close()
        return int(server.stats()["most_at_once"])

    assert with_server(perfect(), work, latency=0.3) > 20


def test_nothing_is_called_but_the_server_and_nothing_is_said(tmp_path: Path) -> None:
    """The test's own call shows that it watches."""
    done = alone("worldquiz.memory.mem0:Mem0", tmp_path, then=CALL, MEM0_TELEMETRY="True")
    assert done["reached"]
    assert done["strange"] == [CALLED]
    assert done["threads"] == ["MainThread"]
    assert done["home"] == []
    assert done["said"] == ""


def test_the_same_world_twice_sends_the_same_prompts_and_no_date() -> None:
    async def work(model: object, server: Running) -> list[str]:
        memory = mem0.Mem0(services("attic", model))  # type: ignore[arg-type]
        for entry in turns("attic", 5):
            await memory.add(entry)
        memory.close()
        return [call.prompt for call in server.calls]

    prompts = with_server(perfect(), work)
    assert prompts == with_server(perfect(), work)
    assert any(mem0.DATE in prompt for prompt in prompts)
    today = datetime.now(UTC).date().isoformat()
    assert not any(today in prompt for prompt in prompts)


@pytest.mark.parametrize(
    "reply",
    ["I cannot say.", "", '{"memory": 3}', '{"memory": ["a", null]}'],
)  # fmt: skip
def test_a_reply_of_no_use_stops_nothing(reply: str) -> None:
    honest = perfect()

    def script(request: Request) -> Reply:
        return Text(reply) if "jar 0" in request.messages[-1].text[-900:] else honest(request)

    async def work(model: object, server: Running) -> str:
        memory = mem0.Mem0(services("attic", model))  # type: ignore[arg-type]
        await memory.add(told(0, "In the attic stands jar 0."))
        await memory.recall("jar")
        memory.close()
        again = mem0.Mem0(services("attic", model))  # type: ignore[arg-type]
        await again.add(told(1, "In the attic stands jar 1."))
        text = (await again.recall("jar")).text
        again.close()
        return text

    assert "jar 1" in with_server(script, work)


def test_a_server_that_fails_for_good_is_not_passed_over() -> None:
    with pytest.raises(Exception, match="no such model"):
        filled(mem0.Mem0, lambda request: Failure(400, "no such model"))


def test_an_embedder_that_fails_is_not_passed_over() -> None:
    class Broken(Words):
        def embed(self, texts: object) -> list[list[float]]:
            raise WorldquizError("embedder gone")

    def make(given: Services) -> mem0.Mem0:
        return mem0.Mem0(Services(given.model, Broken(), given.world, Wiring()))

    with pytest.raises(WorldquizError, match="embedder gone"):
        filled(make, perfect())


def test_a_sample_that_is_stopped_does_not_wait_for_the_reply() -> None:
    async def work(model: object, server: Running) -> tuple[bool, str]:
        memory = mem0.Mem0(services("attic", model))  # type: ignore[arg-type]
        with anyio.fail_after(10), anyio.move_on_after(0.3) as scope:
            await memory.add(turns("attic")[0])
        text = (await memory.recall("jar")).text
        memory.close()
        return scope.cancelled_caught, text

    assert with_server(perfect(), work, latency=20.0) == (True, "")


STORY = (
    "You are in the Kitchen. The red apple lies on the oak table. A glass door leads north.",
    "You open the Yellow Fridge. In it is a bottle of milk.",
    "You go north. You are in the Garden of Eden now. There is a wooden bench here.",
    "You take the red apple. Taken.",
    "You go south. The Kitchen is here. The oak table is empty.",
)


MODELS = "on: " in "".join(mem0.features().values())


def _found() -> list[tuple[float, str]]:
    async def work(model: object) -> list[tuple[float, str]]:
        memory = mem0.Mem0(services("w", model))  # type: ignore[arg-type]
        for step, text in enumerate(STORY):
            await memory.add(told(step, text))
        found = await memory._calls.serve(lambda: memory._search("Where is the red apple?"))
        memory.close()
        return [(round(piece["score"], 5), piece["memory"]) for piece in found]

    return with_model(perfect(), work)


def test_what_is_found_is_ranked_by_meaning_alone_unless_models_are_installed() -> None:
    (like,) = Words().embed(["Where is the red apple?"])
    found = _found()
    alike = [sum(map(mul, *Words().embed([text]), like)) for _, text in found]
    assert ([score for score, _ in found] == pytest.approx(alike, abs=1e-4)) is not MODELS


@pytest.mark.skipif(not MODELS, reason="`just mem0-models` installs them")
def test_keywords_and_entities_count_where_their_models_are() -> None:
    told = mem0.features()
    assert all(told[part].startswith("on: ") for part in ("entities", "keywords"))


def test_without_the_library_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "mem0", None)
    with pytest.raises(MissingExtra, match=r"mem0ai is not installed.*worldquiz\[mem0\]"):
        mem0.Mem0(services("attic"))
