"""The oracle answers by itself, and finds what is wrong with a task."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from pydantic import TypeAdapter

from scenes import studio
from worldquiz.scenes import build
from worldquiz.scenes.scene import Scene
from worldquiz.tea.kinds.kinds import kinds
from worldquiz.tea.oracle.eye import FIGURE, Eye
from worldquiz.tea.oracle.judge import RULES, Judge, TaskRow

SCENE: dict[str, Any] = TypeAdapter(Scene).dump_python(studio(), mode="json")


def test_the_agents_figure_is_the_one_that_is_drawn() -> None:
    assert tuple((str(shape), at, size) for shape, at, size, _ in build.FIGURE) == FIGURE


def test_there_is_a_rule_for_every_kind_of_task() -> None:
    assert sorted(RULES) == sorted(kind.type.name for kind in kinds())


def view(name: str, x: float, y: float, *, time: float = 0.0) -> dict[str, Any]:
    """Return a view to the north from the height of an agent's eyes."""
    camera = {"name": "ego", "at": [x, y, 1.5], "forward": [0.0, 1.0, 0.0], "up": [0.0, 0.0, 1.0],
              "fovy": 60.0, "width": 640, "height": 480}  # fmt: skip
    return {"id": name, "time": time, "agent": [x, y, 1.570796], "camera": camera}


def slab(id: str, x: float, y: float, half: tuple[float, float, float]) -> dict[str, Any]:
    """Return a box at the height of the eyes."""
    plain = {"colour": "red", "pattern": "plain"}
    part = {"shape": "box", "at": [0, 0, 0], "turn": [1, 0, 0, 0], "size": list(half),
            "paint": plain}  # fmt: skip
    return {
        "id": id, "label": id.rsplit("-", 1)[0], "position": [x, y, 1.5], "rotation": [1, 0, 0, 0],
        "half": list(half), "parts": [part], "mirror": None, "paint": plain, "support": "floor",
    }  # fmt: skip


FLAT: dict[str, Any] = {
    "height": 3.0,
    "rooms": [{"name": "hall-1", "low": [0, 0], "high": [8, 8]}],
    "doors": [],
    "things": [
        slab("crate-1", 4.0, 4.0, (0.25, 0.25, 0.25)),
        slab("trunk-1", 6.0, 4.0, (0.25, 0.25, 0.25)),
        slab("crate-2", 4.0, 7.0, (0.2, 0.2, 0.2)),  # behind the first
    ],
}
VIEWS = [view("0000-ego", 4.0, 1.0)]
FOCAL = 240 / 0.5773502691896258
SIDE = 0.25 / 2.75 * FOCAL  # px from the middle to a side of the first crate's front
BOX = [round(320 - SIDE), round(240 - SIDE), round(320 + SIDE), round(240 + SIDE)]


def task(type: str, truth: Any, given: dict[str, Any], **bind: str) -> TaskRow:
    words = " ".join(str(told.get("value", "")) for told in given.values())
    plain = {"value": truth} if not isinstance(truth, dict) else truth
    return TaskRow(f"{type}/x", type, "0000-ego", f"{type} {words}", plain, given, bind)


CRATE = {"object.label": {"value": "crate"}}
GOOD = [
    task("localization", BOX, CRATE, object="crate-1"),
    task("classification", "crate", {"object.picture": {"view": "0000-ego", "box": BOX}},
         object="crate-1"),
    task("depth", 2.75, {"object.box2d": {"value": BOX}}, object="crate-1"),
    task("localization-3d", {"centre": [0, 0, 3], "size": [0.5, 0.5, 0.5]}, CRATE,
         object="crate-1"),
    task("embodied-counting", 1, {"class.label": {"value": "crate"}}, **{"class": "crate"}),
    task("embodied-counting", 0, {"class.label": {"value": "bed"}}, **{"class": "bed"}),
    task("pattern-counting", 0, {"class.label": {"value": "dotted object"}}),
    task("relation", "left of", {**CRATE, "other.label": {"value": "trunk"}}, object="crate-1",
         other="trunk-1"),
    task("navigation", {"thing": "trunk-1", "within": 1.0}, {"object.label": {"value": "trunk"}},
         object="trunk-1"),
]  # fmt: skip


@pytest.mark.parametrize("good", GOOD, ids=lambda good: good.type)
def test_a_true_answer_agrees(good: TaskRow) -> None:
    assert Judge(FLAT, VIEWS).judged(good) is None


@pytest.mark.parametrize(
    ("number", "truth", "reason"),
    [
        (0, {"value": [BOX[0] - 4, *BOX[1:]]}, "a side of the box"),
        (1, {"value": "trunk"}, "the label is crate, stored is trunk"),
        (2, {"value": 3.0}, "the depth is 2.75"),
        (3, {"centre": [0, 0, 3.01], "size": [0.5, 0.5, 0.5]}, "the middle is 3.000"),
        (3, {"centre": [0, 0, 3], "size": [0.5, 0.5, 0.4]}, "the length is 0.5"),
        (4, {"value": 2}, "the count is 1 to 1, stored is 2"),
        (5, {"value": 1}, "the count is 0 to 0, stored is 1"),
        (7, {"value": "right of"}, "crate-1 to trunk-1 is left of"),
        (8, {"thing": "crate-1", "within": 1.0}, "the goal is trunk-1"),
    ],
)
def test_a_false_answer_is_found(number: int, truth: dict[str, Any], reason: str) -> None:
    found = Judge(FLAT, VIEWS).judged(replace(GOOD[number], truth=truth))
    assert found is not None
    assert reason in found


