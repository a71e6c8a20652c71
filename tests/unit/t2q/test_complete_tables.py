"""A new type, format or cause that somebody forgets to teach to a table is an error."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping
from enum import Enum
from importlib import import_module

import pytest

import worldquiz.t2q
from worldquiz.errors import MissingExtra
from worldquiz.facts.question import Type
from worldquiz.t2q.reader import questions
from worldquiz.t2q.reader.questions import _FORMS, Ask

PARTS = {"_TRUTHS", "_CHOICES", "_OPEN", "LOSSES"}
"""Tables that hold every member only together, see below, or only the causes that cost points."""


def tables() -> Iterator[tuple[str, Mapping[Enum, object]]]:
    """Yield every table of Task2Quiz that is keyed by the members of an enumeration."""
    import_module("worldquiz.cli")
    for module in pkgutil.walk_packages(worldquiz.t2q.__path__, "worldquiz.t2q."):
        try:
            found = vars(import_module(module.name))
        except MissingExtra:  # a trainer's library, which is not installed beside the others
            continue
        for name, value in found.items():
            keyed = isinstance(value, Mapping) and value and name not in PARTS
            if keyed and len({type(key) for key in value}) == 1 and isinstance(min(value), Enum):
                yield f"{module.name}.{name}", value


TABLES = dict(tables())


@pytest.mark.parametrize("name", TABLES)
def test_a_table_holds_every_member_of_its_enumeration(name: str) -> None:
    assert set(TABLES[name]) == set(type(next(iter(TABLES[name]))))


def test_the_tables_by_type_are_among_them() -> None:
    by_type = {name.rpartition(".")[2] for name, table in TABLES.items() if Type.MATCH in table}
    assert {"TYPE_COUNTS"} <= by_type


def test_the_worldgraph_reads_and_answers_whatever_can_be_asked() -> None:
    truths, choices, opened = questions._TRUTHS, questions._CHOICES, questions._OPEN
    assert {*truths, *choices, *opened} == set(Ask)
    assert not set(truths) & {*choices, *opened}
    assert set(choices) & set(opened) == {Ask.NEIGHBOUR}  # asked with choices and without
    assert set(_FORMS) == set(Ask)
