"""The rows of the paper's Table 2 as benchmarks/table2.py quotes them: they agree, but for one.

Percentages with two decimals are fractions of whole numbers of questions, so a slip in copying them
shows: another count would have to fit, and the total with it.
"""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "explanation" / "table-2.md").read_text()
TASKS, COUNTS = 224, (611, 422, 405, 170, 359)
"""Tasks, and questions of each type, over the paper's 30 worlds (docs/explanation/t2q.md)."""
HALF_A_DIGIT = 0.0051
EXCEPTION = "Qwen3-32B In-context"


def script() -> Any:
    """Return the program that writes the page's tables, as a module."""
    place = ROOT / "benchmarks" / "table2.py"
    spec = importlib.util.spec_from_file_location("table2", place)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def published_on_the_page() -> dict[str, list[float]]:
    """Return the numbers of the page's first table, by model and method."""
    found = re.search(r"^### As published.*?\n(.*?)^###", PAGE, re.MULTILINE | re.DOTALL)
    assert found
    lines = [line for line in found[1].splitlines() if line.startswith("|")][2:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {f"{model} {method}": [*map(float, rest)] for model, method, *rest in cells}


PUBLISHED = {f"{row.model} {row.method}": row for row in script().PUBLISHED}


def count(share: float, of: int) -> int | None:
    """Return the whole number that a percentage is of, None where none fits."""
    nearest = round(share * of / 100)
    return nearest if abs(100 * nearest / of - share) < HALF_A_DIGIT else None


@pytest.mark.parametrize("name", sorted(set(PUBLISHED) - {EXCEPTION}))
def test_a_published_row_is_of_whole_questions_and_adds_up(name: str) -> None:
    row = PUBLISHED[name]
    counts = [count(share, of) for share, of in zip(row.types, COUNTS, strict=True)]
    right = [each for each in counts if each is not None]
    assert len(right) == len(COUNTS)
    assert count(row.eus, sum(COUNTS)) == sum(right)
    assert count(row.tsr, TASKS) is not None


def test_the_row_that_is_marked_does_not() -> None:
    assert len(PUBLISHED) == 13
    row = PUBLISHED[EXCEPTION]
    shares = zip(row.types, COUNTS, strict=True)
    assert [count(share, of) for share, of in shares] == [None] * 5
    assert count(row.eus, sum(COUNTS)) is None


def test_the_page_has_the_published_rows() -> None:
    marked = {name + (" (*)" if name == EXCEPTION else ""): row for name, row in PUBLISHED.items()}
    shares = {name: [row.tsr, *row.types, row.eus] for name, row in marked.items()}
    assert published_on_the_page() == shares


def test_the_bounds_are_what_the_text_says() -> None:
    ours = re.findall(r"^\| (\w+) \| (abstainer|worldgraph) \|(.*)\|$", PAGE, re.MULTILINE)
    assert len(ours) == 4
    for agent, answerer, numbers in ours:
        tsr, *_, eus, knowledge, _ = (cell.strip() for cell in numbers.split("|"))
        if answerer == "worldgraph":
            assert eus == "100.00"
        else:
            assert (agent, tsr, knowledge) == ("idle", "0.00", "0.00")
            assert float(eus) > 80
