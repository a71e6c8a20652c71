"""Agents without a plan of their own: idle, walkthrough, random."""

from __future__ import annotations

import asyncio

import pytest

from worldquiz.facts.episode import Observation
from worldquiz.facts.fact import CARRIED
from worldquiz.t2q.agents.base import Agent, Brief
from worldquiz.t2q.agents.scripted import Idle, Random, Walkthrough, plausible
from worldquiz.t2q.reader import Reader
from worldquiz.t2q.world.spec import Proof, Solution, Task, Verb, WorldSpec

ATTIC = (
    "-= Attic =-\nThis is the attic. You see a closed red box here. There is an open new bin here. "
    "The new bin is empty. You see an old rack here. On the old rack lies a tin key.\n\n"
    "There is a closed narrow gate leading north. You can go east from here.\n\n"
    "There is a red apple on the floor."
)


def see(text: str, inventory: str = "You are carrying nothing.", goal: str = "") -> Observation:
    return Observation(text, inventory, 0, False, goal)


def acts(agent: Agent, *observations: Observation) -> list[str | None]:
    """Return what an agent does in one episode of these observations."""

    async def run() -> list[str | None]:
        await agent.begin(observations[0])
        return [await agent.act(observation) for observation in observations]

    return asyncio.run(run())


def task(objective: str, *commands: str) -> Task:
    plan = Solution(commands, Proof.SHORTEST)
    return Task(objective, Verb.FETCH, "hat", (CARRIED("hat"),), objective, (), (), plan)


def brief(*tasks: Task) -> Brief:
    return Brief(WorldSpec("toy", "toy", 1, "attic", (), (), True), tasks, (), 1)


def test_idle_gives_up_at_once() -> None:
    assert acts(Idle(), see(ATTIC)) == [None]


class TestWalkthrough:
    def test_it_replays_the_tasks_in_their_order(self) -> None:
        agent = Walkthrough(brief(task("One.", "go east", "take hat"), task("Two.", "look")))
        one, two = see(ATTIC, goal="One."), see(ATTIC, goal="Two.")
        assert acts(agent, one, one, one) == ["go east", "take hat", None]
        assert acts(agent, two, two) == ["look", None]

    def test_it_refuses_another_task(self) -> None:
        agent = Walkthrough(brief(task("One.", "look")))
        with pytest.raises(ValueError, match=r"asked for 'Two\.'.*One\."):
            acts(agent, see(ATTIC, goal="Two."))

    def test_it_refuses_one_task_too_many(self) -> None:
        with pytest.raises(ValueError, match="no walkthrough is left"):
            acts(Walkthrough(brief()), see(ATTIC, goal="One."))


def reading(text: str = ATTIC, *steps: tuple[str, str, str]) -> Reader:
    reader = Reader()
    reader.begin(see(text))
    for action, reply, inventory in steps:
        reader.step(action, see(reply, inventory))
    return reader


CARRYING = "You are carrying: a tin key and a red apple."
TAKEN = (
    ("take red apple", "You pick up the red apple from the ground.", CARRYING),
    ("take tin key", "You take the tin key from the old rack.", CARRYING),
)


class TestPlausible:
    def test_all_that_the_first_room_offers(self) -> None:
        assert set(plausible(reading())) == {
            "look", "inventory", "go east",
            "examine narrow gate", "open narrow gate",
            "examine red box", "open red box",
            "examine new bin", "close new bin", "examine old rack",
            "take red apple", "take tin key from old rack",
        }  # fmt: skip

    def test_what_can_be_done_with_things_in_hand(self) -> None:
        commands = set(plausible(reading(ATTIC, *TAKEN)))
        assert commands >= {
            "drop tin key", "drop red apple", "eat red apple",
            "put tin key on old rack", "insert red apple into new bin",
            "unlock red box with tin key", "lock narrow gate with tin key",
        }  # fmt: skip
        assert "eat tin key" not in commands
        assert "insert tin key into red box" not in commands
        assert "take red apple" not in commands

    def test_a_lock_known_to_be_locked_is_not_locked_again(self) -> None:
        locked = ("open red box", "The red box is locked.", CARRYING)
        commands = plausible(reading(ATTIC, *TAKEN, locked))
        assert "lock red box with tin key" not in commands
        assert commands["open red box"] < commands["open narrow gate"]

    def test_an_open_door_lets_through(self) -> None:
        opened = ("open gate", "You open narrow gate.", "You are carrying nothing.")
        assert "go north" in plausible(reading(ATTIC, opened))


class TestRandom:
    def test_equal_seeds_play_alike(self) -> None:
        observations = [see(ATTIC)] * 20
        assert acts(Random(3), *observations) == acts(Random(3), *observations)

    def test_seeds_differ(self) -> None:
        observations = [see(ATTIC)] * 20
        assert acts(Random(3), *observations) != acts(Random(4), *observations)

    def test_episodes_differ(self) -> None:
        agent, observations = Random(3), [see(ATTIC)] * 20
        assert acts(agent, *observations) != acts(agent, *observations)

    def test_it_only_says_what_makes_sense(self) -> None:
        commands = acts(Random(5), *[see(ATTIC)] * 60)
        assert set(commands) <= set(plausible(reading()))
        assert len(set(commands)) > 5
