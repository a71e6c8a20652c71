"""The numbers of a run: each count by hand, each share of its counts, and what models used."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle
from typing import Any

import pytest

import synthetic
from synthetic import row
from worldquiz.facts.episode import Outcome
from worldquiz.facts.knowledge import TOO_EASY, penalty
from worldquiz.facts.question import Type
from worldquiz.facts.row import TASK, UNREAD, AnswerStatus, Row
from worldquiz.llm.model import Purpose, Status, Usage
from worldquiz.t2q.scores import COUNTED, KEYS, SIGNED, Scores, scores

SILENT = AnswerStatus.ABSTAINED
FAILED: dict[str, Any] = {"status": AnswerStatus.FAILED, "unscored": "no answer on record"}
SIX = (
    row(1.0), row(1.0), row(0.0), row(status=SILENT), row(status=SILENT, shown=False),
    row(0.0, shown=False),
)  # fmt: skip
LOST = sum(penalty(synthetic.rates()[id]) for id in ("location-002", "direction-001"))
"""What the scout's answer to a question that nothing settles cost, and the wrong one."""


def plain(*rows: Row) -> Scores:
    return scores(rows, resamples=0)


@pytest.fixture(scope="module")
def scouts() -> Scores:
    return synthetic.run().scores


@pytest.fixture(scope="module")
def models() -> Scores:
    """A model's run, with the causes that its texts would have if they were ours."""
    return plain(*(caused(synthetic.model_run().rows)))


def caused(rows: list[Row]) -> Iterator[Row]:
    causes = cycle(synthetic.CAUSES)
    for each in rows:
        yield replace(each, cause=next(causes)) if each.asked else each


def test_counts_and_shares_of_six_questions_each_of_another_fate() -> None:
    found = plain(*SIX)
    assert {name: count for name, count in found["counts"].items() if count} == {
        "worlds": 1, "questions": 6, "answerable": 4, "non_answerable": 2, "correct": 3,
        "correct_answerable": 2, "abstained": 2, "abstained_rightly": 1, "overclaimed": 1,
        "counted": 6, "reachable": 4, "points": pytest.approx(2 - 2 / 3),
    }  # fmt: skip
    assert {name: found[name] for name in KEYS} == pytest.approx(
        {
            "eus": 3 / 6, "known": 2 / 6, "coverage": 4 / 6, "accuracy_answerable": 2 / 4,
            "abstention_precision": 1 / 2, "abstention_recall": 1 / 2, "overclaim": 1 / 2,
            "tsr": None, "knowledge": (2 - 2 / 3) / 6, "knowledge_ceiling": 4 / 6,
        }
    )  # fmt: skip
    assert found["split"]["all"] == {
        "from_answerable": pytest.approx(2 / 3), "from_non_answerable": pytest.approx(1 / 3),
        "accuracy_answerable": 0.5, "accuracy_non_answerable": 0.5,
    }  # fmt: skip
    seen = plain(row(1.0), row(0.0))
    names = ("abstention_precision", "abstention_recall", "overclaim")
    assert [seen[name] for name in names] == [None] * 3


def test_a_question_without_a_grade_leaves_both_sides_of_every_share_and_is_counted() -> None:
    lost, before = row(shown=False, **FAILED), plain(*SIX)
    found = plain(*SIX, lost, lost)
    assert found["counts"] == {**before["counts"], "unscored": 2}
    assert {name: found[name] for name in KEYS} == {name: before[name] for name in KEYS}
    assert plain(row(0.5), row(0.25), row(1.0))["counts"]["correct"] == 1.75
    assert repr(before["counts"]["correct"]) == "3"


@pytest.mark.parametrize("status", UNREAD)
@pytest.mark.parametrize("shown", [True, False])
def test_a_reply_without_an_answer_earns_nothing_and_costs_nothing(
    status: AnswerStatus, shown: bool
) -> None:
    lost = row(status=status, shown=shown)
    assert lost.points == 0
    assert plain(lost, row(1.0))["counts"]["unread"] == 1


@pytest.mark.parametrize(
    "question",
    [
        row(1.0, at_start=True), row(**FAILED), row(1.0, guess=None),
        row(1.0, guess=TOO_EASY + 0.01),
    ],
    ids=["settled at the start", "no grade", "rate not measured", "given away by its form"],
)  # fmt: skip
def test_what_does_not_count(question: Row) -> None:
    assert question.points is None
    counts = plain(question, row(0.0), row(1.0))["counts"]
    assert (counts["counted"], counts["points"]) == (2, pytest.approx(2 / 3))


