"""AriGraph: triplets learnt and outdated, and searches that follow the graph to its turns."""

from __future__ import annotations

import asyncio
import json
import math

import pytest
from inspect_ai.model import Model

from remembering import Says, saying, services, told, with_model
from worldquiz.memory import arigraph_paper
from worldquiz.memory.arigraph import Triplet
from worldquiz.memory.arigraph_paper import AriGraphPaper, relevance

NONE = json.dumps({"outdated": []})


def drawing(**triplets: list[list[str]]) -> Says:
    """Return what a model says that draws these triplets from turns with these words."""

    def reply(prompt: str) -> str:
        turns = prompt.partition("<turns>")[2]
        return json.dumps(
            {"triplets": [t for word in triplets if word in turns for t in triplets[word]]}
        )

    return reply


def learnt(
    extract: Says | str, *texts: str, outdated: Says | str = NONE, k: int = 10
) -> AriGraphPaper:
    """Return a graph that was given some turns."""

    async def fill(model: Model) -> AriGraphPaper:
        memory = AriGraphPaper(services(model=model, k=k))
        for step, text in enumerate(texts):
            await memory.add(told(step, text))
        return memory

    script = saying(
        {"memory arigraph-paper extract": extract, "memory arigraph-paper outdated": outdated}
    )
    return with_model(script, fill)


def asked(memory: AriGraphPaper, query: str) -> str:
    return asyncio.run(memory.recall(query)).text


CHAIN = drawing(
    lamp=[["lamp", "stands on", "desk"]],
    desk=[["desk", "is in", "study"]],
    study=[["study", "has exit east to", "hall"]],
    hall=[["hall", "has exit up to", "attic"]],
    attic=[["attic", "has", "window"]],
)


def found(memory: AriGraphPaper, query: str) -> list[str]:
    """Return the triplets that a query finds."""
    known = asked(memory, query).partition("Known:\n")[2].partition("Seen:\n")[0]
    return known.splitlines()


def test_the_search_follows_the_graph_from_what_the_query_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(arigraph_paper, "WIDTH", 2)
    memory = learnt(CHAIN, "lamp desk study hall attic")
    monkeypatch.setattr(arigraph_paper, "DEPTH", 1)
    assert "lamp, stands on, desk" in found(memory, "What does the lamp stand on?")
    assert len(found(memory, "What does the lamp stand on?")) == 2
    monkeypatch.setattr(arigraph_paper, "DEPTH", 2)
    wider = found(memory, "What does the lamp stand on?")
    assert {"lamp, stands on, desk", "desk, is in, study"} <= set(wider)
    assert "attic, has, window" not in wider
    monkeypatch.setattr(arigraph_paper, "DEPTH", 6)
    assert len(found(memory, "What does the lamp stand on?")) == 5


def test_triplets_are_handed_over_in_the_order_learnt_before_the_turns() -> None:
    memory = learnt(
        drawing(
            chest=[["Chest", "in", "attic"], ["chest", "is", "shut"]], key=[["key", "in", "cellar"]]
        ),
        "A chest.",
        "A key.",
    )
    assert asked(memory, "the key in the cellar") == (
        "Known:\nchest, in, attic\nchest, is, shut\nkey, in, cellar\n"
        f"Seen:\n{told(0, 'A chest.').text}"
    )


def test_a_triplet_that_was_replaced_is_gone_and_its_turns_are_not() -> None:
    memory = learnt(
        drawing(
            shut=[["chest", "is", "shut"], ["chest", "in", "attic"]],
            open=[["chest", "is", "open"], ["chest", "in", "attic"]],
        ),
        "A shut chest.",
        "An open chest.",
        outdated=json.dumps({"outdated": [["Chest", "is", "shut"], ["moon", "is", "blue"]]}),
    )
    assert memory.triplets == [Triplet("chest", "in", "attic"), Triplet("chest", "is", "open")]
    assert "A shut chest." in asked(memory, "chest")


