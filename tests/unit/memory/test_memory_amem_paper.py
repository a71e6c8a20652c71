"""A-MEM's box of notes: how notes are written, linked, rewritten and found."""

from __future__ import annotations

import json
from typing import Any

from inspect_ai.model import Model

from modelserver import Script, Text
from remembering import Says, recalled, saying, services, told, with_model
from worldquiz.memory.amem import NEIGHBOURS, Note
from worldquiz.memory.amem_paper import AMemPaper

KEY = "You are in the cellar. On the shelf lies a zinc key."
CHEST = "You are in the attic. You see a rusty chest here."
LAMP = "You are in the garden. A lamp hangs on a pole."
PLAIN = json.dumps({"keywords": [], "context": "", "tags": []})
STAYS = json.dumps({"should_evolve": False, "actions": []})


def boxed(note: Says | str, evolve: Says | str, *texts: str, k: int = 10) -> AMemPaper:
    """Return a box in which some turns were put, with a model that says this."""
    return filled(saying({"memory amem note": note, "memory amem evolve": evolve}), *texts, k=k)


def filled(script: Script, *texts: str, k: int = 10, **options: object) -> AMemPaper:
    async def fill(model: Model) -> AMemPaper:
        memory = AMemPaper(services(model=model, k=k))
        for step, text in enumerate(texts):
            await memory.add(told(step, text))
        return memory

    return with_model(script, fill, **options)


def evolving(**told: Any) -> Says:
    """Return what a model says that links and rewrites when the lamp arrives, and not before."""

    def reply(prompt: str) -> str:
        new = prompt.partition("The new note:")[2]
        return json.dumps({"should_evolve": True, **told}) if "lamp" in new else STAYS

    return reply


def test_a_note_holds_the_turns_and_what_the_model_makes_of_them() -> None:
    reply = json.dumps(
        {"keywords": ["zinc key", "shelf"], "context": "A key in the cellar.", "tags": ["keys"]}
    )
    memory = boxed(reply, STAYS, KEY)
    assert memory.notes == [
        Note(told(0, KEY).text, ("zinc key", "shelf"), ("keys",), "A key in the cellar.")
    ]
    assert recalled(memory, "key") == (
        f"[task 1, step 0]\n{KEY}\nInventory: You are carrying nothing.\n"
        "Note: A key in the cellar. Keywords: zinc key, shelf. Tags: keys.\n"
    )


def test_a_note_is_found_by_its_keywords_too() -> None:
    def note(prompt: str) -> str:
        words = ["treasure"] if "chest" in prompt else ["light"]
        return json.dumps({"keywords": words, "context": "", "tags": []})

    memory = boxed(note, STAYS, KEY, CHEST, LAMP, k=1)
    assert CHEST in recalled(memory, "treasure")


def test_linked_notes_come_along_with_the_one_that_was_found() -> None:
    strengthen = evolving(actions=["strengthen"], suggested_connections=[0], tags_to_update=[])
    memory = boxed(PLAIN, strengthen, KEY, CHEST, LAMP, k=1)
    (linked,) = memory.links[2]
    assert memory.links[linked] == {2}
    found = recalled(memory, "the lamp on the pole in the garden")
    assert LAMP in found
    assert (KEY, CHEST)[linked] in found
    assert (CHEST, KEY)[linked] not in found


def test_a_link_leads_both_ways() -> None:
    strengthen = evolving(actions=["strengthen"], suggested_connections=["0", 1])
    memory = boxed(PLAIN, strengthen, KEY, CHEST, LAMP, k=1)
    assert LAMP in recalled(memory, "the zinc key on the shelf in the cellar")


def test_the_new_notes_tags_are_updated_when_a_link_is_strengthened() -> None:
    strengthen = evolving(
        actions=["strengthen"], suggested_connections=[0], tags_to_update=["places", "light"]
    )
    memory = boxed(PLAIN, strengthen, KEY, CHEST, LAMP)
    assert memory.notes[2].tags == ("places", "light")


def test_neighbours_evolve_and_are_found_by_what_they_became() -> None:
    update = evolving(
        actions=["update_neighbor"],
        new_context_neighborhood=["The vault of the pirates.", ""],
        new_tags_neighborhood=[["pirates"], []],
    )
    memory = boxed(PLAIN, update, KEY, CHEST, LAMP, k=1)
    contexts = [note.context for note in memory.notes]
    assert sorted(contexts) == ["", "", "The vault of the pirates."]
    evolved = contexts.index("The vault of the pirates.")
    assert memory.notes[evolved].tags == ("pirates",)
    assert (KEY, CHEST)[evolved] in recalled(memory, "pirates in the vault")


def test_what_a_reply_does_not_say_of_a_neighbour_stays() -> None:
    note = json.dumps({"keywords": ["a"], "context": "Old.", "tags": ["old"]})
    update = evolving(actions=["update_neighbor"], new_context_neighborhood=["New."])
    memory = boxed(note, update, KEY, CHEST, LAMP)
    assert sorted(note.context for note in memory.notes) == ["New.", "Old.", "Old."]
    assert {note.tags for note in memory.notes} == {("old",)}


def test_actions_that_are_not_asked_for_are_not_taken() -> None:
    told = evolving(actions=[], suggested_connections=[0, 1], new_context_neighborhood=["New."])
    memory = boxed(PLAIN, told, KEY, CHEST, LAMP)
    assert memory.links == [set(), set(), set()]
    assert {note.context for note in memory.notes} == {""}


def test_numbers_of_no_neighbour_link_nothing() -> None:
    strange = evolving(actions=["strengthen"], suggested_connections=[7, -1, "key", 2.5, None])
    memory = boxed(PLAIN, strange, KEY, CHEST, LAMP)
    assert memory.links == [set(), set(), set()]


def test_the_first_note_has_no_neighbour_to_be_asked_about() -> None:
    asked: list[str] = []

    def evolve(prompt: str) -> str:
        asked.append(prompt)
        return STAYS

    boxed(PLAIN, evolve, KEY, CHEST)
    assert len(asked) == 1
    assert "The 1 neighbours:\n0 | content: [task 1, step 0] You are in the cellar." in asked[0]


def test_no_more_than_the_nearest_few_are_candidates() -> None:
    asked: list[str] = []

    def evolve(prompt: str) -> str:
        asked.append(prompt)
        return STAYS

    boxed(PLAIN, evolve, *(f"Room {number}." for number in range(8)))
    assert asked[-1].count(" | content: ") == NEIGHBOURS


def test_unreadable_replies_cost_the_note_its_keywords_and_nothing_else() -> None:
    memory = boxed("no JSON here", "nor here", KEY, CHEST)
    assert memory.notes == [Note(told(0, KEY).text), Note(told(1, CHEST).text)]
    assert memory.asking.unreadable == 3
    assert KEY in recalled(memory, "key")


def test_a_full_window_is_counted_and_the_note_is_kept() -> None:
    memory = filled(saying({}), KEY, window=10)
    assert memory.asking.unreadable == 1
    assert KEY in recalled(memory, "key")


def test_a_withheld_reply_is_not_read() -> None:
    memory = filled(lambda request: Text('{"keywords": ["a"]}', finish="content_filter"), KEY)
    assert memory.notes == [Note(told(0, KEY).text)]
    assert memory.asking.unreadable == 1
