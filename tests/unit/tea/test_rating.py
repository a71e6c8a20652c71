"""Ratings: the same three questions about a drawn share of each type, and each verdict as a row."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

import people
import worldquiz as wq
from recalls import several, walked
from worldquiz.tea.human import ratings_of_test
from worldquiz.tea.settings import RatingSettings

SAID = {"valid": "yes", "helpful": "no", "everyday": None}


def test_people_rate_the_same_share_of_each_type_and_each_verdict_is_a_row(tmp_path: Path) -> None:
    data = walked(tmp_path / "data", tasks=several(8))
    few, more = (
        ratings_of_test(data, RatingSettings(tasks=56, walks=0, share=share), "Ada")
        for share in (0.2, 0.6)
    )
    assert {each.key for each in few.asked} < {each.key for each in more.asked}
    asked = wq.tea.load(data).run("oracle", tasks=56, walks=0, out=tmp_path / "run").rows
    for quiz, share in ((few, 0.2), (more, 0.6)):
        parts = Counter(each.part for each in quiz.asked)
        types = Counter(row.type for row in asked)
        assert parts == {name: 3 * max(1, round(share * size)) for name, size in types.items()}
    for each in few.asked:
        assert each.choices == ("yes", "no")
        gold = next(row.gold for row in asked if row.item == each.key[2])
        assert f"Its answer: {gold}." in each.words
    people.sat(few, tmp_path / "ada", lambda each: SAID[each.key[1]])
    run = wq.load(tmp_path / "ada")
    assert {row.gold for row in run.rows} == {"yes"}
    found = run.score()
    cells = {name: (cell["grade"], cell["counts"]["graded"])
             for name, cell in found["by_type"].items()}  # fmt: skip
    count = len(few.asked) // 3
    assert cells == {"valid": (1.0, count), "helpful": (0.0, count), "everyday": (None, 0)}
    people.sat(tmp_path / "ada", tmp_path / "bo", ["yes"], name="Bo")
    again = wq.load(tmp_path / "bo")
    assert [row.item for row in again.rows] == [row.item for row in run.rows]


@pytest.mark.parametrize("lacks", ["data", "tasks", "share"])
def test_a_manifest_that_lacks_something_is_named(lacks: str, tmp_path: Path) -> None:
    data = walked(tmp_path / "data", tasks=several(8))
    quiz = ratings_of_test(data, RatingSettings(tasks=56, walks=0, share=0.2), "Ada")
    people.sat(quiz, tmp_path / "ada", ["yes"])
    place = tmp_path / "ada" / "manifest.json"
    told = json.loads(place.read_text())
    del told[lacks]
    place.write_text(json.dumps(told))
    with pytest.raises(wq.WorldquizError, match=re.escape(str(tmp_path / "ada"))):
        people.sat(tmp_path / "ada", tmp_path / "bo", ["yes"], name="Bo")
