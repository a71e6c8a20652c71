"""What records say of kinds that are not ours: names, and digests that tell one from another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from own_tea_kinds import LARGER, higher
from recalls import flat
from worldquiz.errors import AgentError, CatalogError
from worldquiz.facts.question import Type
from worldquiz.tea.kinds import kinds as tasks_of
from worldquiz.tea.recall.quiz import kinds as questions_of
from worldquiz.tea.recall.quiz.exam import ask


def test_a_packages_kind_is_named_and_means_one_thing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = tmp_path / "own-1.dist-info" / "entry_points.txt"
    entries.parent.mkdir()
    entries.write_text("[worldquiz.task_kinds]\nlarger = own_tea_kinds:LARGER\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert tasks_of.record() == {"kinds": ["larger"]}
    assert [kind.name for kind in tasks_of.kinds()].count("larger") == 1
    with pytest.raises(CatalogError, match="'larger': there is one of that name"):
        tasks_of.kinds([LARGER])


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
