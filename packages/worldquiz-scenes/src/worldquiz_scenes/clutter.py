"""Small objects on tables, shelves and seats, and on each other.

Each free area on a piece of furniture gets objects that suit the furniture (`ON`): more on larger
areas, each at a random spot where its box fits. Bookshelves hold rows of books, or a few ornaments.
"""

from __future__ import annotations

from dataclasses import dataclass

from worldquiz_scenes import place
from worldquiz_scenes.config import Knobs
from worldquiz_scenes.furniture import STOCK, Model, Top
from worldquiz_scenes.paints import STYLES, Draw
from worldquiz_scenes.place import Piece, Placement, Site
from worldquiz_scenes.rng import child
from worldquiz_scenes.scene import Pattern, Spot, below

_ORNAMENTS = (
    "vase", "photo frame", "globe", "sculpture", "cactus", "camera", "candle", "radio",
    "box", "toy car", "teddy bear", "book", "alarm clock", "speaker", "toy blocks",
)  # fmt: skip
ON: dict[str, tuple[str, ...]] = {
    "dining table": ("plate", "plate", "mug", "glass", "bowl", "bottle", "vase", "apple", "orange",
                     "banana", "pear", "bread", "teapot", "wine glass", "candle", "tissue box"),
    "coffee table": ("remote control", "mug", "book", "book", "candle", "bowl", "vase", "phone",
                     "glass", "chess board", "headphones", "tissue box", "apple"),
    "desk": ("laptop", "monitor", "keyboard", "pen cup", "book", "book", "mug", "table lamp",
             "phone", "headphones", "photo frame", "cactus", "camera", "tissue box"),
    "nightstand": ("table lamp", "alarm clock", "book", "glass", "phone", "photo frame", "candle",
                   "tissue box"),
    "kitchen counter": ("kettle", "toaster", "microwave", "knife block", "cutting board", "bread",
                        "coffee machine", "pot", "bottle", "bowl", "apple", "banana", "mug",
                        "folded towel"),
    "sink": ("soap bottle", "mug", "plate", "glass"),
    "stove": ("pan", "pot", "pan", "pot", "kettle"),
    "cabinet": (*_ORNAMENTS, "folded towel", "table lamp", "bottle", "bowl"),
    "chest of drawers": (*_ORNAMENTS, "table lamp", "hat", "handbag", "tissue box"),
    "tv stand": ("remote control", "speaker", "radio", "book", "cactus", "headphones", "box",
                 "tissue box"),
    "bookshelf": _ORNAMENTS,
    "wall shelf": ("cactus", "photo frame", "book", "vase", "candle", "alarm clock", "bowl", "mug",
                   "toy car", "camera", "rubber duck"),
    "shoe rack": ("shoe", "shoe", "hat", "handbag", "ball"),
    "washing machine": ("basket", "folded towel", "soap bottle", "box", "folded towel"),
    "toilet": ("toilet paper",),
    "washbasin": ("soap bottle", "toothbrush cup"),
    "sofa": ("pillow", "pillow", "blanket", "book", "remote control", "teddy bear", "laptop"),
    "armchair": ("pillow", "book", "blanket"),
    "bed": ("pillow", "pillow", "blanket", "teddy bear", "book", "laptop", "folded towel"),
    "bench": ("handbag", "hat", "backpack", "pillow"),
    "book": ("book", "mug", "remote control", "camera", "phone", "apple"),
    "box": ("book", "hat", "toy car", "ball", "shoe"),
    "piano": ("photo frame", "tissue box", "vase", "candle", "alarm clock", "sculpture", "book"),
}  # fmt: skip
"""Things that may stand on a kind; the more often listed, the more likely."""
BATHING = ("soap bottle", "rubber duck", "folded towel", "toilet paper", "candle", "cactus")
"""Things that may stand on boards and cabinets in bathrooms instead."""
LONE = {"microwave", "coffee machine", "toaster", "kettle", "monitor", "laptop", "keyboard",
        "knife block", "chess board", "table lamp", "toilet paper", "alarm clock", "basket",
        "blanket", "cutting board"}  # fmt: skip
