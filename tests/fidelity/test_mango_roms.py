"""Games played beside MANGO's published walkthroughs: the games are the users' own.

``$WORLDQUIZ_ROMS`` names a folder of them; without it these tests are skipped.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mango_data import mango_data
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
        assert [step.text.strip() for step in played.seen] == [
            cleaned(step.observation).strip() for step in told
        ], story.stem
