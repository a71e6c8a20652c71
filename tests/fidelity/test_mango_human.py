"""Tables 2 and 13 of the paper: what people earned, and how far they agreed.

Their answers are not published. But means of few answers give away the answers: the figures below
come out of exactly one small change, and show by what rule people were scored.
"""

from __future__ import annotations

from typing import Any

from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.mango.grade import Level, Task
from worldquiz.mango.scores import Contestant, table, table_13

PARTLY = 5 / 11


def marked(number: int, task: Task, level: Level, said: tuple[float, float]) -> Row:
    """Return an answer with its success and reasoning."""
    return Row(
        run="r", benchmark="mango", answerer="human", world="g", level=str(level),
        item=f"{level} {number}", type=str(task), format="moves", prompt="", gold="", reply="",
        shown=True, status=AnswerStatus.ANSWERED, correct=said[0],
        measures={"success": said[0], "reasoning": said[1], "weighted": said[0]},
    )  # fmt: skip


def agreement(people: list[tuple[Row, ...]]) -> dict[str, dict[str, Any]]:
    """Return the rows of Table 13 by task and level."""
    found: dict[str, dict[str, Any]] = {}
    for row in table_13([Contestant("human", {}, rows) for rows in people]):
        found.setdefault(row["task"], {})[row["level"]] = row
    return found


def twice(
    number: int, task: Task, level: Level, one: tuple[float, float], other: tuple[float, float]
) -> list[Row]:
    """Return two people's answers to a question: success and reasoning of each."""
    return [marked(number, task, level, said) for said in (one, other)]


def test_table_13_routes_are_of_nine_questions_and_partial_credit() -> None:
    """One easy answer had 5/11 of a success, which a route that is carried out cannot have."""
    easy = [twice(n, Task.RF, Level.EASY, (1, 1), (1, 1)) for n in range(6)]
    easy += [twice(6, Task.RF, Level.EASY, (PARTLY, 0), (1, 1))]
    hard = [
        twice(0, Task.RF, Level.HARD, (0, 0), (1, 1)),
        twice(1, Task.RF, Level.HARD, (1, 0), (1, 1)),
    ]
    found = agreement(list(zip(*easy, *hard, strict=True)))["rf"]
    rounded = {level: (round(found[level]["success"], 4), round(found[level]["reasoning"], 4))
               for level in ("all", "easy", "hard")}  # fmt: skip
    assert rounded == {"all": (0.1442, 0.3333), "easy": (0.0425, 0.1429), "hard": (0.5, 1.0)}


def test_table_13_destinations_are_of_ten_questions() -> None:
    easy = [twice(n, Task.DF, Level.EASY, (1, float(n >= 4)), (1, 1)) for n in range(7)]
    hard = [twice(n, Task.DF, Level.HARD, (1, float(n >= 2)), (1, 1)) for n in range(3)]
    found = agreement(list(zip(*easy, *hard, strict=True)))["df"]
    assert {level: round(found[level]["reasoning"], 4) for level in found} == {
        "all": 0.6, "easy": 0.5714, "hard": 0.6667,
    }  # fmt: skip
    assert found["all"]["success"] == 0


def test_of_several_people_every_two_are_compared() -> None:
    said: list[tuple[Row, ...]] = [
        (marked(0, Task.RF, Level.EASY, (right, right)),) for right in (1, 0, 0)
    ]
    assert agreement(said)["rf"]["all"]["success"] == 2 / 3


def micro(task: Task, answers: dict[Level, list[tuple[float, float]]]) -> dict[str, Any]:
    """Return the means over all answers, of success and of reasoning, by level."""
    scored = [
        marked(number, task, level, said)
        for level, some in answers.items()
        for number, said in enumerate(some)
    ]
    return {
        level: (round(cell["success"]["micro"], 4), round(cell["reasoning"]["micro"], 4))
        for level, cell in table(scored, resamples=0)[str(task)].items()
        if cell["asked"]
    }


def test_table_2_has_the_same_part_of_a_success() -> None:
    """So people's routes were scored by how near they end, as the released evaluator scores them,
    and not by the paper's own words. Means are over all answers, not over mazes.
    """
    easy = [(1.0, float(n < 11)) for n in range(15)] + [(PARTLY, 0.0)] + [(0.0, 0.0)] * 4
    hard = [(1.0, float(n < 8)) for n in range(10)] + [(0.0, 0.0)]
    assert micro(Task.RF, {Level.EASY: easy, Level.HARD: hard}) == {
        "all": (0.8211, 0.6129), "easy": (0.7727, 0.55), "hard": (0.9091, 0.7273),
    }  # fmt: skip
    wholes = [
        micro(Task.RF, {Level.EASY: [(float(n < k), 0.0) for n in range(20)]}) for k in range(21)
    ]
    assert 0.7727 not in {found["easy"][0] for found in wholes}


def test_table_2_destinations() -> None:
    easy, hard = ([(1.0, float(n < right)) for n in range(of)] for right, of in ((14, 21), (3, 9)))
    assert micro(Task.DF, {Level.EASY: easy, Level.HARD: hard}) == {
        "all": (1.0, 0.5667), "easy": (1.0, 0.6667), "hard": (1.0, 0.3333),
    }  # fmt: skip
