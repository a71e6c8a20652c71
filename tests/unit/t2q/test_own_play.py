"""Questions about an agent's own play: answers read off the texts alone, balance, runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

import worldquiz as wq
from conftest import SpecOf
from games import played
from worldquiz.errors import KnobError
from worldquiz.t2q.question import Question, Which, gold
from worldquiz.t2q.quiz.own_play import own_play
from worldquiz.t2q.rollout import Played
from worldquiz.t2q.settings import T2QSettings

PLAYERS = {"walkthrough": 60, "random": 40, "explorer": 40}
ROOM, OPENED = re.compile(r"^-= (.+) =-$", re.M), re.compile(r"^You open the (.+?)(?:\.|, reveal)")


class Read(NamedTuple):
    """A first event as the texts tell it: when it was, the rooms seen before, the things held."""

    at: tuple[int, int]
    rooms: int
    held: str


def told(play: Played) -> dict[str, Read]:
    """Return what was entered, opened and taken first, read off the texts."""
    found, been = dict[str, Read](), set[str]()
    for number, episode in enumerate(play.episodes):
        held = ""
        for step, (_, seen) in enumerate(episode.transcript):
            here = ROOM.findall(seen.text)
            events = [f"entered the {room.lower()}" for room in here if room.lower() not in been]
            events += [f"opened the {thing}" for thing in OPENED.findall(seen.text)]
            events += [f"took the {thing}" for thing in things(seen.inventory) - things(held)]
            for event in events if step else ():
                found.setdefault(event, Read((number, step), len(been), held))
            been.update(room.lower() for room in here)
            held = seen.inventory
    return found


def things(inventory: str) -> set[str]:
    """Return the names of the things carried."""
    names = re.split(r", | and ", inventory.partition(": ")[2].rstrip("."))
    return {re.sub(r"^(an?|some) ", "", name) for name in names if name}


def answer(question: Question, found: dict[str, Read]) -> str:
    """Answer a question from what was read."""
    if isinstance(question, Which) and "which of the two" in question.text:
        return min(question.choices, key=lambda event: found[event].at)
    (event,) = (event for event in found if f"first {event}," in question.text)
    if isinstance(question, Which):
        return str(found[event].rooms)
    return "yes" if question.about[1] in things(found[event].held) else "no"


def asked(spec_of: SpecOf, **how: int) -> Iterator[tuple[Played, list[Question]]]:
    for level in ("explore", "infer"):
        for name, steps in PLAYERS.items():
            play = played(spec_of(level, 940), name, steps=steps)
            yield play, list(own_play(play.bundle, play.episodes, 100, **how))


def test_the_texts_alone_give_the_same_answers(spec_of: SpecOf) -> None:
    count = 0
    for play, questions in asked(spec_of):
        found = told(play)
        for question in questions:
            assert answer(question, found) == gold(question), question
        count += len(questions)
    assert count > 40


def test_each_answer_is_as_likely_and_no_objective_names_what_is_asked_about(
    spec_of: SpecOf,
) -> None:
    for play, questions in asked(spec_of):
        assert len({question.id for question in questions}) == len(questions)
        asked_about = [question for question in questions if not isinstance(question, Which)]
        assert 2 * sum(gold(each) == "yes" for each in asked_about) == len(asked_about)
        numbers = [q for q in questions if isinstance(q, Which) and "how many" in q.text]
        assert 2 * sum(q.answer == q.choices[0] for q in numbers) == len(numbers)
        told = " ".join(task.objective for task in play.bundle.tasks)
        events = [name for q in questions if isinstance(q, Which) for name in q.about]
        assert not any(name in told for name in events)


def test_within_a_horizon_what_was_done_later_changes_nothing(spec_of: SpecOf) -> None:
    for play, questions in asked(spec_of, horizon=25):
        left, first = 25, []
        for episode in play.episodes:
            first.append(replace(episode, steps=episode.steps[: left + 1]))
            left = max(0, left - episode.actions)
        assert list(own_play(play.bundle, first, 100)) == questions


def test_a_run_asks_them_grades_them_again_and_counts_them(tmp_path: Path) -> None:
    suite = wq.t2q.build("explore", worlds=1, seed=3, out=tmp_path / "suite")
    how = T2QSettings(own_play=10, wording=5)
    run = suite.run(agent="explorer", answerer="oracle", settings=how, out=tmp_path / "run")
    assert any("when the game began" in prompt.lower() for prompt in run.frame()["prompt"])
    frame = run.frame()
    rows = frame[frame["type"] == "episode"]
    assert len(rows) == 10
    assert set(rows["correct"]) == {1.0}
    assert set(rows["guess"]) == {0.56}
    assert run.scores["by_type"]["episode"]["knowledge"] == 1
    before = (tmp_path / "run" / "rows.jsonl").read_bytes()
    run.regrade()
    assert (tmp_path / "run" / "rows.jsonl").read_bytes() == before
    with pytest.raises(KnobError, match="wordings 0 to 5"):
        suite.run(agent="idle", answerer="oracle", wording=6, out=tmp_path / "other")
    with pytest.raises(KnobError, match="horizon needs own_play"):
        suite.run(agent="idle", answerer="oracle", horizon=3, out=tmp_path / "other")
