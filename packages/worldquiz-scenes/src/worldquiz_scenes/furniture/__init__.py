"""The catalogue: every kind of thing that can be generated, with its label, category and maker.

The catalogue is closed: a generated scene holds no label outside `LABELS`. Two kinds may share a
label: a wall clock and an alarm clock look and stand differently, but both are called "clock". All
models are drawn here from primitives and are free to use (`CREDIT`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from worldquiz_scenes import rng
from worldquiz_scenes.furniture import fixtures_fittings as fittings
from worldquiz_scenes.furniture import gadgets_toys_textiles as gadgets
from worldquiz_scenes.furniture import seats_tables_storage as seats
from worldquiz_scenes.furniture import tableware_clothing_containers as ware
from worldquiz_scenes.furniture.parts import Made, Model, Top, model
from worldquiz_scenes.paints import STYLES, Draw

__all__ = ["CREDIT", "LABELS", "STOCK", "FurnitureKind", "Model", "Top", "is_plausible"]

CREDIT = "worldquiz, CC0-1.0"  # maker and licence of the models


@dataclass(frozen=True, slots=True)
class FurnitureKind:
    """A kind of thing, of which many variants can be made."""

    label: str
    category: str
    maker: Callable[[Draw], Made]

    def make(self, draw: Draw) -> Model:
        """Make a random model of this kind."""
        return model(self.maker(draw))


_KINDS = {
    "seating": "sofa armchair chair office_chair stool bench",
    "bed": "bed",
    "table": "dining_table coffee_table desk nightstand kitchen_counter",
    "storage": "wardrobe bookshelf cabinet chest_of_drawers shoe_rack coat_rack wall_shelf "
    "wall_cupboard tv_stand",
    "appliance": "fridge stove washing_machine microwave toaster kettle coffee_machine radiator",
    "bathroom": "sink bathtub toilet washbasin",
    "lighting": "floor_lamp table_lamp ceiling_lamp candle",
    "textile": "rug bath_mat curtain towel_rail pillow bed_pillow folded_towel blanket",
    "plant": "plant cactus",
    "decoration": "picture wall_mirror standing_mirror window wall_clock alarm_clock vase "
    "photo_frame sculpture globe",
    "electronics": "tv laptop monitor keyboard phone remote_control headphones camera speaker "
    "radio",
    "music": "piano",
    "stationery": "book upright_book pen_cup",
    "tableware": "mug plate bowl bottle glass wine_glass teapot",
    "food": "apple orange pear banana bread",
    "cookware": "pan pot knife_block cutting_board",
    "toy": "teddy_bear ball_ toy_car rubber_duck toy_blocks chess_board",
    "clothing": "shoe hat handbag backpack",
    "hygiene": "soap_bottle toothbrush_cup toilet_paper tissue_box",
    "container": "box_ basket waste_bin umbrella_stand watering_can bucket suitcase",
}  # fmt: skip
"""The kinds of each category, by their makers' names."""
_CALLED = {
    "bath mat": "rug", "towel rail": "towel", "folded towel": "towel", "wall mirror": "mirror",
    "standing mirror": "mirror", "wall clock": "clock", "alarm clock": "clock",
    "upright book": "book", "bed pillow": "pillow",
}  # fmt: skip
"""Labels of kinds that differ from the name of the kind."""
_MAKERS = {**vars(fittings), **vars(gadgets), **vars(seats), **vars(ware)}
STOCK: dict[str, FurnitureKind] = {
    name: FurnitureKind(_CALLED.get(name, name), category, _MAKERS[word])
    for category, words in _KINDS.items()
    for word in words.split()
    for name in [word.strip("_").replace("_", " ")]
}
"""Every kind by its name."""
LABELS: dict[str, str] = {kind.label: kind.category for kind in STOCK.values()}
"""Every label with its category."""
DRAWN, TIMES = 12, 3
"""Number of models of a kind to measure; factor by which a thing may be longer or shorter."""


def is_plausible(label: str, length: float) -> bool:
    """Return whether the longest side of a thing with this label can have `length` metres.

    A label includes all labels that end with it: "lamp" includes "table lamp". For a label of which
    the catalogue has no model, any length is plausible.
    """
    known = [each for each in _lengths() if each == label or each.endswith(f" {label}")]
    ends = [end for each in known for end in _lengths()[each]]
    return not ends or min(ends) / TIMES <= length <= max(ends) * TIMES


@cache
def _lengths() -> dict[str, tuple[float, float]]:
    """Return for each label the range of its models' longest sides, in metres."""
    found: dict[str, list[float]] = {}
    for name, kind in STOCK.items():
        draw = Draw(rng.child(0, "lengths", name), next(iter(STYLES.values())))
        found.setdefault(kind.label, []).extend(2 * max(kind.make(draw).half) for _ in range(DRAWN))
    return {label: (min(some), max(some)) for label, some in found.items()}
