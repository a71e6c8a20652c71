"""Process that plays a game step by step, and tries further commands in forks of itself.

Run as a program, it reads a job (one JSON object) from stdin and sends messages (one JSON object
for each step) to the file descriptor given as its argument; stdout is left to the interpreter. It
may crash or hang, so `trace` watches it. Jericho does not restore saved states faithfully, so a
command that is only tried (a look, a way back) is given in a fork, which leaves the game itself
unchanged.
"""

from __future__ import annotations

import json
import math
import os
import signal
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from worldquiz.mango.recorder import words
from worldquiz.mango.recorder.zmachine import Objects
from worldquiz.mango.walkthrough import AGAIN

_FEW = 9
"""Fewest texts for learning the usual ending of texts, which asks for a command."""
_PAUSES = 20
"""Most keys that are pressed in a row."""
_SEED = 1
"""Seed for games without a known seed, so that every run shows the same text."""


class Player:
    """One game in one interpreter."""

    def __init__(self, game: str, commands: list[str] | None, patience: float) -> None:
        """Start a game; without commands, Jericho's own walkthrough is played."""
        import jericho

        warnings.simplefilter("ignore")
        self._env: Any = jericho.FrotzEnv(game)
        known = bool(self._env.is_fully_supported and self._env.bindings)
        if not known:
            self._env.seed(_SEED)
        self._endings: Counter[str] = Counter()
        self._story = Path(game).read_bytes()
        theirs: list[str] = list(self._env.get_walkthrough() if known else [])
        self.commands = theirs if commands is None else commands
        # Jericho's walkthroughs, including MANGO's, have a command for each key.
        self._keys = [*map(words.spelled, theirs)] != [*map(words.spelled, self.commands)]
        self.first = self._answered(self._env.reset()[0])
        number = self._env.player_obj_num if known else 0
        self.number = number or self._mover(patience)

    def _mover(self, patience: float) -> int:
        """Return the object of the player: the one that changes place when a direction is typed.

        So does a vehicle in which the player rides, but nothing that the player carries.
        """
        votes: Counter[int] = Counter()
        movers = set()
        for before, after, action in forked(self._holders, patience):
            weight = 1 if words.direction(action) is not None else -1
            for number, (old, new) in enumerate(zip(before, after, strict=True), start=1):
                votes[number] += weight * (old != new)
                if weight > 0 and old[:1] != new[:1]:
                    movers.add(number)
        best = max((votes[number] for number in movers), default=0)
        return min((number for number in movers if votes[number] == best > 0), default=0)

    def _holders(self) -> Iterator[tuple[list[list[int]], list[list[int]], str]]:
        """Play all commands; yield the holders of each object before and after each command."""
        after: list[list[int]] = []
        for command in ("", *self.commands):
            if command:
                self.send(command)
            if self.halted:
                return
            objects = self.objects()
            before, after = after, [_chain(objects, n) for n in range(1, objects.count + 1)]
            if command:
                yield before, after, words.spelled(command)

    def objects(self) -> Objects:
        """Return the objects as they are now."""
        return Objects(bytes(self._env._get_ram()), self._story)

    @property
    def halted(self) -> bool:
        """Return whether the interpreter accepts no more commands."""
        return bool(self._env._emulator_halted())

    @property
    def over(self) -> bool:
        """Return whether the game says that it has ended."""
        return bool(self._env.game_over() or self._env.victory())

    def send(self, command: str) -> str:
        """Give a command and return the text."""
        return self._answered(self._env.step(command)[0])

    def _answered(self, text: str) -> str:
        """Return a text; if it asks for a key, press it and add the text that follows."""
        told = self._told(text)
        for _ in range(_PAUSES if self._keys else 0):
            if self.halted or (key := words.asked_key(told)) is None:
                break
            told = f"{told}\n{self._told(self._env.step(key)[0])}"
        return told

    def _told(self, text: str) -> str:
        """Return a cleaned observation; note in `may_pause` whether its ending is unusual."""
        last = text[len(text.rstrip("\n >")) :]  # blank lines and the prompt
        self._endings[last] += 1
        usual = max(self._endings, key=lambda one: self._endings[one])
        self.may_pause = last != usual or self._endings.total() < _FEW
        return words.cleaned(text)

    def where(self) -> list[int]:
        """Return the object that holds the player, the object that holds that one, and so on."""
        return _chain(self.objects(), self.number)


def _chain(objects: Objects, number: int) -> list[int]:
    """Return the object that holds an object, the object that holds that one, and so on."""
    found: list[int] = []
    holder = objects.parent(number)
    while 0 < holder <= objects.count and holder not in found:
        found.append(holder)
        holder = objects.parent(holder)
    return found


def forked(work: Callable[[], Iterable[Any]], patience: float) -> list[Any]:
    """Return what `work` yields in a fork of this process, up to a crash or hang."""
    reading, writing = Pipe(duplex=False)
    child = os.fork()
    if not child:
        with suppress(BaseException):
            _end_in(2 * patience)
            for item in work():
                tell(writing, item)
                _end_in(2 * patience)
        os._exit(0)
    writing.close()
    found = []
    with reading, suppress(EOFError, OSError):
        while reading.poll(patience):
            found.append(json.loads(reading.recv_bytes()))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return found


def tell(writing: Connection, item: Any) -> None:
    """Send an object as JSON (not pickle), so that a hijacked process cannot send code."""
    writing.send_bytes(json.dumps(item).encode())


