"""The numbers of a run: each count by hand, each share of its counts, and what models used."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

import synthetic
from synthetic import row
from worldquiz.facts.episode import Outcome
from worldquiz.facts.knowledge import SIGNED
from worldquiz.facts.row import TASK, UNREAD, AnswerStatus, Purpose, Row, Usage
from worldquiz.t2q.question import MIX
from worldquiz.t2q.scores import COUNTED, Scores, scores

SILENT = AnswerStatus.ABSTAINED
FAILED: dict[str, Any] = {"status": AnswerStatus.FAILED, "unscored": "no answer on record"}
SIX = (
    row(1.0), row(1.0), row(0.0), row(status=SILENT), row(status=SILENT, shown=False),
    row(0.0, shown=False),
)  # fmt: skip


def plain(*rows: Row) -> Scores:
    return scores(rows, resamples=0)


@pytest.fixture(scope="module")
def scouts() -> Scores:
    return synthetic.run().scores


@pytest.fixture(scope="module")
def models() -> Scores:
    return synthetic.model_run().scores


def test_counts_and_shares_of_six_questions_each_of_another_fate() -> None:
    found = plain(*SIX)
    assert {name: count for name, count in found["counts"].items() if count} == {
        "worlds": 1, "questions": 6, "answerable": 4, "non_answerable": 2, "correct": 3,
        "correct_answerable": 2, "abstained": 2, "abstained_rightly": 1, "answered_unshown": 1,
        "counted": 6, "worth": 4.5, "worth_shown": 3, "points": 1.25,
    }  # fmt: skip
    assert {name: found[name] for name in COUNTED} == pytest.approx(
        {
            "eus": 3 / 6, "coverage": 4 / 6, "accuracy_answerable": 2 / 4,
            "abstention_precision": 1 / 2, "abstention_recall": 1 / 2, "false_answers": 1 / 2,
            "tsr": None, "knowledge": 1.25 / 4.5, "ceiling": 3 / 4.5,
        }
    )  # fmt: skip
    assert found["split"]["all"] == {
        "from_answerable": pytest.approx(2 / 3), "from_non_answerable": pytest.approx(1 / 3),
        "accuracy_answerable": 0.5, "accuracy_non_answerable": 0.5,
    }  # fmt: skip
    seen = plain(row(1.0), row(0.0))
    names = ("abstention_precision", "abstention_recall", "false_answers")
    assert [seen[name] for name in names] == [None] * 3


def test_a_question_without_a_grade_leaves_both_sides_of_every_share_and_is_counted() -> None:
    lost, before = row(shown=False, **FAILED), plain(*SIX)
    found = plain(*SIX, lost, lost)
    assert found["counts"] == {**before["counts"], "unscored": 2}
    assert {name: found[name] for name in COUNTED} == {name: before[name] for name in COUNTED}
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


def blocks(found: Scores) -> Iterator[Scores]:
    yield found
    yield from found["by_type"].values()
    yield from found["by_level"].values()


def test_every_block_has_every_share_of_its_counts_with_an_interval(scouts: Scores) -> None:
    assert list(scouts["by_type"]) == list(MIX)
    assert list(scouts["by_level"]) == ["easy", "hard"]
    assert set(scouts["split"]) == {"all", *MIX}
    for block in blocks(scouts):
        assert set(block["ci"]) == {*COUNTED} - ({"tsr"} if "tsr" not in block else set())
        assert block["knowledge_ci"] == block["ci"]["knowledge"]
        for key in set(COUNTED) & set(block):
            above, below = (block["counts"][name] for name in COUNTED[key])
            assert block[key] == (above / below if below else None)
            assert block[key] is None or key in SIGNED or 0 <= block[key] <= 1
    assert json.loads(json.dumps(scouts, allow_nan=False)) == scouts


def test_an_idle_abstainer_has_a_headline_of_0_and_no_ceiling() -> None:
    found = synthetic.run("idle", "abstainer").scores
    assert (found["knowledge"], found["ceiling"], found["eus"]) == (0, 0, 1)


def test_no_worlds_have_no_numbers_and_none_counts_twice() -> None:
    found = plain(row(world="gone", **FAILED))  # a world that failed gives nothing to score
    assert found == scores([])
    assert {found[key] for key in COUNTED} == {None}
    assert (found["by_level"], found["counts"]["worlds"]) == ({}, 0)
    assert plain(row(), row(world="other"), row())["counts"]["worlds"] == 2


def test_a_models_run_tells_its_calls_beside(scouts: Scores, models: Scores) -> None:
    assert list(models) == [*scouts, "usage"]
    used = models["usage"]
    assert {key: used[key] for key in used if key != "by_purpose"} == {
        "calls": 22, "input": 16000, "cached": 14400, "output": 320, "cached_share": 0.9,
        "cost": 1.5, "unknown": 0,
    }  # fmt: skip
    assert used["by_purpose"]["act"] == {
        "calls": 10, "input": 4000, "cached": 3000, "output": 200, "cached_share": 0.75, "cost": 1,
        "unknown": 0,
    }  # fmt: skip


def changed(**told: Any) -> Scores:
    """Return the scores of a model's run on one world of which something else is told."""
    run = synthetic.model_run(worlds=1)
    return replace(run, worlds=(replace(run.worlds[0], **told),)).scores


def test_a_cost_that_is_partly_unknown_is_unknown() -> None:
    known, unknown = Usage(1, 0, 0, 0, 0.5), Usage(1, 0, 0, 0, None)
    free = Usage(0, 0, 0, 0, None)  # no calls, nothing to pay
    for other, cost in ((unknown, None), (free, 0.5)):
        found = changed(usage={Purpose.ACT: known, Purpose.MEMORY: other})["usage"]
        assert (found["cost"], found["by_purpose"]["act"]["cost"]) == (cost, 0.5)
