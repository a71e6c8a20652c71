"""The process that plays: one game, step by step, each question about it asked in a fork.

Run as a program it reads a job (one JSON object) from stdin and writes what it saw, one JSON object
a line, to the file descriptor that it is given; stdout belongs to the interpreter, which prints
there. It may crash or hang: `trace` watches it. Restoring a saved state is not faithful in
Jericho, so whatever is only tried (a look, a way back) is tried in a fork, which leaves the game
itself untouched.
"""

from __future__ import annotations

import json
import math
import os
import select
import signal
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from worldquiz.worlds.maze.recorder.story import Objects
from worldquiz.worlds.maze.recorder.titles import cleaned, dark, label, printed, title
from worldquiz.worlds.maze.recorder.words import AGAIN, direction, reverses, spelled

_SELVES = ("yourself", "(self object)", "self", "you", "me", "myself", "player", "cretin")
"""What compilers and authors call the player's object, in games that Jericho does not know."""
_SEED = 1
"""For games that come without a seed of their own: the same text at every run."""


class Player:
    """One game in one interpreter."""

    def __init__(self, game: str, commands: list[str] | None, patience: float) -> None:
        """Start a game; without commands it is played by Jericho's own walkthrough of it."""
        import jericho

        warnings.simplefilter("ignore")
        self._env: Any = jericho.FrotzEnv(game)
        known = bool(self._env.is_fully_supported and self._env.bindings)
        if not known:
            self._env.seed(_SEED)
        self.first = cleaned(self._env.reset()[0])
        self._story = Path(game).read_bytes()
        self.own = known and commands is None
        given = self._env.get_walkthrough() if self.own else commands
        self.commands: list[str] = list(given or [])
        self._self = self._env.player_obj_num if known else self._called() or self._mover(patience)

    def _called(self) -> int:
        """Return the player's object by its name; 0 if none is called so."""
        objects = self.objects()
        found: dict[str, int] = {}
        for number in range(1, objects.count + 1):
            if objects.parent(number):
                found.setdefault(objects.name(number), number)
        return next((found[name] for name in _SELVES if name in found), 0)

    def _mover(self, patience: float) -> int:
        """Return the object that changes its place when a direction is typed, and only then."""
        votes: Counter[int] = Counter()
        for before, after, action in forked(self._parents, patience):
            weight = 1 if direction(action) is not None else -1
            for number, (old, new) in enumerate(zip(before, after, strict=True), start=1):
                votes[number] += weight * (old != new)
        best = max(votes.values(), default=0)
        return min((number for number in votes if votes[number] == best > 0), default=0)

    def _parents(self) -> Iterator[tuple[list[int], list[int], str]]:
        """Play on; yield each object's place before and after each command."""
        after = self.objects().parents()
        for command in self.commands:
            self.send(command)
            if self.halted:
                return
            before, after = after, self.objects().parents()
            yield before, after, spelled(command)

    def objects(self) -> Objects:
        """Return the objects as they are now."""
        return Objects(bytes(self._env._get_ram()), self._story)

    @property
    def lost(self) -> bool:
        """Whether nobody knows which object the player is."""
        return not self._self

    @property
    def halted(self) -> bool:
        """Whether the interpreter takes no more commands."""
        return bool(self._env._emulator_halted())

    @property
    def over(self) -> bool:
        """Whether the game says that it has ended."""
        return bool(self._env.game_over() or self._env.victory())

    def send(self, command: str) -> str:
        """Give a command and return the text."""
        return cleaned(self._env.step(command)[0])

    def where(self) -> tuple[int, str, int]:
        """Return what holds the player, its name, and what holds that."""
        objects = self.objects()
        place = 0 if self.lost else objects.parent(self._self)
        if not place:
            return 0, "", 0
        return place, objects.name(place), objects.parent(place)


