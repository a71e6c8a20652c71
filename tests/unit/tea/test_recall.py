"""The quiz after a walk: what settles and what hints at each question, prompts, replies, ceilings.

Walks are made by hand; a run asks about them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import worldquiz as wq
from recalls import EAST, NORTH, SOUTH, WALK, WEST, around, asked, flat, look, walked
from view_reader import disagreements
from views import sighting, thing
from worldquiz_scenes.view import Reflection, View

SHOWN, UNCLEAR, HIDDEN = "shown", "unclear", "not shown"
NAMES = ("oracle", "noisy", "abstainer", "prior", "blind", "random")
THINGS = {each.id: each for each in flat().things}
MIRRORED = Reflection("kettle-1", "mirror-1", 5000, 1.0, (0, 0, 70, 70))
ALL_AROUND = (*around(0, 1, 2, "stove-1"), *around(10, 3.5, 3.5), *around(20, 3.5, 0.5))
CHAIRS = look(30, 2, 3, SOUTH, "chair-1", "chair-2")
LOOKS: dict[str, dict[str, list[Sequence[View]]]] = {
    "colour/row/kettle-1": {  # small, covered or mirrored is a hint; tiny was not seen
        HIDDEN: [[look(0, 2, 2, NORTH, sighting("kettle-1", 39))]],
        UNCLEAR: [
            [look(0, 2, 2, NORTH, sighting("kettle-1", 399))],
            [look(0, 2, 2, NORTH, sighting("kettle-1", 900, visible=0.4))],
            [look(0, 2, 2, NORTH, reflections=(MIRRORED,))],
        ],
        SHOWN: [[look(0, 2, 2, NORTH, "kettle-1")]],
    },
    "room/row/mug-1": {  # settled with what tells the room
        HIDDEN: [[look(0, 2, 2, NORTH)]],
        UNCLEAR: [
            [look(0, 2, 2, NORTH, "mug-1")],
            [look(0, 2, 2, NORTH, sighting("mug-1", 100), "stove-1")],
        ],
        SHOWN: [[look(0, 2, 2, NORTH, "mug-1", "stove-1")]],
    },
    "count/row/kitchen-1/chair": {  # the room, and all that is counted
        HIDDEN: [[CHAIRS]],
        UNCLEAR: [ALL_AROUND],
        SHOWN: [[*ALL_AROUND, CHAIRS]],
    },
    "doorway/row/kitchen-1/hall-1": {  # seen, or walked through
        HIDDEN: [[look(0, 2, 2, WEST, "stove-1")]],
        UNCLEAR: [[look(0, 2, 2, EAST)]],
        SHOWN: [
            [look(0, 2, 2, EAST, "stove-1", "shoe-rack-1")],
            [look(0, 3.5, 2, WEST, "stove-1"), look(1, 5, 2, NORTH, "shoe-rack-1")],
        ],
    },
}
"""By question: walks that show its answer, hint at it, or neither."""


def standings(run: wq.Run) -> dict[str, str]:
    """Return how every question of a quiz stands."""
    found = {row.item: SHOWN if row.shown else HIDDEN for row in run.rows}
    return found | {id: UNCLEAR for ids in run.manifest["unclear"].values() for id in ids}


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> wq.Run:
    """All that is asked after a walk, with the truth."""
    return asked(walked(tmp_path_factory.mktemp("flat") / "data"))


@pytest.mark.parametrize("item", LOOKS)
def test_what_settles_a_question_and_what_only_hints_at_its_answer(
    item: str, tmp_path: Path
) -> None:
    for standing, walks in LOOKS[item].items():
        for number, views in enumerate(walks):
            data = walked(tmp_path / f"{standing}-{number}" / "data", views)
            assert standings(asked(data, "abstainer"))[item] == standing, views


def test_only_what_has_one_answer_is_asked_and_the_right_one_is_offered_once(
    oracle: wq.Run, tmp_path: Path
) -> None:
    rows = {row.item: row for row in oracle.rows}
    golds = {id: row.gold for id, row in rows.items()}
    assert golds["count/row/bathroom-1/chair"] == "0"
    assert golds["doorway/row/kitchen-1/hall-1"] == "hall"
    every = standings(oracle)
    assert "colour/row/vase-1" not in every  # striped: no one colour
    kinds = {"colour", "count", "doorway", "room", "side"}
    assert {id.partition("/")[0] for id in every} == kinds
    for row in rows.values():
        assert Counter(row.choices)[row.gold] == 1
        assert len(set(row.choices)) == len(row.choices) >= 2
    two = walked(tmp_path / "data", scenes=[flat(thing("mug-2", room="hall-1"))])
    assert not [row for row in asked(two).rows if " mug" in row.prompt]  # no label tells them apart


def test_sides_are_those_on_the_plan(oracle: wq.Run) -> None:
    rows = [row for row in oracle.rows if row.type == "side"]
    assert len(rows) > 40
    for row in rows:
        stand, face, it = (complex(*THINGS[id].position[:2]) for id in row.item.split("/")[2:])
        way = (it - stand) / (face - stand)
        ahead = {"ahead": way.real, "behind": -way.real, "left": way.imag, "right": -way.imag}
        assert max(ahead, key=lambda name: ahead[name]) == row.gold


def test_a_quiz_is_drawn_by_its_seed_alone_whatever_was_walked(tmp_path: Path) -> None:
    whole, short = walked(tmp_path / "whole"), walked(tmp_path / "short", WALK[:1])
    first, again, less, other = (
        asked(data, name=f"run-{number}", each=6, seed=seed)
        for number, (data, seed) in enumerate([(whole, 3), (whole, 3), (short, 3), (whole, 4)])
    )
    assert standings(first) == standings(again)
    assert standings(first).keys() == standings(less).keys() != standings(other).keys()
    assert max(Counter(id.partition("/")[0] for id in standings(first)).values()) <= 6
    assert first.scores["counts"]["answerable"] > less.scores["counts"]["answerable"]


class Says:
    """Says the same to every question, and keeps what it was shown."""

    def __init__(self, reply: str) -> None:
        self.reply, self.prompts, self.pictures = reply, list[str](), list[Sequence[bytes]]()

    def __deepcopy__(self, memo: Any) -> Says:
        return self

    def answer(self, prompt: str, pictures: Sequence[bytes]) -> str:
        self.prompts.append(prompt)
        self.pictures.append(pictures)
        return self.reply


def test_a_prompt_says_where_each_picture_was_taken_as_seen_from_the_first(tmp_path: Path) -> None:
    views = (
        look(0, 2, 1, NORTH, "mug-1"), look(1, 2, 2.5, NORTH),
        look(2, 1, 2.5, WEST), look(3, 2, 1, EAST),
    )  # fmt: skip
    seen = Says("")
    data = walked(tmp_path / "data", views)
    run = asked(data, seen)
    assert len(seen.prompts) == len(run.rows)
    places = [data / "scenes" / "row" / "views" / f"{view.id}.rgb.png" for view in views]
    assert {tuple(each) for each in seen.pictures} == {tuple(map(Path.read_bytes, places))}
    for prompt, row in zip(seen.prompts, run.rows, strict=True):
        assert prompt.splitlines()[1:5] == [
            "Picture 1: x 0.00, y 0.00, looking 0",
            "Picture 2: x 1.50, y 0.00, looking 0",
            "Picture 3: x 1.50, y 1.00, looking 90",
            "Picture 4: x 0.00, y 0.00, looking -90",
        ]
        assert row.prompt in prompt
        assert f'"one of: {", ".join(row.choices)}, not shown"' in prompt


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ('{"answer": "not shown"}', "abstained"),
        ("Not shown.", "abstained"),
        ("It was not shown in the pictures", "abstained"),
        ("non-answerable", "abstained"),
        ('{"answer": "red"}', "answered"),
        ("From the third picture, it is red.", "answered"),
        ('{"answer": []}', "unreadable"),
        ("", "unreadable"),
    ],
)
def test_a_reply_abstains_answers_or_cannot_be_read(said: str, status: str, tmp_path: Path) -> None:
    rows = asked(walked(tmp_path / "data"), Says(said)).rows
    kettle = next(row for row in rows if row.item == "colour/row/stool-1")
    assert kettle.gold == "red"
    assert (kettle.status, kettle.shown) == (status, False)  # red is true, and was not shown
    assert kettle.grade == (status == "abstained")
    mug = next(row for row in rows if row.item == "colour/row/cabinet-1")
    assert (mug.shown, mug.step, mug.grade) == (True, 1, 0)


# Answerers


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two flats whose things look otherwise."""
    other = flat(thing("globe-1", room="hall-1"))
    paints = [each.paint for each in other.things]
    things = tuple(
        replace(each, paint=paint)
        for each, paint in zip(other.things, (*paints[5:], *paints[:5]), strict=True)
    )
    scenes = (flat(), replace(other, id="other", things=things))
    return walked(tmp_path_factory.mktemp("two") / "data", scenes=scenes)


