"""Evolution of written tasks: what each way gives, and what it must not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from views import scene, thing
from worldquiz.tea.taskgraph import Box2, Crop, Goal, Instance
from worldquiz.tea.written.evolution import grown
from worldquiz.tea.written.parts import TYPE
from worldquiz_scenes.scene import Scene, Thing


def sort(each: Thing, category: str) -> Thing:
    return replace(each, category=category)


FLAT = scene(
    sort(thing("mug-1"), "tableware"),
    sort(thing("plate-1"), "tableware"),
    sort(thing("sofa-1"), "furniture"),
    sort(thing("book-1"), "reading"),
    sort(thing("book-2"), "reading"),
)


def task(number: int, text: str, object: str, view: str = "0001-ego", other: str = "") -> Instance:
    bind = {"view": view, "agent": "agent", "object": object} | ({"other": other} if other else {})
    given = {"object.box2d": Box2((number, 0, number + 9, 9))}
    return Instance(f"command/flat-0/first/{number:04d}-1", TYPE, "flat-0", view, bind, text,
                    Goal(object, 1.0), given, "first")  # fmt: skip


def grow(*tasks: Instance, flat: Scene = FLAT) -> dict[str, Instance]:
    """Return all that tasks grow into, with ballast that grows into nothing."""
    ballast = [task(n, "Please be quiet now.", "book-1", f"{n:04d}-ego") for n in range(90, 99)]
    return {each.id.split("first/")[1]: each for each in grown(flat, [*tasks, *ballast])}


def test_who_does_something_with_a_thing_goes_to_it() -> None:
    found = grow(task(1, "Wash the mug.", "mug-1"), task(2, "Dust the mug.", "mug-1"))
    assert found["0001-1/reuse"].command == "Go to the mug."
    assert found["0001-1/reuse"].type == "navigation"
    assert "0002-1/reuse" not in found


def test_a_label_gives_way_to_another_tasks_picture() -> None:
    here = task(1, "Wash the MUG in the sink.", "mug-1")
    there = task(2, "Look at it well.", "mug-1", "0002-ego")
    found = grow(here, there)["0001-1/picture"]
    assert found.command == "Wash the object in picture 2 in the sink."
    assert found.given == {"object.picture": Crop("0002-ego", (2, 0, 11, 9))}
    assert not any(id.endswith("picture") for id in grow(here))


def test_things_of_one_sort_are_exchanged() -> None:
    found = grow(
        task(1, "A mug is wanted on the sofa.", "mug-1", other="sofa-1"),
        task(2, "Polish the plate.", "plate-1", "0002-ego"),
    )
    new = found["0001-1/exchange"]
    assert new.command == "The plate is wanted on the sofa."
    assert new.bind == {"view": "0002-ego", "agent": "agent", "object": "plate-1",
                        "other": "sofa-1"}  # fmt: skip
    assert new.truth == Goal("plate-1", 1.0)
    assert found["0002-1/exchange"].command == "Polish the mug."


def test_what_is_there_already_grows_from_nothing() -> None:
    found = grow(task(1, "Go to the mug.", "mug-1"))
    assert "0001-1/reuse" not in found


def test_no_more_grow_than_there_are_and_the_seed_draws_them() -> None:
    tasks = [
        task(n, "Wash the mug.", "mug-1", f"{n:04d}-ego") if n % 2
        else task(n, "Polish the plate.", "plate-1", f"{n:04d}-ego")
        for n in range(4)
    ]  # fmt: skip
    drawn = grown(FLAT, tasks, seed=1)
    assert 0 < len(drawn) <= len(tasks)
    assert drawn == grown(FLAT, tasks, seed=1)
    assert len({each.id for each in drawn}) == len(drawn)


def test_only_written_tasks_grow() -> None:
    with pytest.raises(ValueError, match="written"):
        grown(FLAT, [replace(task(1, "Wash the mug.", "mug-1"), type="depth")])
