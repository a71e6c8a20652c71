"""Exploring mazes in Gymnasium: its own checker, laws of the reward, and mazes kept apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import worldquiz as wq

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

import worldquiz.gym  # noqa: E402  # it registers them

NAME = "worldquiz/MANGO-small-v0"
LEVELS = ("small", "medium", "large")
WAYS = ("north", "south", "east", "west", "northeast", "southwest", "northwest", "southeast", "up",
        "down")  # fmt: skip


def made(level: str = "small", **options: Any) -> Any:
    """Make an environment without wrappers."""
    return gymnasium.make(f"worldquiz/MANGO-{level}-v0", **options).unwrapped


BACK = dict(zip(WAYS, (WAYS[number ^ 1] for number in range(len(WAYS))), strict=True))
words = st.lists(st.sampled_from([*WAYS, *WAYS, "look", "xyzzy"]), max_size=40)


def through(env: Any, actions: Sequence[Any], seed: int = 0) -> list[tuple[Any, ...]]:
    """Act as long as the episode lasts; return what came of the reset and of each action."""
    seen, info = env.reset(seed=seed)
    found: list[tuple[Any, ...]] = [(seen, 0.0, False, False, info)]
    for action in actions:
        if not (found[-1][2] or found[-1][3]):
            found.append(env.step(action))
    return found


@pytest.mark.parametrize("level", LEVELS)
def test_gymnasiums_checker_passes(level: str) -> None:
    env = gymnasium.make(f"worldquiz/MANGO-{level}-v0")
    check_env(env.unwrapped)
    env.close()


@given(words, st.integers(0, 99))
def test_rewards_add_up_to_what_is_known(commands: list[str], seed: int) -> None:
    env = made()
    steps = through(env, commands, seed)
    whole = {edge.key for edge in env.maze.edges}
    titles = [step[0]["text"].partition("\n")[0].lower() for step in steps]
    here = titles[0]
    known: set[tuple[str, str, str]] = set()
    for command, title in zip(commands, titles[1:], strict=False):
        if (here, command, title) in whole:
            known |= {(here, command, title), (title, BACK[command], here)} & whole
            here = title
    share = len(known) / len(whole)
    assert sum(step[1] for step in steps) == pytest.approx(share)
    assert all(step[1] >= 0 for step in steps)
    assert steps[-1][4]["coverage"] == len(known) / len(whole)


@given(st.lists(st.sampled_from(WAYS), min_size=1, max_size=6), st.integers(0, 99))
def test_walking_in_circles_earns_nothing(commands: list[str], seed: int) -> None:
    """Commands that were given from a place before show nothing when they are given again."""
    env = made(max_steps=1_000)
    env.reset(seed=seed)
    for _ in range(12):  # by then the same commands from the same place have been given before
        steps = [env.step(command) for command in commands]
        if any(step[2] for step in steps):
            return
    assert sum(step[1] for step in steps) == 0


@pytest.mark.parametrize("level", LEVELS)
def test_the_walkthrough_of_a_maze_earns_all_and_the_episode_is_done(level: str) -> None:
    env = made(level, split="test")
    env.reset(seed=3)
    steps = through(env, [step.action for step in env.maze.walkthrough[1:]], 3)
    *_, (_, _, done, cut, info) = steps
    assert (done, cut) == (True, False)
    assert sum(step[1] for step in steps) == pytest.approx(info["coverage"]) == pytest.approx(1)
    with pytest.raises(ValueError, match="reset"):
        env.step("look")


def test_an_episode_is_cut_off_after_its_commands() -> None:
    steps = through(made(max_steps=3), ["look"] * 9)
    assert [step[2:4] for step in steps[1:]] == [(False, False)] * 2 + [(False, True)]


def test_training_and_tests_share_no_maze() -> None:
    def mazes(split: Any) -> set[Any]:
        env = made(split=split)
        return {(env.reset(seed=seed), env.maze.edges)[1] for seed in range(30)}

    train, test = mazes("train"), mazes("test")
    assert len(train) == len(test) == 30
    assert not train & test


def test_texts_fit_and_any_text_is_a_command() -> None:
    env = made("large")
    env.reset()
    for command in ("ö" * 5_000, "", "\x00", "look\nlook"):
        seen, *_ = env.step(command)
        assert seen in env.observation_space
    with pytest.raises(ValueError, match="is not a text"):
        env.step(3)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"split": "dev"}, "no split 'dev'"),
        ({"worlds": 0}, "worlds: 0"),
        ({"max_steps": 0}, "max_steps: 0"),
        ({"max_steps": "9"}, "max_steps: '9': expected a whole number of 1 or more"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(wq.WorldquizError, match=said):
        made(**options)
