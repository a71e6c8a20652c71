"""What a contact sheet says beneath its pictures, and which tasks it shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from views import scene, sighting, thing, view
from worldquiz.tea.data import Folder
from worldquiz.tea.scoring.grade import family
from worldquiz.tea.sheet import chosen, short
from worldquiz.tea.taskgraph import Box2, Count, Instance, Truth
from worldquiz_scenes.view import View


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("What is the object in box 1? Answer with its name.", "What is the object in box 1?"),
        ("The picture shows a person. Can this person see the mug? Answer with yes or no.",
         "Can this person see the mug?"),
        ("Where is it? Answer with its box, along the axes: right, down.", "Where is it?"),
        ("Go to the mug.", "Go to the mug."),
    ],
)  # fmt: skip
def test_a_command_is_said_in_short(command: str, said: str) -> None:
    assert short(command) == said


def test_forms_of_a_type_belong_together() -> None:
    assert family("localization-3d-by-box2d") == family("localization-3d") == "localization-3d"


class Made(Folder):
    """A folder that is not on disk."""

    def __init__(self, views: tuple[View, ...], tasks: tuple[Instance, ...]) -> None:
        super().__init__(Path("nowhere"))
        self.__dict__.update(scene=scene(thing("mug-1")), views=views, tasks=tasks)


def task(type: str, about: str, truth: Truth, name: str = "object") -> Instance:
    return Instance(f"{type}/{about}", type, "flat-0", "0000-ego", {name: about}, "?", truth)


def test_every_type_is_shown_and_of_each_what_tells_most() -> None:
    small, large = Box2((0, 0, 9, 9)), Box2((0, 0, 90, 90))
    tasks = (
        task("localization", "mug-1", small),
        task("localization", "bed-1", large),
        task("localization-by-picture", "bed-1", large),
        *(task("embodied-counting", f"c{n}", Count(n), "class") for n in range(6)),
    )
    found = chosen([Made((view(sighting("mug-1")),), tasks)], 6, 0)
    assert list(found) == ["embodied-counting", "localization"]
    assert {pair[1].truth for pair in found["embodied-counting"]} <= {
        Count(n) for n in (2, 3, 4, 5)
    }
    assert [pair[1].bind["object"] for pair in found["localization"]] == ["bed-1", "mug-1", "bed-1"]


def test_no_row_is_left_half_empty() -> None:
    tasks = tuple(task("depth", f"mug-{n}", Count(2)) for n in range(20))
    folder = Made((view(),), tasks)
    assert [len(chosen([folder], most, 0)["depth"]) for most in (2, 3, 5, 7)] == [2, 3, 3, 6]
