"""Replies as people and models write them, reduced to what is graded. Nothing is evaluated."""

from __future__ import annotations

import re

from worldquiz.facts.question import ABSTAIN, CATEGORIES

_LEADING = re.compile(r"^(?:(?:in|on|at|into|onto|to|inside|the|a|an|it was|it is)\s+)+")
_FLOOR = re.compile(r"^floor of (?:the )?")
_PLURALS = {**{f"{c}s": c for c in CATEGORIES}, "foods": "food", "food items": "food"}


def normal(reply: str) -> str:
    """Return a reply in lower case without quotes, end mark, leading prepositions and articles."""
    text = re.sub(r"\s+", " ", reply.strip().strip("\"'`*").lower()).rstrip(".! ")
    return _FLOOR.sub("", _LEADING.sub("", text))


def abstains(reply: str) -> bool:
    """Tell whether a reply says that the question cannot be answered."""
    return re.sub(r"[\s_-]+", "-", reply.strip().strip("\"'`*.").lower()) in (
        ABSTAIN,
        "nonanswerable",
        "not-answerable",
        "unanswerable",
    )


def yes_no(reply: str) -> bool | None:
    """Return True for yes, False for no, None for anything else."""
    word = re.match(r"^(yes|no)\b", normal(reply))
    return None if word is None else word[1] == "yes"


def categories(reply: str) -> set[str] | None:
    """Return the set of categories named, None if anything else is; "nothing" names none."""
    text = normal(reply).strip("[]")
    if text in ("nothing", "none", "empty", ""):
        return set() if text else None
    parts = [part.strip(" \"'") for part in re.split(r",|;|\band\b|/", text)]
    found = {_PLURALS.get(part, part) for part in parts if part}
    return found if found <= set(CATEGORIES) else None