"""Kinds of which one piece holds at most one."""
ROUND = {"plate", "bowl", "apple", "orange", "pear", "vase", "candle", "ball", "glass", "mug",
         "wine glass", "teapot", "pan", "pot", "banana", "cactus", "bottle", "book", "phone",
         "remote control", "headphones", "toy car", "toy blocks", "hat"}  # fmt: skip
"""Kinds that may be turned any way; other kinds face like the piece under them."""
ROW, APART = (2, 6), 0.03  # number of things in a row of similar things; metres between them
WORN = ("pillow", "folded towel", "tissue box", "ball", "backpack")
"""Kinds that are often patterned all over, and large enough for the pattern to be seen."""
LIFT = 0.002  # metres above a surface from which things are dropped


def fill(site: Site, knobs: Knobs, style: str, seed: int) -> list[Piece]:
    """Put small objects on the furniture of a room, and return them.

    The first area with room gets a row of equal patterned things, so that a room has some to count.
    """
    added: list[Piece] = []
    first = knobs.repeat > 0
    for piece in list(site.pieces):
        for index, top in enumerate(piece.tops):
            rng = child(seed, "fill", site.room.name, piece.thing.id, index)
            area = _Area(site, piece, top, Draw(rng, STYLES[style]))
            alike = knobs.small[1] > 0 and (rng.random() < knobs.repeat or first)
            if top.kind == "head":
                added += area.pillows(knobs)
            elif piece.kind == "bookshelf" and top.kind == "shelf" and rng.random() < 0.5:
                added += area.row(knobs)
            elif piece.kind in ON and alike and (made := area.alike(patterned=first)):
                added += made
                first = False
            elif piece.kind in ON and not (piece.kind == "stove" and rng.random() < 0.3):
                added += area.group(knobs)
    for piece in list(added):
        rng = child(seed, "pile", piece.thing.id)
        if piece.kind in ("book", "box") and rng.random() < 0.35:
            wide, deep, high = piece.thing.half
            top = Top((-wide, -deep), (wide, deep), high, 0.35)
            added += _Area(site, piece, top, Draw(rng, STYLES[style])).pile()
    return added


