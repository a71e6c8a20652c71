"""Mem0 and LangMem, the real libraries against a real server: what both must do."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import anyio
import pytest

from memory_libraries import (
    CALL,
    CALLED,
    ROOMS,
    alone,
    crowd,
    filled,
    strangers,
    turns,
    with_server,
)
from modelserver import Failure, Running, perfect
from remembering import Words, services, with_model
from worldquiz.errors import MissingExtra, WorldquizError
from worldquiz.memory.base import Services, Wiring
from worldquiz.memory.langmem import LangMem
from worldquiz.memory.mem0 import Mem0

Make = Callable[[Services], Any]


def installed(make: type, library: str) -> Any:
    absent = pytest.mark.skipif(find_spec(library) is None, reason=f"{library} is not installed")
    return pytest.param(make, marks=absent, id=library)


EACH = pytest.mark.parametrize("make", [installed(Mem0, "mem0"), installed(LangMem, "langmem")])


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
        text = (await memory.recall("jar")).text
        memory.close()
        return text, len(server.calls)

    text, calls = with_server(perfect(), work)
    assert (text.count("[task "), calls) == (k, 5)


@EACH
def test_eight_worlds_at_once_recall_only_their_own(make: Make) -> None:
    async def work(model: object, server: Running) -> dict[str, str]:
        memories = [(room, make(services(room, model))) for room in ROOMS]  # type: ignore[arg-type]
        found = await crowd(memories)
        for _, memory in memories:
            memory.close()
        return found

    found = with_server(perfect(), work, latency=0.01)
    assert strangers(found) == []
    assert all(text.count(f"of the {room}") == 3 for room, text in found.items())


@EACH
def test_nothing_is_called_but_the_server_and_nothing_is_said(make: type, tmp_path: Path) -> None:
    """Not even of a warning that would be an error; the test's own call shows that it watches."""
    reporting = {
        "MEM0_TELEMETRY": "True",
        "LANGSMITH_TRACING": "true",
        "LANGCHAIN_TRACING_V2": "true",
        "LANGSMITH_API_KEY": "none",
        "LANGSMITH_ENDPOINT": "http://127.0.0.2:9",
        "PYTHONWARNINGS": "error::DeprecationWarning:trustcall._base",
    }
    done = alone(f"{make.__module__}:{make.__name__}", tmp_path, then=CALL, **reporting)
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
        filled(
            lambda given: make(Services(given.model, Broken(), given.world, Wiring())), perfect()
        )


@EACH
def test_a_sample_that_is_stopped_does_not_wait_for_the_reply(make: Make) -> None:
    async def work(model: object, server: Running) -> tuple[bool, str]:
        memory = make(services("attic", model))  # type: ignore[arg-type]
        with anyio.fail_after(10), anyio.move_on_after(0.3) as scope:
            await memory.add(turns("attic")[0])
        text = (await memory.recall("jar")).text
        memory.close()
        return scope.cancelled_caught, text

    assert with_server(perfect(), work, latency=20.0) == (True, "")


@EACH
def test_it_can_be_closed_twice_and_leaves_nothing_open(make: Make) -> None:
    async def work(model: object) -> None:
        memory = make(services("attic", model))  # type: ignore[arg-type]
        await memory.add(turns("attic")[0])
        memory.close()
        memory.close()

    with_model(perfect(), work)
    gc.collect()  # what is open warns now, and warnings are errors


@pytest.mark.parametrize(("make", "module"), [(Mem0, "mem0"), (LangMem, "langmem")])
def test_without_the_library_the_error_says_what_to_install(
    make: Any, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=rf"{make.library} is not .*worldquiz\[{make.extra}\]"):
        make(services("attic"))
