"""Distractors: sentences in a room's text that say nothing about the world."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

import worldquiz as wq
from worldquiz.t2q.reader.text import RoomView, read_replies, read_view
from worldquiz.t2q.world.words import DISTRACTORS

ROOM = "-= Old Kitchen =-\nYou are in the old kitchen."


def test_a_distractor_states_nothing_about_a_room() -> None:
    for sentence in DISTRACTORS:
        view = cast("RoomView", read_view(f"{ROOM} {sentence}"))
        assert view.unread == [sentence]
        assert replace(view, unread=[]) == read_view(ROOM)
        assert not list(read_replies(sentence))


@pytest.mark.parametrize("preset", ["easy", "infer", "change"])
def test_distractors_change_the_texts_of_rooms_only(preset: str, tmp_path: Path) -> None:
    suite = wq.t2q.build(preset, worlds=2, seed=7, out=tmp_path / "data")
    plain, longer = (
        suite.run(agent="random", answerer="worldgraph", distractors=n, out=tmp_path / str(n))
        for n in (0, 4)
    )
    for one, two in zip(plain.rows, longer.rows, strict=True):
        assert (one.item, one.gold, one.reply, one.shown) == (
            two.item, two.gold, two.reply, two.shown
        )  # fmt: skip
    added: dict[str, set[str]] = {}
    for before, after in zip(texts(plain), texts(longer), strict=True):
        found = {each for each in DISTRACTORS if each in after}
        assert len(found) == (4 if "-= " in before else 0)
        for each in found:
            after = after.replace(f" {each}", "")
        assert after == before
        assert added.setdefault(before, found) == found


def texts(run: wq.Run) -> Iterator[str]:
    """Yield the texts that a run's agent read, each with its world."""
    for line in map(json.loads, (run.path / "episodes.jsonl").read_text().splitlines()):
        for step in line["steps"]:
            yield f"{line['world']}: {step['observation']['text']}"
