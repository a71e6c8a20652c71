"""AriGraph from its paper: triplets, and the turns that they came from (arXiv 2407.04363).

Natively from the paper, section 3 and its algorithms 1 and 2.

    semantic memory   triplets (subject, relation, object) that the model draws from what is seen;
                      known ones that share a thing with new ones are compared with them, and
                      removed where the model finds them outdated
    episodic memory   every observation, tied to all triplets that were drawn from it
    semantic search   the `WIDTH` triplets nearest to the query, then those nearest to each thing in
                      them, and so on, `DEPTH` levels deep (algorithm 2)
    episodic search   the k observations of most relevance: with n of its N triplets found,
                      n / max(N, 1) * log(max(N, 1)) (equation 1)

One call of the model an addition, a second one where something known may be outdated. The paper's
agent asks with the things that its plan names; here the query of the run is asked, as of every
memory. An observation tied to one triplet has relevance 0 by equation 1, and is never recalled.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, NamedTuple

from worldquiz.llm.json_replies import said
from worldquiz.memory.arigraph import EXAMPLES, WIDTH, Triplet, lines
from worldquiz.memory.base import Entry, Recalled, Services
from worldquiz.memory.llm_call import Asking
from worldquiz.memory.retrieval import Vectors

if TYPE_CHECKING:
    from worldquiz.memory.retrieval import Vector

DEPTH = 2
"""Levels of the semantic search."""


class EpisodicVertex(NamedTuple):
    """A vertex of the episodic memory with its edge."""

    text: str  # the turns, verbatim
    drawn: frozenset[Triplet]  # all that was drawn from them, outdated or not


class AriGraphPaper:
    """One world's memory graph."""

    def __init__(self, services: Services) -> None:
        """Raises `CatalogError` without an embedder."""
        self.asking = Asking(services.model)
        self._k = services.wiring.k
        self._vectors = Vectors(services)  # of the triplets
        self._things: dict[str, Vector] = {}  # every subject and object
        self.triplets: list[Triplet] = []
        self.episodes: list[EpisodicVertex] = []

    async def add(self, entry: Entry) -> None:
        """Draw triplets from the turns, remove what they make outdated, and keep both."""
        told = await self.asking.fields(
            "memory_arigraph_paper_extract",
            "triplets",
            known=lines(self.triplets[-EXAMPLES:]),
            turns=entry.text.rstrip("\n"),
        )
        drawn = list(dict.fromkeys(_triplets(told.get("triplets"))))
        self.episodes.append(EpisodicVertex(entry.text, frozenset(drawn)))
        new = [triplet for triplet in drawn if triplet not in self.triplets]
        if new:
            await self._outdate(drawn, new)
            await self._learn(new)

    async def recall(self, query: str) -> Recalled:
        """Return triplets in the order learnt, then observations in the order made."""
        if not self.triplets:
            return Recalled()
        (vector,) = await self._vectors.of([query])
        found = [self.triplets[place] for place in sorted(self._search(vector))]
        seen = "".join(self.episodes[place].text for place in sorted(self._relevant(found)))
        known = f"Known:\n{lines(found)}\n"
        return Recalled((known, f"Seen:\n{seen}") if seen else (known,))

    async def _outdate(self, drawn: Collection[Triplet], new: Collection[Triplet]) -> None:
        """Remove known triplets that new ones replace, of those that share a thing with them."""
        things = {thing for triplet in drawn for thing in triplet.ends}
        known = [
            triplet
            for triplet in self.triplets
            if triplet not in drawn and not things.isdisjoint(triplet.ends)
        ]
        if not known:
            return
        told = await self.asking.fields(
            "memory_arigraph_paper_outdated", "outdated", known=lines(known), new=lines(new)
        )
        for triplet in dict.fromkeys(_triplets(told.get("outdated"))):
            if triplet in known:
                place = self.triplets.index(triplet)
                del self.triplets[place]
                self._vectors.remove(place)

    async def _learn(self, new: Collection[Triplet]) -> None:
        things = dict.fromkeys(thing for triplet in new for thing in triplet.ends)
        unknown = [thing for thing in things if thing not in self._things]
        vectors = await self._vectors.of([*map(str, new), *unknown])
        self.triplets += new
        self._vectors.add(vectors[: len(new)])
        self._things |= dict(zip(unknown, vectors[len(new) :], strict=True))

    def _search(self, query: Vector) -> set[int]:
        """Return the places of the triplets that a query finds (algorithm 2)."""
        found: set[int] = set()
        met: set[str] = set()
        queue = deque([(query, 0)])
        while queue:
            vector, depth = queue.popleft()
            if depth == DEPTH:
                continue
            for place in self._vectors.nearest(vector, WIDTH):
                found.add(place)
                for thing in self.triplets[place].ends:
                    if thing not in met:
                        met.add(thing)
                        queue.append((self._things[thing], depth + 1))
        return found

    def _relevant(self, found: Collection[Triplet]) -> list[int]:
        """Return the places of the k observations of most relevance, ties to the earliest."""
        wanted = frozenset(found)
        scores = [relevance(len(e.drawn & wanted), len(e.drawn)) for e in self.episodes]
        ranked = sorted((-score, place) for place, score in enumerate(scores) if score > 0)
        return [place for _, place in ranked[: self._k]]


def relevance(found: int, drawn: int) -> float:
    """Return an observation's relevance, where `found` of the triplets `drawn` from it were found.

    Equation 1: the share of them, times the logarithm of how many there are, so that an observation
    that says little does not come first.
    """
    count = max(drawn, 1)
    return found / count * math.log(count)


def _triplets(value: object) -> Iterator[Triplet]:
    """Yield the triplets of a reply: lists of three texts, or texts with two commas."""
    for item in value if isinstance(value, list) else []:
        parts = item.split(",") if isinstance(item, str) else item
        if isinstance(parts, list) and len(parts) == 3:
            ends = [said(part).lower() for part in parts]
            if all(ends):
                yield Triplet(*ends)
