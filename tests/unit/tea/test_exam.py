"""TEA-Test on tasks made by hand: how replies are graded, prompts, baselines, people."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import people
import worldquiz as wq
from recalls import (
    RELATIONS,
    Task,
    box,
    choice,
    count,
    flat,
    metres,
    several,
    solid,
    task,
    walked,
    word,
)  # fmt: skip

GRADED: list[tuple[str, Task, str, float | None]] = [
    ("classification", word("mug"), '{"answer": "A Mug"}', 1),
    ("classification", word("bookshelf"), '{"answer": "bookcase"}', 1),
    ("classification", word("toy blocks"), '{"answer": "toy block"}', 1),
    ("classification", word("armchair"), "It is a chair.", 1),
    ("classification", word("glass"), '{"answer": "glasses"}', 0),
    ("classification", word("table"), '{"answer": "dining table"}', 0),
    ("classification", word("sofa"), '{"answer": 3}', None),
    ("relation", word("on"), '{"answer": "on"}', 1),
    ("relation", word("left of"), "It is to the left.", 1),
    ("relation", word("behind"), '{"answer": "in front"}', 0),
    ("relation", word("below"), "below or behind", None),
    ("in-view-by-picture", word("yes"), "Yes.", 1),
    ("in-view-by-picture", word("no"), '{"answer": true}', 0),
    ("mirror-counting", count(0), '{"answer": "none"}', 1),
    ("mirror-counting", count(2), '{"answer": 3}', 0),
    ("mirror-counting", count(1), "2 or 3", None),
    ("depth", metres(2.0), '{"answer": "2.0 m"}', 1),
    ("depth", metres(4.0), '{"answer": 4.38}', 0.9),
    ("depth", metres(6.0), '{"answer": 8.94}', 0.1),
    ("depth", metres(8.0), '{"answer": 0}', None),
    ("localization", box(0, 0, 100, 50), "The box is [50, 0, 100, 50].", 0.5),
    ("localization", box(300, 300, 400, 400), '{"answer": [0, 0, 9, 9]}', 0),
    ("localization", box(0, 300, 90, 400), "[30, 2, 1, 40]", None),
    ("localization-3d", solid(0, 0, 2, 1, 1, 1),
     '{"answer": {"centre": [0.5, 0, 2], "size": [1, 1, 1]}}', 1 / 3),
    ("localization-3d", solid(0, 0, 4, 1, 1, 1), "middle (0, 0, 4), lengths (1, 1, 1)", 1),
    ("which", choice("left"), "On the left.", 1),
    ("which", choice("Right_1"), '{"answer": "right 1"}', 1),
]  # fmt: skip
"""Type, truth, reply, and its score: None where it cannot be read."""


class Answers:
    """Answers by what a task's command names, and keeps what it is asked."""

    name = "answers"

    def __init__(self, says: Callable[[str], str]) -> None:
        self.says, self.prompts, self.shown = says, list[str](), list[int]()

    def __deepcopy__(self, memo: Any) -> Answers:
        return self

    def answer(self, prompt: str, pictures: Sequence[bytes]) -> str:
        self.prompts.append(prompt)
        self.shown.append(len(pictures))
        return self.says(prompt)


def test_a_reply_is_graded_by_its_types_measure(tmp_path: Path) -> None:
    tasks = [task(kind, number, truth, command=f"What of <{number}>?")
             for number, (kind, truth, _, _) in enumerate(GRADED)]  # fmt: skip
    who = Answers(lambda prompt: GRADED[int(re.findall(r"<(\d+)>", prompt)[0])][2])
    run = wq.tea.load(walked(tmp_path / "data", tasks=tasks)).run(who, out=tmp_path / "run")
    rows = {int(row.item[-4:]): row for row in run.rows}
    assert set(rows) == set(range(len(GRADED)))
    for number, (_, _, _, score) in enumerate(GRADED):
        row = rows[number]
        assert row.grade == pytest.approx(score or 0), row
        assert row.status == ("unreadable" if score is None else "answered"), row
        assert (row.answer is None) == (score is None)
    told = run.scores["all"]
    assert told["asked"] == len(GRADED)
    assert told["ill_formed"] == sum(score is None for *_, score in GRADED)


