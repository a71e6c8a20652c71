"""The largest sets without two that are alike: by hand, and by embeddings."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from scipy.sparse import csr_array

from worldquiz.errors import MissingExtra
from worldquiz.plugins import later
from worldquiz.tea import mir
from worldquiz.tea.mir import Independent, added, alike, independent

PETERSEN = [
    *((at, (at + 1) % 5) for at in range(5)),
    *((at, at + 5) for at in range(5)),
    *((5 + at, 5 + (at + 2) % 5) for at in range(5)),
]


def found(size: int, pairs: list[tuple[int, int]]) -> Independent:
    return independent(np.array(pairs, "int64").reshape(-1, 2), size)


def test_a_known_graph_has_its_known_number() -> None:
    assert len(found(10, PETERSEN).chosen) == 4
    assert found(10, PETERSEN).optimal
    assert found(10, PETERSEN).ratio == pytest.approx(0.4)
    assert found(0, []).ratio is None


def test_hard_parts_stand_beside_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mir, "NODES", 1)
    draw = np.random.default_rng(6)
    result = independent(draw.integers(0, 200, (3_000, 2)), 200)
    assert not result.optimal
    assert 25 < len(result.chosen) < result.bound < 100


def test_a_missing_library_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mir, "sparse", later("scipy.sparse", extra="scene"))
    monkeypatch.setitem(sys.modules, "scipy.sparse", None)
    with pytest.raises(MissingExtra, match=r"scipy is not installed: .*worldquiz\[scene\]"):
        found(10, PETERSEN)


def test_tasks_are_alike_by_the_mean_of_their_modalities() -> None:
    one = np.array([[1, 0], [1, 0], [0, 1]], "float32")
    two = np.array([[1, 0], [0, 1], [1, 0]], "float32")
    assert alike([one], 0.9).tolist() == [[0, 1]]
    assert alike([one, two], 0.9).tolist() == []
    assert alike([one, two], 0.4).tolist() == [[0, 1], [0, 2]]
    assert alike([one, csr_array(two)], 0.4).tolist() == [[0, 1], [0, 2]]
    assert alike([one], 1.0).tolist() == []  # nothing is above 1, however a machine rounds
    with pytest.raises(ValueError, match="modalities of"):
        alike([one, two[:2]], 0.5)


def test_evolved_tasks_count_by_what_they_add() -> None:
    before, after = found(2, []), found(4, [(0, 2)])
    assert added(before, after, 2) == pytest.approx(0.5)
    assert added(before, before, 0) is None
