"""A small policy over commands that make sense, which learns from rewards (PyTorch, on a CPU).

It sees what any agent sees: texts. From these it keeps a map by the house's reader of texts, and
counts of what it tried where. Which commands make sense is read from the text as the agent `random`
reads it, so that the list tells nothing that was not shown.

    Follower    one agent's memory of a world, and what it offers the network: `Sight`
    Policy      a network that rates the commands of a `Sight`, and its value
    Learned     a policy as an agent: `begin`, `act`, `end`

The network is a DRRN in its inputs (He et al., arXiv 1511.04636: texts of state and of each command
are encoded apart, by hashed bags of words) and learns by proximal policy optimization (Schulman et
al., arXiv 1707.06347).
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log1p
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from worldquiz.extras import later
from worldquiz.facts.episode import Observation
from worldquiz.memory.worldgraph import Reader
from worldquiz.t2q.agents.scripted import plausible

torch: Any = later("torch", extra="embed")

BUCKETS, WIDTH = 4096, 64
VERBS = (
    "look", "inventory", "go", "examine", "open", "close", "unlock", "lock", "take", "put",
    "insert", "drop", "eat",
)  # fmt: skip
_LINK = re.compile(r" (?:with|from|on|into) ")
_WORD = re.compile(r"[a-z]+")
Floats = NDArray[np.float32]
Words = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Sight:
    """What the network is given before a command."""

    commands: tuple[str, ...]
    words: Words  # of observation, objective, inventory and last command, hashed
    about: Floats  # (ABOUT,): numbers of the state
    named: tuple[Words, ...]  # the words of each command
    relations: Floats  # (commands, RELATIONS): what each command has to do with the state


class Follower:
    """An agent's memory of one world, from texts alone."""

    def __init__(self) -> None:
        self.reader = Reader()
        self._tried: Counter[tuple[str, str]] = Counter()  # (room, command), in this world
        self._lately: Counter[tuple[str, str]] = Counter()  # the same, in this task
        self._visits: Counter[str] = Counter()
        self._seen: Observation | None = None
        self._last = ""

    def begin(self, observation: Observation) -> None:
        """Take in the start of a task."""
        self.reader.begin(observation)
        self._lately.clear()
        self._arrive("", observation)

    def follow(self, command: str, observation: Observation) -> None:
        """Take in what came of a command."""
        place = (self.reader.now.room, command)
        self._tried[place] += 1
        self._lately[place] += 1
        self.reader.step(command, observation)
        self._arrive(command, observation)

    def _arrive(self, command: str, observation: Observation) -> None:
        self._last, self._seen = command, observation
        self._visits[self.reader.now.room] += 1

    def sight(self) -> Sight:
        """Return what there is to choose from, and what it is chosen by."""
        assert self._seen is not None
        commands = tuple(sorted(plausible(self.reader)))
        seen = self._seen
        texts = {"o": seen.text, "t": seen.objective, "i": seen.inventory, "l": self._last}
        wanted = self._wanted(seen.objective)
        rooms = {self._room_of(name) for name in wanted[:1]} - {""}
        way = self._way_to(rooms)
        return Sight(
            commands,
            np.concatenate([hashed(field, text) for field, text in texts.items()]),
            self._about(wanted, rooms),
            tuple(hashed("c", command) for command in commands),
            np.array([self._relation(each, wanted, way) for each in commands], dtype=np.float32),
        )

    def _wanted(self, objective: str) -> list[str]:
        """Return what the objective names and the map knows, in its order, less what is carried."""
        graph, carried = self.reader.graph, set(self.reader.now.carried)
        doors = {door for exits in graph.exits.values() for door in exits.values() if door}
        rooms = {room for ways in graph.ways.values() for room in ways.values()}
        known = {*graph.place, *graph.exits, *doors, *rooms} - carried
        return sorted(filter(objective.__contains__, known), key=objective.index)

    def _room_of(self, name: str) -> str:
        """Return the room in which a thing was seen first, empty if it is not known."""
        graph = self.reader.graph
        where = name if name in graph.exits or name in graph.ways else graph.where(name) or ""
        return where if where in graph.exits or where in graph.ways else graph.place.get(where, "")

    def _way_to(self, rooms: set[str]) -> str:
        """Return the first direction of a shortest known way to some rooms, empty if none."""
        ways, here = self.reader.graph.ways, self.reader.now.room
        queue, first = [here], {here: ""}
        for room in queue:
            if room in rooms:
                return first[room]
            for way, other in sorted(ways.get(room, {}).items()):
                if other not in first:
                    first[other] = first[room] or way
                    queue.append(other)
        return ""

    def _about(self, wanted: Sequence[str], rooms: set[str]) -> Floats:
        graph, now = self.reader.graph, self.reader.now
        exits = sum(len(set(ways) - set(graph.ways.get(room, {}))) for room, ways in
                    graph.exits.items())  # fmt: skip
        shut = sum(kind == "container" and name not in graph.contents
                   for name, kind in graph.kinds.items())  # fmt: skip
        lately = sum(self._lately.values())
        return np.array([
            log1p(lately), log1p(exits), log1p(shut), log1p(len(now.carried)),
            len(wanted) > 0, len(rooms) > 0, now.room in rooms,
            log1p(sum(self._tried.values())),
        ], dtype=np.float32)  # fmt: skip

    def _relation(self, command: str, wanted: Sequence[str], way: str) -> list[float]:
        assert self._seen is not None
        graph, now, objective = self.reader.graph, self.reader.now, self._seen.objective
        verb, _, rest = command.partition(" ")
        noun, second = (*_LINK.split(rest), "")[:2]
        goes = verb == "go"
        other = graph.ways.get(now.room, {}).get(noun, "") if goes else ""
        fresh = not other if goes else graph.kinds.get(noun) == "container" and (
            noun not in graph.contents
        )  # fmt: skip
        fits = graph.matches(second, noun) if verb in ("unlock", "lock") else None
        place = (now.room, command)
        return [
            *(verb == each for each in VERBS),
            bool(noun) and noun in objective,
            bool(second) and second in objective,
            bool(wanted) and noun == wanted[0],
            log1p(self._tried[place]),
            log1p(self._lately[place]),
            fresh,
            bool(other) and other in objective,
            log1p(self._visits[other]) if other else 0.0,
            goes and noun == way,
            fits is True,
            fits is False,
            verb == "open" and bool(now.locks.get(noun)),
            graph.kinds.get(noun) == "door",
        ]


