"""What is asked of a moment, what is not, and which new tasks old ones give."""

from __future__ import annotations

from dataclasses import replace
from math import cos, pi, radians, sin
from random import Random

import pytest

from views import OAK, RED, STRIPED, scene, sighting, thing, view
from worldquiz.tea import KINDS, evolve, forms, harvest
from worldquiz.tea.kinds.kinds import Count, Instance, Word
from worldquiz_scenes.build import build
from worldquiz_scenes.furniture import STOCK
from worldquiz_scenes.paints import STYLES, Draw
from worldquiz_scenes.render import Caster
from worldquiz_scenes.scene import UNKNOWN, Scene, Thing
from worldquiz_scenes.view import BODY, Reflection, Sighting, View


def asked(flat: Scene, views: list[View], kind: str) -> list[Instance]:
    only = [each for each in KINDS if each.type.name == kind]
    assert only, kind
    return list(harvest(flat, views, only))


def counts(flat: Scene, seen: View, kind: str) -> dict[str, object]:
    return {task.bind["class"]: task.truth for task in asked(flat, [seen], f"{kind}-counting")}


def watching(*ids: str) -> View:
    """Return what a room's camera sees: the agent, and some things."""
    return view(sighting(BODY), *map(sighting, ids), camera="watch-kitchen-1")


# Objects


def test_a_clear_object_is_classified_by_a_picture_of_its_own() -> None:
    (task,) = asked(scene(thing("mug-1")), [view(sighting("mug-1"))], "classification")
    assert task.id == "classification/flat-0/0000-ego/mug-1"
    assert task.command == "What is the object in the middle of picture 1? Answer with its name."
    (picture,) = task.given.values()
    assert (picture.view, picture.box) == ("0000-ego", (100, 100, 150, 150))  # type: ignore[union-attr]
    assert task.truth == Word("mug")


@pytest.mark.parametrize(
    "seen",
    [
        sighting("mug-1", pixels=300),  # too small
        sighting("mug-1", visible=0.4),  # covered
        sighting("mug-1", box=(0, 0, 100, 100)),  # most of its box is something else
    ],
)
def test_what_is_not_plain_is_not_classified(seen: Sighting) -> None:
    assert asked(scene(thing("mug-1")), [view(seen)], "classification") == []


def test_an_object_is_localized_if_it_is_the_only_one_of_its_label() -> None:
    flat = scene(thing("mug-1"), thing("mug-2"), thing("vase-1"))
    seen = view(sighting("mug-1"), sighting("vase-1", box=(1, 2, 60, 70)))
    tasks = asked(flat, [seen], "localization")
    assert [task.truth.value for task in tasks] == [(100, 100, 150, 150), (1, 2, 60, 70)]  # type: ignore[union-attr]
    assert tasks[0].command.startswith("Where is the mug?")
    both = view(sighting("mug-1"), sighting("mug-2", visible=0.1), sighting("vase-1"))
    assert [task.bind["object"] for task in asked(flat, [both], "localization")] == ["vase-1"]


def test_what_has_no_label_is_told_of_by_boxes_alone() -> None:
    odd = replace(thing("unknown-blorb-1", at=(3.0, 2.0, 0.5)), category=UNKNOWN)
    flat = scene(*(thing(f"{label}-1", at=(3.0, 1.0, 0.5)) for label in ("bed", "cup")), odd)
    boxes = {"bed-1": 0, "cup-1": 200, odd.id: 400}
    seen = [sighting(id, box=(at, 0, at + 60, 60)) for id, at in boxes.items()]
    moment = [view(*seen), view(sighting(BODY), *seen, camera="watch-kitchen-1")]
    made = harvest(flat, moment, KINDS)
    every = (*made, *evolve(flat, moment, KINDS, made))
    assert {task.type for task in every if odd.id in task.bind.values()} == {"depth"}
    assert not any("blorb" in str(task) for task in every if task.type != "depth")
    named = {task.type for task in every if "bed-1" in task.bind.values()}
    assert named >= {"classification", "localization", "navigation", "depth-by-label"}


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


def test_navigation_goes_to_the_only_one_of_a_label_that_is_away() -> None:
    flat = scene(
        thing("mug-1"), thing("mug-2"), thing("vase-1"), thing("bed-1", (6.0, 3.0, 0.3)),
        thing("stool-1", (0.5, 0.5, 0.3)), thing("rug-1", (3.0, 4.0, 0.0), paint=RED),
    )  # fmt: skip
    tasks = asked(flat, [view()], "navigation")
    assert [task.bind["object"] for task in tasks] == ["bed-1", "rug-1", "vase-1"]
    assert tasks[0].command == "Go to the bed."


