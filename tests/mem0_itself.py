"""Mem0 as its README makes it, beside ours: the same turns and replies, compared by operation.

Theirs speaks OpenAI's protocol to the server for replies and for vectors, has Qdrant on the disk,
and knows a user. Ours gets its replies first; they are kept and played to theirs.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import anyio.to_thread

from modelserver import Reply, Request, Script, Text
from modelserver.protocol import DIMENSIONS
from remembering import Words
from worldquiz.llm.model import Http, Model
from worldquiz.memory import mem0
from worldquiz.memory.base import Entry, Services, Wiring

Note = Callable[[str, object, object], None]
"""Takes an operation, and what theirs and ours made of it."""

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
LONG = 100_000
"""Tokens of a reply: by itself, mem0 has replies cut at 2,000, and a cut list counts as none."""
_DIGITS = 5  # of a score


class Recorded:
    """A script whose replies are kept, and then played once more; `asked` are all prompts."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self.kept: list[Reply] = []
        self.asked: list[str] = []
        self.plays = False

    def __call__(self, request: Request) -> Reply:
        self.asked.append(_DAY.sub("DAY", request.text))
        if self.plays:
            return self.kept.pop(0)
        self.kept.append(self._script(request))
        return self.kept[-1]


def odd(script: Script, dice: random.Random, share: float = 0.5) -> Script:
    """Return a script whose replies to mem0 are, at times, facts in other words and odd forms."""

    def reply(request: Request) -> Reply:
        told = script(request)
        if not isinstance(told, Text) or dice.random() >= share:
            return told
        return Text(_spoiled(told.text, dice))

    return reply


def _sentences(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"(?<=[.!?])\s+", text) if len(part) > 3]


def _spoiled(said: str, dice: random.Random) -> str:
    """Return another reply: one fact a sentence, repeated ones, and what is no list."""
    parts = [part for each in json.loads(said)["memory"] for part in _sentences(each["text"])]
    facts: list[Any] = [{"id": str(n), "text": part} for n, part in enumerate(parts)]
    forms: list[Callable[[], str]] = [
        lambda: json.dumps({"memory": facts}),
        lambda: json.dumps({"memory": facts + facts[:2]}),
        lambda: "```json\n" + json.dumps({"memory": facts[:3]}) + "\n```",
        lambda: "Here you are:\n" + json.dumps({"memory": facts[1:]}),
        lambda: json.dumps({"memory": [{"id": "0"}, *facts[:1], {"id": "9", "text": ""}]}),
        lambda: json.dumps({"memory": []}),
        lambda: "There is nothing to keep.",
    ]  # fmt: skip
    return dice.choice(forms)()


def itself(base_url: str, folder: Path) -> Any:
    """Return mem0's own memory; a server stands in for OpenAI."""
    disk = {"path": str(folder / "qdrant"), "embedding_model_dims": DIMENSIONS}
    reach = {"openai_base_url": base_url, "api_key": "none"}
    memory = mem0._library().Memory.from_config({
        "llm": {"provider": "openai", "config": {"model": "m", "max_tokens": LONG, **reach}},
        "embedder": {"provider": "openai",
                     "config": {"model": "e", "embedding_dims": DIMENSIONS, **reach}},
        "vector_store": {"provider": "qdrant", "config": disk},
        "history_db_path": str(folder / "history.db"),
    })  # fmt: skip
    if find_spec("fastembed"):  # else it would fetch a list of stop words
        memory.vector_store._bm25_encoder = mem0._keywords()[0]
    return memory


async def compare(
    story: Sequence[Entry], queries: Sequence[str], script: Script, note: Note, folder: Path,
    serving: Callable[..., Any], *, k: int = 10,
) -> None:  # fmt: skip
    """Add turns to both memories, and note after each what they hold and find."""
    recorded = Recorded(script)
    with serving(recorded) as server:
        model = Http("m", server.base_url, "none")
        theirs = itself(server.base_url, folder)
        await _compare(story, queries, recorded, note, theirs, model, k)
        await model.close()


async def _compare(
    story: Sequence[Entry], queries: Sequence[str], recorded: Recorded, note: Note, theirs: Any,
    model: Model, k: int,
) -> None:  # fmt: skip
    ours = mem0.Mem0(Services(model, Words(), "w", Wiring(k=k)))
    counted: list[int] = []
    for number, entry in enumerate(story):
        asked = []
        for plays in (False, True):
            recorded.plays, recorded.asked = plays, []
            if plays:
                await anyio.to_thread.run_sync(_added, theirs, entry.text)
            else:
                await ours.add(entry)
            asked.append(recorded.asked)
        note("prompts of an addition", *asked[::-1])
        note("memories", _memories(theirs, user_id="u"), _memories(ours._memory, run_id="w"))
        done = [_events(memory)[sum(counted) :] for memory in (theirs, ours._memory)]
        counted.append(len(done[0]))
        if any(done):
            note("additions", *done)
        for query in queries[number % len(queries) :][:2]:
            found = await anyio.to_thread.run_sync(_found, theirs, query, k)
            mine = await ours._calls.serve(lambda query=query: ours._search(query))  # type: ignore[misc]
            note("search", _scored(found), _scored(mine))
            shown = (await ours.recall(query)).text
            note("handed over", all(piece["memory"].strip() in shown for piece in found), True)
    theirs.vector_store.client.close()
    theirs.close()
    ours.close()


def _added(memory: Any, text: str) -> None:
    memory.add([{"role": "user", "content": text}], user_id="u")


def _found(memory: Any, query: str, k: int) -> list[dict[str, Any]]:
    return list(memory.search(query, filters={"user_id": "u"}, top_k=k)["results"])


def _scored(found: Sequence[dict[str, Any]]) -> list[tuple[float, str]]:
    """Return what was found, the best first; what is equally good by its text."""
    return sorted((-round(piece["score"], _DIGITS), piece["memory"]) for piece in found)


def _memories(memory: Any, **whose: str) -> list[str]:
    held = memory.get_all(filters=whose, top_k=10_000)
    return sorted(piece["memory"] for piece in held["results"])


def _events(memory: Any) -> list[tuple[Any, ...]]:
    """Return what was done to memories, in order: what, and the text before and after."""
    lines = memory.db.connection.execute(
        "SELECT event, old_memory, new_memory FROM history ORDER BY rowid"
    )
    return [tuple(line) for line in lines]
