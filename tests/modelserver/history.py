"""Reading the turns that stand in a prompt, as `transcript` renders them.

Prompts of a long game mostly repeat the prompt before and add a turn. So a reader that has followed
a game is kept, and found again by the text that it has read; it goes on from there.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from modelserver.prompts import Scene
from worldquiz.facts.episode import Observation
from worldquiz.t2q.reader import Reader
from worldquiz.t2q.reader.text import read_view

_HEADING = re.compile(r"^\[task (\d+), step (\d+)\](?: > (.*))?$", re.MULTILINE)
_INVENTORY = "\nInventory: "
_OBJECTIVE = re.compile(r"\A(.+?)\n\n-= ", re.DOTALL)
_TASK = re.compile(r"^Task: (.+)$", re.MULTILINE)
_HEAD = 600  # characters by which games are told apart
_GAMES = 512


@dataclass(frozen=True, slots=True)
class Told:
    """One turn as a prompt tells it. Only the turn that is going on has no text yet."""

    task: int  # from 1
    step: int
    action: str | None
    text: str = ""
    inventory: str = ""
    start: int = 0  # where it stands in the prompt
    end: int = 0

    @property
    def objective(self) -> str:
        """What the first look of a task states as its objective."""
        match = _OBJECTIVE.match(self.text) if self.action is None else None
        return match[1] if match else ""

    def follows(self, other: Told) -> bool:
        """Tell whether this is the next turn after another."""
        if self.step == 0:
            return self.task == other.task + 1
        return self.task == other.task and self.step == other.step + 1

    def observed(self) -> Observation:
        """Return it as an observation."""
        return Observation(self.text, self.inventory, 0, False, self.objective)


def turns(text: str, start: int = 0) -> Iterator[Told]:
    """Yield the turns that stand in a text, in its order."""
    found = list(_HEADING.finditer(text, start))
    ends = [*(match.start() for match in found[1:]), len(text)]
    for match, end in zip(found, ends, strict=False):
        task, step, action = int(match[1]), int(match[2]), match[3]
        body = text[match.end() : end]
        shown, mark, rest = body.partition(_INVENTORY)
        if not mark:
            yield Told(task, step, action)
            continue
        inventory = rest.partition("\n")[0]
        last = match.end() + len(shown) + len(mark) + len(inventory)
        yield Told(task, step, action, shown.strip(), inventory, match.start(), last)


@dataclass(slots=True)
class Game:
    """A game that was followed from its first look on, without a gap."""

    text: str  # of the prompt, as far as it was read
    last: Told
    reader: Reader
    objective: str
    ahead: Told | None = None  # the turn of the prompt's present, taken in already


@dataclass(frozen=True, slots=True)
class Present:
    """Where a player stands, as far as its prompt tells."""

    reader: Reader
    objective: str
    complete: bool  # whether the prompt tells all that happened, from the first look on


class Follower:
    """Finds out where the player of a prompt stands. What is kept only saves time."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, Game] = OrderedDict()

    def present(self, scene: Scene) -> Present:
        """Return where the player stands."""
        context = scene.context
        head = context[:_HEAD]
        game = self._games.pop(head, None)
        if game is None or not context.startswith(game.text) or not self._resume(game, scene):
            game = self._start(scene)
        if game is None:
            return _piecemeal(scene)
        self._games[head] = game
        while len(self._games) > _GAMES:
            self._games.popitem(last=False)
        return Present(game.reader, game.objective, complete=True)

    def _start(self, scene: Scene) -> Game | None:
        """Follow a game from its beginning, None if the prompt does not tell it without a gap."""
        if not scene.context.startswith("[task 1, step 0]\n"):
            return None
        first = next(turns(scene.context))
        reader = Reader()
        reader.begin(first.observed())
        game = Game(scene.context[: first.end], first, reader, first.objective)
        return game if first.text and self._resume(game, scene) else None

    def _resume(self, game: Game, scene: Scene) -> bool:
        """Take in what is new in a prompt; tell whether that worked out."""
        told = list(turns(scene.context, len(game.text)))
        now = _now(scene, told[-1] if told else game.last)
        behind = [turn for turn in told if turn.text]
        chain = [game.last, *behind, now]
        if not all(after.follows(before) for before, after in pairwise(chain)):
            return False
        for turn in [*behind, now]:
            if game.ahead is not None:
                if not _same(game.ahead, turn):
                    return False
                game.ahead = None
                continue
            _take(game, turn)
        if behind:
            game.text, game.last = scene.context[: behind[-1].end], behind[-1]
        game.ahead = now
        return True


def _same(one: Told, other: Told) -> bool:
    return replace(one, start=0, end=0) == replace(other, start=0, end=0)


def _take(game: Game, turn: Told) -> None:
    if turn.action is None:
        game.reader.begin(turn.observed())
        game.objective = turn.objective
    else:
        game.reader.step(turn.action, turn.observed())


def _now(scene: Scene, last: Told | None) -> Told:
    """Return the turn that is going on: its heading ends the context, unless it is a first look."""
    text = scene.text.strip()
    if last is not None and not last.text:
        return Told(last.task, last.step, last.action, text, scene.inventory)
    return Told(last.task + 1 if last else 1, 0, None, text, scene.inventory)


def _piecemeal(scene: Scene) -> Present:
    """Make of single turns what can be made of them: the last ones tell where the player is."""
    told = list(turns(scene.context))
    now = _now(scene, told[-1] if told else None)
    known = sorted({(turn.task, turn.step): turn for turn in told if turn.text}.values(), key=_when)
    reader = Reader()
    for run in _runs([*known, now]):
        _read_run(reader, run)
    named = _TASK.findall(scene.context)
    looks = [turn.objective for turn in [*known, now] if turn.task == now.task and turn.objective]
    return Present(reader, (looks or named or [""])[-1], complete=False)


def _when(turn: Told) -> tuple[int, int]:
    return turn.task, turn.step


def _runs(told: Sequence[Told]) -> Iterator[list[Told]]:
    """Yield stretches of turns without a gap."""
    run: list[Told] = []
    for turn in told:
        if run and (turn.step == 0 or not turn.follows(run[-1])):
            yield run
            run = []
        run.append(turn)
    if run:
        yield run


def _read_run(reader: Reader, run: Sequence[Told]) -> None:
    """Read a stretch from its first look at a room on."""
    start = next((n for n, turn in enumerate(run) if read_view(turn.text) is not None), None)
    if start is None:
        reader.now = type(reader.now)()
        return
    reader.begin(run[start].observed())
    for turn in run[start + 1 :]:
        if turn.action is not None:
            reader.step(turn.action, turn.observed())
