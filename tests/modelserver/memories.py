"""Being a memory's model: replies of the shape that each memory system asks for.

What is remembered stays readable: facts are the added turns word for word, one a turn, and a
summary is made of the map's own sentences and of turns. So what is recalled can be read exactly,
and what a memory has lost is lost by the memory itself, or by `lossy`.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from modelserver.history import Told, turns
from modelserver.protocol import Reply, Request, Text, Use, Uses
from worldquiz.t2q.reader.context import read_context
from worldquiz.t2q.reader.questions import read_question
from worldquiz.t2q.reader.sentences import render
from worldquiz.t2q.reader.text import (
    RoomView,
    Said,
    Statement,
    read_inventory,
    read_objective,
    read_replies,
    read_view,
)

SUMMARY = 3900
"""Letters that a summary may have: a few less than worldquiz cuts it off at."""

_SPEAKER = re.compile(r"^(?:user|assistant|system): (?=\[task )", re.MULTILINE)
_INSTANCE = re.compile(r'<instance id=(\S+) schema_type="\w*">\n(.*?)\n</instance>', re.DOTALL)
_NEIGHBOUR = re.compile(
    r"^(?P<n>\d+) \| content: .*? \| context: (?P<context>.*?) \| keywords: (?P<keywords>.*?)"
    r" \| tags: (?P<tags>.*)$",
    re.MULTILINE,
)


def told_in(text: str) -> list[str]:
    """Return the turns that stand in a text, word for word, each once."""
    text = _SPEAKER.sub("", text)
    found = (text[turn.start : turn.end].strip() for turn in turns(text) if turn.text)
    return list(dict.fromkeys(found))


class Librarian:
    """Keeps turns verbatim, one fact a turn; drops a share of them, by a hash of the turn."""

    def __init__(self, lossy: float = 0.0, seed: int = 0) -> None:
        if not 0 <= lossy <= 1:
            raise ValueError(f"lossy: {lossy} is not between 0 and 1")
        self._lossy, self._seed = lossy, seed
        self._replies: dict[str, Callable[[Request], Reply]] = {
            "memory mem0 extract": self._mem0_extract,
            "memory langmem": self._langmem,
            "memory amem note": self._amem_note,
            "memory amem evolve": _amem_evolve,
            "memory amem keywords": _amem_keywords,
            "memory arigraph extract": self._arigraph_extract,
            "memory arigraph outdated": _arigraph_outdated,
            "memory arigraph items": _arigraph_items,
            "memory summary": self._summary,
        }

    def __call__(self, role: str, request: Request) -> Reply:
        """Return the reply to a memory's request; its note counts the turns that were dropped."""
        return self._replies[role](request)

    def drops(self, turn: str) -> bool:
        """Tell whether a turn is among those dropped."""
        hashed = hashlib.blake2b(f"{self._seed}\n{turn.strip()}".encode(), digest_size=8).digest()
        return int.from_bytes(hashed, "big") < self._lossy * 2**64

    def _kept(self, text: str) -> tuple[list[str], str]:
        """Return the turns of a text that are kept, and a note where some are not."""
        told = told_in(text)
        kept = [turn for turn in told if not self.drops(turn)]
        return kept, f"dropped {len(told) - len(kept)}" if len(kept) < len(told) else ""

    def _mem0_extract(self, request: Request) -> Reply:
        """Reply to mem0: new messages only, everything as the user's."""
        _, _, said = request.messages[-1].text.rpartition("## New Messages\n")
        kept, note = self._kept(said.partition("\n\n## Observation Date\n")[0])
        facts = [
            {"id": str(number), "text": turn, "attributed_to": "user"}
            for number, turn in enumerate(kept)
        ]
        return _json({"memory": facts}, note)

    def _langmem(self, request: Request) -> Reply:
        """Reply to LangMem: a memory a turn, or a patch where nothing may be added."""
        session = request.messages[-1].text
        kept, note = self._kept(session[session.rfind("<session_") :])
        stored = {id: _content(value) for id, value in _INSTANCE.findall(request.text)}
        new = [turn for turn in kept if turn not in stored.values()]
        names = {tool.name for tool in request.tools}
        if new and "Memory" in names:
            return Uses(tuple(Use("Memory", {"content": turn}) for turn in new), note)
        if stored and "PatchDoc" in names:
            id, old = next(iter(stored.items()))
            value = "\n".join([old, *new])
            patches = [{"op": "replace", "path": "/content", "value": value}] if new else []
            told = {"json_doc_id": id, "planned_edits": "as told", "patches": patches}
            return Uses((Use("PatchDoc", told),), note)
        return Text("There is nothing to remember.", note=note)

    def _amem_note(self, request: Request) -> Reply:
        """Reply with a note card; a dropped turn gets an empty one. A-MEM keeps the turn itself."""
        kept, note = self._kept(_between(request.text, "turns"))
        words = [word for turn in turns("\n".join(kept)) for word in _names(turn)]
        about = ", ".join(dict.fromkeys(words)) or "nothing"
        card = {
            "keywords": list(dict.fromkeys(words)),
            "context": f"The player met {about}.",
            "tags": ["game", "world", "place"],
        }
        return _json(card if kept else {"keywords": [], "context": "", "tags": []}, note)

    def _arigraph_extract(self, request: Request) -> Reply:
        """Reply with what the turns state as triplets."""
        kept, note = self._kept(_between(request.text, "turns"))
        found = [triplet for turn in turns("\n".join(kept)) for triplet in _triplets(turn)]
        return Text("; ".join(map(", ".join, found)) or "none", note=note)

    def _summary(self, request: Request) -> Reply:
        """Reply with the map of all earlier tasks in sentences, and this task's turns verbatim."""
        before = _between(request.text, "summary").replace("(nothing yet)", "")
        kept, note = self._kept(_between(request.text, "turns"))
        told = list(turns("\n".join([before, *kept])))
        text = "\n".join([before, *kept])
        current = [turn for turn in told if turn.text and turn.task == told[-1].task]
        cut = min((turn.start for turn in current), default=len(text))
        map_ = render(read_context(text[:cut]).graph)
        whole = f"{map_}\n{text[cut:]}".strip()
        if len(whole) > SUMMARY:
            whole = render(read_context(text).graph)
        return Text(whole or "Nothing has happened yet.", note=note)


