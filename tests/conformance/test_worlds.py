"""Every world keeps the protocol, and the kit that says so can say no."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq
from worldquiz.t2q import check_world


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

    def __init__(self, world: Any) -> None:
        self.inner = world
        self.steps = 0

    @property
    def spec(self) -> Any:
        return self.inner.spec

    @property
    def state(self) -> Any:
        return self.inner.state

    def reset(self, task: Any) -> Any:
        return self.inner.reset(task)

    def step(self, action: str) -> Any:
        self.steps += 1
        return self.inner.step(action)

    def close(self) -> None:
        self.inner.close()


class Forgetful(Broken):
    """Starts with a fact too few."""

    @property
    def state(self) -> Any:
        return self.inner.state - {min(self.inner.state)}


class Liar(Broken):
    """Reveals what is not true."""

    def reset(self, task: Any) -> Any:
        return replace(self.inner.reset(task), revealed=task.goal)


class Stutterer(Broken):
    """Says a fact twice."""

    def reset(self, task: Any) -> Any:
        now = self.inner.reset(task)
        return replace(now, revealed=(*now.revealed, now.revealed[-1]))


class Gossip(Broken):
    """Tells something while it refuses."""

    def step(self, action: str) -> Any:
        now = super().step(action)
        return replace(now, revealed=(min(self.state),)) if now.command is None else now


class Braggart(Broken):
    """Says that it is done when it is not."""

    def step(self, action: str) -> Any:
        now = super().step(action)
        return replace(now, observation=replace(now.observation, done=True))


class Moody(Broken):
    """Says something else each time."""

    def step(self, action: str) -> Any:
        now = super().step(action)
        text = f"{now.observation.text} {self.steps}"
        return replace(now, observation=replace(now.observation, text=text))


class Eraser(Broken):
    """Loses a fact that cannot change."""

    @property
    def state(self) -> Any:
        gone = min(fact for fact in self.inner.state if fact.predicate == "kind")
        return self.inner.state - ({gone} if self.steps else frozenset())


@pytest.mark.parametrize(
    ("broken", "law"),
    [
        (Forgetful, "law 1: the state at reset differs"),
        (Liar, "law 2: .* was revealed and is not true"),
        (Stutterer, "law 3: revealed facts are not sorted, or repeat"),
        (Gossip, "law 4: '' was refused and revealed a fact"),
        (Braggart, "law 5: done is True, won is False"),
        (Moody, "law 7: transition 1 differs when played again"),
        (Eraser, "law 8: the state has lost kind"),
    ],
)
def test_a_world_that_breaks_a_law_is_told_which(
    world: Any, task: Any, broken: Callable[[Any], Any], law: str
) -> None:
    with pytest.raises(AssertionError, match=law):
        check_world(broken(world), task)


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
