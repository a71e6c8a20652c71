"""A-MEM as its authors have it: what is indexed, linked, looked up and handed over."""

from __future__ import annotations

import json
from typing import Any

import pytest

from modelserver import Request, Text
from modelserver.prompts import role_of
from remembering import Says, saying, services, told, with_model
from worldquiz.llm.model import Model
from worldquiz.memory import amem
from worldquiz.memory.amem import AMem

KEY = "You are in the cellar. On the shelf lies a zinc key."
CHEST = "You are in the attic. You see a rusty chest here."
LAMP = "You are in the garden. A lamp hangs on a pole."
STAYS = json.dumps({"should_evolve": False, "actions": []})


def note(prompt: str) -> str:
    """Write a note whose keyword says which room the turns are in."""
    room = next(room for room in ("cellar", "attic", "garden", "?") if room in prompt)
    return json.dumps({"keywords": [room], "context": f"About {room}.", "tags": ["place"]})


def evolving(**told: Any) -> Says:
    """Return what a model says that links and rewrites when the lamp arrives, and not before."""

    def reply(prompt: str) -> str:
        new = prompt.partition("The new note:")[2]
        return json.dumps({"should_evolve": True, **told}) if "lamp" in new else STAYS

    return reply


def filled(
    evolve: Says | str, *texts: str, k: int = 10, write: Says | str = note, asked: str | None = None
) -> tuple[AMem, str]:
    """Return a box of some turns, and what it hands over for a query whose reply is `asked`."""
    script = saying(
        {
            "memory amem note": write,
            "memory amem evolve": evolve,
            "memory amem keywords": asked or "",
        }
    )

    async def fill(model: Model) -> tuple[AMem, str]:
        memory = AMem(services(model=model, k=k))
        for step, text in enumerate(texts):
            await memory.add(told(step, text))
        return memory, "" if asked is None else (await memory.recall("Where is it?")).text

    return with_model(script, fill)


def keywords(text: str) -> str:
    return json.dumps({"keywords": text})


def order(text: str) -> list[str]:
    """Return the rooms of the notes in a text, in its order."""
    return [line.split()[2].rstrip(".") for line in text.splitlines() if line.startswith("Note: ")]


def test_a_query_is_looked_up_by_the_models_keywords_the_nearest_first() -> None:
    _, text = filled(STAYS, KEY, CHEST, LAMP, k=2, asked=keywords("garden, About attic. attic"))
    assert order(text) == ["attic", "garden"]


def test_each_action_is_taken_as_often_as_it_is_named_and_links_to_no_note_are_passed_over() -> (
    None
):
    strengthen = evolving(
        actions=["strengthen"] * 2, suggested_connections=[1, 99], tags_to_update=[]
    )
    memory, text = filled(strengthen, KEY, CHEST, LAMP, k=9, asked=keywords("garden"))
    assert memory.links[2] == [1, 99, 1, 99]
    assert order(text)[:3] == ["garden", "attic", "attic"]
    assert memory.notes[2].tags == ()


def test_a_changed_neighbour_is_found_by_what_it_was_until_all_are_embedded_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    update = evolving(
        actions=["update_neighbor"],
        new_context_neighborhood=["The vault of pirates."],
        new_tags_neighborhood=[["pirates"], ["treasure"]],
    )
    find = keywords("the vault of pirates")
    memory, text = filled(update, KEY, CHEST, LAMP, k=1, asked=find)
    assert sorted(n.context for n in memory.notes)[-1] == "The vault of pirates."
    assert {n.tags for n in memory.notes} == {("pirates",), ("treasure",), ("place",)}
    assert "vault" not in text
    monkeypatch.setattr(amem, "CONSOLIDATED", 1)
    _, text = filled(update, KEY, CHEST, LAMP, k=1, asked=find)
    assert "vault" in text


def test_replies_are_asked_for_by_a_schema() -> None:
    seen: dict[str, set[str]] = {}

    def script(request: Request) -> Text:
        seen[role_of(request)] = set(request.schema["properties"])
        return Text(STAYS)

    async def fill(model: Model) -> None:
        memory = AMem(services(model=model))
        await memory.add(told(0, KEY))
        await memory.recall("key")

    with_model(script, fill)
    assert seen["memory amem note"] == {"keywords", "context", "tags"}
    assert seen["memory amem keywords"] == {"keywords"}
    assert "suggested_connections" in seen["memory amem evolve"]
