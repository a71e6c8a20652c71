"""AriGraph as in its authors' code (arXiv 2407.04363; AIRI-Institute/AriGraph e884b76).

A graph of triplets, and the observations that they came from. An addition does what the code's
``update`` does before its search; a query does what its ``retrieve`` does, which answers questions.

    addition    two model calls: the model extracts triplets from the turns, then lists the known
                triplets that they replace. It is shown the known triplets that share a thing with
                the new ones, except those with a word in `SET_APART`
    passages    when the player goes north from "old" to "new", "new, is north of, old" and its
                reverse are added without the model. Triplets of two visited rooms are never removed
    query       one model call: the model names things, each with a depth
    semantic    a breadth-first search from each thing up to its depth: each name finds the `WIDTH`
                nearest triplets of similarity `THRESHOLD` or more, whose names are searched next
    episodic    the best `EPISODES` observations, at most k, by the sum of `relevance` and
                similarity to the query, each divided by its maximum

Malformed replies are read as in that code, mistakes included; a reply that would crash that code
adds nothing here. This module differs from that code in the following: prompts are worded for
TextWorld; an observation is the turns as rendered, with command and inventory; the triplets shown
as examples are the latest, since a query may change nothing here; a query before an action comes
before the observation is added, not after; `THRESHOLD` is on the scale of unit vectors.
"""

from __future__ import annotations

import math
import re
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from worldquiz.memory.base import Entry, Services
from worldquiz.memory.calls import DIGITS, Vectors, reply_object, reply_text

if TYPE_CHECKING:
    from worldquiz.memory.calls import Vector

WIDTH = 6
"""Most triplets that a name finds."""

THRESHOLD = 0.55
"""Least similarity at which a triplet is found."""

EPISODES = 2
"""Most observations that are recalled."""

EXAMPLES = 10
"""Number of last learnt triplets that the model is shown, so that it uses the same words."""

SET_APART = ("west", "east", "south", "north", "associated with", "used for", "to be")
"""Words of triplets that no triplet replaces."""

_ROOM = re.compile(r"^-= (.+) =-$", re.MULTILINE)  # as TextWorld, its game too, heads a room
_ENDS = """"'. `;:"""  # stripped off names and relations when they are learnt
_QUOTES = " '\n\""  # stripped off the parts of a reply
_SHORT = {"I": "inventory", "P": "player"}
_OPPOSITE = {"north": "south", "east": "west", "south": "north", "west": "east"}
_NIL = 1e-9


class Triplet(NamedTuple):
    """An edge of the semantic memory."""

    subject: str
    relation: str
    object: str

    def __str__(self) -> str:
        return ", ".join(self)

    @property
    def ends(self) -> tuple[str, str]:
        """The two things that the triplet joins."""
        return self.subject, self.object


