"""A text world to be played: commands in, observations and revealed facts out."""

from __future__ import annotations

from pathlib import Path

from worldquiz.errors import WorldError
from worldquiz.facts.episode import Observation
from worldquiz.facts.fact import (
    AT,
    CARRIED,
    EATEN,
    IN,
    LOCKED,
    ON,
    OPEN,
    PLAYER_AT,
    SHUT,
    UNLOCKED,
    Fact,
    State,
)
from worldquiz.t2q.world.base import Transition
from worldquiz.t2q.world.commands import Refusal, understand
from worldquiz.t2q.world.machine import LOCKED_BIT, OPEN_BIT, Machine
from worldquiz.t2q.world.reveal import revealed, view
from worldquiz.t2q.world.situation import Plan, Situation
from worldquiz.t2q.world.spec import LOCKABLE, MOVABLE, WorldSpec
from worldquiz.t2q.world.task import Task

_CHANGING = {
    "player_at", "at", "in", "on", "carried", "eaten", "open", "shut", "locked", "unlocked",
}  # fmt: skip


class TextWorld:
    """One world in one Z-machine; goals are judged on the machine's memory."""

    def __init__(self, spec: WorldSpec, game: Path) -> None:
        """Load a world's game. Raises `WorldError` if the game is another world's."""
        self._spec = spec
        self._machine = Machine(game)
        self._plan = Plan(spec)
        missing = sorted(set(spec.kinds) - set(self._machine.numbers))
        if missing:
            raise WorldError(f"{game}: has no {missing[0]!r}: not the game of world {spec.id!r}")
        self._names = {self._machine.numbers[name]: name for name in spec.kinds}
        self._static = frozenset(f for f in spec.initial if f.predicate not in _CHANGING)
        self._task: Task | None = None
        self._now = Situation(self._plan, frozenset())

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
        self._now = Situation(self._plan, self._read())
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
        before, self._now = self._now, Situation(self._plan, self._read())
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
                facts.add((OPEN if tree.has(number, OPEN_BIT) else SHUT)(name))
                facts.add((LOCKED if tree.has(number, LOCKED_BIT) else UNLOCKED)(name))
            if kind in MOVABLE or kind in ("container", "supporter"):
                facts.add(self._placed(name, tree.parent(number)))
        return frozenset(facts)

    def _placed(self, name: str, holder: int) -> Fact:
        if holder == self._machine.player:
            return CARRIED(name)
        if holder == 0:
            return EATEN(name)
        spot = self._names[holder]
        relation = {"container": IN, "supporter": ON}.get(self._spec.kinds[spot], AT)
        return relation(name, spot)


def from_folder(spec: WorldSpec, folder: Path) -> TextWorld:
    """Open the world that a suite keeps in a folder."""
    return TextWorld(spec, folder / "game.z8")
