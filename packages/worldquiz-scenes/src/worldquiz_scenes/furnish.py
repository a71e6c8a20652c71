"""The furniture of each kind of room, and the rules that place it.

`PROGRAMMES` lists furniture for each kind of room, in the order in which it is placed. Each entry
has a probability (`share`), which is multiplied by the parameter `furniture`, except for things
that define a room (share 1). A thing that fits nowhere is left out.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from worldquiz_scenes import geometry, place
from worldquiz_scenes.config import Knobs
from worldquiz_scenes.furniture import STOCK, Model
from worldquiz_scenes.paints import STYLES, Draw
from worldquiz_scenes.place import Piece, Placement, Site
from worldquiz_scenes.rng import child
from worldquiz_scenes.scene import CEILING, FLOOR, WALL


@dataclass(frozen=True, slots=True)
class Want:
    """A kind of thing to be placed in a room."""

    kind: str
    rule: str  # see `_poses`
    share: float = 1.0  # probability
    of: tuple[str, ...] = ()  # the kinds that the rule refers to
    times: int = 1
    gap: float = 0.4


FRONT = {
    "sofa": 0.35, "armchair": 0.3, "wardrobe": 0.6, "bookshelf": 0.5, "cabinet": 0.5,
    "chest of drawers": 0.5, "desk": 0.75, "fridge": 0.6, "stove": 0.7, "sink": 0.7,
    "kitchen counter": 0.6, "washing machine": 0.5, "toilet": 0.5, "washbasin": 0.5, "bathtub": 0.4,
    "tv stand": 0.5, "piano": 0.7, "standing mirror": 0.8, "bed": 0.5, "dining table": -0.62,
    "wall mirror": 0.5, "shoe rack": 0.4, "bench": 0.4,
}  # fmt: skip
"""Free metres before a thing; if negative, around it."""
HANGS = {
    "picture": 1.55, "wall clock": 1.85, "wall shelf": 1.4, "towel rail": 1.1, "wall mirror": 1.5,
    "curtain": 1.12, "window": 1.5, "wall cupboard": 1.8,
}  # fmt: skip
"""Metres from the floor to the middle of things on walls."""
HEADROOM = {"washbasin": 1.95}  # metres up to which the wall above it is free
_SEATS = ("sofa", "bed", "cabinet", "tv stand", "chest of drawers")
_UNITS = ("sink", "stove", "kitchen counter", "fridge")

PROGRAMMES: dict[str, tuple[Want, ...]] = {
    "living room": (
        Want("sofa", "wall"),
        Want("rug", "before", 0.75, ("sofa",), gap=0.12),
        Want("coffee table", "centre", 1.0, ("rug",)),
        Want("coffee table", "before", 1.0, ("sofa",), gap=0.4),
        Want("tv stand", "facing", 1.0, ("sofa",)),
        Want("tv", "on", 1.0, ("tv stand",)),
        Want("window", "outer"),
        Want("bookshelf", "wall", 0.9, times=2),
        Want("armchair", "corner", 0.85, times=2),
        Want("dining table", "middle", 0.35),
        Want("chair", "around", 0.9, ("dining table",), times=6),
        Want("cabinet", "wall", 0.6),
        Want("piano", "wall", 0.3),
        Want("plant", "corner", 0.9, times=2),
        Want("picture", "above", 0.7, _SEATS),
        Want("picture", "hang", 0.9, times=2),
        Want("picture", "next", 0.6, ("picture",), times=3),
        Want("curtain", "outer", 0.6),
        Want("wall clock", "hang", 0.6),
        Want("wall shelf", "hang", 0.5),
        Want("radiator", "wall", 0.5),
        Want("basket", "corner", 0.4),
        Want("ball", "corner", 0.4),
    ),
    "kitchen": (
        Want("sink", "corner"),
        Want("stove", "beside", 1.0, _UNITS),
        Want("kitchen counter", "beside", 1.0, _UNITS, times=2),
        Want("fridge", "beside", 1.0, _UNITS),
        Want("wall cupboard", "above", 0.9, ("kitchen counter", "stove"), times=2),
        Want("window", "outer", 0.8),
        Want("dining table", "middle", 0.9),
        Want("chair", "around", 0.95, ("dining table",), times=6),
        Want("cabinet", "wall", 0.4),
        Want("washing machine", "wall", 0.3),
        Want("waste bin", "corner", 0.9),
        Want("stool", "corner", 0.5),
        Want("wall clock", "hang", 0.7),
        Want("wall shelf", "hang", 0.6),
        Want("towel rail", "hang", 0.6),
        Want("picture", "hang", 0.6),
        Want("plant", "corner", 0.5),
        Want("radiator", "wall", 0.4),
        Want("basket", "corner", 0.3),
    ),
    "bedroom": (
        Want("bed", "wall"),
        Want("nightstand", "beside", 1.0, ("bed",), times=2),
        Want("wardrobe", "wall"),
        Want("window", "outer", 0.9),
        Want("chest of drawers", "wall", 0.8),
        Want("desk", "wall", 0.35),
        Want("office chair", "before", 1.0, ("desk",), gap=0.04),
        Want("armchair", "corner", 0.4),
        Want("rug", "before", 0.5, ("bed",), gap=0.1),
        Want("picture", "above", 0.8, ("bed", "chest of drawers")),
        Want("picture", "hang", 0.7),
        Want("picture", "next", 0.6, ("picture",), times=2),
        Want("curtain", "outer", 0.6),
        Want("plant", "corner", 0.5),
        Want("basket", "corner", 0.5),
        Want("wall shelf", "hang", 0.4),
        Want("radiator", "wall", 0.5),
        Want("suitcase", "corner", 0.4),
        Want("stool", "corner", 0.3),
        Want("shoe", "wall", 0.7, times=2),
        Want("teddy bear", "corner", 0.35),
        Want("toy car", "wall", 0.3),
    ),
    "bathroom": (
        Want("bathtub", "corner"),
        Want("toilet", "wall"),
        Want("washbasin", "wall"),
        Want("washing machine", "corner", 0.7),
        Want("bath mat", "before", 0.9, ("bathtub",), gap=0.05),
        Want("towel rail", "hang", 0.95),
        Want("towel rail", "next", 0.6, ("towel rail",), times=2),
        Want("cabinet", "wall", 0.5),
        Want("basket", "corner", 0.8),
        Want("waste bin", "corner", 0.6),
        Want("stool", "wall", 0.5),
        Want("radiator", "wall", 0.7),
        Want("wall shelf", "hang", 0.6),
        Want("bucket", "corner", 0.5),
        Want("window", "outer", 0.4),
        Want("plant", "corner", 0.3),
    ),
    "study": (
        Want("desk", "wall"),
        Want("office chair", "before", 1.0, ("desk",), gap=0.04),
        Want("bookshelf", "wall", 1.0, times=2),
        Want("window", "outer", 0.9),
        Want("armchair", "corner", 0.8),
        Want("cabinet", "wall", 0.7),
        Want("piano", "wall", 0.2),
        Want("rug", "middle", 0.5),
        Want("plant", "corner", 0.8),
        Want("picture", "hang", 0.9, times=2),
        Want("wall clock", "hang", 0.7),
        Want("wall shelf", "hang", 0.6),
        Want("waste bin", "corner", 0.7),
        Want("curtain", "outer", 0.4),
        Want("radiator", "wall", 0.5),
        Want("box", "corner", 0.6, times=2),
        Want("backpack", "wall", 0.5),
    ),
    "hall": (
        Want("shoe rack", "wall"),
        Want("coat rack", "corner", 1.0),
        Want("bench", "wall", 0.7),
        Want("cabinet", "wall", 0.6),
        Want("umbrella stand", "corner", 0.9),
        Want("picture", "hang", 0.9, times=3),
        Want("picture", "next", 0.6, ("picture",), times=2),
        Want("rug", "middle", 0.5),
        Want("plant", "corner", 0.6),
        Want("wall shelf", "hang", 0.5),
        Want("suitcase", "corner", 0.6),
        Want("wall clock", "hang", 0.4),
        Want("radiator", "wall", 0.5),
        Want("shoe", "wall", 0.6, times=2),
        Want("ball", "corner", 0.3),
        Want("box", "corner", 0.5),
        Want("bucket", "corner", 0.3),
        Want("watering can", "corner", 0.3),
    ),
}
ADORNED, BARE = ("picture", "picture", "picture", "wall shelf"), 2.4
"""Things to hang on bare walls; metres of wall for each thing."""
SETS = frozenset(
    {"chair", "nightstand", "towel rail", "kitchen counter", "wall cupboard", "curtain", "window"}
)
"""Kinds that look alike within a room."""
MIRRORS = (
    ("bathroom", "wall mirror", "above", ("washbasin",)),
    ("bedroom", "standing mirror", "wall", ()),
    ("hall", "wall mirror", "hang", ()),
    ("living room", "wall mirror", "hang", ()),
    ("study", "standing mirror", "wall", ()),
    ("bedroom", "wall mirror", "above", ("chest of drawers",)),
    ("hall", "standing mirror", "wall", ()),
    ("living room", "standing mirror", "wall", ()),
    ("kitchen", "wall mirror", "hang", ()),
)
"""Poses of mirrors, the most likely first: room, kind, rule, and the rule's other kinds."""
OPPOSITE = ("stool", "plant", "basket", "box", "ball", "waste bin", "suitcase", "teddy bear")
"""Kinds of things to put in a row that a mirror shows."""


