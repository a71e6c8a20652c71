"""LangMem, the real library with LangGraph's store, against a real server."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.util import find_spec

import pytest

from memory_libraries import (
    filled,
    turns,
    with_server,
)
from modelserver import Failure, Reply, Request, Running, Text, Use, Uses, perfect
from remembering import Words, services, told
from worldquiz.errors import WorldquizError
from worldquiz.memory.base import Services, Wiring

if find_spec("langmem") is None:
    pytest.skip("langmem is not installed", allow_module_level=True)

from worldquiz.memory import langmem


def stored(request: Request) -> list[str]:
    """Return the ids of the memories that a request shows."""
    return re.findall(r"<instance id=(\S+) ", request.text)


def test_facts_in_the_models_own_words_come_as_a_list() -> None:
    def script(request: Request) -> Reply:
        step = str(re.findall(r"jar (\d) of", request.messages[-1].text)[-1])
        return Uses((Use("Memory", {"content": f"There is a jar, number {step}."}),))

    text = filled(langmem.LangMem, script, query="jar number")
    assert sorted(text.splitlines()) == [f"- There is a jar, number {n}." for n in range(3)]


def test_a_memory_is_mended_where_the_model_patches_it() -> None:
    def script(request: Request) -> Reply:
        if not (ids := stored(request)):
            return Uses((Use("Memory", {"content": "There are jars: 0"}),))
        seen = re.findall(r"jar (\d) of", request.messages[-1].text)[-1]
        patch = {"op": "replace", "path": "/content", "value": f"There are jars: 0 to {seen}"}
        edit = {"json_doc_id": ids[0], "planned_edits": "count on", "patches": [patch]}
        return Uses((Use("PatchDoc", edit),))

    assert filled(langmem.LangMem, script) == "- There are jars: 0 to 2\n"


def test_the_model_is_offered_to_write_and_to_patch_but_not_to_delete() -> None:
    offered: list[set[str]] = []

    def script(request: Request) -> Reply:
        offered.append(set(request.tools))
        return perfect()(request)

    filled(langmem.LangMem, script)
    assert offered == [{"Memory"}, {"Memory", "PatchDoc"}, {"Memory", "PatchDoc"}]


def test_the_same_world_twice_sends_the_same_prompts_and_no_random_names() -> None:
    async def work(model: object, server: Running) -> list[tuple[str, str]]:
        memory = langmem.LangMem(services("attic", model))  # type: ignore[arg-type]
        for entry in turns("attic", 5):
            await memory.add(entry)
        memory.close()
        return [(call.digest, call.prompt) for call in server.calls]

    calls = with_server(perfect(), work)
    assert calls == with_server(perfect(), work)
    assert any("<instance id=" in prompt for _, prompt in calls)
    assert all("<session_1>" in prompt for _, prompt in calls)
    hexes = [re.findall(r"session_[0-9a-f]{8}", prompt) for _, prompt in calls]
    assert not any(hexes)


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


@pytest.mark.parametrize("what", USELESS)
def test_a_reply_of_no_use_stops_nothing(what: str) -> None:
    honest = perfect()

    def script(request: Request) -> Reply:
        return USELESS[what] if "jar 0" in request.text else honest(request)

    async def work(model: object, server: Running) -> tuple[str, int]:
        memory = langmem.LangMem(services("attic", model))  # type: ignore[arg-type]
        await memory.add(told(0, "In the attic stands jar 0."))
        await memory.recall("jar")
        calls = len(server.calls)
        await memory.add(told(1, "In the attic stands jar 1."))
        text = (await memory.recall("jar")).text
        memory.close()
        return text, calls

    text, calls = with_server(script, work)
    assert "jar 1" in text
    assert "jar 0" not in text
    assert calls <= 3  # LangMem asks again, but not for ever


def test_a_server_that_fails_when_asked_to_mend_is_not_passed_over() -> None:
    def script(request: Request) -> Reply:
        first = len(request.messages) <= 2
        return USELESS["wrong arguments"] if first else Failure(400, "no such model")

    with pytest.raises(Exception, match="no such model"):
        filled(langmem.LangMem, script)


@pytest.mark.parametrize("kind", [WorldquizError, ValueError])  # LangMem stumbles by the latter
@pytest.mark.parametrize("after", [1])
def test_an_embedder_that_fails_is_not_passed_over(kind: type[Exception], after: int) -> None:
    class Broken(Words):
        calls = 0

        def embed(self, texts: Sequence[str]) -> list[list[float]]:
            self.calls += 1
            if self.calls > after:
                raise kind("embedder gone")
            return super().embed(texts)

    async def work(model: object, server: Running) -> None:
        memory = langmem.LangMem(Services(model, Broken(), "attic", Wiring()))  # type: ignore[arg-type]
        for entry in turns("attic"):
            await memory.add(entry)

    with pytest.raises(kind, match="embedder gone"):
        with_server(perfect(), work)