def _json(value: dict[str, Any], note: str = "") -> Text:
    return Text(json.dumps(value, ensure_ascii=False), note=note)


def _between(text: str, tag: str) -> str:
    """Return what stands between a tag's two ends."""
    _, _, rest = text.rpartition(f"<{tag}>\n")
    return rest.partition(f"\n</{tag}>")[0]


def _content(shown: str) -> str:
    """Return the text of a stored memory, which LangMem shows as a Python value."""
    try:
        value = ast.literal_eval(shown)
    except (ValueError, SyntaxError):
        return shown
    return str(value.get("content", "")) if isinstance(value, dict) else str(value)


def _amem_evolve(request: Request) -> Reply:
    """Reply with links to the neighbours that share a keyword; their cards stay as they are."""
    listed, _, new = request.text.rpartition("\nThe new note:\n")
    neighbours = [match.groupdict() for match in _NEIGHBOUR.finditer(listed)]
    note = _NEIGHBOUR.match(f"0 | {new}")
    own = set(_split(note["keywords"])) if note else set()
    near = [int(one["n"]) for one in neighbours if own & set(_split(one["keywords"]))]
    return _json(
        {
            "should_evolve": bool(near),
            "actions": ["strengthen"] if near else [],
            "suggested_connections": near,
            "tags_to_update": _split(note["tags"]) if note else [],
            "new_context_neighborhood": [one["context"] for one in neighbours],
            "new_tags_neighborhood": [_split(one["tags"]) for one in neighbours],
        }
    )