def furnish(sites: Sequence[Site], knobs: Knobs, style: str, seed: int) -> None:
    """Furnish rooms as `PROGRAMMES` says: first all floors, then mirrors, then walls."""
    for site in sites:
        lamps(site, knobs, style, seed)
        _follow(site, knobs, style, seed, hanging=False)
    mirrors(sites, knobs, style, seed)
    for site in sites if knobs.repeat else ():
        _opposite(site, style, seed)
    for site in sites:
        _follow(site, knobs, style, seed, hanging=True)
        _adorn(site, style, seed)


def _adorn(site: Site, style: str, seed: int) -> None:
    """Hang things on each wall until it has one for every `BARE` metres, if they fit."""
    for wall in site.walls():
        length = site.room.high[wall.axis] - site.room.low[wall.axis]
        hung = [each for each in site.pieces if each.thing.support == WALL and each.yaw == wall.yaw]
        for index in range(round(length / BARE) - len(hung)):
            rng = child(seed, "adorn", site.room.name, wall.name, index)
            put(site, Want(rng.choice(ADORNED), "hang", of=(wall.name,)), style, rng)


def _follow(site: Site, knobs: Knobs, style: str, seed: int, *, hanging: bool) -> None:
    """Place what `PROGRAMMES` lists for a room: things on its walls (`hanging`), or all others."""
    for want in PROGRAMMES[site.room.kind]:
        if (want.rule in ("hang", "next", "above", "outer")) is not hanging:
            continue
        for index in range(want.times):
            rng = child(seed, "furnish", site.room.name, want.kind, want.rule, index)
            share = want.share if want.share >= 1 else want.share * knobs.furniture
            again = want.kind == "coffee table" and site.of(want.kind)  # only one per room
            if rng.random() < share and not again:
                looks = child(seed, "looks", site.room.name, want.kind)
                put(site, want, style, rng, looks if want.kind in SETS else rng)


