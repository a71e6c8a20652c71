"""Where MANGO's published data lie for tests; they are no part of the project.

``$WORLDQUIZ_DATA/mango``, or ``../shared/data/mango`` beside the checkout. Tests that need them are
skipped where they are absent. Also mazes drawn at random, for laws.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from worldquiz.mango.mazes import Edge, Maze, Sight

HERE = Path(__file__).resolve().parent.parent


def mango_data() -> Path:
    """Return the folder of published mazes, or skip the test."""
    roots = [HERE.parent / "shared" / "data"]
    if os.environ.get("WORLDQUIZ_DATA"):
        roots = [Path(os.environ["WORLDQUIZ_DATA"])]
    for root in roots:
        if (root / "mango").is_dir():
            return root / "mango"
    pytest.skip(f"MANGO's published data are not at {roots[0] / 'mango'}: set WORLDQUIZ_DATA")


def published_table(number: int) -> dict[str, dict[str, Any]]:
    """Return the rows of one of the paper's tables, by game."""
    found: dict[str, dict[str, Any]] = json.loads(
        (mango_data() / f"table{number}.json").read_text("utf-8")
    )["rows"]
    return found


def edge(
    source: str, action: str, target: str, forward: int | None, backward: int | None = None
) -> Edge:
    """Return an edge that is told of as soon as it is seen."""
    sight = Sight(forward, backward)
    return Edge(source, action, target, sight, sight)


def maze_of(*edges: Edge, name: str = "toy", steps: int = 99) -> Maze:
    """Return the maze of some edges."""
    places = dict.fromkeys(place for e in edges for place in (e.source, e.target))
    return Maze(name, tuple(places), edges, (), steps)


def word_tokenizer(path: Path) -> Path:
    """Write a tokenizer whose tokens are those of the model server, and return its path.

    Like some published ones it says to cut every text short.
    """
    tokenizers = pytest.importorskip("tokenizers")
    words = tokenizers.Tokenizer(tokenizers.models.WordLevel({"?": 0}, unk_token="?"))
    words.pre_tokenizer = tokenizers.pre_tokenizers.Split(
        tokenizers.Regex(r"\w{1,12}|[^\w\s]"), behavior="removed", invert=True
    )
    words.enable_truncation(8)
    words.save(str(path))
    return path


def mazes(most_places: int = 6, most_edges: int = 12) -> st.SearchStrategy[Maze]:
    """Draw small mazes: with parallel and one-way edges, self-loops, and places without any."""
    names = ["attic", 'b "quoted"', "cellar", "dôme", "100% dark", "e] f", "g\\h"]
    steps = st.none() | st.integers(1, 9)

    def of(places: Sequence[str]) -> st.SearchStrategy[Maze]:
        place = st.sampled_from(places)
        sights = st.builds(Sight, steps, steps)
        action = st.sampled_from(["north", "up", "go to 'x'"])
        edges = st.lists(
            st.builds(Edge, place, action, place, sights, sights),
            max_size=most_edges,
            unique_by=lambda e: (e.source, e.action, e.target),
        )
        return edges.map(lambda some: Maze("drawn", tuple(places), tuple(some), (), 9))

    return st.lists(st.sampled_from(names), min_size=1, max_size=most_places, unique=True).flatmap(
        of
    )
