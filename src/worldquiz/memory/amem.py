"""A-MEM as in its authors' code (arXiv 2502.12110; WujiangXu/AgenticMemory 7f716dc).

The model writes notes, links them to one another, and rewrites them as new notes arrive. Where the
code differs from the paper, this module follows the code.

    index      the vector of a new note comes from its context and keywords only, and stays when the
               note changes. After every `CONSOLIDATED` additions that let notes evolve, all notes
               get new vectors, from content, context, keywords and tags
    addition   two model calls: one writes the note, one links it and rewrites the nearest notes
    links      lead from the new note to the notes whose numbers the model gives, with repetitions
    query      one model call: the model gives keywords; notes are searched for by these
    recall     the k nearest notes, the nearest first, each followed by the notes that it links to;
               once there are k linked notes, each further note adds at most one

Some oddities of the code are kept: a note may be recalled twice; tags may be replaced by an empty
list; among equally near notes the latest comes first. This module differs from the code as follows:
prompts are worded for TextWorld, headings of turns replace timestamps, an unreadable reply does not
stop the run, and a link to a missing note is skipped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from worldquiz.facts.replies import said
from worldquiz.memory.base import Entry, Services
from worldquiz.memory.calls import Vectors, listed, reply_object

NEIGHBOURS = 5
"""How many of the nearest notes are candidates for links and evolution."""
CONSOLIDATED = 100
"""Number of additions that let notes evolve after which all notes are embedded anew."""
UNTOLD = "General"
"""The context of a note for which the model gave none."""

_TEXTS: Mapping[str, Any] = {"type": "array", "items": {"type": "string"}}
_NOTE = {"keywords": _TEXTS, "context": {"type": "string"}, "tags": _TEXTS}
_EVOLVE = {
    "should_evolve": {"type": "boolean"},
    "actions": _TEXTS,
    "suggested_connections": {"type": "array", "items": {"type": "integer"}},
    "tags_to_update": _TEXTS,
    "new_context_neighborhood": _TEXTS,
    "new_tags_neighborhood": {"type": "array", "items": _TEXTS},
}
_KEYWORDS = {"keywords": {"type": "string"}}


@dataclass(frozen=True, slots=True)
class Note:
    """One note, without its links."""

    content: str  # the turns, verbatim
    keywords: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    context: str = ""  # a sentence

    @property
    def shown(self) -> str:
        """The note as text for the prompt."""
        told = [self.context] if self.context else []
        told += [f"Keywords: {', '.join(self.keywords)}."] if self.keywords else []
        told += [f"Tags: {', '.join(self.tags)}."] if self.tags else []
        return f"{self.content}Note: {' '.join(told)}\n" if told else self.content

    @property
    def line(self) -> str:
        """The note as shown to the model that decides how notes evolve."""
        return (
            f"content: {' '.join(self.content.split())} | context: {self.context} | "
            f"keywords: {', '.join(self.keywords)} | tags: {', '.join(self.tags)}"
        )


class AMem:
    """A-MEM (arXiv 2502.12110) as in its authors' code: linked notes."""

    needs_model, needs_embedder, extra = True, True, "llm"

    def __init__(self, services: Services) -> None:
        """Raises `CatalogError` without an embedder."""
        self._model = services.model
        self._k = services.k
        self._vectors = Vectors(services)
        self._evolved = 0  # additions at which the model let notes evolve
        self.notes: list[Note] = []
        self.links: list[list[int]] = []  # of each note: numbers of notes, as the model gave them

    async def add(self, entry: Entry) -> None:
        """Write a note, link it, and let its neighbours evolve."""
        turns = entry.text.rstrip("\n")
        told = await reply_object(self._model, "memory_amem_note", _NOTE, turns=turns)
        keywords, tags = _texts(told.get("keywords")), _texts(told.get("tags"))
        note = Note(entry.text, keywords, tags, said(told.get("context")) or UNTOLD)
        near = await self.near(note.content, NEIGHBOURS)
        told = await reply_object(
            self._model, "memory_amem_evolve", _EVOLVE, count=str(len(near)), note=note.line,
            neighbours="\n".join(f"{place} | {self.notes[place].line}" for place in near),
        )  # fmt: skip
        evolves = said(told.get("should_evolve")).lower() in ("yes", "true")
        links: list[int] = []
        for action in _texts(told.get("actions")) if evolves else ():
            if action == "strengthen":
                said_ = (
                    said(each)
                    for each in listed(told.get("suggested_connections"))
                    if not isinstance(each, bool)
                )  # without a schema they may be texts
                links += (int(text) for text in said_ if text.isdecimal())
                note = replace(note, tags=_texts(told.get("tags_to_update")))
            elif action == "update_neighbor":
                self._update(near, told)
        self.notes.append(note)
        self.links.append(links)
        indexed = f"{note.context} keywords: {', '.join(note.keywords)}"
        self._vectors.rows += await self._vectors.of([indexed])
        self._evolved += evolves
        if evolves and self._evolved % CONSOLIDATED == 0:  # all are embedded anew
            texts = [f"{each.content} , {each.context} {' '.join(each.keywords)} "
                     f"{' '.join(each.tags)}" for each in self.notes]  # fmt: skip
            self._vectors.rows = await self._vectors.of(texts)

    async def recall(self, query: str) -> str:
        """Return the notes nearest to the query's keywords, each with its linked notes."""
        if not self.notes:
            return ""
        told = await reply_object(self._model, "memory_amem_keywords", _KEYWORDS, query=query)
        asked = said(told.get("keywords")) or query
        places = self.with_linked(await self.near(asked, self._k))
        return "".join(self.notes[place].shown for place in places)

    async def near(self, text: str, count: int) -> list[int]:
        """Return the numbers of the notes nearest to a text, the nearest first."""
        if not self.notes:
            return []
        (vector,) = await self._vectors.of([text])
        return self._vectors.nearest(vector, count, latest=True)

    def with_linked(self, found: Sequence[int]) -> list[int]:
        """Return the notes found, each followed by its linked notes."""
        places, linked = [], 0
        for place in found:
            places.append(place)
            for other in self.links[place]:
                if 0 <= other < len(self.notes):
                    places.append(other)
                if linked >= self._k:
                    break
                linked += 1
        return places

    def _update(self, near: Sequence[int], told: Mapping[str, Any]) -> None:
        """Give the neighbours the model's new tags and, if there are any, new contexts."""
        contexts = listed(told.get("new_context_neighborhood"))
        for n, (place, tags) in enumerate(
            zip(near, listed(told.get("new_tags_neighborhood")), strict=False)
        ):
            context = said(contexts[n]) if n < len(contexts) else self.notes[place].context
            self.notes[place] = replace(self.notes[place], tags=_texts(tags), context=context)


def _texts(value: object) -> tuple[str, ...]:
    """Return the texts in a JSON list, with repetitions; () for any other value."""
    return tuple(text for item in listed(value) if (text := said(item)))
