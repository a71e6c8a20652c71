"""New tasks from old ones: which types there are, and which instances are well-posed."""

from __future__ import annotations

from views import OAK, RED, scene, sighting, thing, view
from worldquiz.tea.kinds.evolve import denoted, evolve, forms
from worldquiz.tea.kinds.kinds import harvest, kinds
from worldquiz.tea.kinds.perception import CLASSIFICATION, LOCALIZATION
from worldquiz.tea.taskgraph import Box2, Crop, Instance, Word
from worldquiz_scenes.view import View

FLAT = scene(
    thing("mug-1", (0.0, 2.0, 0.5), paint=RED),
    thing("vase-1", (1.0, 2.0, 0.5), paint=OAK),
    thing("bed-1", (6.0, 3.0, 0.3), paint=OAK),
)
VIEWS = [
    view(sighting("mug-1"), sighting("vase-1", box=(300, 300, 350, 350))),
    view(sighting("mug-1", box=(20, 20, 70, 70)), time=1.0),
]


def grown(flat: object = FLAT, views: list[View] = VIEWS) -> dict[str, Instance]:
    old = harvest(flat, views, kinds())  # type: ignore[arg-type]
    new = evolve(flat, views, kinds(), old)  # type: ignore[arg-type]
    assert not {each.id for each in old} & {each.id for each in new}
    return {each.id: each for each in new}


def test_each_kind_takes_every_other_way_to_tell_of_its_objects() -> None:
    names = [form.type.name for form in forms(kinds()) if form.denotation]
    assert names == [
        "classification-by-box2d", "depth-by-label", "depth-by-picture", "in-view-by-box2d",
        "in-view-by-picture", "localization-3d-by-box2d", "localization-3d-by-picture",
        "localization-by-picture", "navigation-by-picture", "relation-by-box2d",
        "relation-by-picture",
    ]  # fmt: skip


def test_what_is_asked_for_is_never_given() -> None:
    assert denoted(LOCALIZATION.type, "box2d") is None
    assert denoted(CLASSIFICATION.type, "label") is None
    for form in forms(kinds()):
        assert not form.type.initial.attributes & form.type.asked


def test_localization_is_reused_as_classification_of_a_box() -> None:
    assert [*LOCALIZATION.type.serves(denoted(CLASSIFICATION.type, "box2d"))]  # type: ignore[arg-type]
    task = grown()["classification-by-box2d/flat-0/0000-ego/mug-1"]
    assert task.given == {"object.box2d": Box2((100, 100, 150, 150))}
    assert task.truth == Word("mug")
    assert task.command == (
        "What is the object in the box [100, 100, 150, 150]? Answer with its name."
    )


def test_navigation_takes_a_picture_of_another_view() -> None:
    new = grown()
    task = new["navigation-by-picture/flat-0/0001-ego/agent/mug-1"]
    assert task.given == {"object.picture": Crop("0000-ego", (100, 100, 150, 150))}
    assert task.command == "Go to the object in the middle of picture 2."
    assert task.origin == "recombination of navigation"
    assert "navigation-by-picture/flat-0/0000-ego/agent/vase-1" not in new  # no other view shows it


def test_a_box_that_is_mostly_something_else_is_an_answer_but_not_given() -> None:
    thin = view(sighting("mug-1", pixels=500), sighting("vase-1", box=(300, 300, 350, 350)))
    old = [each.id for each in harvest(FLAT, [thin], kinds())]
    assert "localization/flat-0/0000-ego/mug-1" in old
    assert "relation/flat-0/0000-ego/mug-1/vase-1" in old
    assert not any("box2d" in id and "mug-1" in id for id in grown(FLAT, [thin]))


def test_a_label_is_given_only_where_it_means_one_thing() -> None:
    seen = [view(sighting("mug-1"), sighting("mug-2", box=(200, 200, 250, 250)))]
    two = scene(*FLAT.things, thing("mug-2", (0.5, 2.0, 0.5)))
    assert not any("depth-by-label" in id for id in grown(two, seen))
    assert any("depth-by-label" in id for id in grown())
