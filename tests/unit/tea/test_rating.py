"""What people say of tasks: which were found valid, how far people agree, and what can be asked."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

import people
import tea_contest
from worldquiz.errors import RecordError
from worldquiz.records import write_json, write_records, write_text
from worldquiz.runs.folder import MANIFEST
from worldquiz.runs.journal import ANSWERS
from worldquiz.runs.run import Run, report
from worldquiz.tea.cli.rate import table_of
from worldquiz.tea.data import Folder
from worldquiz.tea.exam.exam import Exam, ExamSettings
from worldquiz.tea.exam.sample import families
from worldquiz.tea.human_rating import RatingSheet, chosen, framed
from worldquiz.tea.rating import (
    KIND,
    QUESTIONS,
    TASKS_FILE,
    Ratings,
    by_task,
    document,
    found_valid,
    read_of,
    rows,
    shares,
)
from worldquiz.tea.taskgraph import Box2, Count, Crop, Instance, Metres, Word
from worldquiz_scenes.view import Sighting

ASKED = tea_contest.asked(4)
ALL_YES = dict.fromkeys(QUESTIONS, True)
VOTES = st.lists(st.dictionaries(st.sampled_from(ASKED[:4]).map(lambda t: t.id), st.booleans()))


def person(name: str, verdicts: Mapping[str, bool], names: Mapping[str, str] | None = None) -> Any:
    """One person's ratings: the same verdict on all three questions."""
    told = {id: dict.fromkeys(QUESTIONS, verdict) for id, verdict in verdicts.items()}
    labels = dict.fromkeys(names or {}, "sofa")
    return Ratings(name, "d16e57", tuple(ASKED), told, labels, names or {}, {})


def rated(folder: Path, name: str, said: Mapping[str, Any], data: str = "d16e57") -> Path:
    """Write a finished folder of ratings of two tasks, the first of which has a thing to name."""
    settings = {"tasks": 8, "trips": 0, "seed": 0, "share": 0.5, "answerer": "human", "name": name}
    write_json(folder / MANIFEST, {"kind": KIND, "data": data, **settings})
    write_records(folder / TASKS_FILE, "task", Instance, ASKED[:2])
    lines = [
        {"id": ASKED[0].id, "asked": "name", "said": said["name"], "label": "mug", "seconds": 2.0},
        {"id": ASKED[0].id, "asked": "task", "said": said["first"], "seconds": 9.0},
        {"id": ASKED[1].id, "asked": "task", "said": said["second"], "seconds": 3.0},
    ]
    write_text(folder / ANSWERS, "".join(json.dumps(line) + "\n" for line in lines))
    return folder


@pytest.fixture
def two(tmp_path: Path) -> list[Path]:
    """Two people who differ on whether the first task is valid; Bo cannot judge the second."""
    some = {**ALL_YES, "valid": False}
    return [
        rated(tmp_path / "a", "Ada", {"name": "a cup", "first": ALL_YES, "second": ALL_YES}),
        rated(tmp_path / "b", "Bo", {"name": "vase", "first": some, "second": None}),
    ]


@given(VOTES)
def test_valid_is_what_more_than_half_of_the_raters_say(votes: list[dict[str, bool]]) -> None:
    valid = found_valid(person(str(place), each) for place, each in enumerate(votes))
    for id in {id for each in votes for id in each}:
        said = [each[id] for each in votes if id in each]
        assert (id in valid) == (said.count(True) > said.count(False))
    assert valid <= {id for each in votes for id in each}


@given(VOTES)
def test_shares_are_those_of_the_tasks_added_up(votes: list[dict[str, bool]]) -> None:
    people = [person(str(place), each) for place, each in enumerate(votes)]
    found, tasks = shares(people), by_task(people)
    for name in QUESTIONS:
        assert found[name]["yes"] == sum(task[name]["yes"] for task in tasks)
        assert found[name]["of"] == sum(task[name]["of"] for task in tasks)
        assert found[name]["of"] == sum(some[name]["of"] for some in found["by_type"].values())
        agree = [task[name]["agree"] for task in tasks if task[name]["of"] > 1]
        assert found[name]["shared"] == len(agree)
        if agree:
            assert found[name]["agree"] == pytest.approx(sum(agree) / len(agree))


@given(st.floats(0, 1), st.floats(0, 1), st.integers(0, 3))
def test_a_larger_share_holds_a_smaller_one_and_each_type(
    one: float, other: float, seed: int
) -> None:
    few, more = (chosen(ASKED, each, seed) for each in sorted((one, other)))
    assert {task.id for task in few} <= {task.id for task in more}
    assert families(few).keys() == families(ASKED).keys()
    for name, some in families(more).items():
        assert len(some) == max(1, round(max(one, other) * len(families(ASKED)[name])))


