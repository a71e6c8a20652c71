"""What a view costs: colours, depth with owners, mirrors and visible shares, drawn and by rays.

The floor is a plain drawing: colours in the same quality, then identity colours, each of everything
and without mirrors, by the same renderer, of the same camera, and turn by turn with ours. Beside it
stands a whole view of `tea generate`: mirrors, visible shares and the written PNG included. Last,
flats are generated from as a whole (walks, the filter's embeddings, evolution, files; libraries are
imported before), with the floor drawn after each of their views.

Also how far the drawn truth and the rays' truth agree, over every pixel of every view.

    uv run python benchmarks/scene_views.py [--things 100] [--flats 2] [--views 12] [--json]
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from math import atan2
from pathlib import Path
from typing import TypeVar
from unittest.mock import patch

import numpy as np
from rich.console import Console
from rich.table import Table

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from scenes import crowd, gallery
from worldquiz.rng import child
from worldquiz.scenes.arrays import Mask
from worldquiz.scenes.build import build
from worldquiz.scenes.cameras import Images, ego, watchers
from worldquiz.scenes.episode import Shot, Walker
from worldquiz.scenes.generate import suite
from worldquiz.scenes.locomotion import Ground, Pose
from worldquiz.scenes.quality import QUALITIES
from worldquiz.scenes.rays import Caster
from worldquiz.scenes.render import Canvas
from worldquiz.scenes.scene import Scene
from worldquiz.scenes.sight import Eyes, everything, look, sightings
from worldquiz.scenes.view import EGO, Camera
from worldquiz.tea.generate import Plan, generate
from worldquiz.tea.interact import Loops

FLOOR = ("floor: colours", "floor: identities")
VIEW = "a view of `tea generate`"
T = TypeVar("T")
Clock = dict[str, list[float]]


def timed(clock: Clock, name: str, work: Callable[[], T]) -> T:
    started = time.process_time()
    result = work()
    clock.setdefault(name, []).append((time.process_time() - started) * 1000)
    return result


def cameras(scene: Scene, views: int) -> list[tuple[str, Camera]]:
    """Return some views, drawn from the corners' and as many at free spots, with their rooms."""
    rng, ground = child(0, "benchmark", scene.id), Ground(scene)
    found = [(each.name[6:-2], each) for each in watchers(scene)]
    for _ in range(views):
        x, y = ground.grid.spot(rng.randrange(len(ground.grid.points)))
        found.append((ground.room(x, y) or "", ego(x, y, rng.uniform(-3.1, 3.1))))
    return [found[at] for at in sorted(rng.sample(range(len(found)), min(views, len(found))))]


def agreement(one: Images, two: Images) -> dict[str, float]:
    same = (one.instances == two.instances) & (one.mirror == two.mirror)
    same &= one.reflected == two.reflected
    near = np.abs(one.depth - two.depth) <= 1e-3 + 1e-3 * two.depth
    return {
        "owners": float((one.instances == two.instances).mean()),
        "all owners": float(same.mean()),
        "depth within 1 mm + 0.1 %": float(near.mean()),
    }


def measure(scene: Scene, views: int) -> dict[str, object]:
    clock: Clock = {}
    built = timed(clock, "build", lambda: build(scene))
    built.stand(-50.0, -50.0, 0.0)
    rays, seen, agreed = Caster(built), [], []
    shown = cameras(scene, views)
    for name, quality in QUALITIES.items():
        with Canvas(built, quality=quality) as canvas:
            look(canvas, shown[0][1], room=shown[0][0])
            for room, camera in shown:
                timed(clock, f"colours and truth, {name}", partial(look, canvas, camera, room=room))
    drawn_by = beside_floor(clock, scene, shown)
    with Canvas(built) as canvas:
        look(canvas, shown[0][1])
        for _, camera in shown:
            drawn = timed(clock, "truth drawn", partial(look, canvas, camera, colours=False))
            cast = timed(clock, "truth by rays", partial(look, rays, camera))
            seen.append(len(both(clock, canvas, rays, camera, drawn)))
            agreed.append(agreement(drawn, cast))
    return {
        "scene": scene.id,
        "things": len(scene.things),
        "geoms": int(built.model.ngeom),
        "views": len(shown),
        "things seen": round(statistics.mean(seen), 1),
        "ms": {name: round(statistics.mean(times), 1) for name, times in clock.items()},
        "ratio to the floor": round(sum(clock[VIEW]) / sum(sum(clock[each]) for each in FLOOR), 2),
        "renderer": drawn_by,
        "agreement": {
            name: round(statistics.mean(each[name] for each in agreed), 6) for name in agreed[0]
        },
        "worst view": round(min(each["all owners"] for each in agreed), 6),
    }