def _amem_keywords(request: Request) -> Reply:
    """Reply with what a query names."""
    return _json({"keywords": ", ".join(_sought(_between(request.text, "query")))})


def _arigraph_items(request: Request) -> Reply:
    """Reply with what a query names, all to the same depth."""
    return _json(dict.fromkeys(_sought(_between(request.text, "query")), 2))


def _sought(query: str) -> list[str]:
    """Return the rooms and things that a scene or a question names, else its longer words."""
    view = read_view(query)
    if view is not None:
        return list(dict.fromkeys(_in_view(view)))
    asked = read_question(query)
    if asked is not None:
        return [name for role, name in asked.names.items() if role not in _NO_NAMES]
    return [word for word in re.findall(r"\w{3,}", query.lower()) if word != "the"]


_NO_NAMES = ("way", "compass", "state")


def _arigraph_outdated(request: Request) -> Reply:
    """Reply with what is outdated, each with what replaces it."""
    pairs = [f"[{', '.join(old)} -> {', '.join(new)}]" for old, new in _replaced(request)]
    return Text(f"[{', '.join(pairs)}]")


def _replaced(request: Request) -> Iterator[tuple[list[str], list[str]]]:
    """Yield known states that a new state replaces, and old places of what moved."""
    known, _, new = request.text.rpartition("Known triplets:\n")[2].partition("New triplets:\n")
    told = [_split(line) for line in new.splitlines()]
    states = {(parts[0], parts[1]): parts for parts in told if len(parts) == 3}
    for parts in map(_split, known.splitlines()):
        if len(parts) == 3 and parts[1] in ("is", "is at"):
            state = states.get((parts[0], parts[1]), parts)
            if state[2] != parts[2]:
                yield parts, state


def _split(line: str) -> list[str]:
    return [part.strip() for part in line.split(",") if part.strip()]


def _names(turn: Told) -> Iterator[str]:
    """Yield the rooms and things that a turn names."""
    view = read_view(turn.text)
    if view is not None:
        yield from _in_view(view)
        return
    for reply in read_replies(turn.text):
        yield from (name for name in (reply.noun, reply.second, *(reply.listed or ())) if name)


def _in_view(view: RoomView) -> Iterator[str]:
    yield view.room
    yield from (door for door in view.exits.values() if door)
    yield from view.furniture
    yield from (thing for things in view.contents.values() for thing in things)


_STATES = {
    Said.OPENED: "open", Said.CLOSED: "closed", Said.IS_OPEN: "open", Said.IS_CLOSED: "closed",
    Said.LOCKED: "locked", Said.IS_LOCKED: "locked", Said.UNLOCKED: "unlocked",
    Said.IS_UNLOCKED: "unlocked", Said.ATE: "food", Said.INEDIBLE: "inedible",
}  # fmt: skip


def _triplets(turn: Told) -> Iterator[Sequence[str]]:
    """Yield what a turn states."""
    view = read_view(turn.text)
    if view is not None:
        yield from _view_triplets(view)
    for told in read_objective(turn.objective):
        if told.spot:
            yield told.thing, "is at", told.spot
    for reply in read_replies(turn.text):
        yield from _reply_triplets(reply)
    for thing in read_inventory(turn.inventory):
        yield thing, "is at", "player"


def _view_triplets(view: RoomView) -> Iterator[Sequence[str]]:
    for way, door in view.exits.items():
        yield view.room, f"has an exit {way} through", door or "no door"
    for name, kind in view.furniture.items():
        yield name, "is at", view.room
        yield name, "is a", kind
    for name, is_open in view.lids.items():
        yield name, "is", "open" if is_open else "closed"
    for spot, things in view.contents.items():
        yield from ((thing, "is at", spot) for thing in things)


def _reply_triplets(reply: Statement) -> Iterator[Sequence[str]]:
    if reply.noun:
        if reply.said in _STATES:
            yield reply.noun, "is", _STATES[reply.said]
        yield from ((thing, "is at", reply.noun) for thing in reply.listed or ())
