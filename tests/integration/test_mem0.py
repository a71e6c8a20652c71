"""mem0, the real library, against a real server."""

from __future__ import annotations

import gc
import re
from datetime import UTC, datetime
from importlib.util import find_spec
from operator import mul

import anyio
import anyio.to_thread
import pytest

from memory_libraries import (
    filled,
    turns,
    with_server,
)
from modelserver import Reply, Request, Running, Text, perfect
from remembering import Words, services, told, with_model

if find_spec("mem0") is None:
    pytest.skip("mem0ai is not installed", allow_module_level=True)

from worldquiz.memory import mem0


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


STORY = (
    "You are in the Kitchen. The red apple lies on the oak table. A glass door leads north.",
    "You open the Yellow Fridge. In it is a bottle of milk.",
    "You go north. You are in the Garden of Eden now. There is a wooden bench here.",
    "You take the red apple. Taken.",
    "You go south. The Kitchen is here. The oak table is empty.",
)


def test_what_is_found_is_ranked_by_meaning_alone() -> None:
    async def work(model: object) -> list[tuple[float, str]]:
        memory = mem0.Mem0(services("w", model))  # type: ignore[arg-type]
        for step, text in enumerate(STORY):
            await memory.add(told(step, text))
        found = await memory._calls.serve(lambda: memory._search("Where is the red apple?"))
        memory.close()
        return [(piece["score"], piece["memory"]) for piece in found]

    (like,) = Words().embed(["Where is the red apple?"])
    found = with_model(perfect(), work)
    alike = [sum(map(mul, *Words().embed([text]), like)) for _, text in found]
    assert [score for score, _ in found] == pytest.approx(alike, abs=1e-4)