def test_at_the_highest_rate_a_wrong_answer_costs_three_points() -> None:
    assert [row(right, guess=TOO_EASY).points for right in (1.0, 0.0)] == [1, -3]


@pytest.mark.parametrize("choices", [2, 3, 4])
def test_at_the_rate_of_chance_it_is_the_classical_correction_for_guessing(choices: int) -> None:
    """R - W / (k - 1), as Holzinger (1924) has it."""
    asked = [row(right, guess=1 / choices) for right in (1.0, 1.0, 1.0, 0.0)]
    found = plain(*asked, row(status=SILENT, guess=1 / choices))["counts"]["points"]
    assert found == pytest.approx(3 - 1 / (choices - 1))


def walked(walkthrough: int, commands: int, outcome: Outcome = Outcome.WON) -> Row:
    measures = {"walkthrough": walkthrough, "commands": commands, "outcome": str(outcome),
                "refused": 0, "repeated": 0}  # fmt: skip
    return row(float(outcome is Outcome.WON), type=TASK, measures=measures, guess=None)


def test_success_weighted_by_path_length() -> None:
    """As short as the walkthrough, twice as long, shorter than one by dependency order, lost."""
    lost = walked(4, 6, Outcome.STEP_LIMIT)
    found = plain(walked(4, 4), walked(4, 8), walked(4, 2), lost)
    assert found["tsr"] == 3 / 4
    assert found["steps"] == {
        "spl": 2.5 / 4, "efficiency_won": 2.5 / 3, "commands": 20 / 4, "walkthrough": 4
    }  # fmt: skip
    assert plain(walked(2, 0))["steps"]["spl"] == 1  # won without a command
    assert (plain(lost)["steps"]["efficiency_won"], plain(lost)["steps"]["spl"]) == (None, 0)
    assert set(plain(*SIX)["steps"].values()) == {None}


def test_the_values_of_the_handmade_run(scouts: Scores) -> None:
    assert {key: scouts[key] for key in KEYS} == pytest.approx(
        {
            "knowledge": (2 - LOST) / 6, "knowledge_ceiling": 3 / 6, "tsr": 1 / 2, "eus": 4 / 6,
            "known": 2 / 6, "coverage": 3 / 6,
            "accuracy_answerable": 2 / 3, "abstention_precision": 1, "abstention_recall": 2 / 3,
            "overclaim": 1 / 3,
        }
    )  # fmt: skip
    assert scouts["counts"] == {
        "worlds": 2, "tasks": 4, "won": 2, "commands": 6, "walkthrough": 12, "questions": 12,
        "answerable": 6, "non_answerable": 6, "correct": 8, "correct_answerable": 4,
        "abstained": 4, "abstained_rightly": 4, "overclaimed": 2, "unscored": 0,
        "points": pytest.approx(2 * (2 - LOST)), "counted": 12, "reachable": 6, "at_start": 0,
        "unread": 0,
    }  # fmt: skip
    assert scouts["steps"] == {
        "spl": 0.25, "efficiency_won": 0.5, "commands": 1.5, "walkthrough": 3
    }  # fmt: skip
    match = scouts["by_type"]["match"]
    assert (match["eus"], match["known"], match["accuracy_answerable"]) == (1, 0, None)
    assert scouts["split"]["match"]["from_non_answerable"] == 1


def blocks(found: Scores) -> Iterator[Scores]:
    yield found
    yield from found["by_type"].values()
    yield from found["by_level"].values()


def test_every_block_has_every_share_of_its_counts_with_an_interval(scouts: Scores) -> None:
    assert list(scouts["by_type"]) == [str(type) for type in Type]
    assert list(scouts["by_level"]) == ["easy", "hard"]
    assert set(scouts["split"]) == {"all", *map(str, Type)}
    for block in blocks(scouts):
        assert set(block["ci"]) == {*KEYS} - ({"tsr"} if "tsr" not in block else set())
        assert block["knowledge_ci"] == block["ci"]["knowledge"]
        for key in set(KEYS) & set(block):
            above, below = (block["counts"][name] for name in COUNTED[key])
            assert block[key] == (above / below if below else None)
            assert block[key] is None or key in SIGNED or 0 <= block[key] <= 1
    assert json.loads(json.dumps(scouts, allow_nan=False)) == scouts


def test_two_worlds_have_no_interval(scouts: Scores) -> None:
    assert {bounds for block in blocks(scouts) for bounds in block["ci"].values()} == {None}