def test_names_agree_where_they_mean_the_same_and_count_if_the_grading_knows_them() -> None:
    id = ASKED[0].id
    people = [person(name, {id: True}, {id: called}) for name, called in
              (("Ada", "a couch"), ("Bo", "sofa"), ("Cy", "bench"))]  # fmt: skip
    cell = shares(people)["name"]
    assert (cell["yes"], cell["of"]) == (2, 3)
    assert cell["agree"] == pytest.approx(1 / 3)
    [told] = [task for task in by_task(people) if task["id"] == id]
    assert told["names"] == {"a couch": 1, "sofa": 1, "bench": 1}


def test_two_people_task_by_task(two: list[Path]) -> None:
    found = document(two)
    assert found["people"] == ["Ada", "Bo"]
    first, second = sorted(found["by_task"], key=lambda task: task["id"] != ASKED[0].id)
    assert first["valid"] == {"yes": 1, "of": 2, "agree": 0.0}
    assert first["helpful"] == {"yes": 2, "of": 2, "agree": 1.0}
    assert (first["valid_by_most"], second["valid_by_most"]) == (False, True)
    assert second["valid"] == {"yes": 1, "of": 1, "agree": None}
    assert first["names"] == {"a cup": 1, "vase": 1}
    assert found["name"]["yes"] == 1  # a cup is a mug, a vase is none


def test_the_csv_has_a_line_for_each_task(two: list[Path]) -> None:
    found = document(two)["by_task"]
    lines = list(csv.DictReader(io.StringIO(table_of(found))))
    assert [line["id"] for line in lines] == [task["id"] for task in found]
    assert {line["valid_yes"] for line in lines} == {"1"}
    assert {line["names"] for line in lines} == {"a cup (1); vase (1)", ""}


def test_each_verdict_is_a_row_and_what_was_not_judged_has_no_score(two: list[Path]) -> None:
    ada, bo = (list(rows(folder)) for folder in two)
    assert [row.type for row in ada] == [*QUESTIONS, "name", *QUESTIONS]
    assert [row.score for row in ada] == [1.0] * 7
    assert [row.score for row in bo] == [0.0, 1.0, 1.0, 0.0, None, None, None]
    assert sum(row.seconds or 0 for row in ada) == pytest.approx(14.0)
    assert Run(two[0]).score()["valid"]["share"] == 1.0


def test_ratings_of_other_tasks_are_refused(two: list[Path], tmp_path: Path) -> None:
    other = {"name": "cup", "first": ALL_YES, "second": ALL_YES}
    with pytest.raises(RecordError, match="rates tasks of another folder"):
        document([*two, rated(tmp_path / "c", "Cy", other, data="0ther")])
    write_json(tmp_path / "data" / MANIFEST, {"digest": "0ther"})
    with pytest.raises(RecordError, match="rates other tasks than those in"):
        read_of(tmp_path / "data", two)
    write_json(tmp_path / "data" / MANIFEST, {"digest": "d16e57"})
    assert len(read_of(tmp_path / "data", two)) == 2
    with pytest.raises(RecordError, match="no task was found valid"):
        read_of(tmp_path / "data", two[1:])


def test_a_report_takes_ratings_of_its_tasks_along_and_no_others(
    two: list[Path], tmp_path: Path
) -> None:
    run, out = people.tasks(tmp_path / "run"), tmp_path / "report.html"
    for order in ([run, *two], [*two, run]):
        report([Run(path) for path in order], out)
        assert "Ada, Bo looked at 2 tasks; 1 were found valid by most" in out.read_text("utf-8")
    report([Run(run)], out)
    assert "looked at" not in out.read_text("utf-8")
    other = {"name": "cup", "first": ALL_YES, "second": ALL_YES}
    foreign = rated(tmp_path / "c", "Cy", other, data="0ther")
    with pytest.raises(RecordError, match="rates other tasks than the runs are about"):
        report([Run(run), Run(foreign)], out)
    recall = people.views(tmp_path / "recall")
    with pytest.raises(RecordError, match="write a page for each kind"):
        report([Run(recall), Run(two[0])], out)


@given(st.sets(st.sampled_from([task.id for task in ASKED])), st.integers(0, 3))
def test_a_test_of_some_tasks_asks_no_other(among: set[str], seed: int) -> None:
    exam = Exam(Path(), ExamSettings(20, 0, seed), among=frozenset(among))
    exam.__dict__["every"] = tuple(ASKED)
    assert {task.id for task in exam.tasks} <= among
    assert sum(told["tasks"] for told in exam.there().values()) == len(among)


