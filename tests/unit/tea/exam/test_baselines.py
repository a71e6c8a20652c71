"""Baselines: the oracle is right, the noisy one as often as told, others by chance."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

import pytest

from worldquiz.tea.exam.baselines import NAMES, baseline
from worldquiz.tea.exam.show import choices, prompt
from worldquiz.tea.kinds.perception import RELATIONS
from worldquiz.tea.scoring.grade import grade
from worldquiz.tea.taskgraph import (
    Box2,
    Box3,
    Choice,
    Count,
    Given,
    Instance,
    Metres,
    Truth,
    Word,
)
from worldquiz_scenes.view import Camera

CAMERA = Camera("ego", (0, 0, 1), (1, 0, 0), (0, 0, 1), 60.0, 640, 480)


def task(
    type: str, number: int, truth: Truth, scene: str = "s1", given: dict[str, Given] | None = None
) -> Instance:
    view = f"{number:04d}-ego"
    return Instance(
        f"{type}/{scene}/{view}/x", type, scene, view, {"view": view}, "?", truth, given or {}
    )


def exam() -> list[Instance]:
    found = []
    for n in range(160):
        scene = f"s{n % 2}"
        found += [
            task("relation", n, Word(RELATIONS[n // 2 % 8]), scene),
            task("classification", n, Word(("mug", "sofa", "plant", "tv")[n // 2 % 4]), scene),
            task("embodied-counting", n, Count(n // 2 % 4), scene),
            task("depth", n, Metres(1 + n % 40 / 10), scene),
            task("localization", n, Box2((n, n, n + 40, n + 60)), scene),
            task("localization-3d", n, Box3((n / 100, 0, 2), (1, 1, 1)), scene),
        ]
    return found


def mean(
    name: str, tasks: Sequence[Instance], type: str | None = None, error: float = 0.2
) -> float:
    take = baseline(name, tasks, 1, error)
    return fmean(
        grade(each, take(each), choices=choices(each)).score
        for each in tasks
        if type in (None, each.type)
    )


def test_the_oracle_is_right_about_everything() -> None:
    assert mean("oracle", exam()) == 1.0
    assert mean("noisy", exam(), error=0.0) == 1.0


@pytest.mark.parametrize(("type", "chance"), [("relation", 1 / 8), ("embodied-counting", 1 / 4)])
def test_who_sees_nothing_earns_what_chance_gives(type: str, chance: float) -> None:
    assert mean("prior", exam(), type) == pytest.approx(chance)
    assert mean("random", exam(), type) == pytest.approx(chance, abs=0.08)


@pytest.mark.parametrize("error", [0.2, 0.5, 1.0])
def test_the_noisy_one_errs_as_often_as_told(error: float) -> None:
    for type in ("relation", "classification", "embodied-counting"):
        assert mean("noisy", exam(), type, error=error) == pytest.approx(1 - error, abs=0.1)
    for type in ("depth", "localization", "localization-3d"):
        assert 1 - error - 0.1 <= mean("noisy", exam(), type, error=error) < 1


def test_who_answers_a_choice_takes_what_is_offered() -> None:
    """Each task of a type may offer something else."""
    offers = [("mug", "vase"), ("sofa", "desk", "bed")]
    every = [
        task("nearer", n, Choice(offers[n % 2][n // 2 % 2], offers[n % 2]), f"s{n % 4}")
        for n in range(60)
    ]
    for name in NAMES:
        take = baseline(name, every, 1, error=0.5)
        said = [json.loads(take(each))["answer"] for each in every]
        assert all(word in choices(each) for word, each in zip(said, every, strict=True)), name
    assert mean("oracle", every) == 1
    assert mean("noisy", every, error=1.0) == 0
    assert 0.2 < mean("random", every) < 0.7
    assert 'one of: mug, vase"' in prompt(every[0], CAMERA)


def test_prompts_tell_boxes_colours_choices_and_the_lens() -> None:
    boxes: dict[str, Given] = {
        "object.box2d": Box2((1, 2, 30, 40)), "other.box2d": Box2((5, 6, 70, 80)),
    }  # fmt: skip
    words = (
        "How does the object in the box [1, 2, 30, 40] stand to the one in the box [5, 6, 70, 80]?"
    )
    asked = replace(task("relation-by-box2d", 1, Word("on"), given=boxes), command=words)
    text = prompt(asked, CAMERA)
    assert "the object in the yellow box stand to the one in the cyan box?" in text
    assert not re.search(r"\[\d", text)  # numbers of boxes would tell left from right
    assert all(relation in text for relation in RELATIONS)
    assert "60 degrees" in prompt(task("depth", 1, Metres(2)), CAMERA)
    assert "degrees" not in prompt(task("relation", 1, Word("on")), CAMERA)
    seen = prompt(task("in-view", 1, Word("yes")), CAMERA)
    assert "bent 14 degrees down; they see 75 degrees from side to side and 60 from top" in seen
    assert choices(task("in-view", 1, Word("yes"))) == ("yes", "no")
    assert choices(task("classification", 1, Word("mug"))) == ()
