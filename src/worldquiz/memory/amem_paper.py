"""A-MEM from its paper: notes, linked and rewritten as others arrive (arXiv 2502.12110).

After the slip box (Zettelkasten), natively from the paper; the numbers are its equations.

    note construction  3.1  m = {c, t, K, G, X, e, L}: content, time, keywords, tags, context,
                            embedding, links (1); the model writes K, G and X (2); e is the
                            embedding of c, K, G and X together (3)
    link generation    3.2  the nearest notes by cosine (4, 5); the model says which to link (6)
    memory evolution   3.3  the model rewrites context and tags of those neighbours (7)
    retrieval          3.4  the k nearest notes to the query (8-10), and what is linked to them

Links and evolution are one call, as in the authors' code: two calls an addition, one for the first.
What the paper leaves open, and how it is here: content is the turns as rendered, whose headings are
the time; a link counts both ways, since linked notes are "within the same box"; a note that changed
is embedded again at once; at most k linked notes join the k found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from worldquiz.llm.json_replies import said
from worldquiz.memory.amem import NEIGHBOURS, Note
from worldquiz.memory.base import Entry, Recalled, Services
from worldquiz.memory.llm_call import Asking, listed, words
from worldquiz.memory.retrieval import Vectors


class AMemPaper:
    """One world's box of notes."""

    def __init__(self, services: Services) -> None:
        """Raises `CatalogError` without an embedder."""
        self.asking = Asking(services.model)
        self._k = services.wiring.k
        self._vectors = Vectors(services)
        self.notes: list[Note] = []
        self.links: list[set[int]] = []  # of each note: places of others

    async def add(self, entry: Entry) -> None:
        """Write a note, link it, and let its neighbours evolve."""
        note = await self._written(entry.text)
        (vector,) = await self._vectors.of([_embedded(note)])
        near = self._vectors.nearest(vector, NEIGHBOURS)
        self.notes.append(note)
        self.links.append(set())
        self._vectors.add([vector])
        if near:
            await self._evolve(len(self.notes) - 1, near)

    async def recall(self, query: str) -> Recalled:
        """Return the nearest notes and those linked to them, in the order written."""
        if not self.notes:
            return Recalled()
        (vector,) = await self._vectors.of([query])
        found = self._vectors.nearest(vector, self._k)
        linked = [place for place in self._linked(found) if place not in found]
        places = sorted({*found, *linked[: self._k]})
        return Recalled(("".join(self.notes[place].shown for place in places),))

    def _linked(self, found: Sequence[int]) -> list[int]:
        """Return what is linked to the notes found: the best found note's links first."""
        return list(dict.fromkeys(p for place in found for p in sorted(self.links[place])))

    async def _written(self, content: str) -> Note:
        """Construct a note (2); without keywords, tags and context if the reply is unreadable."""
        told = await self.asking.fields(
            "memory_amem_note", "keywords", "context", "tags", turns=content.rstrip("\n")
        )
        return Note(
            content, words(told.get("keywords")), words(told.get("tags")), said(told.get("context"))
        )

    async def _evolve(self, new: int, near: Sequence[int]) -> None:
        """Link the new note (6) and rewrite its neighbours (7), as the model sees fit."""
        told = await self.asking.fields(
            "memory_amem_evolve",
            "should_evolve",
            count=str(len(near)),
            neighbours="\n".join(f"{n} | {self.notes[place].line}" for n, place in enumerate(near)),
            note=self.notes[new].line,
        )
        actions = words(told.get("actions"))
        if said(told.get("should_evolve")).lower() not in ("yes", "true"):
            return
        changed: dict[int, Note] = {}
        if "strengthen" in actions:
            self._link(new, [near[n] for n in _numbers(told, len(near))])
            tags = words(told.get("tags_to_update"))
            changed[new] = replace(self.notes[new], tags=tags or self.notes[new].tags)
        if "update_neighbor" in actions:
            changed |= self._neighbours(near, told)
        await self._rewrite(changed)

    def _link(self, new: int, others: Sequence[int]) -> None:
        for other in others:
            self.links[new].add(other)
            self.links[other].add(new)

    def _neighbours(self, near: Sequence[int], told: Mapping[str, Any]) -> dict[int, Note]:
        """Return the neighbours as they should be; what the reply does not say, stays."""
        contexts = listed(told.get("new_context_neighborhood"))
        tags = listed(told.get("new_tags_neighborhood"))
        changed: dict[int, Note] = {}
        for n, place in enumerate(near):
            note = self.notes[place]
            context = said(contexts[n]) if n < len(contexts) else ""
            tagged = words(tags[n]) if n < len(tags) else ()
            changed[place] = replace(
                note, context=context or note.context, tags=tagged or note.tags
            )
        return changed

    async def _rewrite(self, changed: Mapping[int, Note]) -> None:
        """Put evolved notes in place of the old ones, and embed them again."""
        places = sorted(place for place, note in changed.items() if note != self.notes[place])
        vectors = await self._vectors.of([_embedded(changed[place]) for place in places])
        for place, vector in zip(places, vectors, strict=True):
            self.notes[place] = changed[place]
            self._vectors.replace(place, vector)


def _embedded(note: Note) -> str:
    """Return what a note is found by (3)."""
    return "\n".join(part for part in (note.content.strip(), *note.added()) if part)


def _numbers(told: Mapping[str, Any], count: int) -> Iterator[int]:
    """Yield the numbers of neighbours that a reply suggests to link; others are not there."""
    for text in words(told.get("suggested_connections")):
        if text.isdecimal() and int(text) < count:
            yield int(text)
