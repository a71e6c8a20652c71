"""Agreement of people on a page: of those who answered the same questions."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeVar

from worldquiz.stats.agreement import agreement

K = TypeVar("K", bound=Hashable)


def notes(people: Mapping[str, Mapping[K, float]]) -> list[str]:
    """Return a sentence on what people earned (0..1) by question, none unless two share some.

    People go by the names or letters that the page has for them.
    """
    found = agreement(list(people.values()))
    if found.error is None or found.same is None:
        return []
    of = "question" if found.questions == 1 else "questions"
    return [
        f"People: {', '.join(people)}. At least two of them answered {found.questions:,} {of}; on "
        f"{found.same:.0%} all earned the same. The mean squared difference of what two of them "
        f"earned is {found.error:.3f} (0 is agreement, 1 its opposite; MANGO's Table 13)."
    ]
