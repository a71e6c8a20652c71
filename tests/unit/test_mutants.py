"""The table of the faults that tests find."""

from __future__ import annotations

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
    found = mutants.shares(LINES, ["facts/grade.py"])
    assert found == {"facts/grade.py": {"found": 2, "survived": 1, "no tests": 1}}
    assert mutants.table(found).split() == [
        "facts/grade.py", "2", "of", "4", "50.0%", "all", "2", "of", "4", "50.0%",
    ]  # fmt: skip


def test_the_modules_that_decide_truth_exist() -> None:
    assert len(mutants.modules()) >= 6
    for module in mutants.modules():
        assert (mutants.ROOT / "src" / "worldquiz" / module).is_file()
