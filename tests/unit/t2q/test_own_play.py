"""Questions about an agent's own play: answers read off the texts alone, balance, runs."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import worldquiz as wq
from worldquiz.errors import KnobError, RecordError

ROOM, OPENED = re.compile(r"^-= (.+) =-$", re.M), re.compile(r"^You open the (.+?)(?:\.|, reveal)")
HORIZON = 25
PLAYED = "About the play itself"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Sequence[wq.Run]:
    """Return runs of three agents in worlds of two presets, asked about their play."""
    home, found = tmp_path_factory.mktemp("own play"), []
    for preset in ("explore", "infer"):
        suite = wq.t2q.build(preset, worlds=2, seed=3, out=home / preset)
        for agent in ("walkthrough", "random", "explorer"):
            how: dict[str, Any] = {"horizon": HORIZON} if agent == "random" else {}
            out = home / f"{preset}-{agent}"
            found.append(
                suite.run(agent=agent, answerer="oracle", own_play=100, wording=5, out=out, **how)
            )
    return found


def asked(run: wq.Run) -> Sequence[Any]:
    return [row for row in run.rows if row.type == "episode"]


def about(run: wq.Run, world: str, words: str) -> Sequence[Any]:
    return [row for row in asked(run) if row.world == world and words in row.prompt]


class Read(NamedTuple):
    """A first event as the texts tell it: when it was, the rooms seen before, the things held."""

    at: tuple[int, int]
    rooms: int
    held: str


def told(run: wq.Run, world: str) -> Mapping[str, Read]:
    """Return what was entered, opened and taken first, read off the texts."""
    found, been = dict[str, Read](), set[str]()
    lines = (run.path / "episodes.jsonl").read_text("utf-8").splitlines()
    episodes = [each for each in map(json.loads, lines) if each["world"] == world]
    for number, episode in enumerate(episodes):
        held = ""
        for step in episode["steps"]:
            seen = step["observation"]
            here = [room.lower() for room in ROOM.findall(seen["text"])]
            events = [f"entered the {room}" for room in here if room not in been]
            events += [f"opened the {thing}" for thing in OPENED.findall(seen["text"])]
            events += [f"took the {name}" for name in things(seen["inventory"]) - things(held)]
            for event in events if step["index"] else ():
                found.setdefault(event, Read((number, step["index"]), len(been), held))
            been.update(here)
            held = seen["inventory"]
    return found


def things(inventory: str) -> set[str]:
    """Return the names of the things carried."""
    names = re.split(r", | and ", inventory.partition(": ")[2].rstrip("."))
    return {re.sub(r"^(an?|some) ", "", name) for name in names if name}


def answer(row: Any, found: Mapping[str, Read]) -> str:
    """Answer a question from what was read."""
    if "which of the two" in row.prompt:
        return str(min(row.choices, key=lambda event: found[event].at))
    (event,) = (event for event in found if f"first {event}," in row.prompt)
    if "how many" in row.prompt:
        return str(found[event].rooms)
    thing = row.prompt.partition("carry the ")[2].rstrip("?")
    return "yes" if thing in things(found[event].held) else "no"


def test_the_texts_alone_give_the_same_answers(runs: Sequence[wq.Run]) -> None:
    for run in runs:
        for row in asked(run):
            assert answer(row, told(run, row.world)) == row.gold, row
            assert (row.correct, row.guess, row.shown) == (1, 0.56, True)
    assert sum(len(asked(run)) for run in runs) > 80
    assert {row.format for run in runs for row in asked(run)} == {"which", "yes_no"}


def test_of_two_answers_each_is_right_as_often(runs: Sequence[wq.Run]) -> None:
    """The order of the alphabet tells nothing: that of a list which somebody takes things from."""
    for run in runs:
        for world in {row.world for row in run.rows}:
            carried = [row.gold for row in about(run, world, "did it carry")]
            assert carried.count("yes") == carried.count("no")
            lower = [row.gold == row.choices[0] for row in about(run, world, "how many")]
            assert lower.count(True) == lower.count(False)
            order = [row.gold == min(row.choices) for row in about(run, world, "which of the two")]
            assert order.count(True) == order.count(False)


def test_nothing_is_asked_about_that_a_task_or_the_first_screen_names(
    runs: Sequence[wq.Run],
) -> None:
    for run in runs:
        for world in {row.world for row in run.rows}:
            lines = map(json.loads, (run.path / "episodes.jsonl").read_text("utf-8").splitlines())
            starts = [e["steps"][0]["observation"] for e in lines if e["world"] == world]
            known = starts[0]["text"] + " ".join(each["objective"] for each in starts)
            for row in about(run, world, "which of the two"):
                names = [choice.partition(" the ")[2] for choice in row.choices]
                assert not any(name in known.lower() for name in names)


def test_within_a_horizon_nothing_later_is_asked_about(runs: Sequence[wq.Run]) -> None:
    for run in (run for run in runs if run.manifest["agent"] == "random"):
        for row in asked(run):
            tasks = [each.measures["commands"] for each in run.rows
                     if each.type == "task" and each.world == row.world]  # fmt: skip
            assert sum(tasks[: row.episode]) + row.step <= HORIZON


def test_they_are_graded_again_in_the_words_they_were_asked_in(runs: Sequence[wq.Run]) -> None:
    run = runs[0]
    before = (run.path / "rows.jsonl").read_bytes()
    assert any("when the game began" in row.prompt.lower() for row in wq.Run(runs[2].path).rows)
    run.regrade()
    assert (run.path / "rows.jsonl").read_bytes() == before
    assert run.scores["by_type"]["episode"]["knowledge"] == 1


def test_a_limit_cuts_no_pair(runs: Sequence[wq.Run], tmp_path: Path) -> None:
    suite = wq.t2q.load(runs[0].path.parent / "explore")
    run = suite.run(agent="explorer", answerer="oracle", own_play=5, out=tmp_path / "run")
    for world in suite.worlds:
        carried = [row.gold for row in about(run, world, "did it carry")]
        assert carried.count("yes") == carried.count("no")
        assert len(about(run, world, PLAYED)) <= 5
    with pytest.raises(
        RecordError, match="own_play was 100, is now not set; wording was 5, is now"
    ):
        suite.run(agent="walkthrough", answerer="oracle", out=runs[0].path)
    with pytest.raises(KnobError, match="wording 6: must be 5 or less"):
        suite.run(agent="idle", answerer="oracle", wording=6, out=tmp_path / "other")
    with pytest.raises(KnobError, match="distractors 15: must be 14 or less"):
        suite.run(agent="idle", answerer="oracle", distractors=15, out=tmp_path / "other")
    with pytest.raises(KnobError, match="horizon has no effect without own_play"):
        suite.run(agent="idle", answerer="oracle", horizon=3, out=tmp_path / "other")
