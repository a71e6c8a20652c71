"""A scene on disk: a folder with `scene.json`, and `CREDITS.md` for the makers of its models.

Scenes that cannot be built are neither written nor read: numbers must be finite, ids unique, sizes
positive, rotations of length 1, and each chain of supports must end at a floor, wall or ceiling. An
error names the file, the thing, the field and its value.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from worldquiz_scenes.errors import FileError, did_you_mean
from worldquiz_scenes.files import beneath, read_bytes, write_bytes
from worldquiz_scenes.scene import CEILING, FLOOR, WALL, Scene, Shape, Thing

SCENE, CREDITS = "scene.json", "CREDITS.md"
SCHEMA, VERSION = "worldquiz/scene", 1
USED = {
    Shape.BOX: 3, Shape.CYLINDER: 2, Shape.SPHERE: 1, Shape.ELLIPSOID: 3, Shape.CAPSULE: 2,
    Shape.MESH: 3,
}  # fmt: skip
"""Number of a part's three sizes that its shape uses."""
_SCENE: TypeAdapter[Scene] = TypeAdapter(Scene)


def write_scene(path: Path, scene: Scene) -> None:
    """Write a scene into a folder: `scene.json` and `CREDITS.md`. Equal scenes give equal bytes.

    Raises `FileError` for a scene that could not be read again, or if a file cannot be written.
    """
    check(scene, str(path / SCENE))
    plain = _SCENE.dump_python(scene, mode="json")
    body = json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    head = f'{{"schema": "{SCHEMA}", "version": {VERSION}, "scene":\n'
    write_bytes(path / CREDITS, credits(scene).encode())
    write_bytes(path / SCENE, f"{head}{body}}}\n".encode())


def read_scene(path: Path) -> Scene:
    """Read a scene from its folder, or from the file in it.

    Raises `FileError` if it is missing, cut short, invalid, or of another schema or version.
    """
    file = path if path.suffix == ".json" else path / SCENE
    try:
        whole = json.loads(read_bytes(file))
    except (ValueError, RecursionError) as error:
        raise FileError(
            f"{file}: {error}; the file is cut short or damaged: restore it, or delete it and run "
            "the command that wrote it again"
        ) from error
    whole = whole if isinstance(whole, dict) else {"schema": type(whole).__name__}
    if whole.get("schema") != SCHEMA:
        found = whole.get("schema")
        raise FileError(f"{file}: holds {found}, not {SCHEMA}: give a scene of worldquiz")
    if whole.get("version") != VERSION:
        raise FileError(
            f"{file}: has schema version {whole.get('version')}, but this worldquiz reads version "
            f"{VERSION}: use the worldquiz that wrote it, or generate it again"
        )
    try:
        scene = _SCENE.validate_python(whole.get("scene"))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        what = f"{first['msg'].replace('Input should be', 'should be')}, not "
        what = "is missing" if first["type"] == "missing" else f"{what}{repr(first['input'])[:40]}"
        place = ".".join(["scene", *map(str, first["loc"])])
        raise FileError(f"{file}: {place}: {what}") from error
    check(scene, str(file))
    return scene


def credits(scene: Scene) -> str:
    """Return the makers and licences of a scene's models, as Markdown."""
    by_credit: dict[str, Counter[str]] = {}
    for thing in scene.things:
        maker = thing.credit or "unknown maker, unknown licence"
        by_credit.setdefault(maker, Counter())[thing.label] += 1
    lines = [f"# Credits of scene {scene.id}", ""]
    for maker in sorted(by_credit):
        labels = by_credit[maker]
        counts = ", ".join(f"{label} ({labels[label]})" for label in sorted(labels))
        lines += [f"## {maker}", "", f"{labels.total()} things: {counts}", ""]
    return "\n".join(lines)


def check(scene: Scene, where: str) -> None:
    """Raise `FileError` for the first problem of a scene that cannot be built."""
    for problem in problems(scene):
        raise FileError(f"{where}: {problem}")


def problems(scene: Scene) -> Iterator[str]:
    """Yield a scene's problems, each with the thing, the field and its value."""
    yield from _names(scene.id, "scene", 1)
    for place, value in _unfinite(scene, "scene"):
        yield f"{place}: {value} is not a finite number"
    if not scene.rooms:
        yield "scene: has no room, so no floor: add a room"
    for room in scene.rooms:
        if not all(low < high for low, high in zip(room.low, room.high, strict=True)):
            yield f"room {room.name!r}: low {room.low} is not below high {room.high}"
    names, ids = [room.name for room in scene.rooms], [thing.id for thing in scene.things]
    yield from (f"room {name!r}: named twice" for name in _twice(names))
    yield from (f"thing {id!r}: two things have this id" for id in _twice(ids))
    for door in scene.doors:
        for name in sorted({*door.rooms}.difference(names)):
            yield f"door {door.rooms}: no room {name!r}{did_you_mean(name, names)}"
    for thing in scene.things:
        yield from (f"thing {thing.id!r}: {wrong}" for wrong in _thing_problems(thing, scene))
    if ids != sorted(ids):
        yield "things: are not in the order of their ids"


def _twice(names: list[str]) -> list[str]:
    return [name for name, count in Counter(names).items() if count > 1]


def _thing_problems(thing: Thing, scene: Scene) -> Iterator[str]:
    if thing.room not in scene.room:
        yield f"no room {thing.room!r}{did_you_mean(thing.room, scene.room)}"
    if min(thing.half) <= 0:
        yield f"half lengths {thing.half} must be above 0"
    if not thing.parts:
        yield "has no parts, so it cannot be seen"
    if abs(math.hypot(*thing.rotation) - 1) > 1e-3:
        yield f"rotation {thing.rotation} is not a unit quaternion"
    for number, part in enumerate(thing.parts):
        if min(part.size[: USED[part.shape]]) <= 0:
            yield f"part {number}: size {part.size} of a {part.shape} must be above 0"
        if part.shape is Shape.MESH:
            yield from _names(part.mesh, f"part {number}: mesh")
    ends = (FLOOR, WALL, CEILING)
    chain = scene.under(thing.id)
    if thing.support not in ends and thing.support not in scene.thing:
        yield f"stands on {thing.support!r}, which is neither a thing nor one of {ends}"
    elif thing.id in chain or chain[-1] == thing.id or chain[-1] in scene.thing:
        yield f"its supports form a circle: {' on '.join((thing.id, *chain))}"


def _names(path: str | None, what: str, parts: int = 9) -> Iterator[str]:
    """Yield an error message if a name cannot become part of a path."""
    try:
        beneath(path, what, parts)
    except FileError as error:
        yield str(error)


def _unfinite(value: Any, place: str) -> Iterator[tuple[str, float]]:
    """Yield the location and value of every number that is not finite."""
    if isinstance(value, float):
        if not math.isfinite(value):
            yield place, value
    elif isinstance(value, tuple):
        for number, each in enumerate(value):
            inner = getattr(each, "id", None) or getattr(each, "name", None) or number
            yield from _unfinite(each, f"{place}: {inner}")
    elif is_dataclass(value):
        for field in fields(value):
            yield from _unfinite(getattr(value, field.name), f"{place}: {field.name}")
