"""Laws of the greedy cover."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from worldquiz.t2q.tasks.targets import greedy

LETTERS = "abcdefgh"

signature_maps = st.dictionaries(
    st.text("xyz", min_size=1, max_size=3), st.frozensets(st.sampled_from(LETTERS)), max_size=8
)
universes = st.dictionaries(
    st.sampled_from(LETTERS), st.floats(0.1, 10, allow_nan=False), min_size=1, max_size=8
)
prices = st.integers(0, 20)

Signatures = dict[str, frozenset[str]]


def covered(tasks: tuple[str, ...], universe: dict[str, float], signatures: Signatures) -> set[str]:
    return set().union(*(signatures[task] for task in tasks)) & universe.keys()


@given(universes, signature_maps, st.data())
def test_each_step_of_greedy_takes_the_best_there_is(
    universe: dict[str, float], signatures: Signatures, data: st.DataObject
) -> None:
    """Until all is covered that can be; the order of the input changes nothing."""
    cost = {task: data.draw(prices) for task in signatures}
    chosen = greedy(universe, signatures, cost=cost)
    backwards = dict(reversed(signatures.items()))
    assert chosen == greedy(dict(reversed(universe.items())), backwards, cost=cost)
    left = set(universe)

    def rank(task: str) -> tuple[float, int, str]:
        gain = math.fsum(universe[name] for name in signatures[task] & left)
        return -gain, cost[task], task

    for task in chosen:
        assert task == min(signatures, key=rank)
        assert signatures[task] & left
        left -= signatures[task]
    assert not left & covered(tuple(signatures), universe, signatures)