def dotted(id: str, x: float, half: tuple[float, float, float]) -> dict[str, Any]:
    found = slab(id, x, 4.0, half)
    found["parts"][0]["paint"] = {"colour": "red", "pattern": "dots"}
    return found


def none_dotted(*things: dict[str, Any]) -> str:
    """Return what is wrong with counting no dotted thing among a crate and others."""
    flat = {**FLAT, "things": [FLAT["things"][0], *things]}
    return str(Judge(flat, VIEWS).judged(next(each for each in GOOD if "pattern" in each.type)))


def test_a_pattern_on_a_part_of_a_thing_is_no_plain_count() -> None:
    trunk = dotted("trunk-1", 5.0, (0.25, 0.25, 0.25))
    plain = {**trunk["parts"][0], "paint": {"colour": "red", "pattern": "plain"}}
    cover = {**plain, "size": [0.3, 0.3, 0.05], "at": [0, 0, 0.28]}
    assert "the count is 1 to 1, stored is 0" in none_dotted(trunk)
    trunk["parts"] += [cover, {**cover, "at": [0, 0, 0.1]}, {**cover, "at": [0, 0, -0.1]}]
    assert "trunk-1 looks as if it had dots, or has them on a part" in none_dotted(trunk)


def test_a_pattern_that_can_hardly_be_told_is_not_counted() -> None:
    spine = dotted("book-1", 5.0, (0.03, 0.02, 0.25))  # some 10 px wide
    assert "the dots of book-1 can hardly be told" in none_dotted(spine)


def test_what_looks_like_a_pattern_forbids_to_count_it() -> None:
    flat = {**FLAT, "things": [{**slab("radiator-1", 4.0, 4.0, (0.25, 0.25, 0.25))}]}
    stripes = task("pattern-counting", 0, {"class.label": {"value": "striped object"}})
    assert "radiator-1 looks as if it had stripes" in str(Judge(flat, VIEWS).judged(stripes))


def test_what_means_another_thing_is_found() -> None:
    other = replace(GOOD[0], bind={"object": "crate-2"})
    assert "is crate-1, not crate-2" in str(Judge(FLAT, VIEWS).judged(other))


def test_a_label_that_means_two_things_is_found() -> None:
    beside = {**FLAT, "things": [*FLAT["things"], slab("crate-3", 5.0, 4.0, (0.2, 0.2, 0.2))]}
    assert "2 things are meant" in str(Judge(beside, VIEWS).judged(GOOD[0]))
    lone = task("navigation", {"thing": "crate-1", "within": 1.0}, CRATE, object="crate-1")
    assert "2 things are meant" in str(Judge(FLAT, VIEWS).judged(lone))


def test_a_picture_that_may_be_of_a_twin_is_found() -> None:
    given = {"object.picture": {"view": "0000-ego", "box": BOX}}
    twin = task("depth-by-picture", 2.75, given, object="crate-1")
    assert "may be one of crate-2" in str(Judge(FLAT, VIEWS).judged(twin))


def test_a_box_around_something_else_is_found() -> None:
    given = {"object.box2d": {"value": [0, 0, 60, 60]}}
    none = task("depth", 2.75, given, object="crate-1")
    assert "around none" in str(Judge(FLAT, VIEWS).judged(none))


def test_a_box_that_something_else_fills_is_found() -> None:
    rail = {**slab("frame-1", 4.0, 4.0, (0.25, 0.25, 0.25)), "parts": [
        {"shape": "box", "at": [x, 0, z], "turn": [1, 0, 0, 0], "size": [wide, 0.25, high]}
        for x, z, wide, high in ((0, 0.24, 0.25, 0.01), (0, -0.24, 0.25, 0.01),
                                 (0.24, 0, 0.01, 0.25), (-0.24, 0, 0.01, 0.25))
    ]}  # fmt: skip
    board = slab("board-1", 4.0, 5.0, (2.0, 0.1, 1.0))
    given = {"object.box2d": {"value": BOX}}
    framed = task("depth", 2.75, given, object="frame-1")
    open_ = {**FLAT, "things": [rail, board]}
    assert "but something fills more" in str(Judge(open_, VIEWS).judged(framed))
    lone = replace(framed, truth={"value": 2.85})
    assert Judge({**FLAT, "things": [rail]}, VIEWS).judged(lone) is None


def test_a_command_that_does_not_say_what_is_given_is_found() -> None:
    assert "does not say" in str(Judge(FLAT, VIEWS).judged(replace(GOOD[0], command="Where?")))


