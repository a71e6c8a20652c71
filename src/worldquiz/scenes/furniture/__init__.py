"""The stock: every kind of thing that the generator knows, by name, with its category and maker.

The catalogue is closed: a generated scene holds no label outside `LABELS`. Two kinds may share a
label (a wall clock and an alarm clock are both a "clock"): they look and stand differently, people
call them the same. All models are drawn here from primitives and are given away (`CREDIT`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from worldquiz.scenes.furniture import (
    bath,
    belongings,
    decor,
    fittings,
    gadgets,
    kitchen,
    seats,
    storage,
    tables,
    tableware,
)
from worldquiz.scenes.furniture.parts import Model, Top
from worldquiz.scenes.paints import Draw

__all__ = ["CREDIT", "LABELS", "STOCK", "Kind", "Model", "Top"]

CREDIT = "worldquiz, CC0-1.0"
"""Who made the models, and under which licence."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A sort of thing that can be made in many ways."""

    label: str
    category: str
    make: Callable[[Draw], Model]


_BY_CATEGORY: dict[str, dict[str, Callable[[Draw], Model]]] = {
    "seating": {
        "sofa": seats.sofa,
        "armchair": seats.armchair,
        "chair": seats.chair,
        "office chair": seats.office_chair,
        "stool": seats.stool,
        "bench": seats.bench,
    },
    "bed": {"bed": seats.bed},
    "table": {
        "dining table": tables.dining_table,
        "coffee table": tables.coffee_table,
        "desk": tables.desk,
        "nightstand": tables.nightstand,
        "kitchen counter": tables.counter,
    },
    "storage": {
        "wardrobe": storage.wardrobe,
        "bookshelf": storage.bookshelf,
        "cabinet": storage.cabinet,
        "chest of drawers": storage.dresser,
        "shoe rack": storage.shoe_rack,
        "coat rack": storage.coat_rack,
        "wall shelf": storage.wall_shelf,
        "wall cupboard": storage.wall_cupboard,
        "tv stand": tables.tv_stand,
    },
    "appliance": {
        "fridge": kitchen.fridge,
        "stove": kitchen.stove,
        "washing machine": kitchen.washing_machine,
        "microwave": tableware.microwave,
        "toaster": tableware.toaster,
        "kettle": tableware.kettle,
        "coffee machine": tableware.coffee_machine,
        "radiator": bath.radiator,
    },
    "bathroom": {
        "sink": kitchen.sink,
        "bathtub": bath.bathtub,
        "toilet": bath.toilet,
        "washbasin": bath.washbasin,
    },
    "lighting": {
        "floor lamp": fittings.floor_lamp,
        "table lamp": gadgets.table_lamp,
        "ceiling lamp": fittings.ceiling_lamp,
        "candle": decor.candle,
    },
    "textile": {
        "rug": fittings.rug,
        "bath mat": fittings.bath_mat,
        "curtain": fittings.curtain,
        "towel rail": bath.towel_rail,
        "pillow": decor.pillow,
        "bed pillow": decor.bed_pillow,
        "folded towel": decor.folded_towel,
        "blanket": decor.blanket,
    },
    "plant": {"plant": fittings.plant, "cactus": decor.cactus},
    "decoration": {
        "picture": fittings.picture,
        "wall mirror": fittings.wall_mirror,
        "standing mirror": fittings.standing_mirror,
        "window": fittings.window,
        "wall clock": fittings.wall_clock,
        "alarm clock": gadgets.alarm_clock,
        "vase": decor.vase,
        "photo frame": gadgets.photo,
        "sculpture": decor.sculpture,
        "globe": gadgets.globe,
    },
    "electronics": {
        "tv": fittings.television,
        "laptop": gadgets.laptop,
        "monitor": gadgets.monitor,
        "keyboard": gadgets.keyboard,
        "phone": gadgets.phone,
        "remote control": gadgets.remote,
        "headphones": gadgets.headphones,
        "camera": gadgets.camera,
        "speaker": gadgets.speaker,
        "radio": gadgets.radio,
    },
    "music": {"piano": fittings.piano},
    "stationery": {
        "book": gadgets.book,
        "upright book": gadgets.upright_book,
        "pen cup": gadgets.pen_cup,
    },
    "tableware": {
        "mug": tableware.mug,
        "plate": tableware.plate,
        "bowl": tableware.bowl,
        "bottle": tableware.bottle,
        "glass": tableware.glass,
        "wine glass": tableware.wine_glass,
        "teapot": tableware.teapot,
    },
    "food": {
        "apple": tableware.apple,
        "orange": tableware.orange,
        "pear": tableware.pear,
        "banana": tableware.banana,
        "bread": tableware.bread,
    },
    "cookware": {
        "pan": tableware.pan,
        "pot": tableware.pot,
        "knife block": tableware.knife_block,
        "cutting board": tableware.cutting_board,
    },
    "toy": {
        "teddy bear": decor.teddy,
        "ball": decor.toy_ball,
        "toy car": decor.toy_car,
        "rubber duck": decor.rubber_duck,
        "toy blocks": decor.toy_blocks,
        "chess board": gadgets.game_board,
    },
    "clothing": {
        "shoe": belongings.shoe,
        "hat": belongings.hat,
        "handbag": belongings.handbag,
        "backpack": belongings.backpack,
    },
    "hygiene": {
        "soap bottle": decor.soap_bottle,
        "toothbrush cup": decor.toothbrushes,
        "toilet paper": decor.toilet_paper,
        "tissue box": decor.tissue_box,
    },
    "container": {
        "box": belongings.carton,
        "basket": belongings.basket,
        "waste bin": belongings.bin_,
        "umbrella stand": belongings.umbrella_stand,
        "watering can": belongings.watering_can,
        "bucket": belongings.bucket,
        "suitcase": belongings.suitcase,
    },
}  # fmt: skip
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
STOCK: dict[str, Kind] = {
    name: Kind(_CALLED.get(name, name), category, make)
    for category, makers in _BY_CATEGORY.items()
    for name, make in makers.items()
}
"""Every kind by its name."""
LABELS: dict[str, str] = {kind.label: kind.category for kind in STOCK.values()}
"""Every label with its category."""
