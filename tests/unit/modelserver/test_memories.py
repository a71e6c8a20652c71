"""The stand-in as a memory's model: what the memory systems make of its replies."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import pytest

from modelserver import Running, Text, Uses, perfect, serving
from modelserver.embedding import embed
from modelserver.memories import Librarian, told_in
from modelserver.prompts import role_of
from modelserver.protocol import Request, read_chat
from worldquiz.facts.episode import Observation, Turn
from worldquiz.facts.requirement import Moment
from worldquiz.llm.client import Reach
from worldquiz.memory import arigraph
from worldquiz.memory.base import Services, Wiring, entry, free, rendered
from worldquiz.memory.catalog import memory

LOOKS = (
    "Go to the den.\n\n-= Hall =-\nYou are in the hall. You see a closed red box here.\n\n"
    "There is an exit to the north.",
    "You open the red box, revealing a tin key and an old hat.",
    "-= Den =-\nYou are in the den. You see a pine shelf here. The pine shelf is empty.\n\n"
    "There is an exit to the south.",
)
TURNS = tuple(
    (Moment(0, step), Turn(action, Observation(text, "You are carrying nothing.", 0, False, "Go.")))
    for step, (action, text) in enumerate(
        zip((None, "open red box", "go north"), LOOKS, strict=True)
    )
)
TEXTS = [rendered(*turn).strip() for turn in TURNS]


class Hashed:
    """An embedder for tests."""

    name, dimensions = "hashed", 384

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [embed(text) for text in texts]


@pytest.fixture
def recall(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Running], str]:
    """Return a way to have a memory take in three turns and ask it about one."""

    def run(name: str, server: Running) -> str:
        for variable, value in server.env().items():
            monkeypatch.setenv(variable, value)
        return asyncio.run(_recall(name))

    return run


async def _recall(name: str) -> str:
    model = Reach("openai-api/test/m").made()
    held = memory(name, Services(model, Hashed(), "world 1", Wiring()))
    for turn in TURNS:
        await held.add(entry([turn]))
    text = (await held.recall("What was in the red box with the tin key?")).text
    free(held)
    await model.close()
    return text


@pytest.mark.slow
@pytest.mark.parametrize("name", ["mem0", "langmem", "amem", "summary"])
def test_what_was_seen_is_recalled_word_for_word(
    name: str, recall: Callable[[str, Running], str]
) -> None:
    with serving(perfect()) as server:
        text = recall(name, server)
        roles = {call.role for call in server.calls}
    assert all(turn in text for turn in TEXTS)
    assert roles
    assert all(role.startswith(f"memory {name}") for role in roles)


def test_the_graph_of_triplets_leads_back_to_the_turns(
    recall: Callable[[str, Running], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arigraph, "THRESHOLD", 0.3)  # of hashed words
    with serving(perfect()) as server:
        text = recall("arigraph", server)
    assert "tin key, is at, red box" in text
    assert TEXTS[1] in text


def test_a_summary_of_earlier_tasks_is_a_map() -> None:
    later = rendered(Moment(1, 0), TURNS[0][1]).strip()
    reply = asked(
        "You keep the running summary of a player's game in TextWorld.\n\n"
        "<summary>\n" + "\n".join(TEXTS) + f"\n</summary>\n\n<turns>\n{later}\n</turns>"
    )
    assert "tin key" in reply
    assert "[task 1" not in reply
    assert reply.endswith(later)


def test_the_share_that_is_dropped_depends_on_the_turns_alone() -> None:
    turns = [f"[task 1, step {n}] > wait\nTime passes.\nInventory: nothing" for n in range(400)]
    dropped = [turn for turn in turns if Librarian(0.25, seed=1).drops(turn)]
    assert 60 < len(dropped) < 140
    assert dropped == [turn for turn in turns if Librarian(0.25, seed=1).drops(turn)]
    assert dropped != [turn for turn in turns if Librarian(0.25, seed=2).drops(turn)]
    assert not any(Librarian(0).drops(turn) for turn in turns)
    assert all(Librarian(1).drops(turn) for turn in turns)


@pytest.mark.parametrize("share", [-0.1, 1.1])
def test_a_share_beyond_all_is_refused(share: float) -> None:
    with pytest.raises(ValueError, match="not between"):
        Librarian(share)


@pytest.mark.parametrize("name", ["mem0", "langmem"])
def test_what_is_dropped_is_not_recalled(name: str, recall: Callable[[str, Running], str]) -> None:
    with serving(perfect(lossy=1)) as server:
        text = recall(name, server)
        assert {call.note for call in server.calls} == {"dropped 1"}
    assert not any(turn in text for turn in TEXTS)


def test_langmem_gets_a_patch_where_nothing_may_be_added() -> None:
    tool = {"type": "function", "function": {"name": "PatchDoc", "parameters": {}}}
    messages = [
        {"role": "system", "content": "You are a memory subroutine for an AI.\n\n<existing>\n"
         '<instance id=7 schema_type="Memory">\n{\'content\': "it\'s old"}\n</instance>'},
        {"role": "user", "content": f"<session_1>\n{TEXTS[0]}\n</session_1>"},
    ]  # fmt: skip
    request = read_chat({"model": "m", "messages": messages, "tools": [tool]})
    reply = perfect()(request)
    assert isinstance(reply, Uses)
    [use] = reply.uses
    assert (use.name, use.arguments["json_doc_id"]) == ("PatchDoc", "7")
    assert use.arguments["patches"] == [
        {"op": "replace", "path": "/content", "value": f"it's old\n{TEXTS[0]}"}
    ]


def test_turns_are_found_behind_a_speakers_name_and_once_each() -> None:
    told = "user: " + "\n".join(TEXTS) + "\nand more\n" + TEXTS[0] + "\n[task 1, step 9] > wait\n"
    assert told_in(told) == TEXTS


def asked(text: str, system: str | None = None) -> str:
    reply = perfect()(request_of(text, system))
    assert isinstance(reply, Text)
    return reply.text


def request_of(text: str, system: str | None) -> Request:
    messages = [{"role": "system", "content": system}] if system else []
    request = read_chat({"model": "m", "messages": [*messages, {"role": "user", "content": text}]})
    assert role_of(request).startswith("memory ")
    return request
