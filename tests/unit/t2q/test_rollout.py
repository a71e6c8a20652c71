"""An episode holds what the agent saw and, beside it, what was revealed and what changed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import pytest

from worldquiz.facts.episode import Episode, Observation, Outcome
from worldquiz.facts.fact import AT, CARRIED, KIND, PLAYER_AT, Fact, State
from worldquiz.t2q import Proof, Room, Solution, Task, Transition, Verb, WorldSpec
from worldquiz.t2q.rollout import play, rollout
from worldquiz.t2q.world.config import PerTask
from worldquiz.t2q.world.spec import complete

FACTS = (KIND("attic", "room"), KIND("hat", "object"), AT("hat", "attic"), PLAYER_AT("attic"))
SPEC = WorldSpec("toy-1", "toy", 1, "attic", (Room("attic", 0, 0),), tuple(sorted(FACTS)), True)
FETCH = Task(
    id="fetch-hat",
    verb=Verb.FETCH,
    target="hat",
    goal=(CARRIED("hat"),),
    objective="Recover the hat.",
    discloses=(),
    covers=("hat",),
    walkthrough=Solution(("take hat",), Proof.SHORTEST),
)


class Toy:
    """A world of one room in which a hat can be taken."""

    spec = SPEC

    def __init__(self) -> None:
        self.state: State = complete(FACTS)
        self._task = FETCH

    def reset(self, task: Task) -> Transition:
        self.state, self._task = complete(FACTS), task
        return self._seen("An attic.", None, PLAYER_AT("attic"))

    def step(self, action: str) -> Transition:
        if action == "take hat":
            self.state = self.state - {AT("hat", "attic")} | {CARRIED("hat")}
            return self._seen("Taken.", action, AT("hat", "attic"), CARRIED("hat"))
        return self._seen("You can't see any such thing.", None)

    def close(self) -> None:
        pass

    def _seen(self, text: str, command: str | None, *facts: Fact) -> Transition:
        won = self._task.won(self.state)
        return Transition(
            Observation(text, "", int(won), won, self._task.objective), facts, command
        )


class Says:
    """An agent that gives the same commands in each episode, then gives up."""

    def __init__(self, *commands: str) -> None:
        self._commands = commands
        self._left: list[str] = []
        self.seen: list[str] = []
        self.begun: list[str] = []
        self.ended: list[str] = []

    async def begin(self, observation: Observation) -> None:
        self._left = list(self._commands)
        self.begun.append(observation.text)

    async def act(self, observation: Observation) -> str | None:
        self.seen.append(observation.text)
        return self._left.pop(0) if self._left else None

    async def end(self, observation: Observation) -> None:
        self.ended.append(observation.text)


def attempt(agent: Says, *, task: Task = FETCH, max_steps: int = 10) -> Episode:
    return asyncio.run(rollout(Toy(), agent, task, seed=7, name="says", max_steps=max_steps))


def test_a_won_episode() -> None:
    episode = attempt(Says("dance", "take hat", "take hat"))
    assert (episode.world, episode.task, episode.agent) == ("toy-1", "fetch-hat", "says")
    assert (episode.seed, episode.outcome, episode.actions) == (7, Outcome.WON, 2)
    reset, refused, taken = episode.steps
    assert (reset.index, reset.action, reset.command) == (0, None, None)
    assert reset.revealed == (PLAYER_AT("attic"),)
    assert (refused.action, refused.command) == ("dance", None)
    assert (refused.added, refused.removed) == ((), ())
    assert (taken.index, taken.command) == (2, "take hat")
    assert taken.added == (CARRIED("hat"),)
    assert taken.removed == (AT("hat", "attic"),)
    assert taken.observation.score == 1


def test_the_state_can_be_rebuilt() -> None:
    world = Toy()
    [episode] = play(world, Says("take hat"), [FETCH], seed=7, name="says", budget=PerTask(3))
    assert episode.state(SPEC.initial, 0) == SPEC.initial
    assert episode.state(SPEC.initial, 1) == world.state


def test_giving_up() -> None:
    episode = attempt(Says("dance"))
    assert (episode.outcome, episode.actions) == (Outcome.GAVE_UP, 1)


def test_the_step_limit() -> None:
    agent = Says("dance", "dance", "dance")
    episode = attempt(agent, max_steps=2)
    assert (episode.outcome, episode.actions) == (Outcome.STEP_LIMIT, 2)
    assert len(agent.seen) == 2


def test_a_win_at_the_limit_is_a_win() -> None:
    assert attempt(Says("take hat"), max_steps=1).outcome is Outcome.WON


def test_no_steps_at_all() -> None:
    episode = attempt(Says("take hat"), max_steps=0)
    assert (episode.outcome, episode.actions) == (Outcome.STEP_LIMIT, 0)


def test_a_task_that_is_met_at_the_start_is_won_without_an_action() -> None:
    met = Task("stay", Verb.GO, "attic", (PLAYER_AT("attic"),), "Stay.", (), (), FETCH.walkthrough)
    agent = Says("take hat")
    episode = attempt(agent, task=met)
    assert (episode.outcome, episode.actions) == (Outcome.WON, 0)
    assert agent.seen == []


def test_the_first_act_gets_the_observation_of_begin() -> None:
    agent = Says("dance")
    attempt(agent)
    assert agent.begun == ["An attic."]
    assert agent.seen == ["An attic.", "You can't see any such thing."]


def test_the_transcript_holds_nothing_privileged() -> None:
    episode = attempt(Says("take hat"))
    assert [turn.action for turn in episode.transcript] == [None, "take hat"]
    assert all(len(turn) == 2 for turn in episode.transcript)


def test_one_agent_plays_all_tasks_in_order() -> None:
    agent = Says("take hat")
    tasks = [FETCH, FETCH]
    episodes = play(Toy(), agent, tasks, seed=7, name="says", budget=PerTask(5))
    assert [episode.outcome for episode in episodes] == [Outcome.WON, Outcome.WON]
    assert len(agent.begun) == 2


@pytest.mark.parametrize("limit", [-1, -10])
def test_a_negative_limit_is_refused(limit: int) -> None:
    with pytest.raises(ValueError, match=f"max_steps is {limit}"):
        attempt(Says(), max_steps=limit)


def test_changes_are_sorted() -> None:
    def changes(episode: Episode) -> Iterable[tuple[Fact, ...]]:
        return (facts for step in episode.steps for facts in (step.added, step.removed))

    assert all(list(facts) == sorted(facts) for facts in changes(attempt(Says("take hat"))))
