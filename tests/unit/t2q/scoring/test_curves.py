from __future__ import annotations

import math
from dataclasses import replace

import pytest

import synthetic
from worldquiz.facts.episode import Episode
from worldquiz.t2q.rows import rows_of
from worldquiz.t2q.scoring import curves
from worldquiz.t2q.scoring.curves import budget, document, efficiency, of_level, settled
from worldquiz.t2q.scoring.sitting import Sitting, sitting
from worldquiz.t2q.store import Played


def sat(world: str = "easy-00", agent: str = "scout", *, waits: int = 0) -> Sitting:
    """A world as the scout played it, after `waits` refused commands in the first task."""
    played = synthetic.played(world, "easy", agent)
    played = replace(played, episodes=(_late(played.episodes[0], waits), *played.episodes[1:]))
    return sitting(world, rows_of(played, agent, "reader"))


def _late(episode: Episode, waits: int) -> Episode:
    first, *rest = episode.steps
    waiting = [replace(first, index=n, action="wait", revealed=()) for n in range(1, waits + 1)]
    later = [replace(step, index=step.index + waits) for step in rest]
    return replace(episode, steps=(first, *waiting, *later))


def test_a_question_counts_from_the_command_that_settled_it() -> None:
    """The scout's second command shows the attic, its third the lock: 1.5 x 6 commands are 9."""
    world = sat()
    assert budget(world) == 9
    assert settled(world) == (2, 2, 3)
    found = document([world], steps=9)
    assert found["at"] == [*(round(n / 9, 6) for n in range(10)), 1.0]
    assert found["budget"] == 1.5
    thirds = [0, 0, 2, *[3] * 8]
    assert found["coverage"] == [round(n / 6, 6) for n in thirds] == found["knowledge_ceiling"]
    assert found["area"]["coverage"] == pytest.approx((7 + 7 + 6) / 9 / 6)


def test_a_guess_about_what_was_never_settled_costs_from_the_start() -> None:
    """Of the scout's answers one is a false answer; what it knows comes after."""
    found = document([sat()], steps=9)
    assert found["knowledge"][0] < 0
    assert found["knowledge"][-1] > found["knowledge"][0]


def test_a_run_may_end_behind_the_stated_budget() -> None:
    """After 9 refused commands nothing is settled within the budget; the last point has it all."""
    found = document([sat(waits=9)])
    assert found["at"][-1] == round(12 / 9, 6)
    assert found["coverage"][-2:] == [0.0, 0.5]
    assert found["area"]["coverage"] == 0


@pytest.mark.parametrize("agent", ["scout", "idle"])
@pytest.mark.parametrize("waits", [0, 3])
def test_curves_end_at_the_scores(agent: str, waits: int) -> None:
    run = synthetic.run(agent, worlds=3)
    late = tuple(_waiting(played, waits) for played in run.worlds)
    found = replace(run, worlds=late).scores
    for name in curves.CURVES:
        line = found["by_commands"][name]
        assert line[-1] == pytest.approx(found[name], abs=1e-6)
        assert 0 <= found["by_commands"]["area"][name] <= 1 or name == "knowledge"
        assert name == "knowledge" or line == sorted(line)


def _waiting(played: Played, waits: int) -> Played:
    first, *rest = played.episodes
    return replace(played, episodes=(_late(first, waits), *rest))


def test_whoever_is_quicker_has_the_larger_area() -> None:
    areas = [document([sat(waits=n)])["area"]["coverage"] for n in range(8)]
    assert areas == sorted(areas, reverse=True)
    assert areas[0] > areas[-1]


def test_worlds_pool_in_any_order() -> None:
    worlds = [sat("easy-00"), sat("easy-01", waits=2), sat("easy-02", "idle")]
    assert document(worlds) == document(worlds[::-1])


def test_without_questions_there_are_no_curves() -> None:
    empty = replace(sat(), results=())
    found = document([empty])
    assert [found[name] for name in curves.CURVES] == [None] * 3
    assert set(found["area"].values()) == {None}


def test_efficiency_is_the_commands_of_the_reference_over_ones_own() -> None:
    """For one, two, three questions the scout needs 2, 2, 3 commands; a late one 4, 4, 5."""
    scout, late, idle = ([settled(one)] for one in (sat(), sat(waits=2), sat(agent="idle")))
    assert efficiency(scout, scout) == 1
    assert efficiency(late, scout) == pytest.approx((2 / 4 + 2 / 4 + 3 / 5) / 3)
    assert efficiency(scout, late) == 1  # nobody gains by beating the reference
    assert efficiency(idle, scout) == 0
    assert efficiency(scout, idle) is None


def test_efficiency_is_of_the_same_worlds() -> None:
    with pytest.raises(ValueError, match="longer"):
        efficiency([settled(sat())], [settled(sat())] * 2)


def test_levels_of_no_preset_have_the_papers_budget() -> None:
    assert of_level("mine") == of_level("hard")
    assert of_level("explore").times > of_level("hard").times
    assert math.isclose(of_level("hard").times, 1.5)
