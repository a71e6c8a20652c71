"""Mem0 and LangMem, the real libraries against a real server: what both must do, and each."""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from importlib.util import find_spec
from operator import mul
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest

from memory_libraries import CALL, CALLED, alone, filled, turns, with_server
from modelserver import Failure, Reply, Request, Running, Text, Use, Uses, perfect
from remembering import Words, services, told, with_model
from worldquiz.errors import MissingExtra, WorldquizError
from worldquiz.memory import Services, memory

Make = Callable[[Services], Any]
Mem0: Any = partial(memory, "mem0")
LangMem: Any = partial(memory, "langmem")
DATE = "2025-01-01"  # that mem0 is told


MEM0 = pytest.mark.skipif(find_spec("mem0") is None, reason="mem0ai is not installed")
LANGMEM = pytest.mark.skipif(find_spec("langmem") is None, reason="langmem is not installed")
EACH = pytest.mark.parametrize(
    "make",
    [pytest.param(Mem0, marks=MEM0, id="mem0"), pytest.param(LangMem, marks=LANGMEM, id="langmem")],
)


@EACH
def test_what_was_added_is_found_again_word_for_word(make: Make) -> None:
    text = filled(make, perfect(), query="jar 1")
    assert text.count("\n[task 1, step ") + text.startswith("[task 1, step ") == 3
    assert "[task 1, step 1] > look\nIn the attic stands jar 1 of the attic.\n" in text
    assert text.endswith("Inventory: You are carrying nothing.\n")


@EACH
@pytest.mark.parametrize("k", [1, 2])
def test_an_add_costs_one_call_and_no_more_than_k_are_recalled(make: Make, k: int) -> None:
    async def work(model: object, server: Running) -> tuple[str, int]:
        memory = make(services("attic", model, k=k))  # type: ignore[arg-type]
        for entry in turns("attic", 5):
            await memory.add(entry)
        text = await memory.recall("jar")
        memory.close()
        return text, len(server.calls)

    text, calls = with_server(perfect(), work)
    assert (text.count("[task "), calls) == (k, 5)


@EACH
def test_nothing_is_called_but_the_server_and_nothing_is_said(make: Any, tmp_path: Path) -> None:
    """Not even of a warning that would be an error; the test's own call shows that it watches."""
    reporting = {
        "MEM0_TELEMETRY": "True",
        "LANGSMITH_TRACING": "true",
        "LANGCHAIN_TRACING_V2": "true",
        "LANGSMITH_API_KEY": "none",
        "LANGSMITH_ENDPOINT": "http://127.0.0.2:9",
        "PYTHONWARNINGS": "error::DeprecationWarning:trustcall._base",
    }
    done = alone(make.args[0], tmp_path, then=CALL, **reporting)
    assert done["reached"]
    assert done["strange"] == [CALLED]
    assert done["threads"] == ["MainThread"]
    assert done["home"] == []
    assert done["said"] == ""


@EACH
def test_a_server_that_fails_for_good_is_not_passed_over(make: Make) -> None:
    with pytest.raises(Exception, match="no such model"):
        filled(make, lambda request: Failure(400, "no such model"))


@EACH
def test_an_embedder_that_fails_is_not_passed_over(make: Make) -> None:
    class Broken(Words):
        def embed(self, texts: object) -> list[list[float]]:
            raise WorldquizError("embedder gone")

    with pytest.raises(WorldquizError, match="embedder gone"):
        filled(lambda given: make(Services(given.model, Broken(), given.world)), perfect())


@EACH
def test_a_sample_that_is_stopped_does_not_wait_for_the_reply(make: Make) -> None:
    async def work(model: object, server: Running) -> tuple[bool, str]:
        memory = make(services("attic", model))  # type: ignore[arg-type]
        with anyio.fail_after(10), anyio.move_on_after(0.3) as scope:
            await memory.add(turns("attic")[0])
        text = await memory.recall("jar")
        memory.close()
        return scope.cancelled_caught, text

    assert with_server(perfect(), work, latency=20.0) == (True, "")


