"""Finds floors, walls and openings among the named shapes of a file that has no floor plan.

A room's outline is that of its floor. A wall is cut `CUT` metres above the floor, so that a doorway
in it is a gap in the cut. Without a shape named floor, a large flat one below all others is used.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from worldquiz_scenes.arrays import later, np
from worldquiz_scenes.files import refused
from worldquiz_scenes.importing import names
from worldquiz_scenes.importing.floorplan import PASSABLE, SAME, slant
from worldquiz_scenes.importing.pieces import (
    Draft,
    Element,
    Named,
    Opening,
    Outline,
    Upright,
    about_z,
)

shapely, trimesh = (later(name) for name in ("shapely", "trimesh"))

CUT = 1.0  # metres above the floor at which walls are cut
FILM = 0.002  # half the thickness of a cut in metres
FLAT = 0.12  # most metres of thickness of a floor
SHARE = 0.5  # least share of the scene's footprint that a floor without a name covers
FULL = 0.97  # a floor that covers this share of its rectangle counts as all of it
MOST = 20_000  # most triangles of a floor; with more, its convex hull counts
SMALL, GRID = 1e-9, 1e-5  # square metres that are ignored; metres to which corners are rounded
LEVEL = 0.1  # most metres of height between floors of one storey


def inferred(draft: Draft, file: Path) -> Draft:
    """Return a draft whose floors, walls and doorways are inferred from its items.

    Items that became floors, walls or doorways are removed from the draft's items. The floor is an
    item with such a name, else a large flat item beneath all others.

    Raises `FileError` for a scene without a floor.
    """
    floors = [item for item in draft.items if item.role is Element.FLOOR]
    if not floors:
        every = np.concatenate([item.points for item in draft.items])
        z, (wide, deep) = every[:, 2].min(), np.ptp(every[:, :2], axis=0)
        floors = [
            item
            for item in draft.items
            if item.high[2] - item.low[2] <= FLAT
            and item.low[2] <= z + FLAT
            and _footprint(item) >= SHARE * wide * deep
        ]
    if not floors:
        raise refused(
            file, "", "has no floor: nothing is called floor or ground, and nothing flat lies "
            "beneath the rest", "name a node 'floor', or say which axis points up (--up)",
        )  # fmt: skip
    main = max(floors, key=_footprint)
    items = [replace(item, role=Element.FLOOR) if item is main else item for item in draft.items]
    down = np.array([0.0, 0.0, -float(main.high[2])])
    lowered = [item.moved(np.eye(3), down) for item in items]
    walls = [wall for item in lowered if item.role is Element.WALL for wall in _cuts(item)]
    edges = shapely.get_coordinates(_seen_from_above(main))[:-1]
    if angle := -slant([Outline(main.name, edges)], walls):
        lowered = [item.moved(about_z(angle), np.zeros(3)) for item in lowered]
        walls = [wall for item in lowered if item.role is Element.WALL for wall in _cuts(item)]

    def of(*roles: Element) -> list[Named]:
        return [item for item in lowered if item.role in roles]

    rest = of(Element.THING)
    low_walls = [
        replace(item, role=Element.THING, label="low wall", term="")
        for item in of(Element.WALL)
        if 0.1 < float(item.high[2]) < PASSABLE
    ]
    lids = [float(item.low[2]) for item in of(Element.CEILING)]
    tops = lids or [float(item.high[2]) for item in of(Element.WALL)]
    return replace(
        draft,
        items=[*rest, *low_walls],
        floors=tuple(_outline(each) for each in of(Element.FLOOR) if abs(each.high[2]) <= LEVEL),
        walls=tuple(walls),
        doors=tuple(_opening(item) for item in of(Element.DOOR, Element.WINDOW)),
        height=draft.height or max((each for each in tops if each >= PASSABLE), default=None),
    )


def _footprint(item: Named) -> float:
    wide, deep = (item.high - item.low)[:2].tolist()
    return float(wide * deep)


def _outline(item: Named) -> Outline:
    """Return a floor's outline: its rectangle if it fills that, else the union of its faces."""
    whole = shapely.box(*item.low[:2], *item.high[:2])
    shape = _seen_from_above(item).intersection(whole)
    if shape.geom_type != "Polygon" or shape.area > FULL * whole.area:
        shape = whole
    corners = np.array(shape.exterior.coords[:-1])
    said = [word for word in names.words(item.name) if word not in ("floor", "ground", "plane")]
    return Outline(" ".join(said), corners, item.looks.looks, item.looks.material or "wood")


def _seen_from_above(item: Named) -> Any:
    """Return the floor area that an item covers; its convex hull if the area is complex."""
    rings = np.concatenate([each.points[each.faces][:, :, :2] for each in item.pieces])
    faces = shapely.polygons(rings if len(rings) <= MOST else rings[:0])
    shape = shapely.union_all(faces[shapely.area(faces) > SMALL], grid_size=GRID).simplify(SAME)
    hull = shapely.MultiPoint(item.points[:, :2]).convex_hull
    return shape if shape.geom_type == "Polygon" else hull


def _cuts(item: Named) -> list[Upright]:
    """Return a horizontal cut through a wall, at height `CUT`, as one thin box per line."""
    found = []
    for piece in item.pieces:
        if not piece.points[:, 2].min() < CUT < piece.points[:, 2].max():
            continue
        mesh = trimesh.Trimesh(piece.points, piece.faces, process=False)
        lines = trimesh.intersections.mesh_plane(mesh, (0.0, 0.0, 1.0), (0.0, 0.0, CUT))
        for one, two in np.asarray(lines, float).reshape(-1, 2, 3)[:, :, :2]:
            far = float(np.linalg.norm(two - one))
            if far > 1e-3:
                way = (two - one) / far * FILM
                side = np.array([-way[1], way[0]])
                ends = (one - way - side, two + way - side, two + way + side, one - way + side)
                found.append(Upright(np.array(ends), float(item.high[2]), item.looks.looks))
    return found


def _opening(item: Named) -> Opening:
    """Return a door or window as an opening of the same size."""
    size, middle = item.high - item.low, (item.low + item.high) / 2
    across = int(size[0] < size[1])
    passable = item.role is Element.DOOR and float(item.low[2]) < 0.3
    width, top = float(size[across]), float(item.high[2])
    return Opening(middle[:2], np.eye(2)[across], width, top, item, passable=passable)
