"""A scene as a Gymnasium environment: look, and walk to a thing.

Actions are the eight of EB-Navigation. A step's reward is how much nearer it came along the
shortest way (metres), and the episode ends within the goal's distance.
"""

from __future__ import annotations

from typing import Any

import gymnasium

from worldquiz_scenes.arrays import np
from worldquiz_scenes.cameras import Images
from worldquiz_scenes.episode import eyes_of, where
from worldquiz_scenes.errors import SceneError, did_you_mean
from worldquiz_scenes.locomotion import DISCRETE, Ground, Pose, span
from worldquiz_scenes.render import Canvas
from worldquiz_scenes.sight import look

ACTIONS = tuple(DISCRETE)
"""The names of the actions, by their numbers."""


class SceneEnv(gymnasium.Env[dict[str, Any], Any]):
    """Walks through a built scene; close the canvas that it sees with when done.

    Observed are `rgb` (height x width x 3), `depth` (metres) and `pose` (x, y in metres, heading in
    radians). `info` holds what stopped the last move, and the `distance` to the goal.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 2}  # noqa: RUF012
    render_mode = "rgb_array"

    def __init__(
        self,
        canvas: Canvas,
        goal: str,
        *,
        within: float = 1.0,
        steps: int = 10,
        size: tuple[int, int] = (320, 240),
        ground: Ground | None = None,
    ) -> None:
        self.canvas, self.scene, self.size = canvas, canvas.built.scene, size
        self.ground = ground or Ground(self.scene)
        self.goal, self.within = goal, within
        self.steps = steps
        if goal not in self.scene.thing:
            hint = did_you_mean(goal, self.scene.thing)
            raise SceneError(f"scene {self.scene.id!r}: no thing {goal!r}{hint}")
        self._field = self.ground.grid.to_thing(self.scene.thing[goal], within)
        self.pose = Pose(*self.scene.start)
        self._left, self._far = 0, 0.0
        self._drawn: Images | None = None  # where the agent stands
        spaces, (wide, high) = gymnasium.spaces, size
        self.observation_space = spaces.Dict({
            "rgb": spaces.Box(0, 255, (high, wide, 3), np.uint8),
            "depth": spaces.Box(0.0, np.inf, (high, wide), np.float32),
            "pose": spaces.Box(-np.inf, np.inf, (3,), np.float64),
        })  # fmt: skip
        self.action_space = spaces.Discrete(len(ACTIONS))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin again where the scene starts, or at `options["start"]`: x, y and heading."""
        super().reset(seed=seed)
        start = (options or {}).get("start") or self.scene.start
        self.pose, self._drawn = Pose(*start), None
        self._left, self._far = self.steps, self._distance()
        return self._observed(), self._info(None)

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Move and look.

        Raises `ValueError` for an action outside the action space, or before a reset.
        """
        if self._left <= 0 or not self.action_space.contains(action):
            raise ValueError(f"action {action!r} is not in {self.action_space}, or reset() is due")
        moved = self.ground.move(self.pose, DISCRETE[ACTIONS[int(action)]])
        before = self._far
        self.pose, self._drawn = moved.pose, None
        self._far, self._left = self._distance(), self._left - 1
        reached = self._far <= 1e-6
        return (
            self._observed(), round(before - self._far, 6), reached,
            self._left <= 0 and not reached, self._info(moved.stopped_by),
        )  # fmt: skip

    def render(self) -> Any:
        """Return the picture that the agent sees."""
        return self._images().rgb

    def _images(self) -> Images:
        """Return what the agent sees where it stands, drawn once."""
        if self._drawn is None:
            self.canvas.built.stand(*self.pose.plan)
            room, camera = where(self.ground, self.pose), eyes_of(self.pose, self.size)
            self._drawn = look(self.canvas, camera, room=room, self_seen=False)
        return self._drawn

    def _distance(self) -> float:
        """Return the metres to where the goal is near enough."""
        thing, at = self.scene.thing[self.goal], np.array([[self.pose.x, self.pose.y]])
        near = span(thing, at)[0] <= self.within
        return 0.0 if near else self._field.distance(self.pose.x, self.pose.y)

    def _observed(self) -> dict[str, Any]:
        images = self._images()
        return {"rgb": images.rgb, "depth": images.depth, "pose": np.array(self.pose.plan)}

    def _info(self, stopped_by: str | None) -> dict[str, Any]:
        return {"stopped_by": stopped_by, "distance": self._far}
