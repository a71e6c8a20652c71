"""The game in Python is the game that TextWorld compiles: rule by rule, and at random.

The texts below are TextWorld's and Inform's. `just engines N` plays N random commands.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest

from both_engines import ATTIC, compared, worlds
from conftest import GameOf
from deep import DEEP
from worldquiz.t2q.tasks.targets import tasks
from worldquiz.t2q.textworld.play import TextWorld
from worldquiz.t2q.world.game import Game
from worldquiz.t2q.world.spec import WorldSpec

KEYS = (
    "open old gate", "go north", "take brass key from oak shelf", "take tin key from oak shelf",
    "go south",
)  # fmt: skip
BOX = (*KEYS, "unlock red box with tin key", "open red box")
CASES: dict[tuple[str, ...], str] = {
    ("look",): "-= Attic =-\nYou find yourself in the attic. In the corner is an open pine chest. "
    "The pine chest contains an onyx ring. In the corner is a closed red box.\n\nThere is a closed "
    "old gate leading north. There is a closed iron door leading east.\n\nThere is a blue hat and "
    "a felt cap on the floor.",
    ("inventory",): "You are carrying nothing.",
    (*KEYS, "inventory"): "You are carrying: a tin key and a brass key.",
    ("go south",): "You can't go that way.",
    ("go north",): "You have to open the old gate first.",
    (*KEYS[:3], "look"): "-= Study =-\nYou are in the study. You see an oak shelf here. On the oak "
    "shelf you see a tin key.\n\nThere is an open old gate leading south.",
    (*KEYS[:4], "look"): "-= Study =-\nYou are in the study. You see an oak shelf here. The oak "
    "shelf is empty.\n\nThere is an open old gate leading south.",
    ("examine red box",): "The red box is closed.",
    ("examine pine chest",): "The pine chest is open.\n\nIn the pine chest is an onyx ring.",
    ("take onyx ring", "examine pine chest"): "The pine chest is open.",
    ("examine felt cap",): "You see nothing special about the felt cap.",
    ("open old gate", "examine old gate"): "The old gate is open.",
    (*KEYS[:2], "examine oak shelf"): "The oak shelf looks steady.\n\nOn the oak shelf are a brass "
    "key and a tin key.",
    (*KEYS[:4], "examine oak shelf"): "The oak shelf looks steady.",
    ("open felt cap",): "It isn't something you can open.",
    ("open red box",): "The red box is locked.",
    ("open pine chest",): "That's already open.",
    ("open old gate",): "You open old gate.",
    BOX: "You open the red box, revealing a green apple and an ivory egg.",
    ("take onyx ring", "close pine chest", "open pine chest"): "You open the pine chest. It is "
    "empty.",
    ("close felt cap",): "It isn't something you can close.",
    ("close old gate",): "That's already closed.",
    ("open old gate", "close old gate"): "You close old gate.",
    ("close pine chest",): "You close the pine chest.",
    ("unlock red box with felt cap",): "You need to take the felt cap first.",
    ("unlock red box with old gate",): "The old gate is fixed in place.",
    BOX[:6]: "You unlock the red box.",
    (*KEYS, "unlock iron door with brass key"): "You unlock iron door.",
    (*KEYS, "unlock red box with brass key"): "That doesn't seem to fit the lock.",
    (*KEYS, "unlock old gate with brass key"): "That's unlocked at the moment.",
    (*KEYS, "unlock brass key with tin key"): "That doesn't seem to be something you can unlock.",
    (*KEYS, "lock red box with tin key"): "That's locked at the moment.",
    (*BOX[:6], "lock red box with tin key"): "You lock the red box.",
    (*KEYS, "lock old gate with tin key"): "First you would have to close old gate.",
    (*KEYS, "lock pine chest with tin key"): "First you would have to close the pine chest.",
    (*KEYS, "close old gate", "lock old gate with tin key"): "That doesn't seem to fit the lock.",
    (*KEYS, "lock brass key with tin key"): "That doesn't seem to be something you can lock.",
    ("take red box",): "That's fixed in place.",
    ("take blue hat",): "You pick up the blue hat from the ground.",
    ("take blue hat", "take blue hat"): "You already have that.",
    ("take onyx ring",): "You take the onyx ring from the pine chest.",
    ("take felt cap", *KEYS[:2], "put felt cap on oak shelf"): "You put the felt cap on the oak "
    "shelf.",
    ("take felt cap", *KEYS[:2], "put felt cap on oak shelf", "look"): "-= Study =-\nYou are in "
    "the study. You see an oak shelf here. On the oak shelf you see a felt cap, a brass key and a "
    "tin key.\n\nThere is an open old gate leading south.",
    ("take felt cap", "put felt cap on felt cap"): "You can't put something on top of itself.",
    ("take felt cap", "put felt cap on blue hat"): "Putting things on the blue hat would achieve "
    "nothing.",
    ("take felt cap", "put felt cap on old gate"): "Putting things on old gate would achieve "
    "nothing.",
    ("put felt cap on old gate",): "You need to take the felt cap first.",
    ("put red box on old gate",): "The red box is fixed in place.",
    ("take felt cap", "insert felt cap into pine chest"): "You put the felt cap into the pine "
    "chest.",
    ("take felt cap", "insert felt cap into red box"): "The red box is closed.",
    ("insert felt cap into red box",): "You need to take the felt cap first.",
    ("take felt cap", "drop felt cap"): "You drop the felt cap on the ground.",
    ("drop felt cap",): "The felt cap is already here.",
    ("drop old gate",): "old gate is already here.",
    ("drop onyx ring",): "You haven't got that.",
    ("eat felt cap",): "That's plainly inedible.",
    (*BOX, "eat green apple"): "You need to take the green apple first.",
    (*BOX, "take green apple", "eat green apple"): "You eat the green apple. Not bad.",
    ("take onyx ring from red box",): "You can't see any such thing.",
}
"""What the last of some commands is answered, by both."""


@pytest.fixture(scope="module", params=["python", "textworld"])
def attic(request: pytest.FixtureRequest, game_of: GameOf) -> Iterator[Game]:
    """The world drawn by hand, in either engine."""
    world = Game(ATTIC) if request.param == "python" else TextWorld(ATTIC, game_of(ATTIC))
    yield world
    world.close()


@pytest.mark.parametrize("commands", CASES, ids=", ".join)
def test_the_rule_answers_so(attic: Game, commands: tuple[str, ...]) -> None:
    attic.reset(tasks(ATTIC)[0])
    texts = [attic.step(command).observation.text for command in commands]
    assert texts[-1] == CASES[commands]


@pytest.mark.parametrize("spec", [*islice(worlds(), 9 if DEEP else 3)], ids=lambda spec: spec.id)
def test_both_engines_agree_on_random_commands(spec: WorldSpec) -> None:
    assert compared(spec, tasks(spec), 500, spec.seed).total() > 250
