from __future__ import annotations

from typing import Any

from rich.console import Console

from worldquiz.facts.question import Type
from worldquiz.report.terminal import plain
from worldquiz.t2q.cli.tables import cover_gap, mix, table_1
from worldquiz.t2q.stats import CoverSize


def level(**changes: Any) -> dict[str, Any]:
    types = {str(type): 0.2 for type in Type}
    return {
        "worlds": 2,
        "rooms": 4.5,
        "objects": 8.0,
        "tasks": 3.0,
        "walkthrough_length": 4.125,
        "questions": 30.0,
        "types": types,
        **changes,
    }


def printed(table: object) -> str:
    console = Console(width=120, no_color=True)
    with console.capture() as capture:
        console.print(table)
    return capture.get()


def test_table_1_sets_ours_beside_the_papers() -> None:
    lines = printed(table_1({"easy": level(), "hard": level(tasks=13.0)})).splitlines()
    assert next(line for line in lines if "tasks" in line).split() == [
        "tasks", "3", "2.4", "13", "12.3",
    ]  # fmt: skip
    assert next(line for line in lines if line.split()[:1] == ["rooms"]).split() == [
        "rooms", "4.5", "3-5", "4.5", "16-20",
    ]  # fmt: skip
    assert "4.12" in next(line for line in lines if "walkthrough" in line)


def test_a_level_that_the_paper_has_not_stands_alone() -> None:
    lines = printed(table_1({"custom": level()})).splitlines()
    assert next(line for line in lines if "tasks" in line).split() == ["tasks", "3"]


def test_a_level_without_tasks_has_no_length() -> None:
    assert "None" not in printed(table_1({"easy": level(walkthrough_length=None)}))


def test_the_mix_stands_beside_the_papers() -> None:
    lines = printed(mix({"easy": level()})).splitlines()
    assert next(line for line in lines if "location" in line).split() == [
        "location", "20.0%", "20.0%", "31.1%",
    ]  # fmt: skip


def test_the_gap_between_greedy_and_exact_is_said_with_its_counts() -> None:
    covers = {"a": CoverSize(5, 4), "b": CoverSize(6, 6), "c": CoverSize(9, None)}
    assert cover_gap(covers) == (
        "Greedy cover (Algorithm 1): 11 tasks; exact cover: 10; 1 of 2 worlds need fewer tasks "
        "than greedy chose (+10.0% tasks; 1 world not proven)."
    )
    assert cover_gap({"c": CoverSize(9, None)}) == "Exact cover: not proven in time for any world."


def test_plain_tables_hold_what_they_are_given() -> None:
    assert printed(plain([("a", "1"), ("b", "2")], "name", "size")).split()[:2] == ["name", "size"]
