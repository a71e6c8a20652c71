"""A scene as a Gymnasium environment: look and walk, with or without a goal.

Two kinds of actions: the eight of EB-Navigation, or a direction and a distance as in TEA. With a
goal, a step's reward is how much nearer it came along the shortest way (metres), and the episode
ends within the goal's distance. Only what eyes give is observed; where things are is in `info`.
"""

from __future__ import annotations

from typing import Any, Literal

import gymnasium

from worldquiz_scenes.arrays import np
from worldquiz_scenes.episode import Shot, Walker
from worldquiz_scenes.errors import SceneError, did_you_mean
from worldquiz_scenes.locomotion import DISCRETE, Field, Ground, Move, Pose, span
from worldquiz_scenes.rng import child
from worldquiz_scenes.sight import Eyes

Observation = dict[str, Any]
LONGEST = 3.0
"""Metres that one action of direction and distance may walk."""


class SceneEnv(gymnasium.Env[Observation, Any]):
    """Walks through a built scene; close the canvas that it sees with when done.

    Observations: `rgb` (height x width x 3; with a `Canvas` only), `depth` (metres) and `pose`
    (x, y in metres, heading in radians). `info` holds the `view`, what stopped the last move, and,
    with a goal, the `distance` to it.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 2}  # noqa: RUF012
    render_mode = "rgb_array"

    def __init__(
        self,
        eyes: Eyes,
        *,
        goal: str | None = None,
        within: float = 1.0,
        actions: Literal["discrete", "walk"] = "discrete",
        steps: int = 10,
        random_start: bool = False,
        size: tuple[int, int] = (320, 240),
        ground: Ground | None = None,
        colours: bool = True,
    ) -> None:
        coloured = colours and hasattr(eyes, "colours")
        self.walker = Walker(eyes, size=size, ground=ground, colours=coloured)
        self.goal, self.within = goal, within
        self.steps, self.random_start = steps, random_start
        self.actions = tuple(DISCRETE) if actions == "discrete" else ()
        self._field = self._towards()
        self._shot: Shot | None = None
        self._left, self._far = steps, 0.0
        spaces = gymnasium.spaces
        wide, high = size
        seen: dict[str, Any] = {
            "depth": spaces.Box(0.0, np.inf, (high, wide), np.float32),
            "pose": spaces.Box(-np.inf, np.inf, (3,), np.float64),
        }
        if self.walker.colours:
            seen["rgb"] = spaces.Box(0, 255, (high, wide, 3), np.uint8)
        self.observation_space = spaces.Dict(seen)
        self.action_space = (
            spaces.Discrete(len(self.actions))
            if self.actions
            else spaces.Box(np.array([-180.0, 0.0]), np.array([180.0, LONGEST]), dtype=np.float64)
        )

    def _towards(self) -> Field | None:
        goal, things = self.goal, self.walker.scene.thing
        if goal is None:
            return None
        if goal not in things:
            raise SceneError(
                f"scene {self.walker.scene.id!r}: no thing {goal!r}{did_you_mean(goal, things)}"
            )
        return self.walker.ground.grid.to_thing(things[goal], self.within)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin again where the scene starts, at `options["start"]`, or at a spot drawn by seed."""
        super().reset(seed=seed)
        start = (options or {}).get("start") or self.walker.scene.start
        if self.random_start:
            drawn = int(self.np_random.integers(2**32)) if seed is None else seed
            rng, grid = child(drawn, "start", self.walker.scene.id), self.walker.ground.grid
            start = (*grid.spot(rng.randrange(len(grid.points))), rng.uniform(-3.14, 3.14))
        self.walker.pose = Pose(*start)
        self.walker.time, self.walker.index = 0.0, 0
        self._left = self.steps
        self._shot = self.walker.see()[0]
        self._far = self._distance()
        return self._observation(), self._info(None)

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Move and look.

        Raises `ValueError` for an action outside the action space, or before a reset.
        """
        if self._shot is None or not self.action_space.contains(action):
            raise ValueError(f"action {action!r} is not in {self.action_space}, or reset() is due")
        if self.actions:
            move = DISCRETE[self.actions[int(action)]]
        else:
            move = Move(turn=float(action[0]), walk=float(action[1]))
        moved, shots = self.walker.step(move)
        self._shot, before = shots[0], self._far
        self._far, self._left = self._distance(), self._left - 1
        reached = self._field is not None and self._far <= 1e-6
        reward = round(before - self._far, 6)
        return (
            self._observation(), reward, reached, self._left <= 0 and not reached,
            self._info(moved.stopped_by),
        )  # fmt: skip

    def render(self) -> Any:
        """Return the last picture."""
        return None if self._shot is None else self._shot.images.rgb

    def _distance(self) -> float:
        """Return the metres to where the goal is near enough; 0 without a goal."""
        if self._field is None or self.goal is None:
            return 0.0
        pose, thing = self.walker.pose, self.walker.scene.thing[self.goal]
        near = span(thing, np.array([[pose.x, pose.y]]))[0] <= self.within
        return 0.0 if near else self._field.distance(pose.x, pose.y)

    def _observation(self) -> Observation:
        assert self._shot is not None
        images = self._shot.images
        seen: Observation = {"depth": images.depth, "pose": np.array(self.walker.pose.plan)}
        return seen if images.rgb is None else {**seen, "rgb": images.rgb}

    def _info(self, stopped_by: str | None) -> dict[str, Any]:
        assert self._shot is not None
        info: dict[str, Any] = {"view": self._shot.view, "stopped_by": stopped_by}
        return info if self._field is None else {**info, "distance": self._far}
