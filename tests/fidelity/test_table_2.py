"""The rows of the paper's Table 2 as our page quotes them: they agree with each other, but for one.

Percentages with two decimals are fractions of whole numbers of questions, so a slip in copying them
shows: another count would have to fit, and the total with it.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "explanation" / "table-2.md").read_text()
TASKS, COUNTS = 224, (611, 422, 405, 170, 359)
"""Tasks, and questions of each type, over the paper's 30 worlds (docs/explanation/t2q.md)."""
HALF_A_DIGIT = 0.0051
EXCEPTION = "Qwen3-32B In-context (*)"


def rows(heading: str) -> dict[str, list[float | None]]:
    """Return the numbers of a table, by the two names that lead each row."""
    found = re.search(rf"^### {heading}.*?\n(.*?)(?=^#|<!--)", PAGE, re.MULTILINE | re.DOTALL)
    assert found
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in found[1].splitlines()
        if line.startswith("|")
    ][2:]
    return {
        f"{first} {second}": [None if text == "–" else float(text) for text in rest]
        for first, second, *rest in cells
    }


PUBLISHED = rows("As published")
OURS = rows("Measured by us")


def count(share: float | None, of: int) -> int | None:
    """Return the whole number that a percentage is of, None where none fits."""
    assert share is not None
    nearest = round(share * of / 100)
    return nearest if abs(100 * nearest / of - share) < HALF_A_DIGIT else None


@pytest.mark.parametrize("name", sorted(set(PUBLISHED) - {EXCEPTION}))
def test_a_published_row_is_of_whole_questions_and_adds_up(name: str) -> None:
    tsr, *types, total = PUBLISHED[name]
    counts = [count(share, of) for share, of in zip(types, COUNTS, strict=True)]
    right = [each for each in counts if each is not None]
    assert len(right) == len(COUNTS)
    assert count(total, sum(COUNTS)) == sum(right)
    assert count(tsr, TASKS) is not None


def test_the_row_that_is_marked_does_not() -> None:
    assert len(PUBLISHED) == 13
    _, *types, total = PUBLISHED[EXCEPTION]
    shares = zip(types, COUNTS, strict=True)
    assert [count(share, of) for share, of in shares] == [None] * 5
    assert count(total, sum(COUNTS)) is None


def test_our_rows_obey_the_laws_of_their_shares() -> None:
    for row in OURS.values():
        _, *_, eus, knowledge, ceiling, _ = row
        assert eus is not None
        assert knowledge is not None
        assert ceiling is not None
        assert knowledge <= ceiling


def test_the_bounds_are_what_the_text_says() -> None:
    idle = OURS["idle (lower-bound) abstainer (lower-bound)"]
    assert idle[6] is not None
    assert idle[6] > 80
    assert idle[7] == 0
    assert all(row[6] == 100 for name, row in OURS.items() if "(upper-bound)" in name)
