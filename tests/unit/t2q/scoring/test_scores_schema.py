"""The JSON document of a run's numbers: its keys, and its values counted by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest

import synthetic
from worldquiz.facts.knowledge_score import penalty
from worldquiz.facts.question import Type
from worldquiz.t2q import scoring
from worldquiz.t2q.rows import rows_of
from worldquiz.t2q.scoring import (
    COUNTED,
    KEYS,
    Scores,
    scores,
)

SHARES = {
    "knowledge", "knowledge_ceiling", "eus", "known", "coverage", "accuracy_answerable",
    "abstention_precision", "abstention_recall", "overclaim",
}  # fmt: skip

LOST = sum(penalty(synthetic.rates()[id]) for id in ("location-002", "direction-001"))
"""What the scout's answer to a question that nothing settles cost, and the wrong one."""


@pytest.fixture(scope="module")
def scouts() -> Scores:
    return scores(synthetic.run().sittings)


def test_the_contracts_keys(scouts: Scores) -> None:
    assert {"tsr", "knowledge_ci", "blind_table", "by_type", "by_level", "counts"} <= set(scouts)
    assert set(scouts) >= SHARES
    assert list(scouts["by_type"]) == [str(type) for type in Type]
    assert list(scouts["by_level"]) == ["easy", "hard"]
    assert set(scouts["by_type"]["match"]) == SHARES | {"knowledge_ci", "counts", "ci"}
    assert set(scouts["by_level"]["easy"]) == SHARES | {"knowledge_ci", "tsr", "counts", "ci"}
    assert set(scouts["split"]) == {"all", *map(str, Type)}
    assert set(scouts["ci"]) == {"tsr"} | SHARES


def test_the_values_of_the_handmade_run(scouts: Scores) -> None:
    assert {key: scouts[key] for key in KEYS} == pytest.approx(
        {
            "knowledge": (2 - LOST) / 6, "knowledge_ceiling": 3 / 6, "tsr": 1 / 2, "eus": 4 / 6,
            "known": 2 / 6, "coverage": 3 / 6,
            "accuracy_answerable": 2 / 3, "abstention_precision": 1, "abstention_recall": 2 / 3,
            "overclaim": 1 / 3,
        }
    )  # fmt: skip


def test_counts_are_of_all_worlds(scouts: Scores) -> None:
    assert scouts["counts"] == {
        "worlds": 2, "tasks": 4, "won": 2, "commands": 6, "walkthrough": 12, "questions": 12,
        "answerable": 6, "non_answerable": 6, "correct": 8, "correct_answerable": 4,
        "abstained": 4, "abstained_rightly": 4, "overclaimed": 2, "unscored": 0,
        "points": pytest.approx(2 * (2 - LOST)), "counted": 12, "reachable": 6, "at_start": 0,
        "unread": 0,
    }  # fmt: skip


def test_by_type_has_nulls_and_no_missing_keys(scouts: Scores) -> None:
    match = scouts["by_type"]["match"]
    assert (match["eus"], match["known"], match["accuracy_answerable"]) == (1, 0, None)
    assert match["ci"]["accuracy_answerable"] is None


def test_steps_and_split(scouts: Scores) -> None:
    assert scouts["steps"] == {
        "spl": 0.25, "efficiency_won": 0.5, "commands": 1.5, "walkthrough": 3
    }  # fmt: skip
    assert scouts["split"]["all"]["from_answerable"] == 0.5
    assert scouts["split"]["match"]["from_non_answerable"] == 1


def blocks(found: Scores) -> Iterator[Scores]:
    yield found
    yield from found["by_type"].values()
    yield from found["by_level"].values()


def test_every_share_of_every_block_is_its_fraction(scouts: Scores) -> None:
    for block in blocks(scouts):
        for key in set(KEYS) & set(block):
            above, below = (block["counts"][name] for name in COUNTED[key])
            assert block[key] == (above / below if below else None)


def test_the_document_is_plain_json_and_never_not_a_number(scouts: Scores) -> None:
    assert json.loads(json.dumps(scouts, allow_nan=False)) == scouts


def test_the_headline_is_first_and_its_interval_stands_beside_it(scouts: Scores) -> None:
    assert KEYS[:2] == ("knowledge", "knowledge_ceiling")
    for block in blocks(scouts):
        assert block["knowledge_ci"] == block["ci"]["knowledge"]


def test_worlds_with_equal_means_tell_no_spread_of_the_headline(scouts: Scores) -> None:
    """Shares have Wilson's interval there; a score that may be below 0 has none."""
    assert scouts["knowledge_ci"] is None
    assert scouts["ci"]["eus"] is not None


def test_worlds_that_differ_give_the_headline_an_interval() -> None:
    one, other = synthetic.run(worlds=2).sittings
    quiet = synthetic.run("idle", "abstainer", worlds=2).sittings[1]
    found = scores([one, quiet])
    low, high = found["knowledge_ci"]
    mean = scores([one, other])["knowledge"]
    assert low == pytest.approx(min(0, mean), abs=1e-6)
    assert high == pytest.approx(max(0, mean), abs=1e-6)
    assert low <= found["knowledge"] <= high


def test_an_idle_abstainer_has_a_headline_of_0_and_no_ceiling() -> None:
    found = scores(synthetic.run("idle", "abstainer").sittings)
    assert (found["knowledge"], found["knowledge_ceiling"], found["eus"]) == (0, 0, 1)


def test_a_single_world_has_no_intervals() -> None:
    found = scores(synthetic.run(worlds=1).sittings)
    assert set(found["ci"].values()) == {found["knowledge_ci"]} == {None}
    assert found["eus"] == pytest.approx(4 / 6)


def test_an_unanswered_question_is_counted_apart() -> None:
    found = scores(synthetic.run(replies=synthetic.REPLIES[:5]).sittings)
    assert found["counts"]["unscored"] == 2
    assert (found["counts"]["questions"], found["by_type"]["property"]["eus"]) == (10, None)


def test_no_worlds_no_numbers() -> None:
    found = scores([])
    assert {found[key] for key in KEYS} == {None}
    assert (found["by_level"], found["counts"]["worlds"]) == ({}, 0)


def test_a_world_that_occurs_twice_is_refused() -> None:
    one = synthetic.run(worlds=1).sittings
    with pytest.raises(ValueError, match="twice"):
        scores(one + one)


def test_episodes_must_be_one_for_each_task() -> None:
    played = synthetic.played("easy-00", "easy", "scout")
    cut = replace(played, episodes=played.episodes[:1])
    with pytest.raises(ValueError, match=r"'easy-00'.*one for each task"):
        rows_of(cut, "scout", "reader")
    other = replace(played, episodes=played.episodes[::-1])
    with pytest.raises(ValueError, match="task 'go-attic' was paired with an episode of 'fetch-v"):
        rows_of(other, "scout", "reader")


@pytest.mark.slow
def test_importing_metrics_loads_no_numpy() -> None:
    import subprocess
    import sys

    code = "import sys, worldquiz.t2q.scoring; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    assert scoring.__all__
