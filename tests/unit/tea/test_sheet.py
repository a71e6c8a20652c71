"""A contact sheet takes types, and forms of a type, in turn."""

from __future__ import annotations

from worldquiz.tea.sheet import chosen
from worldquiz.tea.taskgraph import Count, Instance


def test_every_type_is_shown_and_of_each_every_form() -> None:
    types = ("depth", "localization", "localization-by-picture")
    tasks = [
        Instance(f"{type}/{n}", type, "flat", "v", {}, "?", Count(n))
        for type in types
        for n in range(9)
    ]
    found = [task.type for task in chosen(tasks, 6, 0)]
    assert found[:3] == ["depth"] * 3
    assert set(found[3:]) == {"localization", "localization-by-picture"}
    assert chosen(tasks[::-1], 6, 0) == chosen(tasks, 6, 0)
    assert len(chosen(tasks, 100, 0)) == len(tasks)
