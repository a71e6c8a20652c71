"""Facts written as text: "at(apple, attic) in(tin key, box)", and whether some settle a matter."""

from __future__ import annotations

from collections.abc import Iterable

from worldquiz.facts.fact import Fact, parse
from worldquiz.facts.requirement import START, Requirement, earliest


def facts(*texts: str) -> tuple[Fact, ...]:
    """Read the facts of some texts, any number in each. Raises `ValueError` for anything else."""
    parts = (part.strip() for text in texts for part in text.split(")"))
    return tuple(parse(f"{part})") for part in parts if part)


def met(requirement: Requirement, seen: Iterable[Fact]) -> bool:
    """Tell whether facts that were seen meet a requirement."""
    return earliest(requirement, dict.fromkeys(seen, START)) is not None