def test_later_views_change_nothing_of_what_was_there() -> None:
    flat = scene(thing("mug-1"), thing("vase-1", (1.0, 2.0, 0.5)))
    first = view(sighting("mug-1"), sighting("vase-1"))
    second = view(sighting("mug-1"), time=1.0)
    one, both = (harvest(flat, some, KINDS) for some in ([first], [second, first]))
    assert both[: len(one)] == one
    assert len({task.id for task in both}) == len(both)


# Counts


def test_objects_are_counted_where_each_is_clear_or_hidden() -> None:
    flat = scene(thing("mug-1"), thing("mug-2"), thing("vase-1"))
    both = view(sighting("mug-1"), sighting("mug-2"))
    assert counts(flat, both, "embodied") == {"mug": Count(2), "vase": Count(0)}
    vague = view(sighting("mug-1"), sighting("mug-2", visible=0.3))
    assert counts(flat, vague, "embodied") == {"vase": Count(0)}
    many = [f"mug-{number}" for number in range(1, 8)]
    crowd, seen = scene(*map(thing, many)), [sighting(each) for each in many]
    assert counts(crowd, view(*seen[:6]), "embodied") == {"mug": Count(6)}
    assert counts(crowd, view(*seen), "embodied") == {}


GLASS = thing("mirror-1", (0.0, 4.9, 1.5), (0.4, 0.02, 0.6), mirror=(0.4, 0.6))
"""A mirror on the north wall, which looks south."""


def in_mirror(visible: float, pixels: int = 900, wide: int = 60) -> Reflection:
    return Reflection("mug-1", "mirror-1", pixels, visible, (10, 10, 10 + wide, 90))


def test_mirrors_are_counted_apart_from_the_room() -> None:
    flat = scene(GLASS, thing("mug-1"), thing("vase-1"))
    seen = (sighting("mirror-1", 9000), sighting("vase-1"))
    mirrored = view(*seen, reflections=(in_mirror(1.0),))
    assert counts(flat, mirrored, "mirror") == {"mug": Count(1), "vase": Count(0)}
    assert counts(flat, view(sighting("vase-1")), "mirror") == {}  # no mirror in sight


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
    seen = view(sighting("mirror-1", 9000), reflections=(mirrored,))
    assert counts(scene(GLASS, thing("mug-1")), seen, "mirror").get("mug") == count


@pytest.mark.parametrize(
    ("box", "pixels", "count"),
    [
        ((0, 0, 40, 40), 1500, 2),
        ((0, 0, 15, 100), 1500, None),  # the spine of a book
        ((0, 0, 40, 40), 900, None),
        ((0, 0, 40, 40), 30, 1),
    ],
)
def test_a_pattern_is_plain_on_a_square_of_32_pixels(
    box: tuple[int, int, int, int], pixels: int, count: int | None
) -> None:
    flat = scene(*(thing(f"towel-{number}", paint=STRIPED) for number in (1, 2)))
    seen = view(sighting("towel-1", pixels, box=box), sighting("towel-2"))
    found = {} if count is None else {"striped object": Count(count)}
    assert counts(flat, seen, "pattern") == found


@pytest.mark.parametrize("kind", ["blanket", "folded towel", "pillow", "ball", "backpack"])
def test_patterned_cloth_and_balls_wear_their_pattern(kind: str) -> None:
    """All of the cloth has it, so that people and questions agree on what is striped."""
    draws = (Draw(Random(seed), STYLES["lively"]) for seed in range(40))
    models = [model for model in map(STOCK[kind].make, draws) if model.paint.rgb2]
    assert models
    for model in models:
        drawn = replace(thing("a-1"), parts=model.parts, half=model.half, paint=model.paint)
        assert [*counts(scene(drawn), view(sighting("a-1")), "pattern").values()] == [Count(1)]


# What a person sees


def aside(degrees: float, id: str = "mug-1", *, room: str = "kitchen-1") -> Thing:
    """Return a small thing 2 m from the eyes, so many degrees to the right of the heading north."""
    off = radians(degrees)
    return thing(id, (2 * sin(off), 2 * cos(off), 1.5), (0.02, 0.02, 0.02), room=room)


