"""`worldquiz mango check`: true mazes pass, and whatever is changed in one is noticed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import worldquiz as wq
from conftest import Cli
from mango_data import mango_data
from worldquiz.mango import check
from worldquiz.mango.generate import Knobs, generate
from worldquiz.mango.grade import Question, Task
from worldquiz.mango.maze import Maze, Sight
from worldquiz.mango.paths import Route
from worldquiz.mango.published import chosen, write
from worldquiz.mango.questions import AskingPlan, planned
from worldquiz.mango.settings import QuizSettings

KNOBS = Knobs(12, 3, loops=0.5, one_way=0.3, confusable=0.3, non_compass=0.2)
MAZES = {f"maze-{seed}": generate(KNOBS, seed, name=f"maze-{seed}") for seed in range(4)}


def plans() -> Iterator[AskingPlan]:
    for easy in Route:
        for steps in (9, 70):
            yield planned(MAZES, QuizSettings(steps=steps, per_maze=400, rf_easy=easy))


def faults(plan: AskingPlan, maze: Maze, questions: list[Question]) -> tuple[str, ...]:
    return (*check.faults(maze, questions, plan.steps(maze.name), Route(plan.asked.rf_easy)),)


def test_generated_mazes_and_all_their_questions_agree() -> None:
    for plan in plans():
        for name, maze in MAZES.items():
            asked = [each for each in plan.questions if each.game == name]
            assert asked
            assert faults(plan, maze, asked) == ()


def wrong(question: Question) -> Iterator[Question]:
    """Yield a question with one thing in it that is not so."""
    for label in ("easy_from", "answerable_from"):
        stated: int | None = getattr(question, label)
        steps: list[int | None] = [stated - 1, None] if stated else []
        for step in [(stated or 0) + 1, *steps]:
            other: dict[str, Any] = {label: step}
            yield replace(question, **other)
    if question.task is Task.RF:
        yield replace(question, shortest=(question.shortest or 0) + 1)
    else:
        yield replace(question, actions=(*question.actions, "no such way"))


def test_every_wrong_label_and_length_is_noticed() -> None:
    plan = next(plans())
    tried = 0
    for question in plan.questions:
        maze = MAZES[question.game]
        for other in wrong(question):
            if other.level(9) == question.level(9) and other.shortest == question.shortest:
                continue  # a label beyond what is read says nothing
            tried += 1
            assert faults(plan, maze, [other]), other
    assert tried > 500


def test_an_edge_that_the_walkthrough_does_not_take_is_noticed() -> None:
    plan, maze = next(plans()), MAZES["maze-0"]
    taken = next(each for each in maze.edges if each.seen.forward)
    renamed = replace(taken, action="dance")
    edges = tuple(renamed if each == taken else each for each in maze.edges)
    found = faults(plan, replace(maze, edges=edges), [])
    assert f"{renamed}: step {taken.seen.forward} of the walkthrough" in found[0]
    alone = replace(taken, seen=Sight(taken.seen.forward, 1), told=taken.told)
    assert "step 1 of the walkthrough" in faults(plan, replace(maze, edges=(alone,)), [])[0]


def test_the_command_prints_a_table_and_ends_with_1_for_a_fault(cli: Cli, tmp_path: Path) -> None:
    wq.mango.build(mazes=2, seed=7, out=tmp_path / "mazes", size=7)
    done = cli("check", tmp_path / "mazes", "--deep")
    assert done.code == 0, done.err
    assert "agree with the second computation" in done.out
    maze = MAZES["maze-0"]
    lone = next(each for each in maze.edges if each.seen.forward)
    wrong = replace(lone, action="dance")
    write(replace(maze, edges=tuple(wrong if e == lone else e for e in maze.edges)), tmp_path / "b")
    done = cli("mango", "check", tmp_path / "b", "--json")
    found = json.loads(done.out)
    assert (done.code, found["sound"], bool(found["by_maze"]["maze-0"]["faults"])) == (
        1,
        False,
        True,
    )


def test_the_published_mazes_agree() -> None:
    mazes = {name: maze for name, maze in chosen(mango_data(), "").items() if maze.walkthrough}
    plan = planned(mazes, QuizSettings(steps=70, per_maze=60))
    assert len(mazes) == 16
    for name, maze in mazes.items():
        assert faults(plan, maze, [each for each in plan.questions if each.game == name]) == ()
