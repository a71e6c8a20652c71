"""Games played and recorded beside MANGO's published data: the games are the users' own.

``$WORLDQUIZ_ROMS`` names a folder of them; without it these tests are skipped.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from command import worldquiz
from mango_data import mango_data
from worldquiz.mango.mazes import Maze
from worldquiz.mango.published import Layout, games, read
from worldquiz.mango.recorder.trace import stories, trace
from worldquiz.mango.recorder.words import cleaned


@pytest.fixture(scope="module")
def roms() -> list[Path]:
    """Return the story files of the games whose published maps are at hand."""
    folder = os.environ.get("WORLDQUIZ_ROMS")
    if not folder:
        pytest.skip("no games to record: set WORLDQUIZ_ROMS to a folder of story files")
    published = {home.game for home in games(mango_data(), Layout.FULL)}
    return [story for story in stories(Path(folder)) if story.stem in published]


def test_a_walkthrough_is_played_word_for_word_as_published(roms: list[Path]) -> None:
    homes = {home.game: home for home in games(mango_data(), Layout.STEPS70)}
    for story in roms:
        played = trace(story)
        told = read(homes[story.stem]).walkthrough
        assert [step.text.strip() for step in played] == [
            cleaned(step.observation).strip() for step in told
        ], story.stem


def stood(maze: Maze) -> dict[str, set[tuple[str, int]]]:
    """Return the steps that leave and reach each place."""
    found: dict[str, set[tuple[str, int]]] = defaultdict(set)
    for edge in maze.edges:
        for step, ends in ((edge.seen.forward, (edge.source, edge.target)),
                           (edge.seen.backward, (edge.target, edge.source))):  # fmt: skip
            if step is not None:
                found[ends[0]].add(("leave", step))
                found[ends[1]].add(("reach", step))
    return found


def agreeing(ours: Maze, theirs: Maze) -> Counter[str]:
    """Count the moves of two maps, and those of ours that theirs has too.

    A place of ours is the place of theirs at which most steps agree. One to one, no two are the
    same; merged, they may be.
    """
    mine, published = stood(ours), stood(theirs)
    here, there = sorted(mine), sorted(published)
    shared = np.array([[len(mine[a] & published[b]) for b in there] for a in here])
    single = {here[a]: there[b] for a, b in zip(*linear_sum_assignment(-shared), strict=True)}
    merged = {here[a]: there[b] for a, b in enumerate(shared.argmax(axis=1))}
    wanted = {(edge.source, edge.action.lower(), edge.target) for edge in theirs.edges}
    found = Counter({"published": len(wanted)})
    for name, known in (("one to one", single), ("merged", merged)):
        moves = {
            (known.get(e.source, f"? {e.source}"), e.action.lower(), known.get(e.target, "?"))
            for e in ours.edges
        }
        found += Counter({f"{name}: ours": len(moves), name: len(moves & wanted)})
    return found


def test_recorded_maps_agree_with_the_published_ones(roms: list[Path], tmp_path: Path) -> None:
    for story in roms:
        worldquiz("mango", "record", "--roms", story, "--out", tmp_path / "maps")
    published = {home.game: read(home) for home in games(mango_data(), Layout.FULL)}
    total: Counter[str] = Counter()
    for home in games(tmp_path / "maps", Layout.FULL):
        total += agreeing(read(home), published[home.game])
    shares = {
        name: (total[name] / total[f"{name}: ours"], total[name] / total["published"])
        for name in ("one to one", "merged")
    }
    print({name: [f"{share:.3f}" for share in both] for name, both in shares.items()})
    assert min(shares["one to one"]) > 0.94
    assert min(shares["merged"]) > 0.95
