"""Non-answerable questions are not settled by the transcript: each has a twin world.

The paper's metric counts a question that no observation answers as one to be declined (arXiv
2601.09503, section 2.3). That is fair only if the transcript leaves the answer open. A twin proves
it: another world, played with the same commands, prints the same, and the question has another
answer there. Here twins are made of things, keys and lids; `tests/tiny_worlds.py` lists all twins
of tiny worlds, for questions of every type.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from conftest import SpecOf
from games import played, solvable
from worldquiz.facts.episode import Episode
from worldquiz.facts.fact import AT, IN, ON, OPEN, SHUT, UNLOCKED, Fact
from worldquiz.facts.question import Question, Type, Where, Which, YesNo
from worldquiz.t2q.rows import question_rows
from worldquiz.t2q.store import Played
from worldquiz.t2q.world.game import Game
from worldquiz.t2q.world.spec import MOVABLE, WorldSpec

RUNS = (("medium", 801, "random", 12), ("hard", 802, "random", 25), ("easy", 803, "idle", 0))
"""Level and seed, player, and its steps in each of its two episodes."""


@pytest.fixture(scope="module", params=RUNS, ids=lambda run: f"{run[0]}-{run[2]}")
def run(request: pytest.FixtureRequest, spec_of: SpecOf) -> Played:
    level, seed, player, steps = request.param
    return played(spec_of(level, seed), player, seed=seed, steps=steps, tasks=2)


def changed(spec: WorldSpec, old: set[Fact], new: set[Fact]) -> WorldSpec:
    return replace(spec, facts=tuple(sorted({*spec.facts} - old | new)))


def twins(spec: WorldSpec, question: Question) -> Iterator[WorldSpec]:
    """Yield worlds in which a question about a thing's place or an open lid has another answer."""
    thing = question.about[-1]
    if question.type is Type.LOCATION and spec.kinds[thing] in MOVABLE:
        here = spec.place[thing]
        for spot, kind in spec.kinds.items():
            link = {"room": AT, "supporter": ON, "container": IN}.get(kind)
            if link and spot != here.args[1] and answers_otherwise(question, here.args[1], spot):
                yield changed(spec, {here}, {link(thing, spot)})
    elif re.search(" (open|closed|shut)", question.text) and UNLOCKED(thing) in spec.facts:
        new, old = sorted((OPEN(thing), SHUT(thing)), key=spec.facts.__contains__)
        yield changed(spec, {old}, {new})


def answers_otherwise(question: Question, old: str, new: str) -> bool:
    """Tell whether a question about a thing's place has another answer with the thing elsewhere."""
    match question:
        case YesNo(about=(spot, _)) if spot in (old, new):
            return True
        case Where(answers=answers):
            return new not in answers
        case Which(choices=choices):
            return any(choice.split()[-1] == new.split()[-1] for choice in choices)
    return False


def looks_the_same(spec: WorldSpec, run: Played) -> bool:
    """Play the same commands; tell whether the same is printed."""
    game, tasks = Game(spec), {task.id: task for task in run.bundle.tasks}

    def again(episode: Episode) -> bool:
        return all(
            (game.step(step.action) if step.action else game.reset(tasks[episode.task])).observation
            == step.observation
            for step in episode.steps
        )

    return all(map(again, run.episodes))


def test_questions_left_open_have_a_twin_and_answerable_ones_have_none(run: Played) -> None:
    spec, found = run.bundle.spec, 0
    assert looks_the_same(spec, run)
    for question, row in zip(run.bundle.questions, question_rows(run), strict=True):
        drawn = list(twins(spec, question))
        same = [twin for twin in drawn if looks_the_same(twin, run)]
        if row.shown:
            assert same == [], question
        elif drawn:
            assert any(map(solvable, same)), question
            found += 1
    assert found
