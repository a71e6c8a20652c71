"""The catalogue: every kind of thing that can be generated, with its label, category and maker.

The catalogue is closed: a generated scene holds no label outside `LABELS`. Two kinds may share a
label (a wall clock and an alarm clock are both a "clock"): they look and stand differently, people
call them the same. All models are drawn here from primitives and are given away (`CREDIT`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from worldquiz_scenes.furniture import clothing_containers as bags
from worldquiz_scenes.furniture import decor, fittings, fixtures, gadgets, tableware, textiles
from worldquiz_scenes.furniture import seats_tables_storage as basics
from worldquiz_scenes.furniture.parts import Model, Top
from worldquiz_scenes.paints import Draw

__all__ = ["CREDIT", "LABELS", "STOCK", "Kind", "Model", "Top"]

CREDIT = "worldquiz, CC0-1.0"
"""Who made the models, and under which licence."""


@dataclass(frozen=True, slots=True)
class FurnitureKind:
    """A sort of thing that can be made in many ways."""

    label: str
    category: str
    make: Callable[[Draw], Model]


_MAKERS: dict[str, tuple[Callable[[Draw], Model], ...]] = {
    "seating": (basics.sofa, basics.armchair, basics.chair, basics.office_chair, basics.stool,
        basics.bench),
    "bed": (basics.bed,),
    "table": (basics.dining_table, basics.coffee_table, basics.desk, basics.nightstand,
        basics.kitchen_counter),
    "storage": (basics.wardrobe, basics.bookshelf, basics.cabinet, basics.chest_of_drawers,
        basics.shoe_rack, basics.coat_rack, basics.wall_shelf, basics.wall_cupboard,
        basics.tv_stand),
    "appliance": (fixtures.fridge, fixtures.stove, fixtures.washing_machine,
        tableware.microwave, tableware.toaster, tableware.kettle, tableware.coffee_machine,
        fixtures.radiator),
    "bathroom": (fixtures.sink, fixtures.bathtub, fixtures.toilet, fixtures.washbasin),
    "lighting": (fittings.floor_lamp, gadgets.table_lamp, fittings.ceiling_lamp, decor.candle),
    "textile": (fittings.rug, fittings.bath_mat, fittings.curtain, fixtures.towel_rail,
        textiles.pillow, textiles.bed_pillow, textiles.folded_towel, textiles.blanket),
    "plant": (fittings.plant, decor.cactus),
    "decoration": (fittings.picture, fittings.wall_mirror, fittings.standing_mirror,
        fittings.window, fittings.wall_clock, gadgets.alarm_clock, decor.vase,
        gadgets.photo_frame, decor.sculpture, gadgets.globe),
    "electronics": (fittings.tv, gadgets.laptop, gadgets.monitor, gadgets.keyboard,
        gadgets.phone, gadgets.remote_control, gadgets.headphones, gadgets.camera,
        gadgets.speaker, gadgets.radio),
    "music": (fittings.piano,),
    "stationery": (gadgets.book, gadgets.upright_book, gadgets.pen_cup),
    "tableware": (tableware.mug, tableware.plate, tableware.bowl, tableware.bottle,
        tableware.glass, tableware.wine_glass, tableware.teapot),
    "food": (tableware.apple, tableware.orange, tableware.pear, tableware.banana,
        tableware.bread),
    "cookware": (tableware.pan, tableware.pot, tableware.knife_block, tableware.cutting_board),
    "toy": (decor.teddy_bear, decor.ball_, decor.toy_car, decor.rubber_duck, decor.toy_blocks,
        gadgets.chess_board),
    "clothing": (bags.shoe, bags.hat, bags.handbag, bags.backpack),
    "hygiene": (decor.soap_bottle, decor.toothbrush_cup, decor.toilet_paper, decor.tissue_box),
    "container": (bags.box_, bags.basket, bags.waste_bin,
        bags.umbrella_stand, bags.watering_can, bags.bucket,
        bags.suitcase),
}  # fmt: skip
"""The makers by category; a kind is called as its maker is."""
_CALLED = {
    "bath mat": "rug",
    "towel rail": "towel",
    "folded towel": "towel",
    "wall mirror": "mirror",
    "standing mirror": "mirror",
    "wall clock": "clock",
    "alarm clock": "clock",
    "upright book": "book",
    "bed pillow": "pillow",
}
STOCK: dict[str, FurnitureKind] = {
    name: FurnitureKind(_CALLED.get(name, name), category, make)
    for category, makers in _MAKERS.items()
    for make in makers
    for name in [make.__name__.strip("_").replace("_", " ")]
}
"""Every kind by its name."""
LABELS: dict[str, str] = {kind.label: kind.category for kind in STOCK.values()}
"""Every label with its category."""
