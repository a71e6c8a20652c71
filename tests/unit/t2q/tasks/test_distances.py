"""Distances on graphs small enough to check by hand, and against Floyd and Warshall."""

from __future__ import annotations

import random

from worldquiz.t2q.tasks.closure import Distances

FAR = 1 << 30


def test_distances_are_to_the_target() -> None:
    distances = Distances(3, [(0, 1, 1), (1, 2, 3)])
    assert list(distances.to(2)) == [4, 3, 0]
    assert list(distances.to(0)) == [0, FAR, FAR]


def test_the_cheapest_way_may_be_the_longer_one() -> None:
    distances = Distances(3, [(0, 2, 5), (0, 1, 1), (1, 2, 1)])
    assert distances.to(2)[0] == 2


def test_rows_are_computed_once() -> None:
    distances = Distances(2, [(0, 1, 1)])
    assert distances.to(1) is distances.to(1)


def test_distances_agree_with_floyd_and_warshall() -> None:
    draw = random.Random(5)
    for _ in range(30):
        size = draw.randint(1, 9)
        steps = [
            (a, b, draw.randint(1, 4))
            for a in range(size)
            for b in range(size)
            if draw.random() < 0.3
        ]
        table = [[0 if a == b else FAR for b in range(size)] for a in range(size)]
        for a, b, cost in steps:
            table[a][b] = min(table[a][b], cost)
        for via in range(size):
            for a in range(size):
                for b in range(size):
                    table[a][b] = min(table[a][b], table[a][via] + table[via][b])
        distances = Distances(size, steps)
        for b in range(size):
            assert list(distances.to(b)) == [table[a][b] for a in range(size)]
