"""What is asked of a moment, and what is not."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from views import RED, scene, sighting, thing, view
from worldquiz.tea.kinds.counting import paired
from worldquiz.tea.kinds.evolve import evolve
from worldquiz.tea.kinds.kinds import harvest, kinds
from worldquiz.tea.taskgraph import Box2, Count, Crop, Goal, Instance, Word
from worldquiz_scenes.scene import UNKNOWN, Scene
from worldquiz_scenes.view import BODY, Reflection, View


def asked(flat: Scene, views: list[View], kind: str) -> list[Instance]:
    only = [each for each in kinds() if each.type.name == kind]
    assert only, kind
    return list(harvest(flat, views, only))


def test_a_clear_object_is_classified_by_a_picture_of_its_own() -> None:
    flat = scene(thing("mug-1"))
    (task,) = asked(flat, [view(sighting("mug-1"))], "classification")
    assert task.id == "classification/flat-0/0000-ego/mug-1"
    assert task.command == "What is the object in the middle of picture 1? Answer with its name."
    assert task.given == {"object.picture": Crop("0000-ego", (100, 100, 150, 150))}
    assert task.truth == Word("mug")


@pytest.mark.parametrize(
    "seen",
    [
        sighting("mug-1", pixels=300),  # too small
        sighting("mug-1", visible=0.4),  # covered
        sighting("mug-1", box=(0, 0, 100, 100)),  # most of its box is something else
    ],
)
def test_what_is_not_plain_is_not_classified(seen: object) -> None:
    assert asked(scene(thing("mug-1")), [view(seen)], "classification") == []  # type: ignore[arg-type]


def test_an_object_is_localized_if_it_is_the_only_one_of_its_label() -> None:
    flat = scene(thing("mug-1"), thing("mug-2"), thing("vase-1"))
    seen = view(sighting("mug-1"), sighting("vase-1", box=(1, 2, 60, 70)))
    tasks = asked(flat, [seen], "localization")
    assert [task.truth for task in tasks] == [Box2((100, 100, 150, 150)), Box2((1, 2, 60, 70))]
    assert tasks[0].command.startswith("Where is the mug?")
    both = view(sighting("mug-1"), sighting("mug-2", visible=0.1), sighting("vase-1"))
    assert [task.bind["object"] for task in asked(flat, [both], "localization")] == ["vase-1"]


def test_what_has_no_label_is_told_of_by_boxes_alone() -> None:
    odd = replace(thing("unknown-blorb-1", at=(3.0, 2.0, 0.5)), category=UNKNOWN)
    flat = scene(*(thing(f"{label}-1", at=(3.0, 1.0, 0.5)) for label in ("bed", "cup")), odd)
    boxes = {"bed-1": 0, "cup-1": 200, odd.id: 400}
    seen = [sighting(id, box=(at, 0, at + 60, 60)) for id, at in boxes.items()]
    watching = view(sighting(BODY), *seen, camera="watch-kitchen-1")
    moment = [view(*seen), watching]
    made = harvest(flat, moment, kinds())
    evolved = evolve(flat, moment, kinds(), made)
    about = {task.type for task in (*made, *evolved) if odd.id in task.bind.values()}
    assert about == {"depth"}
    assert not any("blorb" in str(task) for task in (*made, *evolved) if task.type != "depth")
    named = {task.type for task in (*made, *evolved) if "bed-1" in task.bind.values()}
    assert named >= {"classification", "localization", "navigation", "depth-by-label"}


def test_objects_are_counted_where_each_is_clear_or_hidden() -> None:
    flat = scene(thing("mug-1"), thing("mug-2"), thing("vase-1"))
    tasks = asked(flat, [view(sighting("mug-1"), sighting("mug-2"))], "embodied-counting")
    assert {task.bind["class"]: task.truth for task in tasks} == {
        "mug": Count(2), "vase": Count(0),
    }  # fmt: skip
    assert "Count every mug." in tasks[0].command
    vague = view(sighting("mug-1"), sighting("mug-2", visible=0.3))
    assert asked(flat, [vague], "embodied-counting") == []  # the nought alone would be a gift


GLASS = thing("mirror-1", (0.0, 4.9, 1.5), (0.4, 0.02, 0.6), mirror=(0.4, 0.6))
"""A mirror on the north wall, which looks south."""


def in_mirror(
    visible: float, pixels: int = 900, mirror: str = "mirror-1", wide: int = 60
) -> Reflection:
    return Reflection("mug-1", mirror, pixels, visible, (10, 10, 10 + wide, 90))


def test_mirrors_are_counted_apart_from_the_room() -> None:
    flat = scene(GLASS, thing("mug-1"), thing("vase-1"))
    seen = (sighting("mirror-1", 9000), sighting("vase-1"))
    tasks = asked(flat, [view(*seen, reflections=(in_mirror(1.0),))], "mirror-counting")
    assert {task.bind["class"]: task.truth for task in tasks} == {
        "mug": Count(1), "vase": Count(0),
    }  # fmt: skip
    assert asked(flat, [view(sighting("vase-1"))], "mirror-counting") == []  # no mirror in sight


@pytest.mark.parametrize(
    ("mirrored", "count"),
    [
        (in_mirror(0.5), Count(1)),
        (in_mirror(0.3), None),  # a sliver of it, however large
        (in_mirror(1.0, wide=20), None),  # a strip, such as a screen seen from its side
        (in_mirror(1.0, pixels=300), None),
        (in_mirror(0.1, pixels=30), Count(0)),
    ],
)
def test_a_mirror_must_show_most_of_a_thing_or_nothing(
    mirrored: Reflection, count: Count | None
) -> None:
    flat = scene(GLASS, thing("mug-1"))
    seen = view(sighting("mirror-1", 9000), reflections=(mirrored,))
    found = {each.bind["class"]: each.truth for each in asked(flat, [seen], "mirror-counting")}
    assert found.get("mug") == count


def test_noughts_in_mirrors_are_kept_as_traps_only() -> None:
    """Of three views without a mug in the mirror, one is kept: one view has it there."""
    flat = scene(GLASS, thing("mug-1"), thing("vase-1"))
    shown = view(sighting("mirror-1", 9000), reflections=(in_mirror(1.0),))
    empty = [view(sighting("mirror-1", 9000), time=float(time)) for time in (1, 2, 3)]
    every = asked(flat, [shown, *empty], "mirror-counting")
    kept = paired(flat, [shown, *empty], every)
    assert Counter((task.bind["class"], task.truth) for task in kept) == {
        ("mug", Count(1)): 1, ("mug", Count(0)): 1,
    }  # fmt: skip
    other = asked(flat, [shown], "embodied-counting")
    assert paired(flat, [shown], other) == tuple(other)
    assert paired(flat, empty, asked(flat, empty, "mirror-counting")) == ()


@pytest.mark.parametrize(
    ("at", "answer"),
    [
        ((1.0, 2.0, 0.5), "right of"), ((-1.0, 2.0, 0.5), "left of"), ((0.0, 3.0, 0.5), "behind"),
        ((0.0, 1.0, 0.5), "in front of"), ((0.0, 2.0, 1.5), "above"), ((0.0, 2.0, -0.5), "below"),
        ((1.0, 3.0, 0.5), None), ((0.25, 2.0, 0.5), None),
    ],
)  # fmt: skip
def test_directions_are_the_cameras(at: tuple[float, float, float], answer: str | None) -> None:
    flat = scene(thing("vase-1"), thing("mug-1", at))
    tasks = asked(flat, [view(sighting("mug-1"), sighting("vase-1"))], "relation")
    found = {task.bind["object"]: task.truth for task in tasks}
    assert found.get("mug-1") == (Word(answer) if answer else None)


def test_a_watching_camera_asks_what_the_agent_sees() -> None:
    flat = scene(thing("mug-1", (0.0, 2.0, 1.0)), thing("vase-1", (0.0, -2.0, 0.5)))
    own = view(sighting("mug-1"))
    watch = view(sighting(BODY), sighting("mug-1"), sighting("vase-1"), camera="watch-kitchen-1")
    tasks = asked(flat, [own, watch], "in-view")
    assert {task.bind["object"]: task.truth for task in tasks} == {
        "mug-1": Word("yes"), "vase-1": Word("no"),
    }  # fmt: skip
    assert {task.view for task in tasks} == {"0000-watch-kitchen-1"}
    without = view(sighting("mug-1"), sighting("vase-1"), camera="watch-kitchen-1")
    assert asked(flat, [own, without], "in-view") == []


def test_navigation_goes_to_the_only_one_of_a_label_that_is_away() -> None:
    flat = scene(
        thing("mug-1"), thing("mug-2"), thing("vase-1"), thing("bed-1", (6.0, 3.0, 0.3)),
        thing("stool-1", (0.5, 0.5, 0.3)), thing("rug-1", (3.0, 4.0, 0.0), paint=RED),
    )  # fmt: skip
    tasks = asked(flat, [view()], "navigation")
    goals = [task.truth for task in tasks]
    assert goals == [Goal("bed-1", 1.0), Goal("rug-1", 1.0), Goal("vase-1", 1.0)]
    assert tasks[0].command == "Go to the bed."


def test_later_views_change_nothing_of_what_was_there() -> None:
    flat = scene(thing("mug-1"), thing("vase-1", (1.0, 2.0, 0.5)))
    first = view(sighting("mug-1"), sighting("vase-1"))
    second = view(sighting("mug-1"), time=1.0)
    one, both = harvest(flat, [first], kinds()), harvest(flat, [second, first], kinds())
    assert both[: len(one)] == one
    assert len({task.id for task in both}) == len(both)
