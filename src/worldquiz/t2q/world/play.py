"""A text world to be played: commands in, observations and revealed facts out of a Z-machine.

The true state is read from the machine's memory. Whatever an agent types, the state is what the
machine's object tree says: parents of things, and the attributes *open* and *locked*. Nothing is
inferred from text or from which command was meant, so no command can make the state drift
(TextWorld's own tracker drifts on ``enter door``).
"""

from __future__ import annotations

import re
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from worldquiz.errors import MissingExtra, WorldError
from worldquiz.facts.episode import Observation
from worldquiz.facts.fact import CARRIED, EATEN, PLAYER_AT, Fact, State
from worldquiz.t2q.world.base import Transition
from worldquiz.t2q.world.commands import Refusal, understand
from worldquiz.t2q.world.inform import MAP_COMMAND
from worldquiz.t2q.world.machine import given_back, taken
from worldquiz.t2q.world.reveal import Situation, revealed, view
from worldquiz.t2q.world.spec import HOLDERS, LIES, LOCKABLE, MOVABLE, WorldSpec, lid_and_lock
from worldquiz.t2q.world.task import Task
from worldquiz.zmachine import Objects, checked

OPEN_BIT, LOCKED_BIT = 13, 10
"""Inform 7's attribute numbers (6M62); `Machine` is checked against TextWorld's facts in tests."""

_NUMBERED = re.compile(r"^(\d{1,5}) (.+)$", re.MULTILINE)
_INVENTORY = re.compile(r"<inventory>\n(.*?)</inventory>", re.DOTALL)
_STATUS = re.compile(r"\n>[^\n]*-=[^\n]*=-[^\n]*\Z")


class Machine:
    """One game in one interpreter, which is another process: see `machine`."""

    def __init__(self, game: Path) -> None:
        """Load a game. Raises `MissingExtra` without Jericho, `WorldError` if it is no game."""
        if find_spec("jericho") is None:
            raise MissingExtra("jericho", "textworld")
        if not game.is_file():
            raise WorldError(f"{game}: no such game; build the suite without --no-compile")
        try:
            self._story = checked(game)
        except WorldError as error:
            raise WorldError(f"{error}; build the suite again") from error
        self._game = game
        self._interpreter = taken()
        self._give_back = weakref.finalize(self, given_back, self._interpreter)
        self._ram = b""
        self.inventory = ""
        listing = self._asked([None, MAP_COMMAND], game)[-1]
        self.numbers = {name: int(number) for number, name in _NUMBERED.findall(listing)}
        if "yourself" not in self.numbers:
            self.close()
            raise WorldError(f"{game}: not a game of worldquiz (it does not list its objects)")
        self.player = self.numbers.pop("yourself")

    def start(self) -> str:
        """Restart and return the first text."""
        text, _, carried = self._asked([None, "tw-extra-infos inventory", "inventory"])
        self._kept(carried)
        return _clean(text)

    def send(self, command: str) -> str:
        """Give the game a command; return its text. The inventory's text is kept beside it."""
        return self._kept(self._asked([command])[0])

    def _asked(self, commands: Sequence[str | None], game: Path | None = None) -> list[str]:
        """Return what commands print. Raises `WorldError` where the game does not come back."""
        try:
            texts, self._ram = self._interpreter.ask(commands, game)
        except WorldError as error:
            raise WorldError(f"{self._game}: {error}: build the suite again") from error
        return texts

    def _kept(self, text: str) -> str:
        carried = _INVENTORY.search(text)
        if carried:
            self.inventory = carried[1].strip()
        return _clean(_INVENTORY.sub("", text))

    def memory(self) -> Objects:
        """Return the objects as they stand."""
        return Objects(self._ram, self._story)

    def close(self) -> None:
        """Give the interpreter back, as happens to a game that nobody holds."""
        self._give_back()


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
        self._game = game
        missing = sorted(set(spec.kinds) - set(self._machine.numbers))
        if missing:
            self.close()
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
        with self._sound():
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
        with self._sound():
            before, self._now = self._now, Situation(self._spec, self._read())
            facts = revealed(before, command, self._now)
            return Transition(self._observe(text), facts, str(command))

    @contextmanager
    def _sound(self) -> Iterator[None]:
        """Raise `WorldError` where the machine's memory is not that of the world's game."""
        try:
            yield
        except (LookupError, ValueError) as error:
            raise WorldError(
                f"{self._game}: does what no game of world {self._spec.id!r} does: it is damaged: "
                "build the suite again"
            ) from error

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