def lamps(site: Site, knobs: Knobs, style: str, seed: int) -> None:
    """Hang a lamp overhead, then stand others in corners."""
    rng = child(seed, "lamps", site.room.name)
    for index in range(rng.randint(*knobs.lights)):
        want = Want("floor lamp", "corner") if index else Want("ceiling lamp", "ceiling")
        if want.kind == "ceiling lamp" or site.room.kind not in ("kitchen", "bathroom"):
            put(site, want, style, rng)


def mirrors(sites: Sequence[Site], knobs: Knobs, style: str, seed: int) -> None:
    """Place as many mirrors as the parameters ask for, if they fit."""
    rng = child(seed, "mirrors")
    left = rng.randint(*knobs.mirrors)
    for number, (room, kind, rule, of) in enumerate(MIRRORS):
        for site in sites:
            stream = child(seed, "mirror", number, site.room.name)
            want = Want(kind, rule, of=of)
            if left and site.room.kind == room and put(site, want, style, stream):
                left -= 1


def _opposite(site: Site, style: str, seed: int) -> None:
    """Put two rows opposite each mirror: narrow equal things, and narrow equal pictures."""
    for mirror in site.of("wall mirror", "standing mirror"):
        rng = child(seed, "opposite", mirror.thing.id)
        for kind in (rng.choice(OPPOSITE), "picture"):
            looks = [(seed, "row", mirror.thing.id, kind, index) for index in range(6)]
            slim = min(looks, key=lambda each: model(kind, style, child(*each)).half[0])
            rule, of = "opposite", mirror.kind
            for _ in range(rng.randint(3, 5)):
                if put(site, Want(kind, rule, of=(of,)), style, rng, child(*slim)):
                    rule, of = "next", kind


def model(kind: str, style: str, rng: random.Random) -> Model:
    """Return a random model of a kind of thing, in the colours of a style."""
    return STOCK[kind].make(Draw(rng, STYLES[style]))