@dataclass(frozen=True, slots=True)
class _Area:
    """Free area on a piece of furniture, to be filled with small objects."""

    site: Site
    piece: Piece
    top: Top
    draw: Draw

    def group(self, knobs: Knobs) -> list[Piece]:
        """Put objects that suit the piece of furniture (`ON`) on random spots."""
        rng, kinds, added = self.draw.rng, self._kinds(), []
        (x0, y0), (x1, y1) = self.top.low, self.top.high
        share = min(1.0, max(0.3, (x1 - x0) * (y1 - y0) / 0.45))  # fewer on small areas
        most = max(min(1, knobs.small[1]), round(rng.randint(*knobs.small) * share))
        for index in range(most):
            for _ in range(3):
                kind = rng.choice(kinds)
                if made := self._anywhere(kind, STOCK[kind].make(self.draw)):
                    added.append(made)
                    kinds = [each for each in kinds if each != kind or kind not in LONE]
                    break
            if not kinds or index > 20:
                break
        return added

    def alike(self, *, patterned: bool) -> list[Piece]:
        """Put a row of things that look alike, or nothing if no row fits."""
        rng, (x0, y0), (x1, y1) = self.draw.rng, self.top.low, self.top.high
        kinds = [each for each in self._kinds() if each not in LONE] or ["book"]
        worn = [each for each in kinds if each in WORN]
        if patterned and not worn:
            return []
        kind = rng.choice(worn if worn and (patterned or rng.random() < 0.5) else kinds)
        models = [STOCK[kind].make(self.draw) for _ in range(8 if patterned else 2)]
        model = max(models, key=lambda each: each.paint.pattern is not Pattern.PLAIN)
        wide, deep, high = model.half
        count = min(rng.randint(*ROW), int((x1 - x0) / (2 * wide + APART)))
        if 2 * high > self.top.clear or 2 * deep > y1 - y0 or not count:
            return []
        step = min((x1 - x0) / count, 2 * wide + rng.uniform(APART, 3 * APART))
        x = rng.uniform(x0 + step / 2, x1 - step * (count - 0.5))
        y = rng.uniform(y0 + deep, y1 - deep)
        made = [self._put(kind, model, (x + step * index, y)) for index in range(count)]
        return [each for each in made if each]

    def _kinds(self) -> list[str]:
        """Return the kinds of objects that may stand on this piece of furniture."""
        bath = self.site.room.kind == "bathroom" and self.piece.kind in ("wall shelf", "cabinet")
        return list(BATHING if bath else ON[self.piece.kind])

    def _anywhere(self, kind: str, model: Model) -> Piece | None:
        """Put a model on a random free spot; return None if no spot is found."""
        top, rng = self.top, self.draw.rng
        if 2 * model.half[2] > top.clear:
            return None
        for _ in range(10):
            yaw = rng.uniform(0, 360) if kind in ROUND else rng.choice((0, 0, -12, 12, 20, -20))
            wide, deep = _reach(model, yaw)
            (x0, y0), (x1, y1) = top.low, top.high
            if x1 - wide < x0 + wide:
                continue
            x = rng.uniform(x0 + wide, x1 - wide)
            if y1 - deep < y0 + deep:
                continue
            spot = (x, rng.uniform(y0 + deep, y1 - deep))
            if made := self._put(kind, model, spot, round(yaw, 1)):
                return made
        return None

    def row(self, knobs: Knobs) -> list[Piece]:
        """Put upright books in a row that begins near the left end of the area."""
        added: list[Piece] = []
        top, rng = self.top, self.draw.rng
        x = top.low[0] + rng.choice((0.01, 0.01, 0.15))
        low, high = knobs.small
        for _ in range(rng.randint(low + 1, high + 2) if high else 0):
            model = STOCK["upright book"].make(self.draw)
            wide, deep, tall = model.half
            if 2 * tall <= top.clear and x + 2 * wide <= top.high[0]:
                made = self._put("upright book", model, (x + wide, top.low[1] + deep + 0.02))
                added += [made] if made else []
                x += 2 * wide + 0.006
        return added

    def pillows(self, knobs: Knobs) -> list[Piece]:
        """Lay one pillow at the head of a single bed, two similar ones on a double bed."""
        model, top = STOCK["bed pillow"].make(self.draw), self.top
        wide, y = top.high[0] - top.low[0], (top.low[1] + top.high[1]) / 2
        places = (-wide / 4, wide / 4) if wide > 4.2 * model.half[0] else (0.0,)
        made = [self._put("bed pillow", model, (x, y)) for x in places[: knobs.small[1]]]
        return [each for each in made if each]

    def pile(self) -> list[Piece]:
        """Put one thing on the middle of the area, if it fits."""
        kind = self.draw.rng.choice(ON[self.piece.kind])
        model = STOCK[kind].make(self.draw)
        if any(half > end for half, end in zip(_reach(model, 0.0), self.top.high, strict=True)):
            return []
        return [made] if (made := self._put(kind, model, (0.0, 0.0))) else []

    def _put(self, kind: str, model: Model, spot: Spot, yaw: float = 0.0) -> Piece | None:
        """Put a model at a spot in the piece's frame; return None if its box does not fit."""
        site, piece = self.site, self.piece
        z = piece.thing.position[2] + self.top.z + LIFT
        pose = Placement(*piece.spot(*spot), z, piece.yaw + yaw)
        id = f"{piece.thing.id}/{len(site.pieces)}"
        made = place.thing(id, kind, model, pose, site.room.name, piece.thing.id)
        small = Piece(kind, made, (), pose.yaw % 360)
        things = {each.thing.id: each.thing for each in site.pieces}
        if not site.fits(small.solid, None, (piece.thing.id, *below(piece.thing.id, things))):
            return None
        site.add(small)
        return small


def _reach(model: Model, yaw: float) -> Spot:
    """Return half the width and half the depth of a model that is turned by `yaw` degrees."""
    (ax, ay), (bx, by) = place.turned(1, 0, yaw), place.turned(0, 1, yaw)
    wide, deep = model.half[:2]
    return (wide * abs(ax) + deep * abs(bx), wide * abs(ay) + deep * abs(by))