def _end_in(seconds: float) -> None:
    """Let the system end this process after some seconds; another call restarts the time."""
    signal.alarm(math.ceil(seconds))


class Recorder:
    """A walk through a game that is reported step by step."""

    def __init__(self, player: Player, tell: Callable[[dict[str, Any]], None], job: Any) -> None:
        self._player, self._tell = player, tell
        self._patience = float(job["patience"])
        self._title: str | None = None
        self._look_again = True  # no title is known of this place yet
        self._before: tuple[str, str] | None = None  # the last action, and as it was typed
        self._ended: str | None = None  # the text of a look at the prompt after the game's end

    def play(self) -> None:
        """Play all commands; report the result of each."""
        player = self._player
        last = self._seen(0, "Init", player.first)
        self._look(last, [])
        self._tell(last)
        for number, command in enumerate(player.commands, start=1):
            if player.halted or (player.over and self._tried_out(command) is None):
                return
            _end_in(8 * self._patience)
            last = self._step(number, command, last)
            self._tell(last)

    def _seen(self, number: int, action: str, text: str) -> dict[str, Any]:
        over, ended = self._player.over, self._prompted(text)
        chain = [] if ended else self._player.where()
        return {
            "step": number, "action": action, "text": text, "chain": chain,
            "name": self._player.objects().name(chain[0]) if chain else "",
            "over": over or ended, "look": None, "back": None,
        }  # fmt: skip

    def _prompted(self, text: str) -> bool:
        """Return whether the game has ended and only offers a restart, so that `look` fails."""
        if (self._ended is None and not words.asks_restart(text)) or self._player.halted:
            return False
        look = self._tried_out("look") or ""
        known = self._ended is not None and look == self._ended
        at_prompt = known or (
            words.asks_restart(text) and (words.asks_restart(look) or words.title(look) is None)
        )
        self._ended = look if at_prompt else None
        return at_prompt

    def _tried_out(self, command: str) -> str | None:
        """Return the text of a command given in its own fork; None if the fork crashes or hangs."""
        said = forked(lambda: [self._player.send(command)], self._patience)
        return str(said[0]) if said else None

    def _step(self, number: int, command: str, last: dict[str, Any]) -> dict[str, Any]:
        text = self._player.send(command)
        action = words.spelled(command)
        if action in AGAIN and self._before:
            action, command = self._before
        self._before = action, command
        step = self._seen(number, action, text)
        if self._player.halted or self._ended is not None:
            return step
        came_from = self._title
        late = self._look(step, last["chain"])
        if not step["chain"]:
            return step
        said = self._title is not None and words.printed(self._title, text)
        if step["chain"] != last["chain"] or (said and self._title != came_from):
            self._back(step, command, last["chain"], came_from, late=late)
        return step

    def _look(self, step: dict[str, Any], before: list[int]) -> bool:
        """Try `look` if the place may be new; return whether a key must be pressed to arrive."""
        moved = step["chain"] != before or words.direction(step["action"]) is not None
        wanted = self._look_again or moved
        if not wanted and not self._player.may_pause:
            return False
        seen = forked(partial(self._shown, before, wanted=wanted), self._patience)
        if seen and seen[0] is None:  # the game has ended, which shows once a key is pressed
            step.update(chain=[], name="", over=True)
            return False
        if late := bool(seen) and seen[0][0] != step["chain"]:
            step["chain"], step["name"] = seen[0]
        if len(seen) == 2:
            step["look"] = seen[1]
            self._title = words.label(seen[1])
            self._look_again = words.title(seen[1]) is None or words.dark(self._title or "")
        return late

    def _shown(self, before: list[int], *, wanted: bool) -> Iterator[Any]:
        """Yield the place after any pause (None if the game has ended), then the text of `look`."""
        text = self._player.send(words.NEUTRAL)
        if self._player.halted:
            return
        if words.asks_restart(text):
            yield None
            return
        chain = self._player.where()
        yield chain, self._player.objects().name(chain[0]) if chain else ""
        if wanted or chain != before:
            yield self._player.send("look")

    def _back(
        self,
        step: dict[str, Any],
        command: str,
        before: list[int],
        came_from: str | None,
        *,
        late: bool,
    ) -> None:
        """Try the commands that may undo a move, each in a fork, until one does."""
        for action in words.reverses(step["action"]):
            tries = partial(self._tried, words.typed(action, command), late=late)
            for chain, name in forked(tries, self._patience):  # once, unless it crashes or hangs
                if chain == before and (step["chain"] != before or name == came_from):
                    step["back"] = action
                    return

    def _tried(self, action: str, *, late: bool) -> Iterator[tuple[list[int], str | None]]:
        """Yield the place to which a command leads and its label; no place if the game ends."""
        if late:
            self._player.send(words.NEUTRAL)
        text = self._player.send(action)
        if self._player.halted or words.asks_restart(text):
            yield [], None
            return
        chain = self._player.where()
        yield chain, words.label(self._player.send("look"))


def main() -> None:
    """Read a job from stdin, do it, and report to the file descriptor given as the argument."""
    job = json.load(sys.stdin)
    say = partial(tell, Connection(int(sys.argv[1]), readable=False))
    player = Player(job["game"], job["commands"], float(job["patience"]))
    say({"commands": player.commands})
    if player.commands and player.number:
        Recorder(player, say, job).play()
    say({"ended": True})


if __name__ == "__main__":
    main()
