"""The drawing of a world: everything is there once, and steps show what they reveal."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import combinations
from pathlib import Path

import people
import synthetic
from worldquiz.page.html import Drawing
from worldquiz.t2q import build
from worldquiz.t2q.drawing import drawings

SVG = "{http://www.w3.org/2000/svg}"


def drawn(folder: Path, agent: str = "scout") -> Drawing:
    run = people.worlds(folder / agent, synthetic.run(agent, "reader"))
    found = drawings(run)("easy-00")
    assert found is not None
    return found


def parts(found: Drawing, kind: str) -> dict[str, set[str]]:
    """Return the parts of a kind by their words, each with its numbers."""
    return {
        "".join(each.itertext()): set(each.attrib["data-part"].split())
        for each in ET.fromstring(found.svg).iter()
        if each.attrib.get("class", "").split()[:1] == [kind]
    }


def shown(found: Drawing, kind: str) -> list[str]:
    """Return the words of the parts that some step shows."""
    seen = {str(part) for step in found.steps for part in step.shows}
    return sorted(name for name, numbers in parts(found, kind).items() if numbers & seen)


def test_what_was_revealed_is_shown(tmp_path: Path) -> None:
    assert shown(drawn(tmp_path), "room") == ["attic", "hallstart"]
    assert shown(drawn(tmp_path), "thing") == [
        "brass key",
        "iron chest closed unlocked",
        "pine table",
    ]
    assert shown(drawn(tmp_path, "idle"), "room") == ["hallstart"]


def test_steps_are_those_of_the_episodes_and_the_player_walks(tmp_path: Path) -> None:
    steps = drawn(tmp_path).steps
    assert [(each.episode, each.step) for each in steps] == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1)]
    assert steps[1].text == "> fly <b>away</b>\nI don't understand."
    (_, before), (_, after) = steps[1].at or (0, 0), steps[2].at or (0, 0)
    assert after < before  # the attic is north of the hall


def test_a_question_is_about_the_parts_that_its_world_names(tmp_path: Path) -> None:
    found = drawn(tmp_path)
    (hall,) = parts(found, "room")["hallstart"]
    assert found.about["connectivity-001"] == (int(hall),)
    assert len(found.about) == 6


def test_built_worlds_show_all_once_and_rooms_do_not_overlap(tmp_path: Path) -> None:
    suite = build("hard", worlds=2, seed=3, out=tmp_path / "suite")
    run = suite.run(agent="idle", answerer="abstainer", out=tmp_path / "run")
    draw = drawings(run.path)
    for name in suite.worlds:
        world = suite.bundle(name)
        found = draw(name)
        assert found is not None
        assert found == draw(name)
        assert len(parts(found, "door")) == len(world.spec.of_kind("door"))
        tree = ET.fromstring(found.svg)
        rooms = [each for each in tree.iter(f"{SVG}g") if each.attrib["class"].startswith("room")]
        assert len(rooms) == len(world.spec.rooms)
        boxes = [{name: float(value) for name, value in rect.attrib.items()}
                 for room in rooms for rect in room.iter(f"{SVG}rect")]  # fmt: skip
        for a, b in combinations(boxes, 2):
            assert (a["x"] + a["width"] < b["x"] or b["x"] + b["width"] < a["x"]
                    or a["y"] + a["height"] < b["y"] or b["y"] + b["height"] < a["y"])  # fmt: skip