ABOUT, RELATIONS = 8, len(VERBS) + 13


@lru_cache(maxsize=50_000)
def hashed(field: str, text: str) -> Words:
    """Return the places of a text's words, other ones in each field; at least one."""
    words = ["", *_WORD.findall(text.lower())]
    return np.array([crc32(f"{field}:{word}".encode()) % BUCKETS for word in words], dtype=np.int64)


class Policy:
    """Rates commands. Equal seeds give equal networks."""

    def __init__(self, seed: int) -> None:
        nn = torch.nn
        torch.manual_seed(seed)

        def head(inputs: int) -> Any:
            return nn.Sequential(nn.Linear(inputs, WIDTH), nn.ReLU(), nn.Linear(WIDTH, 1))

        self.net = nn.ModuleDict({
            "words": nn.EmbeddingBag(BUCKETS, WIDTH, mode="mean"),
            "rate": head(2 * WIDTH + ABOUT + RELATIONS),
            "value": head(WIDTH + ABOUT),
        })  # fmt: skip
        nn.init.normal_(self.net["words"].weight, std=0.1)

    def rated(self, sights: Sequence[Sight]) -> tuple[Any, Any]:
        """Return log-probabilities (sights, most commands), -inf beyond their own, and values."""
        counts = [len(sight.commands) for sight in sights]
        state = torch.cat(
            [self._bag([sight.words for sight in sights]), _stacked(s.about for s in sights)], dim=1
        )
        named = self._bag([words for sight in sights for words in sight.named])
        relations = torch.from_numpy(np.concatenate([sight.relations for sight in sights]))
        whose = torch.repeat_interleave(torch.arange(len(sights)), torch.tensor(counts))
        rates = self.net["rate"](torch.cat([state[whose], named, relations], dim=1)).squeeze(1)
        padded = torch.full((len(sights), max(counts)), -torch.inf)
        padded[whose, torch.tensor([at for count in counts for at in range(count)])] = rates
        return torch.log_softmax(padded, dim=1), self.net["value"](state).squeeze(1)

    def _bag(self, words: Sequence[Words]) -> Any:
        starts = np.cumsum([0, *(len(each) for each in words[:-1])])
        return self.net["words"](torch.from_numpy(np.concatenate(words)), torch.from_numpy(starts))

    def picks(self, sights: Sequence[Sight], draws: Sequence[float]) -> tuple[list[int], Any, Any]:
        """Return which commands are drawn by numbers of 0..1, their log-probabilities, values."""
        with torch.no_grad():
            logs, values = self.rated(sights)
        ends = logs.exp().cumsum(dim=1)
        drawn = (ends < torch.tensor(draws)[:, None] * ends[:, -1:]).sum(dim=1)
        most = torch.tensor([len(sight.commands) - 1 for sight in sights])
        taken = torch.minimum(drawn, most)
        return taken.tolist(), logs.gather(1, taken[:, None]).squeeze(1), values


def _stacked(rows: Iterable[Floats]) -> Any:
    return torch.from_numpy(np.stack(list(rows)))


class Learned:
    """A policy that acts in one world, drawing its commands by seed."""

    def __init__(self, policy: Policy, draws: random.Random) -> None:
        self._policy, self._draws = policy, draws
        self._follower = Follower()
        self._last: str | None = None

    async def begin(self, observation: Observation) -> None:
        """Take in the start of a task."""
        self._follower.begin(observation)
        self._last = None

    async def act(self, observation: Observation) -> str:
        """Return the next command; it never gives up."""
        if self._last is not None:
            self._follower.follow(self._last, observation)
        sight = self._follower.sight()
        (taken,), _, _ = self._policy.picks([sight], [self._draws.random()])
        self._last = sight.commands[taken]
        return self._last

    async def end(self, observation: Observation) -> None:
        """Take in how the task ended."""
        if self._last is not None:
            self._follower.follow(self._last, observation)
