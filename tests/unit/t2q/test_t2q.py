from __future__ import annotations

from pathlib import Path

import pytest

from worldquiz.facts.knowledge import FRACTIONS
from worldquiz.facts.question import Type
from worldquiz.t2q import pipeline as t2q
from worldquiz.t2q.run import Trial, run
from worldquiz.t2q.suites import Suite


def test_the_contract_of_scores(suite: Suite, tmp_path: Path) -> None:
    finished = run(suite, Trial("walkthrough", "abstainer"), tmp_path)
    scores = t2q.scores(finished)
    assert {"tsr", *FRACTIONS, "by_type", "by_level", "counts"} <= set(scores)
    assert (scores["tsr"], scores["known"]) == (1.0, 0.0)
    assert scores["eus"] == pytest.approx(1 - scores["coverage"])
    assert scores["counts"]["worlds"] == 2
    assert list(scores["by_level"]) == ["easy"]
    assert list(scores["by_type"]) == [str(type) for type in Type]
