"""Every world in the catalogue keeps the protocol, and the kit that says so can say no."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from conftest import SpecOf, WorldOf
from deep import some
from worldquiz.facts.fact import EATEN, State
from worldquiz.t2q.check import check_world
from worldquiz.t2q.tasks.targets import tasks
from worldquiz.t2q.world.base import CATALOGUE, Transition, World, opened
from worldquiz.t2q.world.spec import Proof, Solution, Task, WorldSpec

SEEDS = some([("easy", 11), ("easy", 101), ("medium", 102), ("hard", 103)], 2)


@pytest.fixture(params=CATALOGUE.names())
def world(request: pytest.FixtureRequest, spec_of: SpecOf, tmp_path: Path) -> Iterator[World]:
    """A small world of each kind in the catalogue."""
    spec = spec_of("easy", 11)
    world = opened(request.param, spec, tmp_path)
    yield world
    world.close()


@pytest.mark.parametrize(("level", "seed"), SEEDS)
def test_text_worlds_keep_the_protocol(level: str, seed: int, world_of: WorldOf) -> None:
    world = world_of(level, seed)
    for task in some(tasks(world.spec), 3):
        check_world(world, task)
    world.close()


def test_worlds_of_the_catalogue_keep_the_protocol(world: World) -> None:
    check_world(world, tasks(world.spec)[0])


class Broken:
    """A world that breaks one law; everything else is the real one's."""

    def __init__(self, world: World) -> None:
        self.inner = world
        self.steps = 0

    @property
    def spec(self) -> WorldSpec:
        return self.inner.spec

    @property
    def state(self) -> State:
        return self.inner.state

    def reset(self, task: Task) -> Transition:
        return self.inner.reset(task)

    def step(self, action: str) -> Transition:
        self.steps += 1
        return self.inner.step(action)

    def close(self) -> None:
        self.inner.close()


class Forgetful(Broken):
    """Starts with a fact too few."""

    @property
    def state(self) -> State:
        return self.inner.state - {min(self.inner.state)}


class Liar(Broken):
    """Reveals what is not true."""

    def reset(self, task: Task) -> Transition:
        return replace(self.inner.reset(task), revealed=(EATEN("moon"),))


class Stutterer(Broken):
    """Says a fact twice."""

    def reset(self, task: Task) -> Transition:
        now = self.inner.reset(task)
        return replace(now, revealed=(*now.revealed, now.revealed[-1]))


class Gossip(Broken):
    """Tells something while it refuses."""

    def step(self, action: str) -> Transition:
        now = super().step(action)
        return replace(now, revealed=(min(self.state),)) if now.command is None else now


class Braggart(Broken):
    """Says that it is done when it is not."""

    def step(self, action: str) -> Transition:
        now = super().step(action)
        return replace(now, observation=replace(now.observation, done=True))


class Moody(Broken):
    """Says something else each time."""

    def step(self, action: str) -> Transition:
        now = super().step(action)
        text = f"{now.observation.text} {self.steps}"
        return replace(now, observation=replace(now.observation, text=text))


class Eraser(Broken):
    """Loses a fact that cannot change."""

    @property
    def state(self) -> State:
        gone = min(fact for fact in self.inner.state if fact.predicate == "kind")
        return self.inner.state - ({gone} if self.steps else frozenset())


@pytest.mark.parametrize(
    ("broken", "law"),
    [
        (Forgetful, "law 1: the state at reset differs"),
        (Liar, r"law 2: eaten\(moon\) was revealed and is not true"),
        (Stutterer, "law 3: revealed facts are not sorted, or repeat"),
        (Gossip, "law 4: '' was refused and revealed a fact"),
        (Braggart, "law 5: done is True, won is False"),
        (Moody, "law 7: transition 1 differs when played again"),
        (Eraser, "law 8: the state has lost kind"),
    ],
)
def test_a_world_that_breaks_a_law_is_told_which(
    world: World, broken: Callable[[World], World], law: str
) -> None:
    with pytest.raises(AssertionError, match=law):
        check_world(broken(world), tasks(world.spec)[0])


@pytest.mark.parametrize(
    ("change", "law"),
    [
        (lambda commands: commands[:-1], "law 6: the walkthrough does not win"),
        (lambda commands: (*commands, "look"), "law 6: the task is won before command"),
    ],
)
def test_a_walkthrough_that_does_not_win_breaks_a_law(
    world: World, change: Callable[[tuple[str, ...]], tuple[str, ...]], law: str
) -> None:
    task = tasks(world.spec)[0]
    wrong = Solution(change(task.walkthrough.commands), Proof.SHORTEST)
    with pytest.raises(AssertionError, match=law):
        check_world(world, replace(task, walkthrough=wrong))


def test_a_task_that_is_won_at_the_start_breaks_a_law(world: World) -> None:
    task = replace(tasks(world.spec)[0], goal=(min(world.spec.initial),))
    with pytest.raises(AssertionError, match="law 6: the task is won at the start"):
        check_world(world, task)


def test_nonsense_that_moves_a_world_breaks_a_law(world: World) -> None:
    task = max(tasks(world.spec), key=lambda task: len(task.walkthrough.commands))
    with pytest.raises(AssertionError, match=r"law 4: 'take .*' changed the state"):
        check_world(world, task, nonsense=task.walkthrough.commands[:1])
