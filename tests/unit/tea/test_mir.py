"""The largest sets without two that are alike: by hand, part by part, and by embeddings."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from worldquiz.errors import MissingExtra
from worldquiz.extras import later
from worldquiz.tea import mir
from worldquiz.tea.mir import Independent, added, alike, independent

PETERSEN = [
    *((at, (at + 1) % 5) for at in range(5)),
    *((at, at + 5) for at in range(5)),
    *((5 + at, 5 + (at + 2) % 5) for at in range(5)),
]


def found(size: int, pairs: list[tuple[int, int]], exact: int = 1000) -> Independent:
    return independent(np.array(pairs, "int64").reshape(-1, 2), size, exact=exact)


def graph(size: int, pairs: list[tuple[int, int]]) -> Any:
    return mir.closed(np.array(pairs, "int64").reshape(-1, 2), size)


def near(size: int, pairs: list[tuple[int, int]]) -> list[int]:
    return mir.neighbours(graph(size, pairs))


def ring(size: int) -> list[tuple[int, int]]:
    return [(at, (at + 1) % size) for at in range(size)]


def test_a_known_graph_has_its_known_number() -> None:
    assert len(found(10, PETERSEN).chosen) == 4
    assert found(10, PETERSEN).optimal
    assert found(10, PETERSEN).ratio == pytest.approx(0.4)
    assert found(0, []).ratio is None


@pytest.mark.parametrize("size", range(3, 40))
def test_rings_are_solved_with_proof(size: int) -> None:
    result = found(size, ring(size))
    assert (len(result.chosen), result.bound) == (size // 2 or 1, size // 2 or 1)


def test_trees_cliques_and_twins_need_no_search() -> None:
    tree = [((at - 1) // 2, at) for at in range(1, 127)]
    clique = [(a + 127, b + 127) for a, b in combinations(range(30), 2)]
    smaller, kept = mir.reduced(graph(157, tree + clique))
    assert smaller.nnz == len(kept) == 85 + 1  # every other level, and one of the clique


def test_what_no_rule_makes_smaller_is_left_alone() -> None:
    smaller, kept = mir.reduced(graph(10, PETERSEN))
    assert kept.tolist() == list(range(10))
    assert smaller.nnz == 10 + 2 * len(PETERSEN)


def test_high_degrees_are_left_alone_when_they_cost_too_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    star = [(0, at) for at in range(1, 50)]
    monkeypatch.setattr(mir, "PRODUCTS", 0)
    assert mir.reduced(graph(50, star))[0].shape == (50, 50)
    assert found(50, star).optimal
    assert len(found(50, star).chosen) == 49


def test_doubled_pairs_and_pairs_of_one_with_itself_count_for_nothing() -> None:
    assert found(3, [(0, 1), (1, 0), (0, 1), (2, 2)]) == found(3, [(0, 1)])


def test_search_finds_a_largest_set_of_a_grid() -> None:
    side = 20
    pairs = [(a, a + 1) for a in range(side * side) if (a + 1) % side]
    pairs += [(a, a + side) for a in range(side * (side - 1))]
    best = set(mir.searched(near(side * side, pairs), [0]))
    assert len(best) == side * side // 2
    assert not any(a in best and b in best for a, b in pairs)


def test_a_longer_search_is_never_worse(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(4)
    one = near(400, [tuple(each) for each in draw.integers(0, 400, (4000, 2)).tolist()])
    sizes = []
    for turns in (0, 10, 100, 2_000):
        monkeypatch.setattr(mir, "TURNS", turns)
        best = mir.searched(one, mir.filled(one, []))
        assert best == mir.searched(one, mir.filled(one, []))
        sizes.append(len(best))
    assert sizes == sorted(sizes)
    assert sizes[-1] > sizes[0]


def test_a_cover_has_each_vertex_once_and_every_edge_is_in_a_maximal_clique() -> None:
    draw = np.random.default_rng(5)
    pairs = [tuple(each) for each in draw.integers(0, 80, (900, 2)).tolist()]
    one, dense = near(80, pairs), graph(80, pairs).toarray()
    covering, every = list(mir.cover(one)), list(mir.cliques(one))
    assert sorted(v for clique in covering for v in clique) == list(range(80))
    for clique in [*covering, *every]:
        assert dense[np.ix_(clique, clique)].all()
    assert all((dense[clique].sum(axis=0) == len(clique)).sum() == len(clique) for clique in every)
    together = {pair for clique in every for pair in combinations(sorted(clique), 2)}
    assert {(min(p), max(p)) for p in pairs if p[0] != p[1]} <= together


def test_a_program_with_too_many_members_is_not_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mir, "MEMBERS", 5)
    assert mir.program(near(10, PETERSEN)) is None
    result = found(10, PETERSEN)
    assert len(result.chosen) <= 4 <= result.bound


def test_the_relaxation_bounds_and_the_solver_proves() -> None:
    rows = mir.program(near(5, ring(5)))
    assert mir.relaxed(rows)[1] == 2  # 2.5 of 5
    values, bound = mir.proven(rows)
    assert bound == 2
    assert int(values.sum()) == 2


def test_hard_parts_stand_beside_a_bound() -> None:
    draw = np.random.default_rng(6)
    pairs = draw.integers(0, 400, (12_000, 2))
    result = independent(pairs, 400, exact=0)
    assert not result.optimal
    assert 35 < len(result.chosen) < result.bound < 200


@pytest.mark.slow
def test_two_processes_find_the_same() -> None:
    code = (
        "import numpy as np; from worldquiz.tea.mir import independent;"
        "draw = np.random.default_rng(7); pairs = draw.integers(0, 120, (500, 2));"
        "print(independent(pairs, 120, exact=60))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "OPENBLAS_NUM_THREADS": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1


def test_a_missing_library_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mir, "sparse", later("scipy.sparse", extra="tea"))
    monkeypatch.setitem(sys.modules, "scipy.sparse", None)
    with pytest.raises(MissingExtra, match=r"scipy is not installed: .*worldquiz\[tea\]"):
        mir.independent(np.empty((0, 2), "int64"), 3)


def test_tasks_are_alike_by_the_mean_of_their_modalities() -> None:
    one = np.array([[1, 0], [1, 0], [0, 1]], "float32")
    two = np.array([[1, 0], [0, 1], [1, 0]], "float32")
    assert alike([one], 0.9).tolist() == [[0, 1]]
    assert alike([one, two], 0.9).tolist() == []
    assert alike([one, two], 0.4).tolist() == [[0, 1], [0, 2]]
    assert alike([one], 1.0).tolist() == []  # nothing is above 1, however a machine rounds
    with pytest.raises(ValueError, match="modalities of"):
        alike([one, two[:2]], 0.5)


def test_blocks_shared_rows_and_sparse_rows_give_the_pairs_of_the_definition(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    draw = np.random.default_rng(8)
    shared = [draw.normal(size=(some, 12)).astype("float32") for some in (7, 20, 150)]
    shared[1][:, 4:] = 0
    parts = [each / np.linalg.norm(each, axis=1, keepdims=True) for each in shared]
    parts = [each[draw.integers(0, len(each), 150)] for each in parts]
    mean = sum(each.astype("float64") @ each.T.astype("float64") for each in parts) / 3
    right = np.argwhere(np.triu(mean > 0.4, 1)).tolist()
    assert len(right) > 100
    assert alike(parts, 0.4).tolist() == right
    assert alike([parts[0], csr_array(parts[1]), parts[2]], 0.4).tolist() == right
    monkeypatch.setattr(mir, "ROOM", 1)
    assert alike(parts, 0.4).tolist() == right


def test_evolved_tasks_count_by_what_they_add() -> None:
    before, after = found(2, []), found(4, [(0, 2)])
    assert added(before, after, 2) == pytest.approx(0.5)
    assert added(before, before, 0) is None
