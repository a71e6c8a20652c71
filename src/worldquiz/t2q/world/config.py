"""Parameters of text worlds and runs: presets, budgets, and the words of names.

Counts are ranges from which a seed draws; shares are of the objects or passages of one world. The
paper's Table 1 (arXiv 2601.09503) gives the presets' ranges of rooms and objects. The other
parameters are not published; they were chosen so that tasks, walkthroughs and questions match Table
1 and the question mix (docs/explanation/t2q.md says how).

``explore`` is our own: its tasks do not lead through the whole world. Its corridors are long, most
doors and containers are closed, locked doors cut off whole wings, and only two fifths of the
coverage tasks are kept. A random walk within its budget sees a third of what there is to know.

``infer`` and ``change`` are ours too. In ``infer``, answers must be inferred from several facts. In
``change``, somebody moves things after two thirds of the tasks, and questions are about the time
before and the time after.

A budget limits the commands that an agent may give in a world: to a fixed number in each task, as
in the paper's code, or to `times` the commands of the walkthroughs. With `times`, a task's unused
commands go to later tasks: after n tasks, the agent has given at most ``times`` the commands of the
first n walkthroughs. So an agent that fails a task loses only that task's commands, and an agent
that wins early may look around later. Refused commands count.

No name links a key to its lock: keys draw their adjectives from a pool that doors and containers
never use. Words have at most nine letters, the length to which the Z-machine cuts its dictionary,
and none is a verb, direction or preposition of the game's parser. If a world needs more names for
rooms than there are, the names of wings come first ("cedar kitchen", then "cedar wing 2 kitchen").
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from math import ceil
from typing import Any

from worldquiz.errors import KnobError, check_share, did_you_mean
from worldquiz.t2q.world.spec import Task

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Knobs:
    """Parameters from which one world is drawn. Ranges are inclusive; shares are 0..1.

    The defaults are those of the level medium.

    Raises `KnobError` with name and value if no world can meet a parameter.
    """

    rooms: Range = (6, 10)
    objects: Range = (14, 18)  # doors, containers, supporters, keys, food and other portables
    containers: float = 0.22  # share of objects
    supporters: float = 0.1  # share of objects
    food: float = 0.3  # share of the portables other than keys
    doors: float = 0.3  # share of passages that have a door
    loops: float = 0.05  # passages beyond a tree, as a share of rooms
    compact: float = 3  # how strongly rooms stay near the start: weight (1 + moves) ** -compact;
    # below 0, far from it
    lock_fraction: float = 0.4  # share of doors and containers that are locked (section 2.1)
    distractor_keys: Range = (1, 1)  # keys that fit no lock
    distractor_objects: float = 0.2  # share of portables that look like another one
    places_told: bool = False  # objectives say where things are, as the paper's do
    ajar: float = 0.55  # share of the unlocked doors and containers that stand open at the start
    deep_locks: bool = False  # doors that cut off much are as likely locked as others
    errands: float = 1  # share of the coverage tasks that are kept
    budget: float = 1.5  # commands of a run by default, as a multiple of the walkthroughs'

    def __post_init__(self) -> None:
        for name, least in (("rooms", 3), ("objects", 4), ("distractor_keys", 0)):
            low, high = getattr(self, name)
            if low < least or high < low:
                raise KnobError(f"{name}: expected {least} <= LOW <= HIGH, found {low}..{high}")
        for name in ("containers", "supporters", "food", "doors", "loops", "lock_fraction",
                     "distractor_objects", "ajar", "errands"):  # fmt: skip
            check_share(f"parameter {name}", getattr(self, name))
        if not -20 <= self.compact <= 20:
            raise KnobError(f"parameter compact: expected -20 to 20, found {self.compact}")
        if not 0 < self.budget <= 1000:
            raise KnobError(f"parameter budget: expected 0 < budget <= 1000, found {self.budget}")


PRESETS: dict[str, Knobs] = {
    "easy": Knobs(
        rooms=(3, 5), objects=(6, 10), containers=0.21, supporters=0.25, doors=0.28, loops=0.2,
        compact=1, distractor_keys=(0, 1),
    ),
    "medium": Knobs(),
    "hard": Knobs(
        rooms=(16, 20), objects=(28, 32), containers=0.24, supporters=0.05, doors=0.36, loops=0.1,
        compact=8, distractor_keys=(1, 2),
    ),
    "explore": Knobs(
        rooms=(18, 22), objects=(44, 52), containers=0.3, supporters=0.05, doors=0.7, loops=0,
        compact=-2, distractor_keys=(1, 2), ajar=0.1, deep_locks=True, errands=0.4, budget=3,
    ),
    "infer": Knobs(
        rooms=(9, 12), objects=(24, 28), containers=0.2, supporters=0.05, doors=0.6, loops=0.1,
        compact=-1, lock_fraction=0.6, ajar=0.3, deep_locks=True, errands=0.5, budget=3,
    ),
    "change": Knobs(
        rooms=(8, 10), objects=(46, 50), containers=0.12, doors=0.2, lock_fraction=0.3,
        compact=0, errands=0.2, budget=3,
    ),
}  # fmt: skip
PAPER = "paper"
SUITES: dict[str, tuple[str, ...]] = {
    **{name: (name,) for name in PRESETS},
    PAPER: ("easy", "medium", "hard"),
}
WORLDS_PER_LEVEL = 10
"""As in the paper: 10 environments a level, 30 in all."""


def levels(preset: str) -> tuple[str, ...]:
    """Return the levels of a preset; ``paper`` has all three. Raises `KnobError`."""
    if preset not in SUITES:
        raise KnobError(f"no preset {preset!r}{did_you_mean(preset, SUITES)}")
    return SUITES[preset]


_READ: dict[str, tuple[Callable[[str], object], str]] = {
    "Range": (
        lambda text: (int(text.partition("..")[0]), int(text.rpartition("..")[2])),
        "LOW..HIGH",
    ),
    "float": (float, "a number"),
    "bool": ({"true": True, "false": False}.__getitem__, "true or false"),
}
"""How the text of a setting is read, and its form, by the type of the parameter."""


def turned(preset: str, settings: Mapping[str, str]) -> dict[str, Knobs]:
    """Return the parameters of a preset's levels with ``name -> text`` settings applied.

    Raises `KnobError`.
    """
    known = {field.name: str(field.type) for field in fields(Knobs)}
    values: dict[str, Any] = {}
    for name, text in settings.items():
        if name not in known:
            raise KnobError(f"no parameter {name!r}{did_you_mean(name, known)}")
        read, form = _READ[known[name]]
        try:
            values[name] = read(text)
        except (ValueError, KeyError):
            raise KnobError(f"parameter {name}: expected {form}, found {text!r}") from None
    return {level: replace(PRESETS[level], **values) for level in levels(preset)}


MAX_STEPS = 50
"""Commands an agent may give in one task. The paper is silent; TextWorld's own examples use 50."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Limit on an agent's commands: a number in each task, or `times` the walkthroughs' length.

    The defaults apply if neither the user nor the suite sets a budget.
    """

    max_steps: int | None = MAX_STEPS
    times: float | None = None

    @classmethod
    def of(cls, max_steps: int | None, times: float | None, usual: Budget) -> Budget:
        """Return the requested budget, else the usual one.

        Raises `KnobError` if both kinds are requested, or if `times` is not a number above 0.
        """
        if times is None:
            return usual if max_steps is None else cls(max_steps)
        if max_steps is not None:
            raise KnobError(
                f"budget {times} and max steps {max_steps} cannot be combined: give only one of "
                "them"
            )
        if not 0 < times < float("inf"):
            raise KnobError(f"budget: expected a finite number above 0, found {times}")
        return cls(None, times)

    def left(self, tasks: Sequence[Task], number: int, given: int) -> int:
        """Return how many commands task `number` (from 0) may use; earlier tasks used `given`."""
        if self.max_steps is not None:
            return self.max_steps
        plans = sum(len(task.walkthrough.commands) for task in tasks[: number + 1])
        return max(0, ceil(Fraction(str(self.times)) * plans) - given)


KEY_WORDS = (
    "brass", "tin", "copper", "silver", "nickel", "bronze", "zinc", "pewter", "cobalt", "chrome",
    "golden", "jade", "ivory", "amber", "coral", "ruby", "opal", "onyx", "topaz", "quartz",
)  # fmt: skip
THING_WORDS = (
    "red", "green", "blue", "yellow", "white", "black", "brown", "grey", "pink", "purple",
    "old", "new", "small", "big", "round", "square", "heavy", "dusty", "shiny", "plain",
    "striped", "spotted", "curved", "narrow", "wide", "thin", "faded", "painted", "carved", "rough",
)  # fmt: skip
WINGS = ("cedar", "maple", "birch", "willow", "aspen", "hazel", "linden", "poplar", "rowan", "elm")

NOUNS = {
    "room": (
        "kitchen", "pantry", "parlour", "study", "attic", "cellar", "bedroom", "bathroom",
        "hallway", "library", "nursery", "laundry", "garage", "sauna", "workshop", "gallery",
        "lounge", "office", "chapel", "scullery", "cloakroom", "studio", "playroom", "vault",
    ),
    "container": ("chest", "trunk", "crate", "locker", "box", "cabinet", "safe", "basket"),
    "supporter": ("table", "shelf", "bench", "desk", "counter", "stand", "rack", "stool"),
    "object": ("lamp", "book", "hat", "candle", "mirror", "vase", "clock", "glove", "spoon",
               "ball", "brush", "coin", "scarf", "bell", "mug"),
    "food": ("apple", "pear", "cookie", "muffin", "carrot", "banana", "sandwich", "cheese",
             "potato", "plum"),
    "door": ("door", "gate", "hatch", "shutter"),
    "key": ("key", "passkey", "latchkey"),
}  # fmt: skip
"""Names of rooms, and nouns of things by kind."""