def forked(work: Callable[[], Iterable[Any]], patience: float) -> list[Any]:
    """Return what some work yields in a fork of this process, up to where it crashes or hangs."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        with suppress(BaseException), os.fdopen(writing, "w") as stream:
            _end_in(2 * patience)
            for item in work():
                stream.write(json.dumps(item) + "\n")
                stream.flush()
                _end_in(2 * patience)
        os._exit(0)
    os.close(writing)
    text = b"".join(parts(reading, patience))
    os.close(reading)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return [json.loads(line) for line in text.split(b"\n")[:-1]]


def _end_in(seconds: float) -> None:
    """Let the system end this process unless it says otherwise by then, even if nobody watches."""
    signal.alarm(math.ceil(seconds))


def parts(reading: int, patience: float) -> Iterator[bytes]:
    """Yield what comes through a pipe until it closes, or is silent for too long."""
    while select.select([reading], [], [], patience)[0]:
        part = os.read(reading, 65536)
        if not part:
            return
        yield part


class Recorder:
    """A walk through a game, told to somebody line by line."""

    def __init__(self, player: Player, tell: Callable[[dict[str, Any]], None], job: Any) -> None:
        self._player, self._tell = player, tell
        self._probes, self._patience = bool(job["probe"]), float(job["patience"])
        self._title: str | None = None
        self._look_again = True  # no title is known of this place yet
        self._before = ""

    def play(self) -> None:
        """Play all commands; tell what each showed."""
        player = self._player
        place, name, holder = player.where()
        step = self._seen(0, "Init", player.first, place, name, holder)
        if self._probes:
            self._look(step)
        self._tell(step)
        for number, command in enumerate(player.commands, start=1):
            if player.halted or (player.over and not self._safe(command)):
                self._tell({"ended": number - 1})
                return
            self._tell({"trying": number})
            _end_in(8 * self._patience)
            self._tell(self._step(number, command, place))
            place = player.where()[0]
        self._tell({"ended": len(player.commands)})

    def _safe(self, command: str) -> bool:
        """Tell whether a game that is over survives another command."""
        return bool(forked(lambda: [self._player.send(command)], self._patience))

    def _seen(
        self, number: int, action: str, text: str, place: int, name: str, holder: int
    ) -> dict[str, Any]:
        return {
            "step": number, "action": action, "text": text, "place": place, "name": name,
            "holder": holder, "over": self._player.over, "look": None, "back": None, "lost": [],
        }  # fmt: skip

    def _step(self, number: int, command: str, before: int) -> dict[str, Any]:
        text = self._player.send(command)
        action = spelled(command)
        if action in AGAIN and self._before:
            action = self._before
        self._before = action
        place, name, holder = self._player.where()
        step = self._seen(number, action, text, place, name, holder)
        if not self._probes or self._player.halted:
            return step
        came_from = self._title
        unnamed = self._look_again
        if place != before or unnamed or direction(action) is not None:
            self._look(step)
            said = self._title is not None and printed(self._title, text)
            if place != before or (said and self._title != came_from):
                self._back(step, before, came_from)
        return step

    def _look(self, step: dict[str, Any]) -> None:
        look = forked(lambda: [self._player.send("look")], self._patience)
        if not look:
            step["lost"].append("look")
            return
        step["look"] = look[0]
        self._title = label(look[0])
        self._look_again = title(look[0]) is None or dark(self._title or "")

    def _back(self, step: dict[str, Any], before: int, came_from: str | None) -> None:
        """Try what may undo a move, in forks, until something does."""
        for action in reverses(step["action"]):
            tried = forked(partial(self._tried, action), self._patience)
            if not tried:
                step["lost"].append(action)
                continue
            place, name = tried[0]
            if place == before and (step["place"] != before or name == came_from):
                step["back"] = action
                return

    def _tried(self, action: str) -> Iterator[tuple[int, str | None]]:
        """Yield the place and title to which a command leads."""
        self._player.send(action)
        if self._player.halted:
            yield 0, None
            return
        place = self._player.where()[0]
        yield place, label(self._player.send("look"))


def main() -> None:
    """Read a job from stdin, do it, and tell of it on the file descriptor that is named."""
    job = json.load(sys.stdin)
    with os.fdopen(int(sys.argv[1]), "w") as stream:

        def tell(message: dict[str, Any]) -> None:
            stream.write(json.dumps(message) + "\n")
            stream.flush()

        player = Player(job["game"], job["commands"], float(job["patience"]))
        tell({"commands": player.commands, "own": player.own, "lost": player.lost})
        if player.commands:
            Recorder(player, tell, job).play()


if __name__ == "__main__":
    main()
