"""Walking to things in Gymnasium: its own checker, the reward's law, and apartments kept apart."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import worldquiz as wq

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

gymnasium.register_envs(wq.gym)
SMALL = (64, 48)
NAME = "worldquiz/TEA-tiny-v0"


def made(**options: Any) -> Any:
    return gymnasium.make(NAME, size=SMALL, **options).unwrapped


@pytest.fixture(scope="module")
def walker() -> Iterator[Any]:
    env = made(worlds=1, render_mode="rgb_array", max_steps=40)
    yield env
    env.close()


def test_gymnasiums_checker_passes() -> None:
    env = made(worlds=1, render_mode="rgb_array")
    check_env(env)
    env.close()


@pytest.mark.parametrize("draws", range(3))
def test_rewards_add_up_to_the_share_of_the_way(draws: int, walker: Any) -> None:
    """Whatever is done; so walking there and back earns nothing, and arriving earns one."""
    seen, first = walker.reset(seed=0)
    draw, total, done, cut, info = np.random.default_rng(draws), 0.0, False, False, first
    while not (done or cut):
        action = int(draw.integers(walker.action_space.n))
        seen, reward, done, cut, info = walker.step(action)
        total += reward
        assert seen in walker.observation_space
    assert total == pytest.approx(1 - info["distance"] / first["distance"])
    assert done == (info["distance"] == 0)
    assert cut == (info["moves"] == 40 and not done)
    assert walker.render().shape == (48, 64, 3)
    with pytest.raises(ValueError, match="reset"):
        walker.step(0)


def test_each_action_moves_or_turns_and_the_goal_stays(walker: Any) -> None:
    seen, _ = walker.reset(seed=0)
    assert 0 <= seen["goal"] < walker.observation_space["goal"].n
    assert seen["rgb"].std() > 0
    poses = []
    for action in range(walker.action_space.n):
        assert walker.reset(seed=0)[0]["goal"] == seen["goal"]
        poses.append(walker.step(action)[0]["pose"] - seen["pose"])
    moved, turned = ([bool(pose[axes].any()) for pose in poses] for axes in ([0, 1], [2]))
    assert any(moved)
    assert any(turn and not move for move, turn in zip(moved, turned, strict=True))


def test_training_and_tests_share_no_apartment_and_seeds_decide() -> None:
    envs = {split: made(split=split) for split in ("train", "test")}

    def begun(split: str, seed: int) -> tuple[bytes, int]:
        seen = envs[split].reset(seed=seed)[0]
        return seen["rgb"].tobytes(), int(seen["goal"])

    flats = {(split, seed): begun(split, seed) for split in envs for seed in (0, 1)}
    assert len({picture for picture, _ in flats.values()}) == len(flats)
    assert begun("train", 1) == flats["train", 1]
    for each in envs.values():
        each.close()


@pytest.mark.slow
def test_a_vector_is_shown_what_each_alone_is(walker: Any) -> None:
    """Processes of a process that has drawn cannot draw: they must be spawned."""
    alone = made(worlds=1)
    shown = [alone.reset(seed=0)[0], alone.step(4)[0]]
    alone.close()
    envs = gymnasium.make_vec(NAME, 1, "async", {"context": "spawn"}, worlds=1, size=SMALL)
    told = [envs.reset(seed=0)[0], envs.step([4])[0]]
    envs.close()
    for one, other in zip(shown, told, strict=True):
        assert one["goal"] == other["goal"][0]
        assert one["pose"] == pytest.approx(other["pose"][0])
        assert np.abs(one["depth"] - other["depth"][0]).max() < 0.05


def test_a_process_forked_from_one_that_drew_is_told_so(walker: Any) -> None:
    walker.reset(seed=0)
    reading, writing = os.pipe()
    if not (child := os.fork()):
        try:
            made(worlds=1).reset(seed=0)
        except Exception as error:  # the child must not go on with the tests
            os.write(writing, str(error).encode())
        finally:
            os._exit(0)
    os.close(writing)
    assert b"spawn" in os.read(reading, 1_000)
    os.close(reading)
    os.waitpid(child, 0)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"level": "tinny"}, "no level 'tinny'; did you mean 'tiny'"),
        ({"max_steps": 0}, "max_steps: 0"),
        ({"worlds": 0}, "worlds: 0"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(wq.WorldquizError, match=said):
        made(**options)
