"""A-MEM and AriGraph do what the authors' code did: what is indexed, linked, learnt, handed over.

`tests/data/memory_fidelity.json` is what AIRI-Institute/AriGraph at e884b76 and
WujiangXu/AgenticMemory at 7f716dc made of some turns and replies; `benchmarks/memory_fidelity.py`
at c30a00b3 wrote it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, cast

import pytest

from remembering import Says, Words, saying, services, told, with_model
from worldquiz.facts.episode import Observation, Turn
from worldquiz.facts.requirement import Moment
from worldquiz.llm.model import Completion, Model
from worldquiz.memory import amem, arigraph
from worldquiz.memory.amem import AMem
from worldquiz.memory.arigraph import AriGraph, Triplet, cleared, drawn_in, replaced_in
from worldquiz.memory.base import Entry, Services, entry

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
    evolve: Says | str, *texts: str, k: int = 10, asked: str | None = None
) -> tuple[AMem, str]:
    """Return a box of some turns, and what it hands over for a query whose reply is `asked`."""
    script = saying(
        {
            "memory amem note": note,
            "memory amem evolve": evolve,
            "memory amem keywords": asked or "",
        }
    )

    async def fill(model: Model) -> tuple[AMem, str]:
        memory = AMem(services(model=model, k=k))
        for step, text in enumerate(texts):
            await memory.add(told(step, text))
        return memory, "" if asked is None else await memory.recall("Where is it?")

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


HALL, DEN = "-= Hall =-\nYou are in the hall.", "-= Den =-\nYou are in the den."


def drawing(**triplets: str) -> Says:
    """Return what a model says that draws these triplets from turns with these words."""

    def reply(prompt: str) -> str:
        turns = prompt.partition("<turns>")[2]
        return "; ".join(told for word, told in triplets.items() if word in turns)

    return reply


def learnt(extract: Says | str, *entries: Entry, outdated: Says | str = "[]") -> AriGraph:
    """Return a graph that was given some turns."""
    script = saying({"memory arigraph extract": extract, "memory arigraph outdated": outdated})

    async def fill(model: Model) -> AriGraph:
        memory = AriGraph(services(model=model))
        for each in entries:
            await memory.add(each)
        return memory

    return with_model(script, fill)


def test_passages_are_written_both_ways_without_the_model() -> None:
    memory = learnt("", told(0, HALL), told(1, DEN, action="go north"))
    assert memory.triplets == [("den", "is north of", "hall"), ("hall", "is south of", "den")]
    assert memory.rooms == {"den", "hall"}


@pytest.mark.parametrize(
    "entries",
    [
        (told(0, HALL), told(1, "You open the box."), told(2, HALL)),
        (told(0, HALL), told(0, DEN, task=1)),  # a task starts anew
        (told(0, HALL), told(1, DEN, action="go to den")),
    ],
)
def test_without_a_walk_there_is_no_passage(entries: tuple[Entry, ...]) -> None:
    assert learnt("", *entries).triplets == []


def test_triplets_with_words_set_apart_are_not_shown_as_replaceable() -> None:
    prompts: list[str] = []

    def outdated(prompt: str) -> str:
        prompts.append(prompt.partition("Known triplets:\n")[2])
        return "[]"

    learnt(
        drawing(
            one="hall, has exit, east; hall, contains, box; box, used for, hats",
            two="hall, is, lit",
        ),
        told(0, "one"),
        told(1, "two"),
        outdated=outdated,
    )
    assert prompts[1] == "hall, contains, box\n\nNew triplets:\nhall, is, lit"


@pytest.mark.parametrize(
    ("read", "reply", "triplets"),
    [
        (drawn_in, "Extracted: Key, in, 'box'; a, is lit, b",
         [("Key", "in", "box"), ("a", "is lit", "b")]),
        (drawn_in, "1. key, in, box;\n2. lamp, on, desk",
         [("key", "in", "box"), ("2. lamp", "on", "desk")]),
        (drawn_in, "1,b,c; key, in; a, b, c, d; , x, y", []),
        (drawn_in, "", []),
        (replaced_in, "[[a, b, c -> d, e, f], [g, h, i -> d, e, f]]",
         [("a", "b", "c"), ("g", "h", "i")]),
        (replaced_in, 'Replacing: [["a, b, c" -> "d, e, f"]]', [("a", "b", "c")]),
        (replaced_in, "[\n[a, b, c -> d, e, f],\n[a, b -> c]\n]", [("a", "b", "c")]),
        (replaced_in, "[]. Nothing to replace", []),
        (replaced_in, "[[a, b, c]]", []),
    ],
)  # fmt: skip
def test_replies_are_read_as_the_authors_read_them(
    read: Callable[[str], Iterable[Any]], reply: str, triplets: list[tuple[str, ...]]
) -> None:
    assert list(read(reply)) == triplets


def test_triplets_are_cleared_when_they_are_learnt() -> None:
    assert cleared(Triplet("I", "Carry", '"Zinc Key".')) == ("inventory", "carry", "zinc key")
    assert cleared(Triplet("lamp", "near", "P")) == ("lamp", "near", "player")
    assert learnt("door, free, west; a, in, b", told(0, "x")).triplets == [("a", "in", "b")]


TOLD: Any = json.loads(
    (Path(__file__).parents[2] / "data" / "memory_fidelity.json").read_text("utf-8")
)
Line = dict[str, Any]


class Player:
    """A model that plays replies."""

    marks = False

    def __init__(self) -> None:
        self.replies: list[str] = []

    async def generate(self, *args: object, **kwargs: object) -> Completion:
        return Completion(self.replies.pop(0))


def turns() -> list[Entry]:
    return [entry([_turn(line)]) for line in TOLD["turns"]]


def _turn(line: Line) -> tuple[Moment, Turn]:
    seen = Observation(line["text"], line["inventory"], 0, False, "")
    return Moment(line["task"], line["step"]), Turn(line["action"], seen)


def played(k: int) -> tuple[Player, Services]:
    player = Player()
    return player, Services(cast("Any", player), Words(), "w", k)


def test_arigraph(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arigraph, "THRESHOLD", TOLD["threshold"])
    player, services = played(10)
    memory = AriGraph(services)
    graph: list[str] = []

    async def follow() -> None:
        nonlocal graph
        for turn, line in zip(turns(), TOLD["arigraph"], strict=True):
            player.replies = [line["extracted"], line["outdated"]]
            await memory.add(turn)
            graph = [triplet for triplet in graph if triplet not in line["lost"]] + line["gained"]
            assert sorted(map(str, memory.triplets)) == sorted(graph)
            if "query" in line:
                found = await memory.search(line["items"])
                assert sorted(map(str, found)) == line["found"]
                assert await memory.relevant(found, line["query"]) == line["seen"]

    asyncio.run(follow())
    assert any(line.get("found") for line in TOLD["arigraph"])
    assert any(line["lost"] for line in TOLD["arigraph"])


def test_amem() -> None:
    player, services = played(5)
    memory = AMem(services)

    async def follow() -> None:
        for turn, line in zip(turns(), TOLD["amem"], strict=True):
            assert await memory.near(turn.text, 5) == line["near"]
            player.replies = [line["note"], line["evolve"]]
            await memory.add(turn)
            assert memory.links[-1] == line["links"]
            if "query" in line:
                found = await memory.near(json.loads(line["keywords"])["keywords"], 5)
                assert memory.with_linked(found) == line["order"]

    asyncio.run(follow())
    assert [list(note.tags) for note in memory.notes] == [line["tags"] for line in TOLD["amem"]]
    assert [note.context for note in memory.notes] == [line["context"] for line in TOLD["amem"]]
    assert any(line["links"] for line in TOLD["amem"])
