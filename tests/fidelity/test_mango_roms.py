"""The recorder beside MANGO's published maps, on the games themselves: they are the users' own.

``$WORLDQUIZ_ROMS`` names a folder of them; without it these tests are skipped.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mango_data import mango_data
from worldquiz.mango.maze.mango import Layout, games, read
from worldquiz.mango.maze.recorder.trace import trace
from worldquiz.mango.maze.recorder.words import cleaned
from worldquiz.mango.mazes.record import record_all, report, stories


@pytest.fixture(scope="module")
def roms() -> list[Path]:
    """Return the story files of the games whose published maps are at hand."""
    folder = os.environ.get("WORLDQUIZ_ROMS")
    if not folder:
        pytest.skip("no games to record: set WORLDQUIZ_ROMS to a folder of story files")
    published = {home.game for home in games(mango_data(), Layout.FULL)}
    return [story for story in stories(Path(folder)) if story.stem in published]


def test_recorded_maps_are_the_published_ones_but_for_a_few_moves(
    roms: list[Path], tmp_path: Path
) -> None:
    found = report(record_all(roms, tmp_path, compare=mango_data(), jobs=2))
    assert found["failed"] == {}
    micro = found["micro"]
    assert micro["edges"]["precision"] >= 0.985
    assert micro["edges"]["recall"] >= 0.985
    assert micro["edges_confirmed"]["precision"] >= 0.99
    assert micro["nodes"]["precision"] >= 0.99
    assert all(move["replayed"] for move in found["merged_by_published"])


def test_a_walkthrough_is_played_word_for_word_as_published(roms: list[Path]) -> None:
    homes = {home.game: home for home in games(mango_data(), Layout.STEPS70)}
    for story in roms:
        played = trace(story, probe=False)
        told = read(homes[story.stem]).walkthrough
        assert [step.text.strip() for step in played.seen] == [
            cleaned(step.observation).strip() for step in told
        ], story.stem