def put(
    site: Site, want: Want, style: str, rng: random.Random, looks: random.Random | None = None
) -> Piece | None:
    """Make a thing and place it at the first pose that fits; return None if none does.

    `rng` samples its pose, and `looks` its size and colours; without `looks`, `rng` samples both.
    """
    wanted = model(want.kind, style, looks or rng)
    number = len(site.pieces)
    for pose, support, ignore in _poses(site, want, wanted, rng):
        front = place.clearance(wanted, pose, FRONT.get(want.kind, 0.0))
        id = f"{site.room.name}/{number}"
        made = place.thing(id, want.kind, wanted, pose, site.room.name, support)
        piece = Piece(want.kind, made, wanted.tops, pose.yaw % 360, front)
        low, (x, y, z) = geometry.extent(piece.solid)
        head = geometry.slab(low, (x, y, HEADROOM.get(piece.kind, z)))
        if site.fits(piece.solid, front, ignore) and (
            piece.kind not in HEADROOM or site.fits(head)
        ):
            site.add(piece)
            return piece
    return None


Proposal = tuple[Placement, str, tuple[str, ...]]


def _poses(site: Site, want: Want, model: Model, rng: random.Random) -> Iterator[Proposal]:
    """Yield a rule's poses, each with its support and the ids of things that it may touch."""
    high, support = HANGS.get(want.kind, 0.0) - model.half[2], FLOOR
    poses: Iterable[Placement] = ()
    match want.rule:
        case "wall" | "corner":
            poses = place.along_walls(site, model, rng, corners=want.rule == "corner")
        case "hang" | "outer":
            walls, support = site.outer if want.rule == "outer" else want.of or None, WALL
            poses = place.along_walls(site, model, rng, z=high, walls=walls)
        case "middle":
            poses = place.in_middle(site, model, rng)
        case "ceiling":
            x, y = ((a + b) / 2 for a, b in zip(site.room.low, site.room.high, strict=True))
            poses, support = [Placement(x, y, site.height - 2 * model.half[2], 0.0)], CEILING
        case _:
            for piece in site.of(*want.of):
                yield from _related(site, want, model, piece, rng)
            if want.rule == "facing" or (want.rule == "beside" and want.kind in _UNITS):
                poses = place.along_walls(site, model, rng)
    yield from ((pose, support, ()) for pose in poses)


def _related(
    site: Site, want: Want, model: Model, piece: Piece, rng: random.Random
) -> Iterator[Proposal]:
    """Yield poses relative to a piece of furniture, as `_poses` does."""
    near: tuple[str, ...] = (piece.thing.id,)  # things that belong to it may enter its free space
    support = FLOOR
    foot = piece.thing.position[2] + piece.thing.half[2]
    poses: Iterable[Placement] = ()
    match want.rule:
        case "beside":
            poses = place.beside(piece, model, rng, 0.06 if want.kind == "nightstand" else 0.01)
            near = ()
        case "next":
            hangs = piece.thing.support == WALL
            high = piece.thing.position[2] - model.half[2] if hangs else 0.0
            poses = (pose._replace(z=high) for pose in place.beside(piece, model, rng, 0.1))
            support, near = piece.thing.support, ()
        case "before":
            yaw = 180.0 if want.kind == "office chair" else 0.0
            poses = place.before(piece, model, rng, want.gap, yaw)
        case "facing":
            poses, near = place.facing(site, piece, model, rng), ()
        case "opposite":
            high = HANGS[want.kind] - model.half[2] if want.kind in HANGS else 0.0
            walls = [wall.name for wall in site.walls() if wall.yaw == (piece.yaw + 180) % 360]
            poses = place.along_walls(site, model, rng, z=high, walls=walls)
            support, near = WALL if high else FLOOR, ()
        case "around":
            poses = place.around(piece, model, rng)
        case "above":
            z = max(HANGS[want.kind] - model.half[2], foot + 0.2)
            poses, support, near = place.above(piece, model, z), WALL, ()
        case "centre" if all(a < b for a, b in zip(model.half[:2], piece.thing.half, strict=False)):
            # a table on the rug that lies before a sofa belongs to the sofa
            near, support = (*near, *(each.thing.id for each in site.of("sofa"))), piece.thing.id
            poses = [Placement(*piece.spot(0, 0), foot, piece.yaw)]
        case "on":
            z = piece.thing.position[2] + max(top.z for top in piece.tops)
            poses, support = [Placement(*piece.spot(0, 0.02), z, piece.yaw)], piece.thing.id
    yield from ((pose, support, near) for pose in poses)