def test_a_goal_that_nobody_reaches_is_found() -> None:
    walls = [slab(f"wall-{n}", x, y, half) for n, (x, y, half) in enumerate([
        (6.0, 2.5, (2.0, 0.1, 0.9)), (6.0, 5.5, (2.0, 0.1, 0.9)), (4.6, 4.0, (0.1, 1.6, 0.9)),
    ])]  # fmt: skip
    shut = {**FLAT, "things": [*FLAT["things"], *walls]}
    assert "nobody comes" in str(Judge(shut, VIEWS).judged(GOOD[-1]))


def test_a_mirror_shows_what_is_behind_the_camera() -> None:
    glass = {**slab("mirror-1", 4.0, 3.0, (0.5, 0.02, 0.5)), "mirror": [0.45, 0.45]}
    behind = slab("vase-1", 3.0, 0.3, (0.25, 0.001, 0.25))
    eye = Eye(Judge({**FLAT, "things": [glass, behind]}, VIEWS).stage, view("0000-ego", 5.0, 1.0))
    assert eye.mask("vase-1").pixels == 0
    far = 2 * (3.0 - 0.021) - 1.0 - 0.3  # to the glass, and from there to the vase's front
    expected = (0.5 * FOCAL / far) ** 2
    assert eye.mirrored("vase-1")[0].pixels == pytest.approx(expected, rel=0.1)
    counted = task("mirror-counting", 1, {"class.label": {"value": "vase"}})
    turned = [{**view("0000-ego", 5.0, 1.0)}]
    assert Judge({**FLAT, "things": [glass, behind]}, turned).judged(counted) is None
    none = replace(counted, truth={"value": 0})
    assert "stored is 0" in str(Judge({**FLAT, "things": [glass, behind]}, turned).judged(none))


def test_a_sliver_in_a_mirror_is_no_plain_count() -> None:
    """The vase is seen in the glass around x = 4.15 m, some 0.21 m wide."""
    counted = task("mirror-counting", 1, {"class.label": {"value": "vase"}})
    behind = slab("vase-1", 3.0, 0.3, (0.25, 0.001, 0.25))
    for wide, wrong in ((0.45, "None"), (0.13, "neither clear nor hidden"), (0.03, "is 0 to 0")):
        glass = {**slab("mirror-1", 4.0, 3.0, (0.5, 0.02, 0.5)), "mirror": [wide, 0.45]}
        flat = {**FLAT, "things": [glass, behind]}
        found = Judge(flat, [view("0000-ego", 5.0, 1.0)]).judged(counted)
        assert wrong in str(found)


PERSON = {**view("0000-ego", 4.5, 3.0), "room": "hall-1"}
AHEAD, ASIDE = slab("crate-1", 4.9, 6.5, (0.25,) * 3), slab("crate-1", 7.0, 3.2, (0.25,) * 3)
BEHIND = slab("crate-1", 5.6, 1.4, (0.1,) * 3)
BOARD = slab("board-1", 4.575, 5.0, (0.375, 0.05, 1.5))
"""Between the person and what is ahead of them; the other camera looks past it."""
GLASS = {**slab("mirror-1", 6.0, 3.0, (0.02, 1.0, 1.0)), "rotation": [0.7071068, 0, 0, -0.7071068],
         "half": [1.0, 0.02, 1.0], "mirror": [0.9, 0.9]}  # fmt: skip


def seen(answer: str, *things: dict[str, Any], x: float = 6.0) -> str:
    """Return what is wrong with an answer on whether a person who looks north sees a crate.

    The camera that watches is at (x, 0.2) and looks north, too.
    """
    watch = {**view("0001-watch-hall-1-1", x, 0.2), "agent": PERSON["agent"], "room": "hall-1"}
    watch["camera"] = {**watch["camera"], "name": "watch-hall-1-1"}
    flat = {**FLAT, "things": [{**each, "room": "hall-1"} for each in things]}
    asked = task("in-view", answer, CRATE, object="crate-1")
    return str(Judge(flat, [watch, PERSON]).judged(replace(asked, view=watch["id"])))


@pytest.mark.parametrize(
    ("answer", "things", "wrong"),
    [
        ("yes", [AHEAD], "None"),
        ("no", [AHEAD], "px of crate-1 ahead"),
        ("no", [AHEAD, BOARD], "None"),
        ("yes", [AHEAD, BOARD], "the person sees 0 px"),
        ("no", [ASIDE], "px of crate-1 at their side"),
        ("no", [BEHIND], "None"),
        ("yes", [slab("crate-1", 6.3, 6.0, (0.25,) * 3)], "degrees off the axis"),
        ("no", [BEHIND, slab("crate-2", 1.5, 3.2, (0.3,) * 3)], "may see crate-2 as well"),
    ],
)
def test_what_a_person_sees_is_found_by_rays(
    answer: str, things: list[dict[str, Any]], wrong: str
) -> None:
    assert wrong in seen(answer, *things)


def test_what_a_mirror_at_their_side_shows_a_person_is_seen() -> None:
    """The glass is east of the person and looks west; the crate is behind their left shoulder."""
    crate = slab("crate-1", 3.5, 2.6, (0.1,) * 3)
    assert seen("no", crate, x=4.2) == "None"
    assert "crate-1 in mirror-1" in seen("no", crate, GLASS, x=4.2)
