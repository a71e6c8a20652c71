"""What records say of kinds that are not ours: names, and digests that tell one from another."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from own_tea_kinds import HIGHER, Higher, Larger
from worldquiz.errors import CatalogError
from worldquiz.tea.kinds import kinds as tasks_of
from worldquiz.tea.recall.quiz import kinds as questions_of

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
