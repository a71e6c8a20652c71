"""The largest sets without two that are alike: by hand, part by part, and by embeddings."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import combinations, pairwise

import numpy as np
import pytest
from scipy.sparse import csr_array

pytest.importorskip("numba")

from worldquiz.errors import MissingExtra
from worldquiz.tea.mir import Independent, added, alike, independent
from worldquiz.tea.mir.cover import covered, edges, grown
from worldquiz.tea.mir.numba_kernels import Net, net
from worldquiz.tea.mir.prove import proven, relaxed, rows
from worldquiz.tea.mir.reduce import reduced
from worldquiz.tea.mir.search import searched

PETERSEN = [
    *((at, (at + 1) % 5) for at in range(5)),
    *((at, at + 5) for at in range(5)),
    *((5 + at, 5 + (at + 2) % 5) for at in range(5)),
]


def found(size: int, pairs: list[tuple[int, int]], exact: int = 1000) -> Independent:
    return independent(np.array(pairs, "int64").reshape(-1, 2), size, exact=exact)


def graph(size: int, pairs: list[tuple[int, int]]) -> Net:
    ends = np.array(pairs, "int64").reshape(-1, 2)
    return net(ends[:, 0], ends[:, 1], size)


def ring(size: int) -> list[tuple[int, int]]:
    return [(at, (at + 1) % size) for at in range(size)]


def test_a_known_graph_has_its_known_number() -> None:
    assert len(found(10, PETERSEN).chosen) == 4
    assert found(10, PETERSEN).optimal
    assert found(10, PETERSEN).ratio == pytest.approx(0.4)
    assert found(0, []).ratio is None


@pytest.mark.parametrize("size", range(3, 40))
def test_rings_fold_away(size: int) -> None:
    result = found(size, ring(size), exact=0)
    assert (len(result.chosen), result.bound) == (size // 2, size // 2)


def test_trees_cliques_and_twins_need_no_search() -> None:
    tree = [((at - 1) // 2, at) for at in range(1, 127)]
    clique = [(a + 127, b + 127) for a, b in combinations(range(30), 2)]
    smaller, steps = reduced(graph(157, tree + clique))
    assert len(smaller.near) == 0
    chosen = np.ones(smaller.size, "bool")
    for step in reversed(steps):
        chosen = step.undone(chosen)
    assert int(chosen.sum()) == 85 + 1  # every other level from the leaves, and one of the clique


def test_what_no_rule_makes_smaller_is_left_alone() -> None:
    smaller, steps = reduced(graph(10, PETERSEN))
    assert smaller.size == 10
    assert len(steps) == 1


def test_doubled_pairs_and_pairs_of_one_with_itself_count_for_nothing() -> None:
    assert found(3, [(0, 1), (1, 0), (0, 1), (2, 2)]) == found(3, [(0, 1)])


def test_search_finds_a_largest_set_of_a_grid_and_keeps_its_limits() -> None:
    side = 20
    pairs = [(a, a + 1) for a in range(side * side) if (a + 1) % side]
    pairs += [(a, a + side) for a in range(side * (side - 1))]
    best = searched(graph(side * side, pairs), 200_000)
    assert int(best.sum()) == side * side // 2
    assert not any(best[a] and best[b] for a, b in pairs)


def test_a_longer_search_is_never_worse() -> None:
    draw = np.random.default_rng(4)
    pairs = [tuple(each) for each in draw.integers(0, 400, (4000, 2)).tolist()]
    one = graph(400, pairs)
    sizes = [int(searched(one, work).sum()) for work in (0, 10_000, 100_000, 2_000_000)]
    assert sizes == sorted(sizes)
    assert sizes[-1] > sizes[0]
    assert (searched(one, 100_000) == searched(one, 100_000)).all()


def test_covers_are_of_cliques_and_more_rounds_never_take_more() -> None:
    draw = np.random.default_rng(5)
    one = graph(80, [tuple(each) for each in draw.integers(0, 80, (900, 2)).tolist()])
    dense = one.matrix.toarray()
    covers = [covered(one, rounds) for rounds in (1, 10, 100)]
    many = [int(cover.max()) + 1 for cover in covers]
    assert many == sorted(many, reverse=True)
    for members, starts in (grown(one, covers[-1]), edges(one, 10**6)):
        for start, stop in pairwise(starts):
            clique = members[start:stop]
            inner = dense[np.ix_(clique, clique)]
            assert inner.sum() == len(clique) * (len(clique) - 1)
            assert (dense[clique].sum(axis=0) < len(clique)).all()  # nobody else fits


def test_every_edge_is_in_a_clique_of_the_program() -> None:
    one = graph(10, PETERSEN)
    matrix = rows(one, [covered(one, 1)], 10**6)
    together = (matrix.T @ matrix).toarray()
    assert all(together[a, b] for a, b in PETERSEN)
    assert rows(one, [], 5) is None  # too many members


def test_the_relaxation_bounds_and_the_solver_proves() -> None:
    one = graph(5, ring(5))
    matrix = rows(one, [], 100)
    assert relaxed(matrix) == 2  # 2.5 of 5
    best, bound = proven(matrix)
    assert bound == 2
    assert best is not None
    assert int(best.sum()) == 2


def test_hard_parts_stand_beside_a_bound() -> None:
    draw = np.random.default_rng(6)
    pairs = draw.integers(0, 400, (12_000, 2))
    result = independent(pairs, 400, exact=0)
    assert not result.optimal
    assert 40 < len(result.chosen) < result.bound < 200


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
    for name in [name for name in sys.modules if name.startswith("worldquiz.t2q.scoring.indep")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "numba", None)
    from worldquiz.tea import mir

    with pytest.raises(MissingExtra, match=r"numba is not installed: .*worldquiz\[scene\]"):
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
    from worldquiz.tea.mir import likeness

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
    monkeypatch.setattr(likeness, "ROOM", 1)
    assert alike(parts, 0.4).tolist() == right


def test_evolved_tasks_count_by_what_they_add() -> None:
    before, after = found(2, []), found(4, [(0, 2)])
    assert added(before, after, 2) == pytest.approx(0.5)
    assert added(before, before, 0) is None