def sees(
    *things: Thing,
    shown: tuple[str, ...] = (),
    mirrored: tuple[str, ...] = (),
    kind: str = "person-view",
) -> str | None:
    """Return what is asked of whether a person at the origin, who looks north, sees the mug.

    Yes and no are asked equally often, so beside the mug stands something of the other answer.
    """
    glass = tuple(Reflection(id, "mirror-1", 60, 1.0, (0, 0, 9, 9)) for id in mirrored)
    for answer, other in (("yes", aside(170, "vase-1")), ("no", aside(0, "bowl-1"))):
        clear = shown if answer == "yes" else (*shown, "bowl-1")
        own = view(*map(sighting, clear), reflections=glass)
        tasks = asked(scene(*things, other), [own, watching("mug-1", other.id)], kind)
        assert sorted(str(task.truth.value) for task in tasks) in ([], ["no", "yes"])  # type: ignore[union-attr]
        if tasks:
            assert "a person in teal" in tasks[0].command
            return answer
    return None


@pytest.mark.parametrize("degrees", range(0, 181, 4))
def test_a_camera_shows_what_is_within_its_picture_unless_it_is_hidden(degrees: int) -> None:
    """Its picture reaches to 37.6 degrees; within 10 degrees of there nothing is asked."""
    mug, within, beyond = aside(degrees), degrees < 27.6, degrees > 48.2
    assert sees(mug, shown=("mug-1",), kind="in-view") == ("yes" if within else None)
    assert sees(mug, kind="in-view") == ("no" if within or beyond else None)
    assert sees(mug, mirrored=("mug-1",), kind="in-view") is None
    assert sees(mug, aside(70, "mug-2"), kind="in-view") == sees(mug, kind="in-view")
    assert sees(mug, aside(0, "mug-2"), shown=("mug-2",), kind="in-view") is None


@pytest.mark.parametrize(("wide", "covers"), [(0.1, False), (0.2, True)])
def test_what_is_hidden_is_hidden_from_a_step_beside_as_well(wide: float, covers: bool) -> None:
    """A board halfway between; from 0.3 m aside its edge must be 0.15 m from the middle."""
    flat = scene(aside(0), aside(20, "bowl-1"),
                 thing("board-1", (0.0, 1.0, 1.5), (wide, 0.01, 0.4)))  # fmt: skip
    views = [view(sighting("bowl-1")), watching("mug-1", "bowl-1")]
    for kind in ("in-view", "person-view"):
        (only,) = (each for each in KINDS if each.type.name == kind)
        told = harvest(flat, views, [only], eyes=Caster(build(flat)))
        assert bool(told) == covers


def test_what_a_camera_does_not_show_is_hidden_or_beside_it_before_it_is_behind() -> None:
    ahead = [aside(0, f"bowl-{label}-1") for label in "abc"]
    around = [aside(off, f"pot-{off}-1") for off in (10, 60, 90, 130, 150, 160, 170)]
    own = view(*(sighting(each.id) for each in ahead))
    every = watching(*(each.id for each in (*ahead, *around)))
    tasks = asked(scene(*ahead, *around), [own, every], "in-view")
    no = {each.bind["object"] for each in tasks if each.truth == Word("no")}
    assert len(tasks) == 6
    assert "pot-10-1" in no
    assert len(no & {"pot-60-1", "pot-90-1"}) == 1
    assert "camera at their eyes" in tasks[0].command


@pytest.mark.parametrize("degrees", range(0, 181, 4))
def test_a_thing_in_the_persons_picture_is_seen_near_its_axis_only(degrees: int) -> None:
    assert sees(aside(degrees), shown=("mug-1",)) == ("yes" if degrees <= 30 else None)


@pytest.mark.parametrize("degrees", range(0, 181, 4))
def test_a_thing_is_unseen_behind_something_or_behind_the_person(degrees: int) -> None:
    within, beyond = degrees < 37, degrees > 101  # of the camera's picture, of a person's field
    assert sees(aside(degrees)) == ("no" if within or beyond else None)


def test_what_a_mirror_shows_or_may_show_is_not_unseen() -> None:
    def glass(degrees: float, turned: float) -> Thing:
        """Return a mirror that looks along its own -y."""
        turn = (cos(turned / 2), 0.0, 0.0, sin(turned / 2))
        return replace(aside(degrees, "mirror-1"), mirror=(0.01, 0.01), rotation=turn)

    mug = aside(150)
    assert sees(mug, mirrored=("mug-1",)) is None
    for degrees, answer in ((70, None), (160, "no"), (0, "no")):
        assert sees(mug, glass(degrees, -radians(degrees))) == answer
    assert sees(mug, glass(70, pi - radians(70))) == "no"  # it looks away


