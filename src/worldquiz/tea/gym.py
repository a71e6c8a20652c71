"""TEA's navigation as a Gymnasium environment: in each episode, walk to a thing in an apartment.

    env = gymnasium.make("worldquiz/TEA-tiny-v0", seed=0)

Apartments are generated from numbers, so there is no end of them. A number also gives the start and
the thing to go to, whose label is unique in the apartment. The reward of a step is the decrease of
the distance to the goal, measured along the shortest path round the furniture, as a share of the
distance at the start. Rewards sum to 1 if the agent arrives, and to 0 if it walks in circles.
Pictures are drawn by this machine's OpenGL; no display is needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import count
from math import pi
from typing import TYPE_CHECKING, Any

from worldquiz import rng
from worldquiz.gym import Split, WorldEnv, check_choice, check_count, split_seed
from worldquiz.plugins import need
from worldquiz.tea.exam.walk import short
from worldquiz.tea.kinds.kinds import Goal
from worldquiz.tea.kinds.perception import WITHIN, targets
from worldquiz_scenes.arrays import np
from worldquiz_scenes.build import Built, build
from worldquiz_scenes.config import PRESETS
from worldquiz_scenes.env import SceneEnv
from worldquiz_scenes.furniture import LABELS
from worldquiz_scenes.generate import generate
from worldquiz_scenes.locomotion import DISCRETE, Ground, Pose
from worldquiz_scenes.render import Canvas
from worldquiz_scenes.scene import Thing

if TYPE_CHECKING:
    import gymnasium
else:
    gymnasium = need("gymnasium", extra="agents")

NAMES = tuple(sorted(LABELS))
"""Names of goals, in the order of their numbers."""
FAR = 100.0
"""Greatest observed depth in metres; the sky has this depth."""
STARTS = 8
"""Spots tried in an apartment for a start from which a goal can be reached."""


@dataclass(frozen=True)
class Errand:
    """An apartment, the agent's start, and the thing to go to."""

    ground: Ground
    built: Built
    start: Pose
    thing: Thing


def errand(level: str, split: Split, number: int) -> Errand:
    """Return a number's errand, in the first apartment with a goal that can be reached."""
    for attempt in count():
        seed = split_seed(split, number, "tea", level, str(attempt))
        scene = generate(PRESETS[level].knobs, seed, f"{level}-{split}-{number}")
        ground, draw = Ground(scene), rng.child(seed, "errand")
        for _ in range(STARTS):
            x, y = ground.grid.spot(draw.randrange(len(ground.grid.points)))
            start = Pose(x, y, draw.uniform(-pi, pi))
            there = targets(scene, x, y)
            for thing in draw.sample(there, len(there)):
                if short(ground, Goal(thing.id, WITHIN), start):
                    return Errand(ground, build(scene), start, thing)
    raise AssertionError("the search for an apartment never ends")


class WalkEnv(WorldEnv):
    """Walks to things in generated apartments, with the eight actions of EB-Navigation.

    Observations are `rgb`, `depth` and `pose` as in `worldquiz_scenes.env`, and `goal`, the index
    of the goal's label in `NAMES`. `info` holds the `distance` still to walk (metres), `stopped_by`
    (what stopped the last move) and the number of `moves`. The episode is terminated within a metre
    of the goal, and truncated after `max_steps` moves. Close the environment after use.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        level: str = "tiny",
        *,
        seed: int = 0,
        split: Split = "train",
        worlds: int | None = None,
        max_steps: int = 100,
        size: tuple[int, int] = (160, 120),
        render_mode: str | None = None,
    ) -> None:
        """Set up the environment; apartments are generated only at a reset.

        Args:
            level: "tiny" (one or two rooms) or "paper" (three to six).
            seed: Random seed of the first `reset`, unless that call gives a seed.
            split: "train" or "test"; they share no apartment.
            worlds: Number of apartments, which are kept in memory; None for no limit.
            max_steps: Maximum number of moves in an episode.
            size: Width and height of pictures, in pixels.
            render_mode: "rgb_array" makes `render` return the last picture.
        """
        check_choice("level", level, PRESETS)
        check_count("max_steps", max_steps)
        super().__init__(seed=seed, split=split, worlds=worlds)
        self.size, self.render_mode, self.max_steps = size, render_mode, max_steps
        self._kept = lru_cache(worlds or 1)(partial(errand, level, split))
        self._canvas: Canvas | None = None
        self._walk: SceneEnv | None = None
        self._errand: Errand
        spaces, (wide, high) = gymnasium.spaces, size
        self.observation_space: Any = spaces.Dict({
            "rgb": spaces.Box(0, 255, (high, wide, 3), np.uint8),
            "depth": spaces.Box(0.0, FAR, (high, wide), np.float32),
            "pose": spaces.Box(-FAR, FAR, (3,), np.float64),
            "goal": spaces.Discrete(len(NAMES)),
        })  # fmt: skip
        self.action_space: Any = spaces.Discrete(len(DISCRETE))

    def _begin(self, number: int) -> tuple[Any, dict[str, Any]]:
        here = self._kept(number)
        if self._walk is None or here is not self._errand:
            self.close()
            self._errand = here
            self._canvas = Canvas(here.built, size=self.size)
            self._walk = SceneEnv(
                self._canvas, goal=here.thing.id, within=WITHIN, steps=self.max_steps,
                size=self.size, ground=here.ground,
            )  # fmt: skip
        seen, info = self._walk.reset(options={"start": here.start.plan})
        self._whole, self._moves = info["distance"], 0
        return self._observed(seen), self._info(info)

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Make a move and look. Raises `ValueError` for an invalid action or before a reset."""
        self._check_step(action)
        assert self._walk is not None
        seen, metres, done, cut, info = self._walk.step(action)
        self._moves += 1
        self.due = done or cut
        return self._observed(seen), metres / self._whole, done, cut, self._info(info)

    def render(self) -> Any:
        """Return the last picture."""
        return self._walk.render() if self.render_mode and self._walk is not None else None

    def close(self) -> None:
        """Free the canvas."""
        if self._canvas is not None:
            self._canvas.close()
        self._canvas = self._walk = None
        self.due = True

    def _observed(self, seen: dict[str, Any]) -> dict[str, Any]:
        goal = np.int64(NAMES.index(self._errand.thing.label))
        return {**seen, "depth": np.minimum(seen["depth"], FAR), "goal": goal}

    def _info(self, info: dict[str, Any]) -> dict[str, Any]:
        return {
            "distance": float(info["distance"]),
            "stopped_by": info["stopped_by"] or "",
            "moves": self._moves,
        }
