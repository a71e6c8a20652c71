"""The table of the faults that tests find."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import mutants

LINES = [
    "    worldquiz.facts.grade.x_grade__mutmut_1: killed",
    "    worldquiz.facts.grade.x_grade__mutmut_2: survived",
    "    worldquiz.facts.grade.x_grade__mutmut_3: timeout",
    "    worldquiz.facts.grade.x_grade__mutmut_4: no tests",
    "    worldquiz.facts.grades.x_other__mutmut_1: survived",
    "",
]


def test_a_fault_that_no_test_reaches_is_not_found() -> None:
    found = mutants.shares(mutants.faults(LINES, ["facts/grade.py"]))
    assert found == {"facts/grade.py": {"found": 2, "survived": 1, "no tests": 1}}
    assert mutants.table(found).split() == [
        "facts/grade.py", "2", "of", "4", "50.0%", "all", "2", "of", "4", "50.0%",
    ]  # fmt: skip


def test_it_starts_afresh_and_says_what_no_test_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What mutmut kept of an earlier run is gone before the next: it may hold tests of old."""
    old = tmp_path / "mutants" / "tests" / "test_of_old.py"
    old.parent.mkdir(parents=True)
    old.touch()

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        assert not old.exists()
        return subprocess.CompletedProcess(command, 0, "\n".join(LINES))

    monkeypatch.setattr(mutants, "modules", lambda: ["facts/grade.py"])
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    monkeypatch.setattr(subprocess, "run", run)
    assert mutants.main([]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].split() == ["facts/grade.py", "2", "of", "4", "50.0%"]
    assert printed[2:] == [
        "worldquiz.facts.grade.x_grade__mutmut_2: survived",
        "worldquiz.facts.grade.x_grade__mutmut_4: no tests",
    ]
    assert mutants.main(["facts/grades.py"]) == 2


def test_the_modules_that_decide_truth_exist() -> None:
    assert len(mutants.modules()) >= 6
    for module in mutants.modules():
        assert (mutants.ROOT / "src" / "worldquiz" / module).is_file()
