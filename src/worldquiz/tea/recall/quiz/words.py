"""Labels that tell rooms' kinds, and household objects: a vocabulary independent of the scene."""

from __future__ import annotations

TELLING: dict[str, tuple[tuple[str, ...], ...]] = {
    "bathroom": (("bathtub",), ("toilet",), ("washbasin",)),
    "bedroom": (("bed",), ("wardrobe",)),
    "hall": (("shoe rack",), ("coat rack",), ("umbrella stand",)),
    "kitchen": (("fridge",), ("kitchen counter",), ("sink",), ("stove",)),
    "living room": (("coffee table",), ("sofa",), ("tv",), ("tv stand",)),
    "study": (("bookshelf", "desk"), ("bookshelf", "office chair")),
}
"""Labels that together tell a room's kind."""
HOUSEHOLD = (
    "apple", "armchair", "banana", "basket", "bench", "blanket", "bottle", "bowl", "box", "camera",
    "desk", "glass", "globe", "headphones", "kettle", "laptop", "mug", "office chair", "phone",
    "photo frame", "plant", "plate", "pot", "radio", "sculpture", "speaker", "stool", "table lamp",
    "teddy bear", "tissue box", "toy blocks", "vase", "washing machine",
)  # fmt: skip
"""Labels that about as many flats have as have not."""
BELONGING = frozenset({
    "banana", "bench", "bread", "chess board", "chest of drawers", "coffee machine", "curtain",
    "cutting board", "handbag", "headphones", "kettle", "knife block", "microwave", "nightstand",
    "pan", "plate", "pot", "remote control", "tissue box", "toaster", "toilet paper",
    "toothbrush cup", "tv", "wall cupboard",
    *(label for sets in TELLING.values() for labels in sets for label in labels),
})  # fmt: skip
"""Labels of things of which anybody guesses what they stand on."""
AT_HOME = BELONGING | {
    "backpack", "ball", "blanket", "bottle", "box", "cactus", "chair", "dining table", "globe",
    "radio", "soap bottle", "speaker", "towel", "toy blocks", "waste bin",
}  # fmt: skip
"""Labels whose room anybody guesses."""
ONE_COLOUR = frozenset({
    "apple", "armchair", "backpack", "ball", "banana", "basket", "bathtub", "bookshelf", "box",
    "bread", "cactus", "camera", "candle", "coffee machine", "cutting board", "fridge", "glass",
    "globe", "hat", "keyboard", "kitchen counter", "laptop", "microwave", "monitor", "mug",
    "orange", "pan", "pear", "pen cup", "piano", "pillow", "plant", "plate", "radiator", "radio",
    "remote control", "rubber duck", "sculpture", "speaker", "stove", "table lamp", "teapot",
    "toaster", "toilet", "toilet paper", "toothbrush cup", "tv", "washbasin", "washing machine",
    "watering can", "window", "wine glass",
})  # fmt: skip
"""Labels that tell their colour."""
PATTERNED = frozenset({
    "armchair", "ball", "bed", "blanket", "box", "curtain", "mug", "pillow", "rug", "sofa",
    "suitcase", "tissue box", "towel", "vase",
})  # fmt: skip
"""Labels of things that are plain as often as not."""
