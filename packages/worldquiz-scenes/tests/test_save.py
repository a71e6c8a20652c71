from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from worldquiz_scenes.errors import FileError
from worldquiz_scenes.save import credits, read_scene, write_scene
from worldquiz_scenes.scene import Scene, Shape


def changed(scene: Scene, **fields: Any) -> Scene:
    """Return a scene whose first thing has other fields."""
    return replace(scene, things=(replace(scene.things[0], **fields), *scene.things[1:]))


def test_what_was_written_is_read(tiny: Scene, tmp_path: Path) -> None:
    write_scene(tmp_path / "one", tiny)
    assert read_scene(tmp_path / "one") == tiny
    assert read_scene(tmp_path / "one" / "scene.json") == tiny
    assert sorted(path.name for path in (tmp_path / "one").iterdir()) == [
        "CREDITS.md",
        "scene.json",
    ]


def test_equal_scenes_give_equal_bytes(tiny: Scene, tmp_path: Path) -> None:
    write_scene(tmp_path / "a", tiny)
    write_scene(tmp_path / "b", read_scene(tmp_path / "a"))
    for name in ("scene.json", "CREDITS.md"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_credits_count_things_by_maker(tiny: Scene) -> None:
    told = credits(changed(tiny, credit="Ann, CC-BY-3.0"))
    assert "## Ann, CC-BY-3.0\n\n1 things: " in told
    assert "## worldquiz, CC0-1.0" in told
    assert "unknown maker" in credits(changed(tiny, credit=""))


def broken_thing(**fields: Any) -> Any:
    return lambda scene: changed(scene, **fields)


def _twice(scene: Scene) -> Scene:
    return replace(scene, things=(scene.things[0], *scene.things))


def _circle(scene: Scene) -> Scene:
    one, two, *rest = scene.things
    return replace(
        scene, things=(replace(one, support=two.id), replace(two, support=one.id), *rest)
    )


def _part(scene: Scene, **fields: Any) -> Scene:
    thing = scene.things[0]
    return changed(scene, parts=(replace(thing.parts[0], **fields), *thing.parts[1:]))


def _outside(scene: Scene) -> Scene:
    return _part(scene, shape=Shape.MESH, mesh="../up.npz", size=(0.1, 0.1, 0.1))


def _empty(scene: Scene) -> Scene:
    return replace(scene, rooms=(), doors=(), things=())


def _walled(scene: Scene) -> Scene:
    return replace(
        scene, rooms=(replace(scene.rooms[0], high=scene.rooms[0].low), *scene.rooms[1:])
    )


CASES: dict[str, tuple[Any, str]] = {
    "no number": (broken_thing(position=(math.nan, 0.0, 0.0)), "position: 0: nan is not a finite"),
    "infinite": (broken_thing(half=(0.1, math.inf, 0.1)), "half: 1: inf is not a finite number"),
    "flat": (broken_thing(half=(0.1, 0.0, 0.1)), r"half lengths \(0.1, 0.0, 0.1\) must be above 0"),
    "no parts": (broken_thing(parts=()), "has no parts"),
    "no turn": (broken_thing(rotation=(0.0, 0.0, 0.0, 0.0)), "is not a unit quaternion"),
    "lost": (broken_thing(support="tabel-9"), "stands on 'tabel-9', which is neither a thing"),
    "homeless": (broken_thing(room="attic-1"), "no room 'attic-1'"),
    "twice": (_twice, "two things have this id"),
    "circle": (_circle, "its supports form a circle"),
    "flat part": (lambda scene: _part(scene, size=(0.0, 0.1, 0.1)), "part 0: size"),
    "elsewhere": (lambda scene: replace(scene, id="../../up"), "scene: the name '../../up' cannot"),
    "outside": (_outside, "part 0: mesh: the name '../up.npz' cannot"),
    "unordered": (lambda scene: replace(scene, things=scene.things[::-1]), "not in the order"),
    "no floor": (_empty, "has no room, so no floor"),
    "no area": (_walled, "is not below high"),
}  # fmt: skip


@pytest.mark.parametrize("case", sorted(CASES))
def test_what_cannot_be_built_is_neither_written_nor_read(
    tiny: Scene, tmp_path: Path, case: str
) -> None:
    breaks, said = CASES[case]
    bad = breaks(tiny)
    with pytest.raises(FileError, match=said) as caught:
        write_scene(tmp_path, bad)
    assert str(tmp_path / "scene.json") in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def _edited(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            '"schema": "worldquiz/scene"',
            '"schema": "worldquiz/quiz"',
            "holds worldquiz/quiz, not",
        ),
        ('"version": 1', '"version": 99', "schema version 99"),
        ('"style":', '"styl":', "scene.style: is missing"),
        ('"shape":"', '"shape":"blob', "scene.things.0.parts.0.shape"),
        ('"half":[', '"half":[NaN,', "scene.things.0.half"),
        ("}\n", "\n", "cut short or damaged"),
    ],
)
def test_a_damaged_file_is_told_by_name_and_place(
    tiny: Scene, tmp_path: Path, old: str, new: str, said: str
) -> None:
    write_scene(tmp_path, tiny)
    file = tmp_path / "scene.json"
    if old == "}\n":
        file.write_text(file.read_text()[:-2])
    else:
        _edited(file, old, new)
    with pytest.raises(FileError, match=said) as caught:
        read_scene(tmp_path)
    assert str(file) in str(caught.value)


def test_no_file_and_no_scene(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no such file"):
        read_scene(tmp_path)
    (tmp_path / "scene.json").write_text("[1]")
    with pytest.raises(FileError, match="holds list, not worldquiz/scene"):
        read_scene(tmp_path)
