"""Distractors: sentences in a room's text that say nothing about the world."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import worldquiz as wq
from worldquiz.errors import KnobError
from worldquiz.t2q.reader.text import read_replies, read_view
from worldquiz.t2q.world.words import DISTRACTORS

ROOM = "-= Old Kitchen =-\nYou are in the old kitchen."


def test_a_distractor_states_nothing_about_a_room() -> None:
    plain = read_view(ROOM)
    assert plain is not None
    for sentence in DISTRACTORS:
        view = read_view(f"{ROOM} {sentence}")
        assert view is not None
        assert view.unread == [sentence]
        view.unread.clear()
        assert view == plain
        assert not list(read_replies(sentence))


@pytest.mark.parametrize("preset", ["easy", "infer", "change"])
def test_distractors_change_the_texts_of_rooms_and_nothing_else(
    preset: str, tmp_path: Path
) -> None:
    suite = wq.t2q.build(preset, worlds=2, seed=7, out=tmp_path / "data")
    plain, longer = (
        suite.run(agent="random", answerer="worldgraph", distractors=n, out=tmp_path / str(n))
        for n in (0, 4)
    )
    for one, two in zip(plain.rows, longer.rows, strict=True):
        assert (one.item, one.gold, one.reply, one.shown) == (
            two.item, two.gold, two.reply, two.shown
        )  # fmt: skip
    there: dict[tuple[str, str], set[str]] = {}
    for before, after in zip(texts(plain), texts(longer), strict=True):
        found = {each for each in DISTRACTORS if each in after}
        for each in found:
            after = after.replace(f" {each}", "")
        assert after == before
        for world, room in re.findall(r"(.+)\n(?:.+\n\n)?-= (.+) =-", after):
            assert len(found) == 4
            assert there.setdefault((world, room), found) == found
    assert len(there) > 4


def texts(run: wq.Run) -> list[str]:
    """Return the texts of a run, each after a line with its world."""
    lines = (run.path / "episodes.jsonl").read_text().splitlines()
    return [
        f"{episode['world']}\n{step['observation']['text']}"
        for episode in map(json.loads, lines)
        for step in episode.get("steps", ())
    ]


def test_there_are_so_many_distractors(tmp_path: Path) -> None:
    suite = wq.t2q.build("easy", worlds=1, seed=7, out=tmp_path / "data")
    with pytest.raises(KnobError, match="distractors: expected 0 to 14, found 15"):
        suite.run(agent="idle", answerer="oracle", distractors=15, out=tmp_path / "run")
