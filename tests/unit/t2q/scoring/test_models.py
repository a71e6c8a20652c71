"""What a model's run has to count, counted by hand."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import synthetic
from worldquiz.llm.model import Purpose, Status, Usage
from worldquiz.t2q.scoring import Scores, models, scores
from worldquiz.t2q.scoring.sitting import Calls, Sitting
from worldquiz.t2q.trace import Cause, Finding

PARTS = ("usage", "replies", "commands", "attribution")


@pytest.fixture(scope="module")
def document() -> Scores:
    return scores([found(world) for world in synthetic.model_run().sittings], resamples=0)


def found(world: Sitting, *causes: Finding) -> Sitting:
    """Return a world with causes: by default those that its texts would have if they were ours."""
    return replace(world, findings=causes or tuple((Cause(each),) for each in synthetic.CAUSES))


def test_a_scripted_run_has_none_of_it() -> None:
    found = scores(synthetic.run().sittings, resamples=0)
    assert not set(PARTS) & set(found)


def test_a_models_run_has_all_of_it_behind_the_same_keys(document: Scores) -> None:
    scripted = scores(synthetic.run().sittings, resamples=0)
    assert list(document) == [*scripted, *PARTS]
    assert json.loads(json.dumps(document, allow_nan=False)) == document


def test_calls_tokens_and_cost_add_up(document: Scores) -> None:
    used = document["usage"]
    assert {key: used[key] for key in used if key != "by_purpose"} == {
        "calls": 22, "input": 16000, "cached": 14400, "output": 320, "cached_share": 0.9,
        "cost": 1.5, "unknown": 0,
    }  # fmt: skip
    assert used["by_purpose"]["act"] == {
        "calls": 10, "input": 4000, "cached": 3000, "output": 200, "cached_share": 0.75, "cost": 1,
        "unknown": 0,
    }  # fmt: skip
    assert used["by_purpose"]["memory"] == {
        "calls": 0, "input": 0, "cached": 0, "output": 0, "cached_share": None, "cost": None,
        "unknown": 0,
    }  # fmt: skip


def test_a_cost_that_is_partly_unknown_is_unknown() -> None:
    known, unknown = Usage(Purpose.ACT, 1, cost=0.5), Usage(Purpose.MEMORY, 1)
    free = Usage(Purpose.MEMORY)  # no calls, nothing to pay
    world = synthetic.model_run(worlds=1).sittings[0]
    for other, cost in ((unknown, None), (free, 0.5)):
        found = models.document([replace(world, calls=Calls(usage=(known, other)))])["usage"]
        assert (found["cost"], found["by_purpose"]["act"]["cost"]) == (cost, 0.5)


def test_replies_are_counted_by_how_they_could_be_read(document: Scores) -> None:
    none = dict.fromkeys(map(str, Status), 0)
    assert document["replies"] == {
        "act": none | {"clean": 8, "unreadable": 2},
        "quiz": none | {"clean": 8, "repaired": 4},
        "left_out": 6,  # the largest gap of each world: it only grows
        "wasted": 2,
    }


def test_commands_refused_repeated_and_cut_off(document: Scores) -> None:
    assert document["commands"] == {"given": 10, "refused": 2, "repeated": 4, "step_limit": 2}


def test_a_command_with_another_answer_is_no_loop() -> None:
    run = synthetic.model_run(worlds=1)
    episode = run.worlds[0].episodes[1]
    steps = list(episode.steps)
    seen = replace(steps[2].observation, text="It is still locked.")
    steps[2] = replace(steps[2], observation=seen)
    played = replace(run.worlds[0], episodes=(run.worlds[0].episodes[0],
                                              replace(episode, steps=tuple(steps))))  # fmt: skip
    found = replace(run, worlds=(played,)).sittings
    assert models.commands(found)["repeated"] == 0


def test_every_graded_question_has_one_cause(document: Scores) -> None:
    found = document["attribution"]
    assert found["questions"] == document["counts"]["questions"] == 12
    counts = {
        "known": 4, "guessed": 0, "explore": 4, "remember": 0, "reason": 2,
        "overclaim": 2, "unread": 0,
    }  # fmt: skip
    assert found["counts"] == {cause: [count, count] for cause, count in counts.items()}
    assert found["shares"]["known"] == pytest.approx([1 / 3, 1 / 3])
    assert (found["exact"], found["undecided"]) == (12, 0)
    assert found["by_type"]["location"]["counts"]["overclaim"] == [2, 2]
    assert found["by_type"]["direction"]["shares"]["reason"] == [1, 1]


def test_what_is_undecided_widens_the_bounds_of_its_causes_only() -> None:
    first, *rest = (found(world) for world in synthetic.model_run(worlds=1).sittings)
    either = (Cause.REASON, Cause.REMEMBER)
    known = first.findings or ()
    open_ = replace(first, findings=(*known[:3], either, *known[4:]))
    told = scores([open_, *rest], resamples=0)["attribution"]
    assert {cause: bounds for cause, bounds in told["counts"].items() if any(bounds)} == {
        "known": [2, 2], "explore": [2, 2], "overclaim": [1, 1],
        "reason": [0, 1], "remember": [0, 1],
    }  # fmt: skip
    assert (told["exact"], told["undecided"]) == (5, 1)
    assert told["by_type"]["direction"]["shares"]["reason"] == [0, 1]


def test_an_ungraded_question_has_no_cause() -> None:
    found = scores(synthetic.model_run(replies=synthetic.REPLIES[:5]).sittings, resamples=0)
    assert found["attribution"]["questions"] == 10
    assert found["attribution"]["by_type"]["property"]["shares"]["known"] is None


def test_a_model_that_only_answers_has_no_acting_to_count() -> None:
    run = synthetic.model_run(worlds=1)
    (played,) = run.worlds
    quiet = replace(played, trace=replace(played.trace, moves=()))
    found = replace(run, worlds=(quiet,)).sittings
    assert sum(models.replies(found)["act"].values()) == 0
    assert models.replies(found)["left_out"] == 3  # of the contexts
