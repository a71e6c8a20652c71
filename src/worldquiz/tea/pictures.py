"""The pictures of recorded views, drawn again in some quality."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from worldquiz.errors import RecordError
from worldquiz.records import write_bytes, write_json
from worldquiz_scenes.build import build
from worldquiz_scenes.episode import png
from worldquiz_scenes.quality import quality
from worldquiz_scenes.render import Canvas
from worldquiz_scenes.scene import Scene
from worldquiz_scenes.sight import look
from worldquiz_scenes.view import EGO, View

RENDERER = "renderer.json"


def draw(folder: Path, scene: Scene, views: Iterable[View], name: str) -> None:
    """Write the colours of each view into a scene's folder, in the quality of that name.

    The folder holds the scene's meshes. Raises `RecordError` for a view without colours.
    """
    views = tuple(views)
    size = max((view.camera.width, view.camera.height) for view in views)
    with Canvas(build(scene, folder), quality=quality(name), size=size) as canvas:
        for view in views:
            if "rgb" not in view.files:
                raise RecordError(
                    f"{folder}: view {view.id} has no picture in colours: generate with "
                    "--pictures rgb"
                )
            canvas.built.stand(*view.agent)
            own = view.camera.name == EGO
            seen = look(canvas, view.camera, room=view.room, self_seen=not own)
            assert seen.rgb is not None
            write_bytes(folder / view.files["rgb"], png(seen.rgb))
        write_json(folder / RENDERER, canvas.renderer)
