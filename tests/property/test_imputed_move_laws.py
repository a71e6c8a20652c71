"""Laws of what makes a maze hard, against a search that lists every simple path."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean

from hypothesis import given, settings
from hypothesis import strategies as st

from mango_data import mazes
from worldquiz.mango.maze.maze import Edge, Maze
from worldquiz.mango.paths.path_tree import Label, Net, count, labels

Path = tuple[Edge, ...]
few = settings(max_examples=60, deadline=None)
limits = st.integers(0, 10)
kinds = st.sampled_from(Label)


def simple(maze: Maze, path: Path, at: str) -> Iterator[Path]:
    """Yield a path, unless it has no edge, and all its continuations."""
    if path:
        yield path
    for edge in maze.edges:
        if edge.source == at and edge.target not in {at, *(e.source for e in path)}:
            yield from simple(maze, (*path, edge), edge.target)


def all_simple(maze: Maze) -> list[Path]:
    return [path for place in maze.places for path in simple(maze, (), place)]


def late(path: Path, limit: int, kind: Label) -> int:
    steps = [labels(edge)[kind] for edge in path]
    return sum(step is None or step > limit for step in steps)


@few
@given(mazes(), limits, kinds)
def test_paths_are_counted_by_imputed_moves_and_by_length(
    maze: Maze, limit: int, kind: Label
) -> None:
    every = all_simple(maze)
    found = count(Net.of(maze), limit=limit, by=kind)
    for imputed, row in enumerate(found.lengths):
        for length, number in enumerate(row):
            alike = [p for p in every if (late(p, limit, kind), len(p)) == (imputed, length)]
            assert number == len(alike)


@few
@given(mazes(), limits, kinds)
def test_means_are_those_of_the_listed_paths(maze: Maze, limit: int, kind: Label) -> None:
    every = all_simple(maze)
    easy = [len(path) for path in every if not late(path, limit, kind)]
    hard = [(len(path), late(path, limit, kind)) for path in every if late(path, limit, kind)]
    found = count(Net.of(maze), limit=limit, by=kind)
    assert (found.easy, found.hard) == (len(easy), len(hard))
    wanted = (
        fmean(easy) if easy else None,
        fmean(length for length, _ in hard) if hard else None,
        fmean(imputed for _, imputed in hard) if hard else None,
    )
    for ours, mean in zip(
        (found.mean_easy, found.mean_hard, found.mean_imputed), wanted, strict=True
    ):
        assert (ours is None) == (mean is None)
        assert ours is None or mean is None or abs(ours - mean) < 1e-9
