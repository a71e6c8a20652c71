"""Score of a reply to a task in a scene: 0..1, by type of task.

    classification       1 if the name is the label, after `named`, or the everyday word for it
    relation, in-view    1 if the one choice is right
    own kinds' choices   the same
    counting             1 if the count is exact
    depth                mean relative accuracy (VSI-Bench, arXiv 2412.14171, equation 1): the share
                         of tolerances t in 0.05, 0.10 .. 0.50 with |said - true| / true < t
    localization         the boxes' intersection over union, in the picture
    localization in 3D   the same of upright boxes in the camera's frame

An ill-formed reply is worth 0 and counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from worldquiz.tea.scoring.parse import AnswerShape, Value, read
from worldquiz.tea.taskgraph import Box2, Box3, Choice, Count, Goal, Instance, Metres, Truth, Word

TOLERANCES = tuple(step / 20 for step in range(1, 11))
"""Relative errors below which a depth counts: 5 % to 50 %."""
YES_NO = ("yes", "no")
_ARTICLES = ("a", "an", "the", "some")
OTHER_NAMES: dict[str, tuple[str, ...]] = {
    "armchair": ("easy chair",), "backpack": ("rucksack", "school bag", "schoolbag", "bookbag"),
    "ball": ("basketball", "toy ball", "beach ball", "soccer ball", "football"),
    "bathtub": ("bath", "bath tub", "tub"),
    "blanket": ("throw", "throw blanket", "folded blanket"),
    "book": ("upright book", "closed book"), "bookshelf": ("book case", "bookcase"),
    "bread": ("loaf", "loaf of bread", "bread loaf"), "bucket": ("pail",),
    "cabinet": ("cupboard", "sideboard", "credenza", "storage cabinet", "kitchen cabinet"),
    "cactus": ("potted cactus",),
    "ceiling lamp": ("pendant lamp", "ceiling light", "light fixture"),
    "chess board": ("chess", "chessboard", "chess set"),
    "chest of drawers": ("dresser", "bureau", "chest", "drawer unit", "drawer chest"),
    "clock": ("wall clock", "alarm clock"), "coat rack": ("coat stand", "coat hanger"),
    "coffee machine": ("coffee maker", "coffeemaker"), "curtain": ("drape",),
    "cutting board": ("chopping board",), "floor lamp": ("standing lamp",),
    "fridge": ("refrigerator",), "glass": ("drinking glass", "tumbler"), "globe": ("globe earth",),
    "handbag": ("purse",), "kettle": ("electric kettle",),
    "kitchen counter": ("counter", "countertop", "worktop", "kitchen unit"),
    "knife block": ("knife holder",), "lamp": ("light",),
    "laptop": ("notebook computer", "laptop computer"), "microwave": ("microwave oven",),
    "mirror": ("wall mirror", "standing mirror"),
    "monitor": ("computer monitor", "computer screen"),
    "mug": ("coffee mug", "coffee cup", "teacup"),
    "nightstand": ("night stand", "bedside table", "bedside cabinet", "end table", "side table"),
    "office chair": ("desk chair", "swivel chair"), "pan": ("frying pan", "skillet"),
    "pen cup": ("pen holder", "pencil holder", "pencil cup"),
    "phone": ("cellphone", "cell phone", "mobile phone", "smartphone"),
    "photo frame": ("picture frame", "framed photo", "photo", "photograph"),
    "picture": ("painting", "wall art", "artwork", "framed picture", "poster"),
    "pillow": ("cushion", "throw pillow", "bed pillow"), "plant": ("potted plant", "houseplant"),
    "pot": ("cooking pot", "saucepan"), "radiator": ("heater",),
    "remote control": ("remote", "tv remote"), "rubber duck": ("toy duck",),
    "rug": ("carpet", "mat", "bath mat", "doormat"), "sculpture": ("bust", "statue", "figurine"),
    "shoe rack": ("shoe shelf", "shoe stand"), "soap bottle": ("soap dispenser",),
    "sofa": ("couch", "settee"), "speaker": ("loudspeaker",), "stool": ("stool chair",),
    "stove": ("cooker", "hob"), "suitcase": ("luggage",), "teddy bear": ("teddy",),
    "tissue box": ("box of tissues",), "toilet paper": ("toilet roll", "toilet paper roll"),
    "toothbrush cup": ("toothbrush holder",),
    "towel": ("folded towel", "towel rail", "bath towel", "hand towel"),
    "toy blocks": ("toy bricks", "building blocks"), "toy car": ("car", "model car"),
    "tv": ("television", "television set", "telly"),
    "tv stand": ("television stand", "tv cabinet", "tv unit", "tv bench", "media console"),
    "umbrella stand": ("umbrella holder",),
    "wall cupboard": ("wall cabinet", "hanging cupboard", "hanging cabinet"),
    "wardrobe": ("closet",), "washbasin": ("wash basin", "basin", "bathroom sink"),
    "washing machine": ("washer",),
    "waste bin": ("trash can", "garbage can", "wastebasket", "trash bin", "rubbish bin",
        "dustbin", "bin"),
    "wine glass": ("wineglass",),
}  # fmt: skip
"""Other names of a label. Each names this label alone, and is itself no label."""
SYNONYMS = {name: label for label, names in OTHER_NAMES.items() for name in names}
EVERYDAY = {
    "armchair": "chair", "office chair": "chair", "washbasin": "sink", "wine glass": "glass",
    "wall cupboard": "cabinet", "floor lamp": "lamp", "table lamp": "lamp", "ceiling lamp": "lamp",
    "dining table": "table", "coffee table": "table", "bookshelf": "shelf", "wall shelf": "shelf",
    "mug": "cup", "laptop": "computer",
}  # fmt: skip
"""The everyday word for what a label says more exactly: a right name as well, and perhaps a label.