class AriGraph:
    """AriGraph (arXiv 2407.04363) as in its authors' code: triplets, and their turns."""

    needs_model, needs_embedder, extra = True, True, "llm"

    def __init__(self, services: Services) -> None:
        """Raises `CatalogError` without an embedder."""
        self._model = services.model
        self._k = min(services.k, EPISODES)
        self._vectors, self._seen = Vectors(services), Vectors(services)
        self._things: dict[str, Vector] = {}  # every subject and object
        self._room = ""  # where the player is; "": no room was seen yet
        self.rooms: set[str] = set()  # visited
        self.triplets: list[Triplet] = []
        self.episodes: dict[str, tuple[Triplet, ...]] = {}  # by text: all, with duplicates

    async def add(self, entry: Entry) -> None:
        """Add the turns and the triplets extracted from them; remove those that these replace."""
        reply = await reply_text(
            self._model,
            "memory_arigraph_extract",
            known=lines(self.triplets[-EXAMPLES:]),
            turns=entry.text.rstrip("\n"),
        )
        drawn = list(drawn_in(reply))
        passages = list(self._passages(entry))
        await self._outdate(drawn)
        await self._learn([*drawn, *passages])
        if entry.text not in self.episodes:
            self._seen.rows += await self._seen.of([entry.text])
        self.episodes[entry.text] = tuple(map(cleared, drawn))

    async def recall(self, query: str) -> str:
        """Return the triplets found, in the order learnt, then observations, the best first."""
        if not self.episodes:
            return ""
        told = await reply_object(self._model, "memory_arigraph_items", {}, query=query)
        items = {
            name.lower(): depth  # up to which the model wants a thing looked up
            for name, depth in told.items()
            if isinstance(depth, int | float) and not isinstance(depth, bool)
        }
        found = await self.search(items)
        seen = "".join(await self.relevant(found, query))
        return f"Known:\n{lines(found)}\nSeen:\n{seen}"

    async def search(self, items: Mapping[str, float]) -> list[Triplet]:
        """Return the triplets near things, each searched to its depth, in the order learnt."""
        vectors = await self._vectors.of(list(items))
        places = [
            self._found(item, vector, depth)
            for vector, (item, depth) in zip(vectors, items.items(), strict=True)
        ]
        return [self.triplets[place] for place in sorted(set().union(*places))]

    async def relevant(self, found: Collection[Triplet], query: str) -> list[str]:
        """Return the best observations, the best first; of equally good ones, the earliest."""
        (vector,) = await self._seen.of([query])
        similar = _shares([float(each) for each in self._seen.similar(vector)])
        matches = _shares(
            [
                relevance(sum(triplet in drawn for triplet in found), len(drawn))
                for drawn in self.episodes.values()
            ]
        )
        scores = {
            text: round(match + alike, DIGITS)
            for text, match, alike in zip(self.episodes, matches, similar, strict=True)
        }
        return sorted(scores, key=lambda text: -scores[text])[: self._k]

    def _passages(self, entry: Entry) -> Iterator[Triplet]:
        """Follow the player through the turns, and yield triplets about passages between rooms.

        The direction of a passage is the first one that the command names.
        """
        for _, turn in entry.turns:
            heading = _ROOM.search(turn.observation.text)
            room = heading[1].lower() if heading else self._room
            before = self._room if turn.action is not None else room  # a task starts anew
            if room:
                self.rooms.add(room)
            action = turn.action or ""
            if before not in ("", room) and "go to" not in action:
                way = next((way for way in _OPPOSITE if way in action), None)
                back = way and _OPPOSITE[way]
                for here, there, to in ((room, before, way), (before, room, back)):
                    yield Triplet(here, f"is {to} of" if to else "can be achieved from", there)
            self._room = room

    async def _outdate(self, drawn: Collection[Triplet]) -> None:
        """Ask the model which known triplets are replaced, and remove these."""
        things = {end.lower() for triplet in drawn for end in triplet.ends}
        known = [
            triplet
            for triplet in self.triplets
            if not things.isdisjoint(triplet.ends)
            and not any(word in str(triplet) for word in SET_APART)
        ]
        new = [triplet for triplet in map(cleared, drawn) if triplet not in self.triplets]
        told = {"known": lines(known), "new": lines(new)}
        reply = await reply_text(self._model, "memory_arigraph_outdated", **told)
        for triplet in replaced_in(reply):
            if triplet in self.triplets and not self.rooms.issuperset(triplet.ends):
                place = self.triplets.index(triplet)
                del self.triplets[place]
                del self._vectors.rows[place]

    async def _learn(self, drawn: Iterable[Triplet]) -> None:
        told = [cleared(triplet) for triplet in drawn if triplet.relation != "free"]
        new = [triplet for triplet in dict.fromkeys(told) if triplet not in self.triplets]
        things = dict.fromkeys(end for triplet in new for end in triplet.ends)
        unknown = [thing for thing in things if thing not in self._things]
        vectors = await self._vectors.of([*map(str, new), *unknown])
        self.triplets += new
        self._vectors.rows += vectors[: len(new)]
        self._things |= dict(zip(unknown, vectors[len(new) :], strict=True))

    def _found(self, item: str, vector: Vector, most: float) -> set[int]:
        """Return the indices of the triplets that a search from one thing finds."""
        found: set[int] = set()
        depths = {item: 0}
        queue = deque([(item, vector)])
        while queue:
            name, vector = queue.popleft()
            if depths[name] >= most:
                continue
            for place in self._vectors.nearest(vector, WIDTH, least=THRESHOLD):
                found.add(place)
                for end in self.triplets[place].ends:
                    if end not in depths:
                        depths[end] = depths[name] + 1
                        queue.append((end, self._things[end]))
        return found


def relevance(found: int, drawn: int) -> float:
    """Return the relevance of an observation: `found` of its `drawn` triplets match the query.

    Equation 1 of the paper. The small number comes from the authors' code; without it, the
    logarithm for an observation with a single triplet would be 0.
    """
    count = drawn + _NIL
    return found / count * math.log(count)


def drawn_in(reply: str) -> Iterator[Triplet]:
    """Yield the triplets of a reply: ``subject, relation, object; ...``, as they are written."""
    for part in reply.split(";"):
        told = part[2:] if part[:1] in tuple("123456789") else part
        if part.count(",") == told.count(",") == 2:
            subject, relation, thing = told.split(",")
            triplet = Triplet(
                subject.split(":")[-1].strip(_QUOTES), relation.strip(_QUOTES), thing.strip(_QUOTES)
            )
            if all(triplet):
                yield triplet


def replaced_in(reply: str) -> Iterator[Triplet]:
    """Yield the triplets that are replaced: ``[[known -> new], ...]``, as they are written."""
    text = reply.split("[[" if "[[" in reply else "[\n[")[-1]
    for pair in text.replace("[", "").strip("]").split("],"):
        known, *new = pair.split("->")
        parts = known.split(",")
        if len(new) == 1 and len(parts) == 3:
            yield Triplet(*(part.strip(_QUOTES) for part in parts))


def cleared(triplet: Triplet) -> Triplet:
    """Return a triplet as it is stored: in lower case, its parts without quotes and end marks."""
    subject, thing = (_SHORT.get(end, end) for end in triplet.ends)
    return Triplet(*(part.lower().strip(_ENDS) for part in (subject, triplet.relation, thing)))


def lines(triplets: Collection[Triplet]) -> str:
    """Return triplets, one per line, or "(none)"."""
    return "\n".join(map(str, triplets)) or "(none)"


def _shares(numbers: Sequence[float]) -> list[float]:
    """Return numbers divided by their maximum; 0 if the maximum is 0."""
    most = max(numbers, default=0.0)
    return [number / most if most else 0.0 for number in numbers]
