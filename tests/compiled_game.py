"""The compiled game of a world in Jericho's Z-machine: the peer of our game in Python.

The true state is read from the machine's memory: parents of things, and the attributes *open* and
*locked*. Nothing is inferred from text or from which command was meant.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import jericho

from worldquiz.facts.episode import Observation
from worldquiz.facts.fact import Fact, State
from worldquiz.mango.recorder.zmachine import Objects, checked
from worldquiz.t2q import Task, Transition, WorldSpec, games
from worldquiz.t2q.world.game import GONE, HANDS, Situation, outcome, view
from worldquiz.t2q.world.spec import HOLDERS, LOCKABLE, MOVABLE
from worldquiz.t2q.world.words import Refusal, understand

MAP_COMMAND = "wq-objects"
"""A command that prints ``number name`` for each object; players cannot give it."""
_BANNER = re.compile(r"Rule for printing the banner text:\n.*?\n\n", re.DOTALL)
_RULES = f"""
To say number of (item - object): (- print {{item}}; -).

Listing the objects is an action out of world.
Carry out listing the objects:
\trepeat with R running through rooms:
\t\tsay "[number of R] [internal name of R][line break]";
\trepeat with T running through things:
\t\tsay "[number of T] [printed name of T][line break]".
Understand "{MAP_COMMAND}" as listing the objects.

Rule for printing the banner text: do nothing.
"""
OPEN_BIT, LOCKED_BIT = 13, 10
"""Inform 7's attribute numbers (6M62), checked against TextWorld's own facts."""
_NUMBERED = re.compile(r"^(\d{1,5}) (.+)$", re.MULTILINE)
_INVENTORY = re.compile(r"<inventory>\n(.*?)</inventory>", re.DOTALL)
_STATUS = re.compile(r"\n>[^\n]*-=[^\n]*=-[^\n]*\Z")


def source(spec: WorldSpec) -> tuple[str, Any]:
    """Return the Inform source and TextWorld's game of a world without any task.

    Entities are declared in the order of their names, in which lists in the game name them.
    """

    def number(entity: Any) -> tuple[str, int]:
        digits = entity.id.rpartition("_")[2]
        return entity.type, int(digits) if digits.isdecimal() else -1  # the player has no number

    game = games.make(spec)[0].build(validate=False)
    for group in (game.world._rooms, game.world._objects,
                  *game.world._entities_per_type.values()):  # fmt: skip
        group.sort(key=number)
    return _BANNER.sub("", games.source(game)) + _RULES, game


def compile_world(spec: WorldSpec, folder: Path) -> Path:
    """Write a world's game into a folder; return its path."""
    (folder / "game.z8").write_bytes(games.compiled(source(spec)[0], spec.id))
    return folder / "game.z8"


class Things(Objects):
    """The object table with its attributes."""

    def has(self, number: int, attribute: int) -> bool:
        byte = self._ram[self._entry(number) + attribute // 8]
        return bool(byte & (0x80 >> attribute % 8))


class CompiledGame:
    """One world in one Z-machine; goals are judged on the machine's memory."""

    def __init__(self, spec: WorldSpec, game: Path) -> None:
        self.spec, self._story, self._carried = spec, checked(game), ""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Jericho warns of every game that is not its own
            self._env = jericho.FrotzEnv(str(game))
        self._env.reset()
        listed = {name: int(n) for n, name in _NUMBERED.findall(self.said(MAP_COMMAND))}
        self._player = listed.pop("yourself")
        self._numbers = {name: listed[name] for name in spec.kinds}
        self._spots = {number: name for name, number in self._numbers.items()}
        self._spots |= {self._player: HANDS, 0: GONE}

    @property
    def state(self) -> State:
        return self.situation.state

    def reset(self, task: Task) -> Transition:
        self._task, text = task, str(self._env.reset()[0])
        self.said("tw-extra-infos inventory")
        self._clean(self.said("inventory"))
        self.situation = self._read()
        shown = {*view(self.situation), *task.discloses}
        return self._seen(f"{task.objective}\n\n{self._clean(text)}", shown, None)

    def step(self, action: str) -> Transition:
        command = understand(action, self.situation.scope())
        if isinstance(command, Refusal):
            return self._seen(command.text, (), None)
        *_, shown = outcome(self.situation, command)
        text = self._clean(self.said(str(command)))
        self.situation = self._read()
        return self._seen(text, shown, str(command))

    def close(self) -> None:
        self._env.close()

    def said(self, command: str) -> str:
        """Return what the machine prints of a command, whichever it is."""
        return str(self._env.step(command)[0])

    def _seen(self, text: str, shown: Iterable[Fact], command: str | None) -> Transition:
        won = self._task.won(self.state)
        seen = Observation(text, self._carried, int(won), won, self._task.objective)
        return Transition(seen, tuple(sorted(set(shown))), command)

    def _clean(self, text: str) -> str:
        """Return a reply without status bar, blank lines, and the inventory, which is kept."""
        if carried := _INVENTORY.search(text):
            self._carried = carried[1].strip()
        plain = _STATUS.sub("", _INVENTORY.sub("", text))
        return re.sub(r"\n{3,}", "\n\n", plain).strip()

    def _read(self) -> Situation:
        tree = Things(self._env._get_ram().tobytes(), self._story)
        placed, lids = self.spec.of_kind(*MOVABLE, *HOLDERS), self.spec.of_kind(*LOCKABLE)
        return Situation(
            self.spec,
            self._spots[tree.parent(self._player)],
            {name: self._spots[tree.parent(self._numbers[name])] for name in placed},
            frozenset(name for name in lids if tree.has(self._numbers[name], OPEN_BIT)),
            frozenset(name for name in lids if tree.has(self._numbers[name], LOCKED_BIT)),
        )
