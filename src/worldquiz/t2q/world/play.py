"""A text world to be played: commands in, observations and revealed facts out of a Z-machine.

The true state is read from the machine's memory. Whatever an agent types, the state is what the
machine's object tree says: parents of things, and the attributes *open* and *locked*. Nothing is
inferred from text or from which command was meant, so no command can make the state drift
(TextWorld's own tracker drifts on ``enter door``).
"""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

from worldquiz.errors import WorldError
from worldquiz.extras import need
from worldquiz.facts.episode import Observation
from worldquiz.facts.fact import CARRIED, EATEN, PLAYER_AT, Fact, State
from worldquiz.t2q.world.base import Transition
from worldquiz.t2q.world.commands import Refusal, understand
from worldquiz.t2q.world.inform import MAP_COMMAND
from worldquiz.t2q.world.reveal import Situation, revealed, view
from worldquiz.t2q.world.spec import HOLDERS, LIES, LOCKABLE, MOVABLE, WorldSpec, lid_and_lock
from worldquiz.t2q.world.task import Task
from worldquiz.zmachine import Objects, checked

OPEN_BIT, LOCKED_BIT = 13, 10
"""Inform 7's attribute numbers (6M62); `Machine` is checked against TextWorld's facts in tests."""

_NUMBERED = re.compile(r"^(\d+) (.+)$", re.MULTILINE)
_INVENTORY = re.compile(r"<inventory>\n(.*?)</inventory>", re.DOTALL)
_STATUS = re.compile(r"\n>[^\n]*-=[^\n]*=-[^\n]*\Z")


class Machine:
    """One game in one interpreter."""

    def __init__(self, game: Path) -> None:
        """Load a game. Raises `MissingExtra` without Jericho, `WorldError` if it is no game."""
        jericho = need("jericho", extra="textworld")
        if not game.is_file():
            raise WorldError(f"{game}: no such game; build the suite without --no-compile")
        try:
            self._story = checked(game)
        except WorldError as error:
            raise WorldError(f"{error}; build the suite again") from error
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Jericho warns of every game that is not its own
            self._frotz: Any = jericho.FrotzEnv(str(game))
        self._frotz.reset()
        listing = self._frotz.step(MAP_COMMAND)[0]
        self.numbers = {name: int(number) for number, name in _NUMBERED.findall(listing)}
        if "yourself" not in self.numbers:
            raise WorldError(f"{game}: not a game of worldquiz (it does not list its objects)")
        self.player = self.numbers.pop("yourself")
        self.inventory = ""

    def start(self) -> str:
        """Restart and return the first text."""
        text = self._frotz.reset()[0]
        self._frotz.step("tw-extra-infos inventory")
        self._read("inventory")
        return _clean(text)

    def send(self, command: str) -> str:
        """Give the game a command; return its text. The inventory's text is kept beside it."""
        return self._read(command)

    def _read(self, command: str) -> str:
        text = self._frotz.step(command)[0]
        carried = _INVENTORY.search(text)
        if carried:
            self.inventory = carried[1].strip()
        return _clean(_INVENTORY.sub("", text))

    def memory(self) -> Objects:
        """Return the objects as they stand."""
        return Objects(self._frotz._get_ram(), self._story)

    def close(self) -> None:
        """Free the interpreter."""
        self._frotz.close()


def _clean(text: str) -> str:
    """Return a reply without status bar and surplus blank lines."""
    return re.sub(r"\n{3,}", "\n\n", _STATUS.sub("", text)).strip()


_CHANGING = {
    "player_at", "at", "in", "on", "carried", "eaten", "open", "shut", "locked", "unlocked",
}  # fmt: skip


class TextWorld:
    """One world in one Z-machine; goals are judged on the machine's memory."""

    def __init__(self, spec: WorldSpec, game: Path) -> None:
        """Load a world's game. Raises `WorldError` if the game is another world's."""
        self._spec = spec
        self._machine = Machine(game)
        missing = sorted(set(spec.kinds) - set(self._machine.numbers))
        if missing:
            raise WorldError(f"{game}: has no {missing[0]!r}: not the game of world {spec.id!r}")
        self._names = {self._machine.numbers[name]: name for name in spec.kinds}
        self._static = frozenset(f for f in spec.initial if f.predicate not in _CHANGING)
        self._task: Task | None = None
        self._now = Situation(spec, frozenset())

    @property
    def spec(self) -> WorldSpec:
        """The world as a value."""
        return self._spec

    @property
    def state(self) -> State:
        """All that is true now."""
        return self._static | self._now.dynamic

    def reset(self, task: Task) -> Transition:
        """Restart the game and state the task; the objective's text is part of the observation."""
        self._task = task
        room = self._machine.start()
        self._now = Situation(self._spec, self._read())
        facts = tuple(sorted({*view(self._now), *task.discloses}))
        return Transition(self._observe(f"{task.objective}\n\n{room}"), facts, None)

    def step(self, action: str) -> Transition:
        """Carry out a command, or refuse it without telling the machine."""
        if self._task is None:
            raise ValueError("reset the world before its first step")
        command = understand(action, self._now.scope())
        if isinstance(command, Refusal):
            return Transition(self._observe(command.text), (), None)
        text = self._machine.send(str(command))
        before, self._now = self._now, Situation(self._spec, self._read())
        facts = revealed(before, command, self._now)
        return Transition(self._observe(text), facts, str(command))

    def close(self) -> None:
        """Free the Z-machine."""
        self._machine.close()

    def _observe(self, text: str) -> Observation:
        task = self._task
        assert task is not None
        won = task.won(self.state)
        return Observation(text, self._machine.inventory, int(won), won, task.objective)

    def _read(self) -> State:
        """Read the changing facts from the machine's object tree."""
        tree, kinds, numbers = self._machine.memory(), self._spec.kinds, self._machine.numbers
        facts: set[Fact] = {PLAYER_AT(self._names[tree.parent(self._machine.player)])}
        for name, kind in kinds.items():
            number = numbers[name]
            if kind in LOCKABLE:
                open, locked = tree.has(number, OPEN_BIT), tree.has(number, LOCKED_BIT)
                facts.update(lid_and_lock(name, open=open, locked=locked))
            if kind in (*MOVABLE, *HOLDERS):
                facts.add(self._placed(name, tree.parent(number)))
        return frozenset(facts)

    def _placed(self, name: str, holder: int) -> Fact:
        if holder == self._machine.player:
            return CARRIED(name)
        if holder == 0:
            return EATEN(name)
        spot = self._names[holder]
        return LIES[self._spec.kinds[spot]](name, spot)


def from_folder(spec: WorldSpec, folder: Path) -> TextWorld:
    """Open the world that a suite keeps in a folder."""
    return TextWorld(spec, folder / "game.z8")
