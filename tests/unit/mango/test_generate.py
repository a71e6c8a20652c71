"""Generated mazes: what the knobs do, in examples."""

from __future__ import annotations

import pytest

from worldquiz.errors import KnobError
from worldquiz.mango.generate import Knobs, generate
from worldquiz.mango.recorder.words import direction


def test_non_compass_moves_are_as_many_as_wanted() -> None:
    none = generate(Knobs(30, branching=3, loops=0.1), 1, name="a")
    all_ = generate(Knobs(30, non_compass=1.0), 1, name="b")
    assert all(direction(action) for action in none.actions)
    assert not any(direction(action) for action in all_.actions)


def test_one_way_passages_are_never_undone() -> None:
    maze = generate(Knobs(20, loops=1.0, one_way=0.5), 3, name="a")
    ways = {(edge.source, edge.target) for edge in maze.edges}
    assert sum((target, source) not in ways for source, target in ways) >= 5


def test_confusable_names_differ_by_one_word() -> None:
    maze = generate(Knobs(10, confusable=1.0), 1, name="a")
    assert len({place.split()[1] for place in maze.places}) == 1
    plain = generate(Knobs(10), 1, name="a")
    assert len({place.split()[-1] for place in plain.places}) == 10


@pytest.mark.parametrize(
    ("knobs", "fault"),
    [
        ({"size": 1}, "size is 1, wanted 2"),
        ({"branching": 1}, "branching is 1"),
        ({"loops": 1.5}, "loops is 1.5, wanted a share"),
        ({"one_way": -1}, "one_way is -1"),
    ],
)
def test_a_knob_that_cannot_be_is_named(knobs: dict[str, float], fault: str) -> None:
    with pytest.raises(KnobError, match=fault):
        Knobs(**knobs)  # type: ignore[arg-type]
