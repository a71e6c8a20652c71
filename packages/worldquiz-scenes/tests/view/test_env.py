"""The Gymnasium environment: Gymnasium's own checker, goals and the way there."""

from __future__ import annotations

from typing import Any

import pytest

from worldquiz_scenes.errors import SceneError
from worldquiz_scenes.render import Canvas, Caster

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from worldquiz_scenes.env import SceneEnv  # noqa: E402

SMALL = (64, 48)


@pytest.mark.filterwarnings("ignore")
def test_gymnasiums_checker_passes(studio_canvas: Canvas) -> None:
    check_env(SceneEnv(studio_canvas, size=SMALL), skip_render_check=True)


def test_rewards_add_up_to_the_way_and_arriving_ends_the_episode(studio_canvas: Canvas) -> None:
    env = SceneEnv(studio_canvas, goal="cabinet-1", within=0.6, steps=60, size=SMALL)
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
    assert env.step(0)[2]


def test_it_starts_where_it_is_told(studio_canvas: Canvas) -> None:
    env = SceneEnv(studio_canvas, size=SMALL)
    for start in ((3.0, 1.5, 0.5), (1.2, 2.0, 0.0)):
        assert tuple(env.reset(options={"start": start})[0]["pose"]) == start


def test_only_what_is_asked_for_is_drawn(
    studio_canvas: Canvas, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []

    def counted(name: str) -> None:
        draw = getattr(Canvas, name)

        def count(*given: Any, **more: Any) -> Any:
            drawn.append(name)
            return draw(*given, **more)

        monkeypatch.setattr(Canvas, name, count)

    counted("owners")
    counted("colours")
    blind = SceneEnv(studio_canvas, observe=("pose",), size=SMALL)
    assert set(blind.reset()[0]) == set(blind.step(0)[0]) == {"pose"}
    assert drawn == []
    assert SceneEnv(studio_canvas, observe=("depth",), size=SMALL).reset()[0]["depth"].any()
    assert drawn == ["owners"]


def test_rays_give_all_but_colours(studio_canvas: Canvas) -> None:
    env = SceneEnv(Caster(studio_canvas.built), observe=("depth", "pose"), size=SMALL)
    assert set(env.reset()[0]) == {"depth", "pose"}
    assert env.render() is None


def test_an_unknown_goal_is_refused(studio_canvas: Canvas) -> None:
    with pytest.raises(SceneError, match=r"no thing 'cabinett-1'; did you mean 'cabinet-1'"):
        SceneEnv(studio_canvas, goal="cabinett-1")


def test_an_action_out_of_range_is_refused(studio_canvas: Canvas) -> None:
    env = SceneEnv(studio_canvas, size=SMALL)
    env.reset()
    with pytest.raises(ValueError, match="not in Discrete"):
        env.step(8)
