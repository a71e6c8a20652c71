"""What a page's list knows of all questions: a letter an answer, from which filters read back."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.report.asked import SIGNS, STATUSES, AskedWorld, index, of_rows, sign


def row(run: str, question: str, score: float | None) -> Row:
    return Row(
        run=run, benchmark="rooms", answerer=run, world="w", level="easy", item=question,
        type="place", format="room", prompt="Where?", gold="attic", reply="attic", shown=True,
        status=AnswerStatus.ANSWERED, correct=score,
    )  # fmt: skip


def test_every_answer_has_a_letter_of_its_own_that_reads_back() -> None:
    grades = {None: 0, 0.0: 1, 0.5: 2, 1.0: 3}
    every = list(product(grades, STATUSES, (False, True)))
    letters = {sign(score, status, answerable=open_) for score, status, open_ in every}
    assert len(letters) == len(every)
    for score, status, open_ in every:
        code = SIGNS.index(sign(score, status, answerable=open_))
        assert (code & 3, bool(code & 4), STATUSES[code >> 3]) == (grades[score], open_, status)


def test_rows_become_worlds_with_blanks_where_a_run_was_not_asked() -> None:
    runs = {"a": [row("a", "1", 1.0), row("a", "2", 0.0)], "b": [row("b", "2", None)], "c": []}
    (world,), (block,) = of_rows(runs)
    assert world == AskedWorld(
        "w", "w", "easy", types=["place", "place"],
        signs={
            0: sign(1.0, AnswerStatus.ANSWERED, answerable=True)
            + sign(0.0, AnswerStatus.ANSWERED, answerable=True),
            1: " " + sign(0.0, AnswerStatus.ANSWERED, answerable=True),
        },
    )  # fmt: skip
    assert [[answer["run"] for answer in question["answers"]] for question in block] == [
        [0],
        [0, 1],
    ]
    assert "sign" not in block[0]["answers"][0]


def test_the_index_has_no_text_of_a_question_and_names_what_occurs() -> None:
    other = replace(row("a", "2", 0.0), level="hard", status=AnswerStatus.ABSTAINED)
    worlds, _ = of_rows({"a": [row("a", "1", 1.0), other]})
    told = index(worlds, [{"tag": "A"}])
    assert told["used"] == ["answered", "abstained"]
    assert told["levels"] == []  # a world of two levels has none of its own
    assert told["worlds"][0]["types"] == [0, 0]
    assert "Where?" not in str(told)


def test_another_worlds_question_of_the_same_name_stands_for_itself() -> None:
    other = replace(row("b", "1", 1.0), prompt="Where else?", gold="cellar")
    reworded = replace(row("b", "1", 1.0), prompt="Where is it?")
    for second, count in ((other, 2), (reworded, 1)):
        (world,), (block,) = of_rows({"a": [row("a", "1", 1.0)], "b": [second]})
        assert len(world.types) == len(block) == count
