"""What records say of kinds that are not ours: names, and digests that tell one from another."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from own_tea_kinds import HIGHER, Higher, Larger, higher
from recalls import NORTH, flat, look
from views import sighting
from worldquiz.errors import AgentError, CatalogError
from worldquiz.facts.question import Type
from worldquiz.tea.kinds import kinds as tasks_of
from worldquiz.tea.recall.quiz import kinds as questions_of
from worldquiz.tea.recall.quiz.exam import ask
from worldquiz.tea.taskgraph import Word

VALUE = tasks_of.TaskKind(Larger.type, Larger.words, Larger().find)


def test_nothing_is_said_of_our_own_kinds_of_task() -> None:
    assert tasks_of.record() == {}
    assert questions_of.record() == {"kinds": list(questions_of.CATALOGUE.names())}


def test_a_packages_kind_is_named_and_means_one_thing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = tmp_path / "own-1.dist-info" / "entry_points.txt"
    entries.parent.mkdir()
    entries.write_text("[worldquiz.task_kinds]\nlarger = own_tea_kinds:Larger\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert tasks_of.record() == {"kinds": ["larger"]}
    assert [kind.name for kind in tasks_of.kinds()].count("larger") == 1
    with pytest.raises(CatalogError, match="'larger': there is one of that name"):
        tasks_of.kinds([Larger])


def test_every_part_of_a_kind_shows_in_its_digest() -> None:
    def other(moment: tasks_of.ViewMoment) -> Iterator[tasks_of.Found]:
        yield from ()

    def by_text(found: questions_of.FoundQuestion) -> str:
        return found.text

    narrow = replace(Larger.type, final=replace(Larger.type.final, edges=Larger.type.initial.edges))
    less = replace(Larger.type, initial=replace(Larger.type.initial, attributes=frozenset()))
    tasks = [
        VALUE,
        replace(VALUE, find=other),
        replace(VALUE, words="?"),
        replace(VALUE, type=less),
    ]
    asked = [HIGHER, replace(HIGHER, own_sheet=True), replace(HIGHER, spread=by_text), Higher]
    found = [tasks_of.record([kind])["code"]["kind larger"] for kind in tasks]
    found += [questions_of.record([kind])["code"]["kind higher"] for kind in asked]
    assert len(set(found)) == len(found) == 8
    assert tasks_of.record([replace(VALUE, type=narrow)]) == tasks_of.record([VALUE])  # equal ones


def test_a_digest_is_the_same_in_every_process() -> None:
    program = (
        "from own_tea_kinds import Larger; from worldquiz.tea.kinds.kinds import record;"
        "print(record([Larger])['code']['kind larger'])"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={
                **os.environ,
                "PYTHONHASHSEED": seed,
                "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
            },
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2", "3")
    }
    assert said == {tasks_of.record([Larger])["code"]["kind larger"]}


def raising(flat: questions_of.Apartment) -> Iterator[questions_of.FoundQuestion]:
    yield from ()
    raise KeyError("attik")


def texts(flat: questions_of.Apartment) -> Any:
    yield "Where is the lamp?"


def numbered(flat: questions_of.Apartment) -> Any:
    yield replace(next(higher(flat)), text=cast("str", 3))


def unoffered(flat: questions_of.Apartment) -> Any:
    yield replace(next(higher(flat)), answer="mug", choices=("kettle",))


@pytest.mark.parametrize(
    ("find", "words"),
    [
        (raising, "KeyError: 'attik'"),
        (texts, "TypeError: 'Where is the lamp[?]' is no FoundQuestion"),
        (numbered, "TypeError: FoundQuestion: text: should be a valid string, not 3"),
        (unoffered, r"ValueError: answer 'mug' is none of the choices \('kettle',\)"),
        (lambda flat: None, "TypeError: 'NoneType' object is not iterable"),
    ],
)
def test_a_kind_of_question_that_fails_is_named_with_its_traceback(find: Any, words: str) -> None:
    kind = questions_of.QuestionKind("bad", Type.LOCATION, find)
    with pytest.raises(AgentError, match=f"^kind of question 'bad' failed in scene 'row': {words}"
                       ) as failed:  # fmt: skip
        ask(flat(), [kind])
    assert "Traceback" in failed.value.trace


def test_a_fault_of_our_own_kinds_is_ours() -> None:
    kind = questions_of.QuestionKind("room", Type.LOCATION, raising)
    with pytest.raises(KeyError):
        ask(flat(), [kind])


@pytest.mark.parametrize(
    ("find", "words"),
    [
        (raising, "KeyError: 'attik'"),
        (texts, "AttributeError: 'str' object has no attribute 'look'"),
        (
            lambda moment: [replace(each, truth=cast("Word", 3)) for each in Larger().find(moment)],
            "truth: ",
        ),
    ],
)
def test_a_kind_of_task_that_fails_is_named_with_its_traceback(find: Any, words: str) -> None:
    view = look(3, 2, 2, NORTH, "mug-1", sighting("kettle-1", 4000))
    kind = tasks_of.TaskKind(Larger.type, Larger.words, find)
    where = "in view '0003-ego' of scene 'row'"
    with pytest.raises(AgentError, match=f"kind of task 'larger' failed {where}: .*{words}"):
        tasks_of.harvest(flat(), [view], [kind])


def test_a_kind_whose_type_is_none_of_ours_is_no_kind() -> None:
    bad = questions_of.QuestionKind("bad", cast("Type", "hight"), higher)
    with pytest.raises(
        CatalogError, match="'bad' is not a kind of question: QuestionKind: type: should"
    ):
        questions_of.kinds([bad])
