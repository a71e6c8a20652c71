"""Scores of tasks in scenes, by type (arXiv 2602.05249, Table 3). Means carry their counts.

A *type* is a kind of question (classification, depth ...); its *forms* differ in how the object is
denoted. Ill-formed replies score 0 and are in every denominator.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from worldquiz.llm.reply_lists import Form
from worldquiz.tea.scoring.grade import family


@dataclass(frozen=True, slots=True)
class Scored:
    """Score of the reply to one task."""

    id: str
    type: str
    scene: str
    score: float  # 0..1
    form: Form


def table(scored: Iterable[Scored]) -> dict[str, Any]:
    """Return the mean of each type with its counts, and of all: `mean` over tasks, `macro` types'.

    Every cell: mean, asked, clean, repaired, ill_formed; a type's also its `forms`.
    """
    every = sorted(scored, key=lambda each: each.id)
    types = {
        name: {**cell(some), "forms": {each: cell(group) for each, group in by_type(some).items()}}
        for name, some in by_type(every, families=True).items()
    }
    means = [each["mean"] for each in types.values()]
    return {"types": types, "all": {**cell(every), "macro": fmean(means) if means else None}}


def cell(scored: Sequence[Scored]) -> dict[str, Any]:
    """Return the mean of some scores, None where there are none, with counts."""
    forms = Counter(each.form for each in scored)
    return {
        "mean": fmean(each.score for each in scored) if scored else None,
        "asked": len(scored),
        "clean": forms[Form.CLEAN],
        "repaired": forms[Form.REPAIRED],
        "ill_formed": forms[Form.ILL_FORMED],
    }


def by_type(scored: Sequence[Scored], *, families: bool = False) -> dict[str, list[Scored]]:
    """Return scored tasks by type, or by the family of their type."""
    found: dict[str, list[Scored]] = {}
    for each in scored:
        found.setdefault(family(each.type) if families else each.type, []).append(each)
    return dict(sorted(found.items()))
