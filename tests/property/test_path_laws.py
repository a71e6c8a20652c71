"""Laws of simple paths, against a search that says plainly what a simple path is."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import permutations, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mango_data import edge as move
from mango_data import maze_of, mazes
from worldquiz.errors import WorldquizError
from worldquiz.mango.mazes import Edge, Maze
from worldquiz.mango.paths import (
    ABSENT,
    Label,
    Net,
    Route,
    count,
    labels,
    paths,
    reached,
    sample,
)
from worldquiz.mango.stats import write_jsonl
from worldquiz.stats.sampling import shares

Path_ = tuple[Edge, ...]
few = settings(max_examples=60, deadline=None)


def all_simple(maze: Maze) -> Iterator[Path_]:
    """Yield every way to go that visits no place twice."""

    def onward(path: Path_, visited: frozenset[str]) -> Iterator[Path_]:
        if path:
            yield path
        here = path[-1].target if path else min(visited)
        for edge in maze.edges:
            if edge.source == here and edge.target not in visited:
                yield from onward((*path, edge), visited | {edge.target})

    for place in maze.places:
        yield from onward((), frozenset({place}))


def late(step: int | None) -> int:
    return ABSENT if step is None else step


def high(path: Sequence[Edge], kind: Label) -> int:
    return max(late(labels(edge)[kind]) for edge in path)


@few
@given(mazes())
def test_paths_are_every_simple_way_once(maze: Maze) -> None:
    assert Counter(paths(Net(maze))) == Counter(all_simple(maze))


@few
@given(mazes(), st.integers(0, 10), st.sampled_from(Label))
def test_counting_is_listing(maze: Maze, limit: int, by: Label) -> None:
    net, listed = Net(maze), list(all_simple(maze))
    tally = count(net, limit=limit, by=by)
    ends = Counter((net.number[p[0].source], net.number[p[-1].target]) for p in listed)
    assert {(s, t): n for (s, t), n in _cells(tally.pairs)} == ends
    by_length = Counter((sum(high((e,), by) > limit for e in path), len(path)) for path in listed)
    assert dict(_cells(tally.lengths)) == by_length
    assert sum(tally.lengths[0]) + sum(tally.hard_lengths) == len(listed)


@few
@given(mazes())
def test_the_best_route_is_found_without_listing_any(maze: Maze) -> None:
    net, listed = Net(maze), list(all_simple(maze))
    for (start, end), kind in product(permutations(net.places, 2), Label):
        s, t = net.number[start], net.number[end]
        routes = [p for p in listed if (p[0].source, p[-1].target) == (start, end)]
        least = min(map(len, routes), default=None)
        anyhow, short = (reached(net, s, kind, route).get(t) for route in Route)
        assert net.shortest(s).get(t) == least
        if least is None:
            assert anyhow is short is None
        else:
            assert anyhow == (0, min(high(path, kind) for path in routes))
            shortest = [high(path, kind) for path in routes if len(path) == least]
            assert short == (least, min(shortest))


@few
@given(mazes())
def test_official_lines_are_what_a_plain_program_writes(maze: Maze) -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = map(Path, write_jsonl(maze, Path(folder))["files"])
        ours = [[json.loads(line) for line in path.read_text().splitlines()] for path in files]
    listed = list(all_simple(maze))
    by = {(p["src_node"], p["dst_node"]): p for p in ours[1]}
    assert len(by) == len(ours[1]) == len(maze.places) * (len(maze.places) - 1)
    assert Counter(line["id"] for line in ours[0]) == Counter(map(plain_id, listed))
    lines = {line["id"]: line for line in ours[0]}
    for path in listed:
        line = lines[plain_id(path)]
        assert [line[name] for name in NAMES] == [min(high(path, kind), 9999) for kind in Label]
        assert (line["src_node"], line["dst_node"]) == (path[0].source, path[-1].target)
        assert line["step_count"] == len(path) == len(line["path_details"])
    for (start, end), line in by.items():
        routes = [p for p in listed if (p[0].source, p[-1].target) == (start, end)]
        assert line["num_paths"] == len(routes)
        for name, kind in zip(NAMES, Label, strict=True):
            best = min((high(path, kind) for path in routes), default=9999)
            assert line[name] == min(best, 9999)


NAMES = (
    "min_step_forward", "min_step_total",
    "min_step_forward_answerable", "min_step_total_answerable",
)  # fmt: skip


def plain_id(path: Path_) -> str:
    steps = [{"prev_node": e.source, "node": e.target, "action": e.action} for e in path]
    return sha256(json.dumps(steps, sort_keys=True).encode()).hexdigest()


@few
@given(mazes(), st.integers(0, 60), st.integers(0, 9), st.integers(0, 2**40))
def test_a_sample_is_of_different_paths_and_as_large_as_can_be(
    maze: Maze, size: int, limit: int, seed: int
) -> None:
    listed = set(all_simple(maze))
    drawn = sample(maze, size, seed, limit)
    assert len(set(drawn)) == len(drawn) == min(size, len(listed))
    assert set(drawn) <= listed
    hard = sum(high(path, Label.TOLD_FORWARD) > limit for path in drawn)
    there = sum(high(path, Label.TOLD_FORWARD) > limit for path in listed)
    wanted = shares({"easy": len(listed) - there, "hard": there}, size)
    assert hard == wanted["hard"]
    assert drawn == sample(maze, size, seed, limit)


def test_every_path_of_a_stratum_is_as_likely_and_too_many_are_not_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fan = maze_of(*(move("a", f"go {n}", f"room {n}", 1) for n in range(5)))
    drawn = [sample(fan, 1, seed, 9)[0][0].action for seed in range(500)]
    assert all(70 < drawn.count(f"go {n}") < 130 for n in range(5))
    monkeypatch.setattr("worldquiz.mango.paths.MOST", 4)
    with pytest.raises(WorldquizError, match=r"'toy' has more than 4 simple paths: read fewer"):
        count(Net(fan))


@given(st.dictionaries(st.text(), st.integers(0, 30)), st.integers(0, 100))
def test_shares_are_as_even_as_can_be(there: dict[str, int], size: int) -> None:
    given_ = shares(there, size)
    assert sum(given_.values()) == min(size, sum(there.values()))
    assert all(0 <= given_[name] <= there[name] for name in there)
    short = [given_[name] for name in there if given_[name] < there[name]]
    assert max(short, default=0) - min(short, default=0) <= 1
    assert all(n <= min(short) + 1 for n in given_.values()) if short else True


@few
@given(mazes(), st.integers(0, 9))
def test_a_prefix_has_the_paths_that_it_answers_and_no_other(maze: Maze, steps: int) -> None:
    whole = [p for p in all_simple(maze) if high(p, Label.TOLD_FIRST) <= steps]
    part = paths(Net(maze.prefix(steps)))
    assert Counter(map(plain_id, part)) == Counter(map(plain_id, whole))


def _cells(table: list[list[int]]) -> Iterator[tuple[tuple[int, int], int]]:
    for i, line in enumerate(table):
        for j, n in enumerate(line):
            if n:
                yield (i, j), n
