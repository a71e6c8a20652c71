"""Every world keeps the protocol, and the kit that says so can say no."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq
from fact_texts import facts
from worldquiz.t2q import check_world

(NEVER,) = facts("eaten(moon)")


@pytest.fixture
def world(suite: Any) -> Iterator[Any]:
    """An easy world of a suite."""
    with suite.opened(suite.bundle("easy-00")) as world:
        yield world


@pytest.fixture(scope="module")
def task(suite: Any) -> Any:
    """The task of that world whose walkthrough is the longest."""
    tasks = suite.bundle("easy-00").tasks
    return max(tasks, key=lambda task: len(task.walkthrough.commands))


@pytest.mark.parametrize("level", ["medium", "hard", "explore"])
def test_text_worlds_keep_the_protocol(level: str, tmp_path: Path) -> None:
    suite = wq.t2q.build(level, worlds=1, seed=11, out=tmp_path)
    bundle = suite.bundle(suite.worlds[0])
    with suite.opened(bundle) as world:
        for task in bundle.tasks[:3]:
            check_world(world, task)


class Broken:
    """A world that breaks one law; everything else is the real one's."""

    def __init__(self, world: Any, part: str, change: Callable[..., Any]) -> None:
        self.inner, self.part, self.change, self.steps = world, part, change, 0

    def _told(self, part: str, value: Any) -> Any:
        return self.change(value, self) if part == self.part else value

    @property
    def spec(self) -> Any:
        return self.inner.spec

    @property
    def state(self) -> Any:
        return self._told("state", self.inner.state)

    def reset(self, task: Any) -> Any:
        return self._told("reset", self.inner.reset(task))

    def step(self, action: str) -> Any:
        self.steps += 1
        return self._told("step", self.inner.step(action))

    def close(self) -> None:
        self.inner.close()


def gossip(now: Any, world: Broken) -> Any:
    return replace(now, revealed=(min(world.state),)) if now.command is None else now


def moody(now: Any, world: Broken) -> Any:
    text = f"{now.observation.text} {world.steps}"
    return replace(now, observation=replace(now.observation, text=text))


def eraser(state: Any, world: Broken) -> Any:
    gone = min(fact for fact in state if fact.predicate == "kind")
    return state - ({gone} if world.steps else frozenset())


@pytest.mark.parametrize(
    ("part", "change", "law"),
    [
        ("state", lambda state, _: state - {min(state)}, "law 1: the state at reset differs"),
        ("reset", lambda now, _: replace(now, revealed=(NEVER,)), "law 2: .* but is not true"),
        ("reset", lambda now, _: replace(now, revealed=(*now.revealed, now.revealed[-1])),
         "law 3: revealed facts are unsorted or duplicate"),
        ("step", gossip, "law 4: '' was refused but revealed a fact"),
        ("step", lambda now, _: replace(now, observation=replace(now.observation, done=True)),
         "law 5: done is True, won is False"),
        ("step", moody, "law 7: transition 1 differs when played again"),
        ("state", eraser, "law 8: the state has lost kind"),
    ],
)  # fmt: skip
def test_a_world_that_breaks_a_law_is_told_which(
    world: Any, task: Any, part: str, change: Callable[..., Any], law: str
) -> None:
    with pytest.raises(AssertionError, match=law):
        check_world(Broken(world, part, change), task)


@pytest.mark.parametrize(
    ("change", "law"),
    [
        (lambda commands: commands[:-1], "law 6: the walkthrough does not win"),
        (lambda commands: (*commands, "look"), "law 6: the task is won before command"),
    ],
)
def test_a_walkthrough_that_does_not_win_breaks_a_law(
    world: Any, task: Any, change: Callable[[tuple[str, ...]], tuple[str, ...]], law: str
) -> None:
    wrong = replace(task.walkthrough, commands=change(task.walkthrough.commands))
    with pytest.raises(AssertionError, match=law):
        check_world(world, replace(task, walkthrough=wrong))


def test_a_task_that_is_won_at_the_start_breaks_a_law(world: Any, task: Any) -> None:
    with pytest.raises(AssertionError, match="law 6: the task is won at the start"):
        check_world(world, replace(task, goal=(min(world.spec.initial),)))


def test_nonsense_that_moves_a_world_breaks_a_law(world: Any, task: Any) -> None:
    with pytest.raises(AssertionError, match=r"law 4: '.*' changed the state"):
        check_world(world, task, nonsense=task.walkthrough.commands[:1])