It counts where a thing is to be named, and nowhere else: an armchair is no chair in counts, since
the label of a thing stays the exact one. No everyday word has another one."""


class Grade(NamedTuple):
    """Score of a reply, and what was read."""

    score: float  # 0..1; 0 of an ill-formed reply
    said: Value | None


def family(type: str) -> str:
    """Return a type's family: the types that ask the same, however they denote the object."""
    return type.partition("-by-")[0]


def grade(task: Instance, reply: object, *, choices: Sequence[str] = YES_NO) -> Grade:
    """Return the grade of a reply; `choices` are those of a task with a choice.

    Raises `ValueError` for a task that is not answered but done.
    """
    said = read(reply, shape(task), choices, task.command)
    return Grade(0.0 if said is None else worth(task.truth, said), said)


def shape(task: Instance) -> AnswerShape:
    """Return the type of a task's answer. Raises `ValueError` for a task to be done."""
    match task.truth:
        case Goal():
            raise ValueError(f"task {task.id!r} is to be walked, not answered")
        case Word(value):
            chosen = family(task.type) == "relation" or value in YES_NO
            return AnswerShape.CHOICE if chosen else AnswerShape.NAME
        case other:
            return AnswerShape(other.kind)


def worth(truth: Truth, said: Value) -> float:
    """Return the score of an answer against the truth, 0..1."""
    match truth, said:
        case Word(value), str():
            return float(named(said) in (named(value), everyday(value)))
        case Choice(value), str():
            return float(value == said)
        case Count(value), int():
            return float(value == said)
        case Metres(value), int() | float():
            return nearness(value, said)
        case Box2(value), tuple():
            return overlap(value, said)
        case Box3(centre, size), tuple():
            return overlap(_reach(centre, size), _reach(said[:3], said[3:]))
    return 0.0


def named(name: str) -> str:
    """Return a name as it is compared: small letters, no article, singular, no synonym.

    A plural's s goes from its last word, where more than three letters are left.
    """
    words = name.lower().replace("-", " ").replace("_", " ").split()
    text = " ".join(words[1:] if len(words) > 1 and words[0] in _ARTICLES else words)
    return _singular(SYNONYMS.get(text, SYNONYMS.get(_singular(text), text)))


def _singular(name: str) -> str:
    *most, last = name.split() or [""]
    if last.endswith(("shes", "ches", "xes")):
        last = last[:-2]
    elif len(last) > 3 and last.endswith("s") and not last.endswith("ss"):
        last = last[:-1]
    return " ".join((*most, last))


def everyday(name: str) -> str:
    """Return the everyday word for a name, as it is compared; where it has none, the name.

    One reply is a right name only for things whose labels have the same everyday word.
    """
    exact = named(name)
    return EVERYDAY.get(exact, exact)


def nearness(true: float, said: float) -> float:
    """Return the mean relative accuracy of a length, 0..1."""
    error = abs(said - true) / true
    return sum(error < each for each in TOLERANCES) / len(TOLERANCES)


def overlap(one: Sequence[float], two: Sequence[float]) -> float:
    """Return the intersection of two boxes over their union, 0..1.

    A box is told by its low sides, then its high ones.
    """
    axes = len(one) // 2
    sizes = [prod(box[n + axes] - box[n] for n in range(axes)) for box in (one, two)]
    common = prod(
        max(min(one[n + axes], two[n + axes]) - max(one[n], two[n]), 0.0) for n in range(axes)
    )
    return common / (sum(sizes) - common) if common else 0.0


def _reach(centre: Sequence[float], size: Sequence[float]) -> list[float]:
    """Return a box in space by its low sides, then its high ones."""
    ends = list(zip(centre, size, strict=True))
    return [at - long / 2 for at, long in ends] + [at + long / 2 for at, long in ends]
