"""Laws of reading what a memory recalled: any part of the truth is read as part of the truth.

Players walk, fetch, drop, lock and abbreviate in games; hypothesis chooses what a memory has
kept of that, and in which order it tells it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import SpecOf
from games import played
from worldquiz.facts.requirement import Moment
from worldquiz.memory.base import rendered
from worldquiz.t2q.question import Question, prompt
from worldquiz.t2q.quiz.ask import settled, shows
from worldquiz.t2q.reader.context import read_context
from worldquiz.t2q.reader.graph import Graph, Reader
from worldquiz.t2q.rollout import Played, question_rows
from worldquiz.t2q.world.config import PRESETS

Case = tuple[str, str]
CASES = st.sampled_from([(level, name) for level in sorted(PRESETS)
                         for name in ("walkthrough", "random", "explorer", "babbler")])  # fmt: skip
SHARES = st.sampled_from((0.0, 0.02, 0.1, 0.3, 0.6, 0.9, 0.97))
DRAWS = st.integers(0, 10**9).map(random.Random)


@pytest.fixture(scope="module")
def history(spec_of: SpecOf) -> dict[Case, Played]:
    """Every player's episodes in a world of every preset, made when they are asked for."""

    class Games(dict[Case, Played]):
        def __missing__(self, case: Case) -> Played:
            self[case] = found = played(spec_of(case[0], 906), case[1])
            return found

    return Games()


def turns_of(run: Played) -> list[str]:
    """Return all turns as text, in the order played."""
    return [
        rendered(Moment(number, step), turn)
        for number, episode in enumerate(run.episodes)
        for step, turn in enumerate(episode.transcript)
    ]


def whole(run: Played) -> Graph:
    return Reader.of([episode.transcript for episode in run.episodes]).graph


def false_of(graph: Graph, questions: Sequence[Question]) -> list[tuple[str, str]]:
    """Return what a graph settles wrongly: question, what it settles."""
    told = [(each, settled(graph, prompt(each))) for each in questions]
    return [
        (each.text, answer)
        for each, answer in told
        if answer is not None and answer not in each.answers
    ]


def some(items: Sequence[str], share: float, draw: random.Random) -> list[str]:
    return [item for item in items if draw.random() < share]


@settings(max_examples=80, deadline=None)
@given(CASES, SHARES, DRAWS)
def test_what_some_turns_settle_is_right(
    history: dict[Case, Played], case: Case, share: float, draw: random.Random
) -> None:
    run = history[case]
    told = some(turns_of(run), share, draw)
    draw.shuffle(told)
    read = read_context("".join(told), changes=case[0] == "change")
    assert read.exact
    assert false_of(read.graph, run.bundle.questions) == []


@settings(max_examples=40, deadline=None)
@given(CASES, SHARES, SHARES, DRAWS)
def test_more_turns_never_show_less_all_show_what_the_game_did_and_none_show_nothing(
    history: dict[Case, Played], case: Case, share: float, more: float, draw: random.Random
) -> None:
    run, turns = history[case], turns_of(history[case])
    few = {turn for turn in turns if draw.random() < share}
    many = [turn for turn in turns if turn in few or draw.random() < more]
    for row, each in zip(question_rows(run), run.bundle.questions, strict=True):

        def shown(some: Iterable[str], each: Question = each) -> bool | None:
            return shows("".join(some), prompt(each), each.answers)

        assert not shown(())
        assert shown(turns) or not row.shown
        assert shown(many) or not shown(turn for turn in turns if turn in few)


@settings(max_examples=40, deadline=None)
@given(CASES, DRAWS)
def test_all_turns_in_any_order_are_read_as_the_transcripts_are(
    history: dict[Case, Played], case: Case, draw: random.Random
) -> None:
    run = history[case]
    turns = turns_of(run)
    draw.shuffle(turns)
    assert read_context("".join(turns)).graph == whole(run)


@settings(max_examples=40, deadline=None)
@given(CASES, DRAWS)
def test_what_a_stretch_of_turns_settles_is_right(
    history: dict[Case, Played], case: Case, draw: random.Random
) -> None:
    run = history[case]
    start = draw.randrange(len(turns := turns_of(run)))
    told = "".join(turns[start : start + draw.randint(1, 40)])
    stretch = read_context(told, changes=case[0] == "change").graph
    assert false_of(stretch, run.bundle.questions) == []
