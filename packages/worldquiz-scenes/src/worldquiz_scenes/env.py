"""A scene as a Gymnasium environment, in which an agent looks and walks, with or without a goal.

Actions are the eight of the benchmark EB-Navigation. With a goal, the reward of a step is the
number of metres by which it shortened the path, and the episode ends within a given distance of the
goal. Only requested observations are drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import gymnasium

from worldquiz_scenes.arrays import np
from worldquiz_scenes.cameras import Images
from worldquiz_scenes.episode import eyes_of, where
from worldquiz_scenes.errors import SceneError, did_you_mean
from worldquiz_scenes.locomotion import DISCRETE, Field, Ground, Pose
from worldquiz_scenes.sight import Eyes, look
from worldquiz_scenes.view import Camera

Observed = Literal["rgb", "depth", "pose"]
EVERYTHING: tuple[Observed, ...] = ("rgb", "depth", "pose")


class SceneEnv(gymnasium.Env[dict[str, Any], Any]):
    """Environment of an agent in a built scene. It does not close a `Canvas` passed as `eyes`.

    `observe` names the observations: `rgb` (height x width x 3; with a `Canvas` only), `depth`
    (metres) and `pose` (x, y in metres, heading in radians). `info` says what stopped the last move
    (`stopped_by`) and, with a goal, the `distance` to it.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 2}  # noqa: RUF012
    render_mode = "rgb_array"

    def __init__(
        self,
        eyes: Eyes,
        *,
        observe: Sequence[Observed] = EVERYTHING,
        goal: str | None = None,
        within: float = 1.0,
        steps: int = 10,
        size: tuple[int, int] = (320, 240),
        ground: Ground | None = None,
    ) -> None:
        self.eyes, self.scene, self.size = eyes, eyes.built.scene, size
        self.ground = ground or Ground(self.scene)
        self.steps = steps
        self._field: Field | None = None
        if goal is not None:
            things = self.scene.thing
            if goal not in things:
                hint = did_you_mean(goal, things)
                raise SceneError(f"scene {self.scene.id!r}: no thing {goal!r}{hint}")
            self._field = self.ground.grid.to_thing(things[goal], within)
        self.pose = Pose(*self.scene.start)
        self._left, self._far = 0, 0.0
        self._drawn: dict[bool, Images] = {}  # by whether with colours, at the agent's pose
        spaces, (wide, high) = gymnasium.spaces, size
        known: dict[str, Any] = {
            "rgb": spaces.Box(0, 255, (high, wide, 3), np.uint8),
            "depth": spaces.Box(0.0, np.inf, (high, wide), np.float32),
            "pose": spaces.Box(-np.inf, np.inf, (3,), np.float64),
        }
        self.observe = tuple(observe)
        self.observation_space = spaces.Dict({name: known[name] for name in observe})
        self.action_space = spaces.Discrete(len(DISCRETE))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Move the agent to the scene's start, or to `options["start"]`: x, y and heading."""
        super().reset(seed=seed)
        start = (options or {}).get("start") or self.scene.start
        self.pose, self._drawn = Pose(*start), {}
        self._left, self._far = self.steps, self._distance()
        return self._observed(), self._info(None)

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Move and look.

        Raises `ValueError` for an action outside the action space, or before a reset.
        """
        if self._left <= 0 or not self.action_space.contains(action):
            raise ValueError(f"{action!r} is not in {self.action_space}, or reset() was not called")
        move = tuple(DISCRETE.values())[int(action)]
        moved, before = self.ground.move(self.pose, move), self._far
        self.pose, self._drawn = moved.pose, {}
        self._far, self._left = self._distance(), self._left - 1
        reached = self._field is not None and self._far <= 1e-6
        return (
            self._observed(), round(before - self._far, 6), reached,
            self._left <= 0 and not reached, self._info(moved.stopped_by),
        )  # fmt: skip

    def render(self) -> Any:
        """Return the picture that the agent sees."""
        return self._images(colours=True).rgb

    @property
    def camera(self) -> Camera:
        """The agent's eyes."""
        return eyes_of(self.pose, self.size)

    def _images(self, *, colours: bool) -> Images:
        """Return the images that the agent sees, drawn once for each pose."""
        if colours not in self._drawn:
            self.eyes.built.stand(*self.pose.plan)
            self._drawn[colours] = look(
                self.eyes, self.camera, room=where(self.ground, self.pose), self_seen=False,
                colours=colours, mirrors=colours,
            )  # fmt: skip
        return self._drawn[colours]

    def _distance(self) -> float:
        """Return the length of the path to the goal in metres; 0 at the goal or without one."""
        return self._field.distance(self.pose.x, self.pose.y) if self._field else 0.0

    def _observed(self) -> dict[str, Any]:
        seen: dict[str, Any] = {}
        if "rgb" in self.observe or "depth" in self.observe:
            images = self._images(colours="rgb" in self.observe)
            seen = {"rgb": images.rgb, "depth": images.depth}
        seen["pose"] = np.array(self.pose.plan)
        return {name: seen[name] for name in self.observe}

    def _info(self, stopped_by: str | None) -> dict[str, Any]:
        told: dict[str, Any] = {"stopped_by": stopped_by}
        return told if self._field is None else {**told, "distance": self._far}