def test_a_label_that_the_person_may_see_elsewhere_is_not_asked() -> None:
    mug = aside(150)
    assert sees(mug, aside(10, "mug-2"), shown=("mug-2",)) is None
    assert sees(mug, aside(70, "mug-2")) is None  # at the person's side
    assert sees(mug, aside(70, "mug-2", room="hall-1")) == "no"
    assert sees(mug, aside(170, "mug-2")) == "no"


def test_nobody_is_asked_what_a_person_sees_who_is_not_in_the_picture() -> None:
    flat = scene(aside(0), aside(170, "vase-1"))
    without = view(sighting("mug-1"), sighting("vase-1"), camera="watch-kitchen-1")
    for kind in ("in-view", "person-view"):
        assert asked(flat, [view(sighting("mug-1")), without], kind) == []


# Evolution

FLAT = scene(
    thing("mug-1", (0.0, 2.0, 0.5), paint=RED),
    thing("vase-1", (1.0, 2.0, 0.5), paint=OAK),
    thing("bed-1", (6.0, 3.0, 0.3), paint=OAK),
)
VIEWS = [
    view(sighting("mug-1"), sighting("vase-1", box=(300, 300, 350, 350))),
    view(sighting("mug-1", box=(20, 20, 70, 70)), time=1.0),
]


def grown(flat: Scene = FLAT, views: list[View] = VIEWS) -> dict[str, Instance]:
    old = harvest(flat, views, KINDS)
    new = evolve(flat, views, KINDS, old)
    assert not {each.id for each in old} & {each.id for each in new}
    return {each.id: each for each in new}


def test_each_kind_takes_every_other_way_to_tell_of_its_objects() -> None:
    """Nothing that is asked for is given."""
    every = forms(KINDS)
    assert [form.type.name for form in every if form.denotation] == [
        "classification-by-box2d", "depth-by-label", "depth-by-picture", "in-view-by-box2d",
        "in-view-by-picture", "localization-3d-by-box2d", "localization-3d-by-picture",
        "localization-by-picture", "navigation-by-picture", "person-view-by-box2d",
        "person-view-by-picture", "relation-by-box2d",
        "relation-by-picture",
    ]  # fmt: skip
    assert not any(form.type.initial.attributes & form.type.asked for form in every)


def test_localization_is_reused_as_classification_of_a_box() -> None:
    task = grown()["classification-by-box2d/flat-0/0000-ego/mug-1"]
    assert task.truth == Word("mug")
    assert task.origin == "reuse of localization"
    assert task.command == (
        "What is the object in the box [100, 100, 150, 150]? Answer with its name."
    )


def test_navigation_takes_a_picture_of_another_view() -> None:
    new = grown()
    task = new["navigation-by-picture/flat-0/0001-ego/agent/mug-1"]
    (picture,) = task.given.values()
    assert (picture.view, picture.box) == ("0000-ego", (100, 100, 150, 150))  # type: ignore[union-attr]
    assert task.command == "Go to the object in the middle of picture 2."
    assert task.origin == "recombination of navigation"
    assert "navigation-by-picture/flat-0/0000-ego/agent/vase-1" not in new  # no other view shows it


def test_a_box_that_is_mostly_something_else_is_an_answer_but_not_given() -> None:
    thin = view(sighting("mug-1", pixels=500), sighting("vase-1", box=(300, 300, 350, 350)))
    old = [each.id for each in harvest(FLAT, [thin], KINDS)]
    assert "localization/flat-0/0000-ego/mug-1" in old
    assert "relation/flat-0/0000-ego/mug-1/vase-1" in old
    assert not any("box2d" in id and "mug-1" in id for id in grown(FLAT, [thin]))


def test_a_label_is_given_only_where_it_means_one_thing() -> None:
    seen = [view(sighting("mug-1"), sighting("mug-2", box=(200, 200, 250, 250)))]
    two = scene(*FLAT.things, thing("mug-2", (0.5, 2.0, 0.5)))
    assert not any("depth-by-label" in id for id in grown(two, seen))
    assert any("depth-by-label" in id for id in grown())