def test_only_what_shares_a_thing_with_the_new_can_be_outdated() -> None:
    prompts: list[str] = []

    def outdated(prompt: str) -> str:
        prompts.append(prompt.partition("Known triplets:\n")[2])
        return json.dumps({"outdated": [["lamp", "in", "hall"]]})

    memory = learnt(
        drawing(
            lamp=[["lamp", "in", "hall"]],
            chest=[["chest", "is", "shut"]],
            open=[["chest", "is", "open"]],
        ),
        "A lamp.",
        "A chest.",
        "It is open now.",
        outdated=outdated,
    )
    assert prompts == ["chest, is, shut\n\nNew triplets:\nchest, is, open"]
    assert Triplet("lamp", "in", "hall") in memory.triplets


def test_what_is_known_already_asks_for_nothing_more() -> None:
    prompts: list[str] = []

    def outdated(prompt: str) -> str:
        prompts.append(prompt)
        return NONE

    memory = learnt(drawing(hall=[["a", "in", "hall"]]), "hall", "hall", outdated=outdated)
    assert prompts == []
    assert len(memory.triplets) == 1
    assert len(memory.episodes) == 2


def test_the_model_is_shown_the_last_triplets_to_go_on_in_their_words() -> None:
    prompts: list[str] = []

    def extract(prompt: str) -> str:
        prompts.append(prompt)
        return json.dumps({"triplets": [["key", "lies on", "shelf"]]})

    learnt(extract, "A key.", "Still a key.")
    assert "Known triplets of this kind:\n(none)\n" in prompts[0]
    assert "Known triplets of this kind:\nkey, lies on, shelf\n" in prompts[1]


@pytest.mark.parametrize(
    ("of", "drawn", "score"),
    [
        (0, 5, 0.0),
        (1, 1, 0.0),  # says too little to come first
        (2, 2, math.log(2)),
        (2, 4, math.log(2)),  # half of twice the logarithm
        (4, 4, math.log(4)),
        (0, 0, 0.0),
    ],
)
def test_relevance_is_that_of_equation_1(of: int, drawn: int, score: float) -> None:
    assert relevance(of, drawn) == pytest.approx(score)


def test_of_the_turns_the_most_relevant_are_recalled() -> None:
    memory = learnt(
        drawing(
            one=[["key", "in", "box"], ["box", "in", "hall"]],
            two=[["key", "in", "box"], ["box", "in", "hall"], ["box", "is", "shut"]],
            three=[["lamp", "in", "hall"], ["lamp", "is", "lit"]],
        ),
        "one",
        "two",
        "three",
        k=1,
    )
    assert asked(memory, "key in the box").endswith(f"Seen:\n{told(1, 'two').text}")


@pytest.mark.parametrize(
    ("reply", "triplets"),
    [
        ('{"triplets": [["Zinc  Key", "lies on", "Shelf"]]}', [("zinc key", "lies on", "shelf")]),
        ('{"triplets": ["key, in, box"]}', [("key", "in", "box")]),
        ('```json\n{"triplets": [["key", "in", "box"]]}\n```', [("key", "in", "box")]),
        ('{"triplets": [["key", "in"], ["a", "", "b"], 7, null, {"a": 1}]}', []),
        ('{"triplets": "none"}', []),
        ('{"triplets": []}', []),
    ],
)
def test_triplets_are_read_leniently(reply: str, triplets: list[tuple[str, ...]]) -> None:
    memory = learnt(reply, "A key.")
    assert [tuple(triplet) for triplet in memory.triplets] == triplets
    assert memory.asking.unreadable == 0


def test_an_unreadable_reply_is_counted_and_the_turns_are_not_found() -> None:
    memory = learnt("A key lies on the shelf.", "A key.")
    assert memory.asking.unreadable == 1
    assert len(memory.episodes) == 1
    assert asked(memory, "key") == ""


def test_an_unreadable_verdict_outdates_nothing() -> None:
    memory = learnt(
        drawing(shut=[["chest", "is", "shut"]], open=[["chest", "is", "open"]]),
        "shut",
        "open",
        outdated="I cannot say.",
    )
    assert len(memory.triplets) == 2
    assert memory.asking.unreadable == 1