def folder_of(**seen: tuple[int, int, int, int]) -> Folder:
    """A folder whose one view shows some things by their boxes."""
    things = {name: SimpleNamespace(id=name, label=f"the {name}") for name in ("mug", "sofa")}
    sightings = [Sighting(name, 90, 1.0, box, 2.0, False) for name, box in seen.items()]
    view = SimpleNamespace(sightings=sightings)
    return cast("Folder", SimpleNamespace(scene=SimpleNamespace(thing=things), view={"v": view}))


def about(type: str, bind: Mapping[str, str], **given: Crop) -> Instance:
    """A task in view ``v``; what is given is called by the vertex that it pictures."""
    told = {f"{name}.picture": crop for name, crop in given.items()}
    bound = {"view": "v", **bind}
    return Instance(f"{type}/flat/v/x", type, "flat", "v", bound, "What?", Count(1), told)


BOX = (1, 2, 30, 40)


def test_one_thing_is_framed_where_a_picture_of_the_task_shows_it() -> None:
    mug, cut = {"object": "mug"}, Crop("w", (5, 5, 9, 9))
    assert framed(folder_of(mug=BOX), about("depth", mug)) == ("mug", "v", BOX)
    assert framed(folder_of(), about("navigation", mug, object=cut)) == ("mug", "w", cut.box)
    assert framed(folder_of(), about("depth", mug)) is None
    both = folder_of(mug=BOX, sofa=BOX)
    assert framed(both, about("relation", {**mug, "other": "sofa"})) is None
    assert framed(both, about("embodied-counting", {"class": "cup"})) is None


def sheet() -> RatingSheet:
    """A page about two depths of things in a picture and a count."""
    tasks = (
        Instance("a", "depth", "flat", "v", {"object": "mug"}, "How far is the mug?", Metres(2.0),
                 {"object.label": Word("mug")}),
        Instance("b", "localization", "flat", "v", {"object": "sofa"}, "Where?", Box2(BOX),
                 {"object.label": Word("sofa")}),
        Instance("c", "embodied-counting", "flat", "v", {"class": "cup"}, "Count.", Count(0)),
    )  # fmt: skip
    camera = tea_contest.CAMERA
    exam = SimpleNamespace(
        tasks=tasks, walks=(), camera=lambda task: camera,
        folders={"flat": folder_of(mug=BOX, sofa=BOX)},
    )  # fmt: skip
    told = {"kind": KIND, "data": "d", "tasks": 3, "trips": 0, "seed": 0, "share": 1.0}
    return RatingSheet(cast("Exam", exam), told, "Ada")


def test_things_are_named_before_any_task_tells_the_benchmarks_name() -> None:
    one = sheet()
    assert [item.key for item in one.items] == [
        ("a", "name"), ("b", "name"), ("a", "task"), ("c", "task"), ("b", "task"),
    ]  # fmt: skip
    assert [item.part for item in one.items] == [0, 0, 1, 2, 3]
    for item in one.items[:2]:
        shown = json.dumps(one.shown(item))
        assert "mug" not in shown
        assert "sofa" not in shown


def test_a_task_is_shown_with_its_answer() -> None:
    one = sheet()
    shown = {item.key[0]: one.shown(item) for item in one.items[2:]}
    assert shown["a"]["answer"] == "2.00 m"
    assert shown["b"]["box"] == list(BOX)
    assert [each["id"] for each in shown["c"]["asks"]] == list(QUESTIONS)


@pytest.mark.parametrize(
    ("place", "said"),
    [(0, ""), (0, ALL_YES), (2, {}), (2, "yes"), (2, {**ALL_YES, "valid": 1}),
     (2, {**ALL_YES, "more": True}), (2, [True] * 3)],
)  # fmt: skip
def test_what_is_no_rating_is_refused(place: int, said: object) -> None:
    one = sheet()
    with pytest.raises(ValueError):
        one.line(one.items[place], said, 1.0)


def test_verdicts_and_names_are_kept_with_the_label_that_was_not_shown() -> None:
    one = sheet()
    assert one.line(one.items[0], " a  cup", 2.0) == {
        "id": "a", "asked": "name", "said": "a cup", "label": "the mug", "seconds": 2.0,
    }  # fmt: skip
    assert one.line(one.items[2], ALL_YES, 1.0)["said"] == ALL_YES
    assert one.line(one.items[2], None, 1.0)["said"] is None
