"""The Gymnasium environment: Gymnasium's own checker, goals and the way there."""

from __future__ import annotations

import pytest

from worldquiz_scenes.errors import SceneError
from worldquiz_scenes.render import Canvas

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from worldquiz_scenes.env import ACTIONS, SceneEnv  # noqa: E402

SMALL = (64, 48)


@pytest.mark.filterwarnings("ignore")
def test_gymnasiums_checker_passes(studio_canvas: Canvas) -> None:
    check_env(SceneEnv(studio_canvas, "cabinet-1", size=SMALL), skip_render_check=True)


def test_rewards_add_up_to_the_way_and_arriving_ends_the_episode(studio_canvas: Canvas) -> None:
    env = SceneEnv(studio_canvas, "cabinet-1", within=0.6, steps=60, size=SMALL)
    _, info = env.reset()
    field = env.ground.grid.to_thing(env.scene.thing["cabinet-1"], 0.6)
    first, total, done = info["distance"], 0.0, False
    assert first == pytest.approx(field.distance(1.2, 2.0))
    env.action_space.seed(1)
    while not done:
        _, reward, done, cut, info = env.step(env.action_space.sample())
        total += reward
        assert done == (info["distance"] == 0)
        if cut:
            break
    assert total == pytest.approx(first - info["distance"])
    x, y = env.scene.thing["cabinet-1"].position[:2]
    assert env.reset(options={"start": (x, y, 0.0)})[1]["distance"] == 0
    assert env.step(ACTIONS.index("turn left"))[2]


def test_it_starts_where_it_is_told(studio_canvas: Canvas) -> None:
    env = SceneEnv(studio_canvas, "cabinet-1", size=SMALL)
    for start in ((3.0, 1.5, 0.5), (1.2, 2.0, 0.0)):
        assert tuple(env.reset(options={"start": start})[0]["pose"]) == start


def test_an_unknown_goal_is_refused(studio_canvas: Canvas) -> None:
    with pytest.raises(SceneError, match=r"no thing 'cabinett-1'; did you mean 'cabinet-1'"):
        SceneEnv(studio_canvas, "cabinett-1")


def test_an_action_out_of_range_is_refused(studio_canvas: Canvas) -> None:
    env = SceneEnv(studio_canvas, "cabinet-1", size=SMALL)
    env.reset()
    with pytest.raises(ValueError, match="not in Discrete"):
        env.step(8)