def test_prompts_tell_boxes_colours_choices_and_the_lens(tmp_path: Path) -> None:
    two = {"object.box2d": box(1, 2, 30, 40), "other.box2d": box(5, 6, 70, 80)}
    words = (
        "How does the object in the box [1, 2, 30, 40] stand to the one in the box [5, 6, 70, 80]?"
    )
    tasks = [
        task(kind, number, truth, given=given, command=command)
        for kind, given, command, truths in (
            ("relation-by-box2d", two, words, (word("on"), word("under"))),
            ("depth", {}, "How far is it?", (metres(1), metres(3))),
            ("in-view", {}, "Can they see it?", (word("yes"), word("no"))),
        )
        for number, truth in enumerate(truths)
    ]
    who = Answers(lambda prompt: "?")
    wq.tea.load(walked(tmp_path / "data", tasks=tasks)).run(who, out=tmp_path / "run")
    relation, depth, seen = (
        next(each for each in who.prompts if begin in each)
        for begin in ("How does", "How far", "Can they")
    )
    assert "the object in the yellow box stand to the one in the cyan box?" in relation
    assert not re.search(r"\[\d", relation)  # numbers of boxes would tell left from right
    assert f"one of: {', '.join(RELATIONS)}" in relation
    assert ("60 degrees" in depth, "degrees" in relation) == (True, False)
    assert "eyes is bent 14 degrees down; it shows 75 degrees from side to side and 60 from" in seen
    assert 'one of: yes, no"' in seen
    assert set(who.shown) == {1}


# Baselines


@cache
def means(name: str) -> dict[str, float]:
    """Return the mean of each type that a baseline has."""
    with TemporaryDirectory() as place:
        scenes = (flat(), replace(flat(), id="other"))
        data = walked(Path(place) / "data", scenes=scenes, tasks=several(32, ("row", "other")))
        run = wq.tea.load(data).run(name, out=Path(place) / "run", walks=0)
        assert run.scores["all"]["ill_formed"] == 0
        return {kind: cell["mean"] for kind, cell in run.scores["types"].items()}


def test_the_oracle_is_right_about_everything() -> None:
    assert set(means("oracle").values()) == {1.0}


@pytest.mark.parametrize("name", ["prior", "random", "blind"])
def test_who_sees_nothing_earns_what_chance_gives(name: str) -> None:
    slack = 0.15 if name == "random" else 0.01
    for kind, chance in {"relation": 1 / 8, "embodied-counting": 1 / 4, "which": 1 / 2}.items():
        assert means(name)[kind] == pytest.approx(chance, abs=slack)


def test_the_noisy_one_errs_one_time_in_five() -> None:
    for kind in ("relation", "classification", "embodied-counting", "which"):
        assert means("noisy")[kind] == pytest.approx(0.8, abs=0.15)
    for kind in ("depth", "localization", "localization-3d"):
        assert 0.65 <= means("noisy")[kind] < 1


# People


SAID: list[tuple[str, Task, str, tuple[str, ...]]] = [
    ("classification", word("mug"), "a mug", ("{}",)),
    ("classification", word("sofa"), "sofa", ()),
    ("relation", word("on"), "on", ("beside",)),
    ("relation", word("under"), "under", ()),
    ("embodied-counting", count(2), "2", ("-1", "2.5", "two")),
    ("embodied-counting", count(1), "1", ()),
    ("depth", metres(2.5), "2,5 m", ("0", "nan", "1 2")),
    ("depth", metres(4.5), "4.5", ()),
    ("localization", box(10, 20, 60, 80), "10 20 60 80", ("1 2 3", "60 20 10 80", "all")),
    ("localization", box(400, 20, 460, 80), "400 20 460 80", ()),
    ("localization-3d", solid(0.5, 0.2, 2, 0.3, 0.4, 0.5), "0.5 0.2 2; 0,3 0,4 0,5",
     ("1 2 3 4 5", "0 0 1 0 1 1")),
    ("localization-3d", solid(0.5, 0.2, 4, 0.3, 0.4, 0.5), "0.5 0.2 4 0.3 0.4 0.5", ()),
    ("which", choice("left"), "left", ()),
    ("which", choice("Right_1"), "Right_1", ()),
]  # fmt: skip
"""Type, truth, a right answer as a person writes it, and what is no answer."""


def test_a_person_is_graded_as_a_model_and_what_is_no_answer_is_refused(tmp_path: Path) -> None:
    tasks = [task(kind, number, truth) for number, (kind, truth, _, _) in enumerate(SAID)]
    data = wq.tea.load(walked(tmp_path / "data", tasks=tasks))
    run = data.run("oracle", walks=0, out=tmp_path / "run")
    assert len(run.rows) == len(SAID)
    right = people.sat(run.path, tmp_path / "right", lambda each: SAID[int(each.key[2][-4:])][2])
    assert right["scores"]["all"]["mean"] == 1.0
    assert right["scores"]["all"]["ill_formed"] == 0
    nothing = people.sat(run.path, tmp_path / "nothing", lambda each: None)
    assert nothing["scores"]["all"]["mean"] == 0
    for number, (*_, wrong) in enumerate(SAID):
        for said in wrong:
            with pytest.raises(ValueError, match=r"cannot read the answer|choose"):
                people.sat(
                    run.path, tmp_path / f"{number}-{wrong.index(said)}",
                    partial(_only, f"{number:04d}", said),
                )  # fmt: skip


def _only(number: str, said: str, asked: Any) -> str | None:
    """Answer one question alone."""
    return said if asked.key[2].endswith(number) else None