def beside_floor(clock: Clock, scene: Scene, shown: list[tuple[str, Camera]]) -> str:
    """Time a plain drawing and a view of the generator in turn; return who draws."""
    with tempfile.TemporaryDirectory() as folder, Canvas(build(scene)) as canvas:
        walker = Walker(canvas, folder=Path(folder), kinds=("rgb",))
        every = everything(canvas.built)
        for number, (room, camera) in enumerate((shown[0], *shown)):
            if camera.name == EGO:
                ahead = atan2(camera.forward[1], camera.forward[0])
                walker.pose = Pose(camera.at[0], camera.at[1], ahead)
            turn: Clock = {}
            plain(turn, canvas, camera, every, room)
            timed(turn, VIEW, partial(walker.shoot, camera))
            for name, times in turn.items() if number else ():  # the first warms up
                clock.setdefault(name, []).extend(times)
        return canvas.renderer["renderer"]


def beside_generation(scene: Scene) -> dict[str, float]:
    """Return CPU ms a view of a whole generation, of its views alone, and of the floor.

    The floor is drawn after each view, so that all are measured under the same load.
    """
    clock: Clock = {}
    shoot = Walker.shoot

    def timed_shoot(walker: Walker, camera: Camera) -> Shot:
        canvas = walker.eyes
        assert isinstance(canvas, Canvas)
        shot = timed(clock, VIEW, partial(shoot, walker, camera))
        plain(clock, canvas, camera, everything(canvas.built), shot.view.room)
        return shot

    with tempfile.TemporaryDirectory() as folder:
        generate(Plan(0, (scene,), Loops(2, bouts=1, looks=2)), Path(folder) / "imports")
        started = time.process_time()
        with patch.object(Walker, "shoot", timed_shoot):
            generate(Plan(7, (scene,), Loops(2, bouts=4, looks=4)), Path(folder) / "tasks")
        every = (time.process_time() - started) * 1000
    views, floor = len(clock[VIEW]), sum(sum(clock[each]) for each in FLOOR)
    return {
        "views": views,
        "floor": round(floor / views, 1),
        "view": round(sum(clock[VIEW]) / views, 1),
        "whole": round((every - floor) / views, 1),
        "ratio of a view": round(sum(clock[VIEW]) / floor, 2),
        "ratio of the whole": round((every - floor) / floor, 2),
    }


def plain(clock: Clock, canvas: Canvas, camera: Camera, every: Mask, room: str) -> None:
    """Time the floor: everything drawn in colours, then in identity colours."""
    window = (0, 0, camera.width, camera.height)
    timed(clock, FLOOR[0], partial(canvas.colours, camera, every, room=room))
    timed(clock, FLOOR[1], partial(canvas._owners, camera, every, window, 1, None))


def both(
    clock: Clock, canvas: Eyes, rays: Eyes, camera: Camera, images: Images
) -> tuple[object, ...]:
    found = timed(clock, "sightings drawn", lambda: sightings(canvas, camera, images))
    timed(clock, "sightings by rays", lambda: sightings(rays, camera, images))
    return found[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--things", type=int, default=100)
    parser.add_argument("--flats", type=int, default=2)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--views", type=int, default=12)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    flats = (*suite("tiny", options.seed, 1), *suite("paper", options.seed, options.flats))
    scenes = (gallery(), crowd(options.things), *flats)
    results = [measure(scene, options.views) for scene in scenes]
    for result, scene in zip(results[2:], flats, strict=True):
        result["generation"] = beside_generation(scene)
    if options.json:
        print(json.dumps(results))
        return
    table = Table("640x480, CPU ms a view", *(str(each["scene"]) for each in results))
    for key in ("things", "geoms", "views", "things seen", "worst view", "ratio to the floor",
                "renderer"):  # fmt: skip
        table.add_row(key, *(str(each[key]) for each in results))
    for key in results[-1]["generation"]:  # type: ignore[attr-defined]
        told = [str(each.get("generation", {}).get(key, "")) for each in results]  # type: ignore[attr-defined]
        table.add_row(f"`tea generate`: {key}", *told)
    for group in ("ms", "agreement"):
        for name in results[0][group]:  # type: ignore[attr-defined]
            table.add_row(name, *(str(each[group][name]) for each in results))  # type: ignore[index]
    Console().print(table)


if __name__ == "__main__":
    main()