@pytest.mark.parametrize(
    ("make", "module", "library"), [(Mem0, "mem0", "mem0ai"), (LangMem, "langmem", "langmem")]
)
def test_without_the_library_the_error_says_what_to_install(
    make: Any, module: str, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=rf"{library} is not .*worldquiz\[memories\]"):
        make(services("attic"))


@MEM0
def test_mem0s_facts_come_as_a_list() -> None:
    def reply(request: Request) -> Reply:
        step = str(re.findall(r"jar (\d)", request.text)[-1])
        fact = f"There is a jar, number {step}."
        return Text(f'{{"memory": [{{"id": "0", "text": "{fact}", "attributed_to": "user"}}]}}')

    text = filled(Mem0, reply, query="jar number")
    assert sorted(text.splitlines()) == [f"- There is a jar, number {n}." for n in range(3)]


@MEM0
def test_thirty_worlds_wait_for_replies_without_using_up_the_threads_that_replies_need() -> None:
    async def work(model: object, server: Running) -> int:
        anyio.to_thread.current_default_thread_limiter().total_tokens = 1
        memories = [Mem0(services(f"w{n}", model)) for n in range(30)]  # type: ignore[arg-type]
        with anyio.fail_after(60):
            async with anyio.create_task_group() as group:
                for memory in memories:
                    group.start_soon(memory.add, turns("attic")[0])
                await anyio.to_thread.run_sync(gc.collect)  # the one shared thread is free
        for memory in memories:
            memory.close()
        return int(server.stats()["most_at_once"])

    assert with_server(perfect(), work, latency=0.3) > 20


@EACH
def test_the_same_prompts_are_sent_twice_without_a_date_and_without_random_names(make: Any) -> None:
    async def work(model: object, server: Running) -> list[tuple[str, str]]:
        memory = make(services("attic", model))  # type: ignore[arg-type]
        for entry in turns("attic", 5):
            await memory.add(entry)
        memory.close()
        return [(call.digest, call.prompt) for call in server.calls]

    calls = with_server(perfect(), work)
    assert calls == with_server(perfect(), work)
    prompts = "".join(prompt for _, prompt in calls)
    assert DATE in prompts if make is Mem0 else prompts.count("<session_1>") == len(calls)
    assert make is Mem0 or "<instance id=" in prompts
    assert datetime.now(UTC).date().isoformat() not in prompts
    assert not re.search(r"session_[0-9a-f]{8}", prompts)


@MEM0
@pytest.mark.parametrize(
    "reply",
    ["I cannot say.", "", '{"memory": 3}', '{"memory": ["a", null]}'],
)  # fmt: skip
def test_a_reply_of_no_use_stops_no_mem0(reply: str) -> None:
    honest = perfect()

    def script(request: Request) -> Reply:
        return Text(reply) if "jar 0" in request.messages[-1].text[-900:] else honest(request)

    async def work(model: object, server: Running) -> str:
        memory = Mem0(services("attic", model))  # type: ignore[arg-type]
        await memory.add(told(0, "In the attic stands jar 0."))
        await memory.recall("jar")
        memory.close()
        again = Mem0(services("attic", model))  # type: ignore[arg-type]
        await again.add(told(1, "In the attic stands jar 1."))
        text: str = await again.recall("jar")
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


@MEM0
def test_what_mem0_finds_is_ranked_by_meaning_alone() -> None:
    """Not by keyword and named entity, which it ranks by where it finds models for that."""

    async def work(model: object) -> str:
        memory = Mem0(services("w", model))  # type: ignore[arg-type]
        for step, seen in enumerate(STORY):
            await memory.add(told(step, seen))
        text: str = await memory.recall("Where is the red apple?")
        memory.close()
        return text

    (like,) = Words().embed(["Where is the red apple?"])
    turns_ = with_model(perfect(), work).split("[task ")[1:]
    alike = [sum(map(mul, *Words().embed([f"[task {text}".strip()]), like)) for text in turns_]
    assert len(alike) == len(STORY)
    assert alike == sorted(alike, reverse=True)


