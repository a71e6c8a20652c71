"""Walking to things in Gymnasium: its own checker, the reward's law, and apartments kept apart."""

from __future__ import annotations

import json
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
LONGEST = 3.0  # metres of one move


def made(**options: Any) -> Any:
    return gymnasium.make(NAME, size=SMALL, **options).unwrapped


@pytest.fixture(scope="module")
def walker() -> Iterator[Any]:
    """Return an environment with texts, and pictures beside them."""
    env = made(observation="text", worlds=1, render_mode="rgb_array")
    yield env
    env.close()


@pytest.mark.parametrize("options", [{}, {"observation": "text"}])
def test_gymnasiums_checker_passes(options: dict[str, Any]) -> None:
    env = made(worlds=1, render_mode="rgb_array", **options)
    check_env(env)
    env.close()


def test_the_shortest_way_earns_one(walker: Any) -> None:
    seen, info = walker.reset(seed=0)
    found, total, done = walker._errand, 0.0, False
    assert f"Go to the {found.thing.label}. 10 moves are left." in seen["text"]
    assert info["distance"] == pytest.approx(found.ways.away(found.goal, found.start))
    while not done:
        assert walker._walk is not None
        move = found.ways.to(found.goal).moves(walker._walk.pose, LONGEST)[0]
        reply = json.dumps({"turn": move.turn, "walk": move.walk})
        seen, reward, done, cut, info = walker.step(reply)
        total += reward
        assert not cut
    assert total == pytest.approx(1)
    assert info["distance"] == 0
    assert walker.render().shape == (48, 64, 3)
    with pytest.raises(ValueError, match="reset"):
        walker.step("{}")


def test_rewards_add_up_to_the_share_of_the_way(walker: Any) -> None:
    """Whatever is done; so walking there and back earns nothing."""
    _, first = walker.reset(seed=0)
    draw, total, cut, info = np.random.default_rng(0), 0.0, False, first
    while not cut:
        turn, walk = float(draw.uniform(-400, 400)), float(draw.uniform(0, 1))
        seen, reward, done, cut, info = walker.step(f'{{"turn": {turn}, "walk": {walk}}}')
        total += reward
        assert seen in walker.observation_space
        cut = cut or done
    assert total == pytest.approx(1 - info["distance"] / first["distance"])


def test_who_stops_is_done_and_what_is_no_move_is_a_move_spent(walker: Any) -> None:
    seen, first = walker.reset(seed=0)
    later, reward, done, cut, info = walker.step("to the left, please")
    assert (reward, done, cut, info["moves"]) == (0, False, False, 1)
    assert later["text"].split("\n")[1] == seen["text"].split("\n")[1]
    *_, reward, done, cut, info = walker.step('{"stop": true}')
    assert (reward, done, cut) == (0, True, False)
    assert info["distance"] == first["distance"]


def test_pictures_and_goals_are_what_the_words_say(walker: Any) -> None:
    env = made(worlds=1)
    seen, _ = env.reset(seed=0)
    assert 0 <= seen["goal"] < env.observation_space["goal"].n
    assert env.reset(seed=0)[0]["goal"] == seen["goal"]
    assert seen["rgb"].std() > 0
    assert walker.reset(seed=0)[1]["distance"] == pytest.approx(env.reset(seed=0)[1]["distance"])
    poses = []
    for action in range(env.action_space.n):
        env.reset(seed=0)
        poses.append(env.step(action)[0]["pose"] - seen["pose"])
    moved, turned = ([bool(pose[axes].any()) for pose in poses] for axes in ([0, 1], [2]))
    assert any(moved)
    assert any(turn and not move for move, turn in zip(moved, turned, strict=True))
    env.close()


def test_training_and_tests_share_no_apartment_and_seeds_decide() -> None:
    envs = {split: made(split=split, observation="text") for split in ("train", "test")}
    flats = {
        (split, seed): (env.reset(seed=seed)[0]["text"], repr(env._errand.ways.scene.things))
        for split, env in envs.items()
        for seed in (0, 1)
    }
    assert len({things for _, things in flats.values()}) == len(flats)
    env = envs["train"]
    again = env.reset(seed=1)[0]["text"], repr(env._errand.ways.scene.things)
    assert again == flats["train", 1]
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
        ({"observation": "words"}, "no observation 'words'"),
        ({"max_steps": 0}, "max_steps: 0"),
        ({"worlds": 0}, "worlds: 0"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(wq.WorldquizError, match=said):
        made(**options)