def test_an_idle_abstainer_has_a_headline_of_0_and_no_ceiling() -> None:
    found = synthetic.run("idle", "abstainer").scores
    assert (found["knowledge"], found["knowledge_ceiling"], found["eus"]) == (0, 0, 1)


def test_no_worlds_have_no_numbers_and_none_may_occur_twice() -> None:
    found = plain(row(world="gone", **FAILED))  # a world that failed gives nothing to score
    assert found == scores([])
    assert {found[key] for key in KEYS} == {None}
    assert (found["by_level"], found["counts"]["worlds"]) == ({}, 0)
    with pytest.raises(ValueError, match="twice"):
        plain(row(), row(world="other"), row())


def test_a_models_run_tells_calls_replies_and_commands_beside(
    scouts: Scores, models: Scores
) -> None:
    assert list(models) == [*scouts, "usage", "replies", "commands", "attribution"]
    used = models["usage"]
    assert {key: used[key] for key in used if key != "by_purpose"} == {
        "calls": 22, "input": 16000, "cached": 14400, "output": 320, "cached_share": 0.9,
        "cost": 1.5, "unknown": 0,
    }  # fmt: skip
    assert used["by_purpose"]["act"] == {
        "calls": 10, "input": 4000, "cached": 3000, "output": 200, "cached_share": 0.75, "cost": 1,
        "unknown": 0,
    }  # fmt: skip
    none = dict.fromkeys(map(str, Status), 0)
    assert models["replies"] == {
        "act": none | {"clean": 8, "unreadable": 2},
        "quiz": none | {"clean": 8, "repaired": 4},
        "left_out": 6,  # the largest gap of each world: it only grows
        "wasted": 2,
    }
    assert models["commands"] == {"given": 10, "refused": 2, "repeated": 4, "step_limit": 2}


def changed(**trace: Any) -> Scores:
    """Return the scores of a model's run on one world that left another trace."""
    run = synthetic.model_run(worlds=1)
    played = replace(run.worlds[0], trace=replace(run.worlds[0].trace, **trace))
    return replace(run, worlds=(played,)).scores


def test_a_cost_that_is_partly_unknown_is_unknown() -> None:
    known, unknown = Usage(Purpose.ACT, 1, cost=0.5), Usage(Purpose.MEMORY, 1)
    free = Usage(Purpose.MEMORY)  # no calls, nothing to pay
    for other, cost in ((unknown, None), (free, 0.5)):
        found = changed(usage=(known, other))["usage"]
        assert (found["cost"], found["by_purpose"]["act"]["cost"]) == (cost, 0.5)


def test_a_model_that_only_answers_has_no_acting_to_count() -> None:
    found = changed(moves=())["replies"]
    assert sum(found["act"].values()) == 0
    assert found["left_out"] == 3  # of the contexts


def test_every_graded_question_has_one_cause(models: Scores) -> None:
    found = models["attribution"]
    assert found["questions"] == models["counts"]["questions"] == 12
    counts = {
        "known": 4, "guessed": 0, "explore": 4, "remember": 0, "reason": 2,
        "overclaim": 2, "unread": 0,
    }  # fmt: skip
    assert found["counts"] == {cause: [count, count] for cause, count in counts.items()}
    assert found["shares"]["known"] == pytest.approx([1 / 3, 1 / 3])
    assert (found["exact"], found["undecided"]) == (12, 0)
    assert found["by_type"]["direction"]["shares"]["reason"] == [1, 1]


def test_an_ungraded_question_has_no_cause() -> None:
    found = synthetic.model_run(replies=synthetic.REPLIES[:5]).scores["attribution"]
    assert found["questions"] == 10
    assert found["by_type"]["property"]["shares"]["known"] is None


def test_what_is_undecided_widens_the_bounds_of_its_causes_only() -> None:
    told = plain(
        *(row(1.0, cause="known", measures={"at_start": False, "read": "clean", "left_out": 0})
          for _ in range(2)),
        row(0.0, type="direction", cause="reason or remember"), row(0.0, cause="unread"),
    )["attribution"]  # fmt: skip
    assert {cause: bounds for cause, bounds in told["counts"].items() if any(bounds)} == {
        "known": [2, 2], "unread": [1, 1], "reason": [0, 1], "remember": [0, 1],
    }  # fmt: skip
    assert (told["exact"], told["undecided"]) == (3, 1)
    assert told["by_type"]["direction"]["shares"]["reason"] == [0, 1]