def stored(request: Request) -> list[str]:
    """Return the ids of the memories that a request shows."""
    return re.findall(r"<instance id=(\S+) ", request.text)


@LANGMEM
def test_langmems_facts_come_as_a_list() -> None:
    def script(request: Request) -> Reply:
        step = str(re.findall(r"jar (\d) of", request.messages[-1].text)[-1])
        return Uses((Use("Memory", {"content": f"There is a jar, number {step}."}),))

    text = filled(LangMem, script, query="jar number")
    assert sorted(text.splitlines()) == [f"- There is a jar, number {n}." for n in range(3)]


@LANGMEM
def test_a_memory_is_mended_where_the_model_patches_it() -> None:
    def script(request: Request) -> Reply:
        if not (ids := stored(request)):
            return Uses((Use("Memory", {"content": "There are jars: 0"}),))
        seen = re.findall(r"jar (\d) of", request.messages[-1].text)[-1]
        patch = {"op": "replace", "path": "/content", "value": f"There are jars: 0 to {seen}"}
        edit = {"json_doc_id": ids[0], "planned_edits": "count on", "patches": [patch]}
        return Uses((Use("PatchDoc", edit),))

    assert filled(LangMem, script) == "- There are jars: 0 to 2\n"


@LANGMEM
def test_the_model_is_offered_to_write_and_to_patch_but_not_to_delete() -> None:
    offered: list[set[str]] = []

    def script(request: Request) -> Reply:
        offered.append(set(request.tools))
        return perfect()(request)

    filled(LangMem, script)
    assert offered == [{"Memory"}, {"Memory", "PatchDoc"}, {"Memory", "PatchDoc"}]


USELESS: dict[str, Reply] = {
    "words": Text("I cannot say."),
    "nothing": Text(""),
    "cut off": Text("{", finish="length"),
    "filtered": Text("", finish="content_filter"),
    "no arguments": Uses((Use("Memory", {}),)),
    "wrong arguments": Uses((Use("Memory", {"content": None, "more": [1]}),)),
    "no such tool": Uses((Use("Remember", {"content": "a jar"}),)),
    "patch of nothing": Uses(
        (Use("PatchDoc", {"json_doc_id": "9", "planned_edits": "", "patches": []}),)
    ),
    "patch that does not fit": Uses(
        (Use("PatchDoc", {"json_doc_id": "9", "patches": [{"op": "remove", "path": "/x/y"}]}),)
    ),
    "removal of nothing": Uses((Use("RemoveDoc", {"json_doc_id": "9"}),)),
}


@LANGMEM
@pytest.mark.parametrize("what", USELESS)
def test_a_reply_of_no_use_stops_no_langmem(what: str) -> None:
    honest = perfect()

    def script(request: Request) -> Reply:
        return USELESS[what] if "jar 0" in request.text else honest(request)

    async def work(model: object, server: Running) -> tuple[str, int]:
        memory = LangMem(services("attic", model))  # type: ignore[arg-type]
        await memory.add(told(0, "In the attic stands jar 0."))
        await memory.recall("jar")
        calls = len(server.calls)
        await memory.add(told(1, "In the attic stands jar 1."))
        text = await memory.recall("jar")
        memory.close()
        return text, calls

    text, calls = with_server(script, work)
    assert "jar 1" in text
    assert "jar 0" not in text
    assert calls <= 3  # LangMem asks again, but not for ever


@LANGMEM
def test_a_server_that_fails_when_asked_to_mend_is_not_passed_over() -> None:
    def script(request: Request) -> Reply:
        first = len(request.messages) <= 2
        return USELESS["wrong arguments"] if first else Failure(400, "no such model")

    with pytest.raises(Exception, match="no such model"):
        filled(LangMem, script)