@pytest.mark.parametrize("name", NAMES)
def test_ceilings_are_right_on_everything_and_who_sees_nothing_claims_everything(
    name: str, two: Path
) -> None:
    found = asked(two, name, name=name, each=8).scores
    if name == "oracle":
        assert found["grade"] == 1.0
        assert (found["false_answers"], found["knowledge"]) == (0.0, found["ceiling"])
    elif name in ("prior", "blind", "random"):
        assert (found["false_answers"], found["knowledge"] < found["ceiling"]) == (1.0, True)
    elif name == "abstainer":
        assert (found["false_answers"], found["knowledge"]) == (0.0, 0.0)
    else:
        assert 0.6 < found["grade"] < 0.95


SEEN = st.builds(
    lambda thing, pixels, visible: sighting(thing, pixels, visible=visible),
    st.sampled_from(sorted(THINGS)), st.integers(1, 2000), st.sampled_from([0.1, 0.5, 1.0]),
)  # fmt: skip


@st.composite
def walks(draw: st.DrawFn) -> list[View]:
    """Draw a walk: places in rooms, and anything that could be seen from them."""
    views = []
    for number in range(draw(st.integers(1, 4))):
        seen = draw(st.lists(SEEN, max_size=8, unique_by=lambda each: each.thing))
        mirrored = draw(st.lists(st.sampled_from(sorted(THINGS)), max_size=2, unique=True))
        seen_there = (replace(MIRRORED, thing=each) for each in mirrored)
        x, y = draw(st.floats(0.3, 13.7)), draw(st.floats(0.3, 3.7))
        heading = draw(st.floats(-3, 3))
        views.append(look(number, x, y, heading, *seen, reflections=tuple(seen_there)))
    return views


@settings(max_examples=8, deadline=None)
@given(walks())
def test_more_views_never_lower_a_standing_and_the_reader_knows_all_that_is_settled(
    views: list[View],
) -> None:
    ranks, before = (HIDDEN, UNCLEAR, SHOWN), dict[str, str]()
    with TemporaryDirectory() as place:
        data = walked(Path(place) / "data", views)
        for count in range(1, len(views) + 1):
            run = asked(data, name=str(count), views=count)
            now = standings(run)
            assert all(ranks.index(now[id]) >= ranks.index(before[id]) for id in before)
            before = now
            assert disagreements(run, data) == []
