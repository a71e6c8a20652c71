"""The quiz on what was seen: what settles and what hints at each question, words, ceilings."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from math import pi
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from recalls import (
    EAST,
    NORTH,
    SOUTH,
    WALK,
    WEST,
    answered,
    around,
    begun,
    flat,
    look,
    recall,
    scored,
)
from views import sighting, thing
from worldquiz.facts.question import ABSTAIN
from worldquiz.facts.row import AnswerStatus
from worldquiz.runs.executor import silent
from worldquiz.runs.rows import about_item
from worldquiz.tea.recall.answerers import NAMES, ViewReader, baseline
from worldquiz.tea.recall.questions import KINDS, FlatQuestion, Standing, ask
from worldquiz.tea.recall.quiz import NOT_SHOWN, Recall, RecallSheet, Walked, reply
from worldquiz.tea.recall.shown import Space, evidence
from worldquiz_scenes.build import build
from worldquiz_scenes.cameras import focal, frame
from worldquiz_scenes.config import PRESETS
from worldquiz_scenes.episode import Walker
from worldquiz_scenes.generate import generate
from worldquiz_scenes.locomotion import Move
from worldquiz_scenes.render import Canvas
from worldquiz_scenes.scene import Scene
from worldquiz_scenes.view import Reflection, View

ANSWERABLE, UNCLEAR, HIDDEN = Standing.ANSWERABLE, Standing.UNCLEAR, Standing.NOT_SHOWN


@cache
def quiz(scene: Scene | None = None) -> Mapping[str, FlatQuestion]:
    return {item.id: item for item in ask(scene or flat(), each=None)}


def of(kind: str) -> list[FlatQuestion]:
    return [item for item in quiz().values() if item.kind == kind]


def after(item: FlatQuestion, *views: View) -> Standing:
    return item.standing(evidence(flat(), views))


def test_what_is_small_covered_or_mirrored_is_a_hint_and_what_is_tiny_was_not_seen() -> None:
    item = quiz()["colour/row/kettle-1"]
    assert item.question.answer == "black"
    mirrored = Reflection("kettle-1", "mirror-1", 5000, 1.0, (0, 0, 70, 70))
    seen = (sighting("kettle-1", 399), sighting("kettle-1", 900, visible=0.4))
    assert [after(item, look(0, 2, 2, NORTH, each)) for each in seen] == [UNCLEAR] * 2
    assert after(item, look(0, 2, 2, NORTH, reflections=(mirrored,))) is UNCLEAR
    assert after(item, look(0, 2, 2, NORTH, sighting("kettle-1", 39))) is HIDDEN
    assert after(item, look(0, 2, 2, NORTH, "kettle-1")) is ANSWERABLE


def test_looks_are_asked_where_they_can_be_told() -> None:
    assert quiz()["pattern/row/vase-1"].question.answer == "stripes"
    assert "colour/row/vase-1" not in quiz()  # striped: no one colour
    assert "pattern/row/kettle-1" not in quiz()  # kettles are plain
    second = quiz(flat(thing("mug-2", room="hall-1")))  # no label tells two mugs apart
    assert not [item for item in second.values() if " mug" in item.question.text]


def test_a_room_is_settled_by_the_thing_and_what_tells_the_room() -> None:
    item = quiz()["room/row/mug-1"]
    assert item.question.answer == "kitchen"
    assert after(item) is HIDDEN
    assert after(item, look(0, 2, 2, NORTH, "mug-1")) is UNCLEAR
    assert after(item, look(0, 2, 2, NORTH, sighting("mug-1", 100), "stove-1")) is UNCLEAR
    assert after(item, look(0, 2, 2, NORTH, "mug-1", "stove-1")) is ANSWERABLE


def test_a_support_must_be_in_the_same_picture() -> None:
    item = next(each for each in of("support") if "mug-1" in each.question.about)
    assert item.question.answer == "cabinet"
    mug, cabinet = look(0, 2, 2, NORTH, "mug-1"), look(1, 2, 2, NORTH, "cabinet-1")
    assert after(item, cabinet) is HIDDEN
    assert after(item, mug, cabinet) is UNCLEAR
    assert after(item, look(0, 2, 2, NORTH, "mug-1", "cabinet-1")) is ANSWERABLE


def test_a_count_wants_the_room_and_all_that_is_counted() -> None:
    item = quiz()["count/row/kitchen-1/chair"]
    assert item.question.answer == "2"
    assert quiz()["count/row/hall-1/chair"].question.answer == "0"
    around_it = [*around(0, 1, 2, "stove-1"), *around(10, 3.5, 3.5), *around(20, 3.5, 0.5)]
    chairs = look(30, 2, 3, SOUTH, "chair-1", "chair-2")
    assert after(item, chairs) is HIDDEN
    assert after(item, *around_it) is UNCLEAR
    assert after(item, *around_it, chairs) is ANSWERABLE


def test_a_doorway_is_seen_or_walked_through_and_asked_beside_rooms_without_one() -> None:
    item = quiz()["doorway/row/kitchen-1/hall-1"]
    assert (item.question.answer, item.question.choices) == (
        "hall",
        ("bathroom", "bedroom", "hall"),
    )
    assert after(item, look(0, 2, 2, WEST, "stove-1")) is HIDDEN
    assert after(item, look(0, 2, 2, EAST)) is UNCLEAR
    assert after(item, look(0, 2, 2, EAST, "stove-1", "shoe-rack-1")) is ANSWERABLE
    walked = (look(0, 3.5, 2, WEST, "stove-1"), look(1, 5, 2, NORTH, "shoe-rack-1"))
    assert after(item, *walked) is ANSWERABLE


def test_presence_is_settled_by_one_clear_view_and_hinted_at_by_a_whole_flat() -> None:
    there = {each.label for each in flat().things}
    named = Counter(label for each in of("presence") for label in each.question.choices)
    assert set(named.values()) == {1}
    for each in of("presence"):
        assert [label for label in each.question.choices if label in there] == [
            each.question.answer
        ]
    item = next(each for each in of("presence") if each.question.answer == "mug")
    assert after(item, look(0, 2, 2, NORTH, "stove-1")) is HIDDEN
    assert after(item, look(0, 2, 2, NORTH, "mug-1")) is ANSWERABLE
    spots = [(1, 2), (3.5, 3), (5, 2), (6.5, 1), (8, 2), (10, 2), (12, 2), (13, 3)]
    assert after(item, *(v for n, at in enumerate(spots) for v in around(10 * n, *at))) is UNCLEAR


def test_sides_and_distances_are_those_on_the_plan() -> None:
    things = flat().thing
    for item in (*of("side")[:40], *of("nearer")[:40]):
        stand, one, two = (complex(*things[id].position[:2]) for id in item.question.about)
        if item.kind == "side":
            way = (two - stand) / (one - stand)
            ahead = {"ahead": way.real, "behind": -way.real, "left": way.imag, "right": -way.imag}
            assert max(ahead, key=lambda name: ahead[name]) == item.question.answer
        else:
            near, far = sorted((abs(one - stand), abs(two - stand)))
            assert far > 1.6 * near
            right = item.question.about[1 if near == abs(one - stand) else 2]
            assert things[right].label == item.question.answer
        clearly = [look(n, 2, 2, NORTH, id) for n, id in enumerate(item.question.about)]
        assert after(item, *clearly[:2]) is HIDDEN
        assert after(item, *clearly) is ANSWERABLE


def test_a_draw_is_the_same_every_time_and_offers_the_right_answer_once() -> None:
    scene = flat(*(thing(f"{label}-1", room="hall-1") for label in ("globe", "phone", "radio")))
    drawn = ask(scene, each=6, seed=3)
    assert drawn == ask(replace(scene, things=tuple(scene.things)), each=6, seed=3)
    assert drawn != ask(scene, each=6, seed=4)
    assert {item.id for item in drawn} <= set(quiz(scene))
    assert {item.kind for item in quiz().values()} == set(KINDS)
    assert max(Counter(item.kind for item in drawn).values()) <= 6
    for item in quiz().values():
        choices = item.question.choices
        assert Counter(choices)[item.question.answer] == 1
        assert len(set(choices)) == len(choices) >= 2


def test_points_that_count_as_seen_are_in_the_depth_pictures() -> None:
    """A point that is seen is no farther than its pixel shows; one that is not lies behind that."""
    pytest.importorskip("mujoco")
    scene, size = generate(PRESETS["paper"].knobs, 7, "paper-01"), (320, 240)
    space, same = Space(scene), Counter[bool]()
    points = np.concatenate(list(space.rooms.values()))
    with Canvas(build(scene), size=size) as canvas:
        walker = Walker(canvas, size=size)
        for _ in range(8):
            (shot,) = walker.step(Move(turn=45, walk=0.4))[1]
            camera, depth = shot.view.camera, shot.images.depth
            axes = frame(camera)
            own = (points - axes.at) @ np.stack([axes.right, axes.down, axes.ahead], 1)
            ahead = own[:, 2] > 0.05
            column, row = (
                np.floor(own[:, k] / np.where(ahead, own[:, 2], 1) * focal(camera) + size[k] / 2)
                for k in (0, 1)
            )
            inside = ahead & (column >= 0) & (column < size[0]) & (row >= 0) & (row < size[1])
            seen = space.seen(camera, points)
            assert not (seen & ~ahead).any()
            shown = depth[row[inside].astype(int), column[inside].astype(int)]
            before = own[inside, 2] <= shown + 0.05
            same.update((seen[inside] == before).tolist())
    assert same[True] > 1500
    assert same[False] < 0.01 * same.total()


# Words and replies


@cache
def walked(size: int = 60) -> Walked:
    views = (look(0, 2, 1, pi / 2, "mug-1", "cabinet-1"), *around(1, 2, 2, "stove-1"))
    return Walked(flat(), views, ask(flat(), each=3), size)


def sheet() -> RecallSheet:
    return walked().sheets[0]


def test_captions_say_where_a_picture_was_taken_as_seen_from_the_first() -> None:
    views = (look(0, 2, 1, pi / 2), look(1, 2, 2.5, pi / 2), look(2, 1, 2.5, pi), look(3, 2, 1, 0))
    assert list(Walked(flat(), views, ()).captions()) == [
        "Picture 1: x 0.00, y 0.00, looking 0",
        "Picture 2: x 1.50, y 0.00, looking 0",
        "Picture 3: x 1.50, y 1.00, looking 90",
        "Picture 4: x 0.00, y 0.00, looking -90",
    ]


@pytest.mark.parametrize("size", [60, 4])
def test_kinds_that_give_others_away_have_sheets_of_their_own(size: int) -> None:
    sheets = walked(size).sheets
    asked = [item.id for each in sheets for item in each.items]
    assert sorted(asked) == sorted(item.id for item in walked(size).asked)
    for each in sheets:
        found = {item.kind for item in each.items}
        assert found in ({"presence"}, {"count"}) or not found & {"presence", "count"}
        assert len(each.items) <= size
        assert ABSTAIN not in each.words()  # nothing tells what was shown
        assert f'answer "{NOT_SHOWN}"' in each.words()
    assert len({each.id for each in sheets}) == len(sheets)


@pytest.mark.parametrize(
    "said",
    [NOT_SHOWN, "Not shown.", "not-shown", '"not shown"', "non-answerable", "NOT SHOWN",
     "not shown in the pictures", "It was not shown"],
)  # fmt: skip
def test_what_says_that_it_was_not_shown_abstains(said: str) -> None:
    answers = sheet().read(reply([said] * len(sheet().items)))
    assert {each.lower() for each in answers} == {ABSTAIN}


@pytest.mark.parametrize(
    ("said", "first"),
    [
        ({"answers": [{"question": n, "answer": f"a{n}"} for n in (3, 2, 1)]}, ["a1", "a2", "a3"]),
        ({"answers": ["x", "y"]}, ["x", "y", ""]),
        ({"answers": [{"question": "Q2.", "answer": "z"}]}, ["", "z", ""]),
        ({"answers": 5}, ["", "", ""]),
        ({"answers": [[]]}, ["", "", ""]),
        ("I do not know", ["", "", ""]),
    ],
)
def test_answers_are_read_by_their_number(said: Any, first: list[str]) -> None:
    answers = sheet().read(said if isinstance(said, str) else json.dumps(said))
    assert answers[:3] == first
    assert set(answers[3:]) == {""}


# Answerers and rows


@cache
def two() -> Recall:
    """Return the quiz on two flats whose things look otherwise."""
    other = flat(thing("globe-1", room="hall-1"))
    paints = [each.paint for each in other.things]
    things = tuple(
        replace(each, paint=paint)
        for each, paint in zip(other.things, (*paints[5:], *paints[:5]), strict=True)
    )
    return recall(flat(), replace(other, id="other", things=things))


def told(quiz: Recall, name: str, error: float = 0.2) -> dict[str, Any]:
    return scored(quiz, answered(quiz, baseline(name, quiz, error)))


@pytest.mark.parametrize("name", NAMES)
def test_ceilings_are_right_on_everything_and_who_sees_nothing_claims_everything(name: str) -> None:
    found = told(two(), name)
    counts = found["counts"]
    assert counts["unclear"] > 0
    assert counts["questions"] + counts["unclear"] == found["of_quiz"]["questions"]
    if name in ("oracle", "reader"):
        assert found["eus"] == found["accuracy_answerable"] == 1.0
        assert (found["overclaim"], found["known"]) == (0.0, found["coverage"])
    elif name in ("prior", "blind", "random"):
        assert (found["overclaim"], found["known"] < found["coverage"]) == (1.0, True)


def test_the_noisy_one_is_wrong_as_often_as_told() -> None:
    assert told(two(), "noisy", 0.0)["eus"] == 1.0
    assert told(two(), "noisy", 1.0)["eus"] == 0.0
    assert 0.5 < told(two(), "noisy", 0.3)["eus"] < 0.9


def test_the_reader_is_found_out_where_it_misses_a_view() -> None:
    seen = two().flats["row"]
    missed = ViewReader(Walked(seen.scene, seen.views[1:], seen.items))
    settled = [each.question for each in seen.asked if seen.standings[each.id] is ANSWERABLE]
    assert any(missed.answer(each.text, each.choices) != each.answer for each in settled)


def test_the_whole_quiz_is_the_same_for_any_walk() -> None:
    short, long = recall(flat(), views=WALK[:1]), recall(flat())
    assert short.flats["row"].items == long.flats["row"].items
    first, last = (told(each, "oracle")["of_quiz"] for each in (short, long))
    assert first["questions"] == last["questions"]
    assert first["coverage"] < last["coverage"]


@pytest.mark.parametrize(
    ("says", "score", "status"),
    [(ABSTAIN, 1.0, AnswerStatus.ABSTAINED), ("white", 0.0, AnswerStatus.ANSWERED)],
)
def test_claiming_what_was_not_shown_is_wrong_and_what_is_unclear_is_no_row(
    says: str, score: float, status: AnswerStatus
) -> None:
    views = (look(0, 2, 2, NORTH, "kettle-1", sighting("stool-1", 90)),)
    names = ("kettle", "stool", "shoe-rack")
    kettle, stool, rack = (quiz()[f"colour/row/{name}-1"] for name in names)
    made = recall(flat(), views=views, items=(kettle, stool, rack))
    shown, hidden = answered(made, lambda _, item: "black" if item is kettle else says)
    assert (shown.score, shown.shown, shown.step) == (1.0, True, 1)
    assert (hidden.item, hidden.shown) == (rack.id, False)  # white is true, and was not shown
    assert (hidden.score, hidden.status) == (score, status)


def test_a_reply_to_a_sheet_becomes_its_rows_and_a_lost_sheet_its_failures(tmp_path: Path) -> None:
    run = begun(two())
    kept = run.kept(tmp_path, silent)
    lost, *rest = run.sheets
    used = {"calls": 1, "input": 2, "cached": 0, "output": 3, "cost": 0.5, "unknown": 0}
    for id in rest:
        assert kept.find({"sheet": id}) is None
        kept.keep({"sheet": id, "reply": reply(["red"]), "usage": used})
        assert kept.find({"sheet": id})
    kept.lose({"sheet": lost}, ValueError("HTTP 500"))
    for key in list(kept.losses):
        kept.fail(key)
    again = run.kept(tmp_path, silent)
    assert again.lines == kept.lines
    assert len(again.failed()) == len(run.sheets[lost][1].items)
    lines = list(again.lines.values())
    assert sum(1 for each in lines if each["usage"]) == len(rest)
    assert sum("said" in each["measures"] for each in lines) == len(rest)
    assert set(again.lines) == set(run.units)
    assert about_item(run.units[0]).keys() == {"world", "type", "item"}


def test_a_run_that_was_killed_anywhere_ends_with_the_rows_of_a_whole_one(tmp_path: Path) -> None:
    run = begun(two())

    def asked(folder: Path) -> Path:
        kept = run.kept(folder, silent)
        for id in run.sheets:
            if kept.find({"sheet": id}) is None:
                kept.keep({"sheet": id, "reply": reply(["red"])})
        kept.settle(run.units)
        return folder / "rows.jsonl"

    (tmp_path / "whole").mkdir()
    whole = asked(tmp_path / "whole").read_bytes()
    kept = run.kept(tmp_path, silent)
    for id in run.sheets:
        kept.keep({"sheet": id, "reply": reply(["red"])})
    journal = (tmp_path / ".rows.journal").read_bytes()
    for share in (0.0, 0.3, 0.7, 0.99):
        torn = tmp_path / f"torn-{share}"
        torn.mkdir()
        (torn / ".rows.journal").write_bytes(journal[: int(share * len(journal))])
        assert asked(torn).read_bytes() == whole
