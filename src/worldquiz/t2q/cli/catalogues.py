"""``worldquiz t2q agents`` and ``memories``: tables of agents, answerers and memories."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from rich.markup import escape

from worldquiz.cli.shell import Json, tell
from worldquiz.cli.tables import plain
from worldquiz.memory.catalog import MemoryEntry, missing, version
from worldquiz.memory.catalog import memories as listed
from worldquiz.t2q.agents.catalog import AgentEntry, answerers
from worldquiz.t2q.agents.catalog import agents as agents_known


def agents(json: Json = False) -> None:
    """List agents and answerers; any agent goes with any answerer."""
    acting, answering = agents_known(), answerers()
    document = {"agents": [*map(_agent, acting)], "answerers": [*map(_agent, answering)]}
    entries = [("acts", entry) for entry in acting]
    entries += [("answers", entry) for entry in answering]
    rows = (
        (entry.name, does, str(entry.role), ", ".join(entry.declared.words()), entry.summary)
        for does, entry in entries
    )
    tell(document, [plain(rows, "name", "does", "role", "needs", "what it is")], json=json)


def _agent(entry: AgentEntry) -> dict[str, Any]:
    return {
        "name": entry.name,
        "role": str(entry.role),
        "summary": entry.summary,
        **asdict(entry.declared),
    }


def memories(json: Json = False) -> None:
    """List memories: version, what each needs, and how to get what is missing here."""
    lines = [_memory(entry) for entry in listed()]
    table = plain(map(_row, lines), "name", "version", "needs", "what it is")
    shown = [table, "An embedder is worldquiz[embed], or an endpoint."]
    tell({"memories": lines}, shown, json=json)


def _memory(entry: MemoryEntry) -> dict[str, Any]:
    lacking = missing(entry)
    return {
        "name": entry.name,
        "summary": entry.summary,
        "source": entry.source,
        "version": None if lacking else version(entry.name),
        "extra": entry.extra,
        "model": entry.calls_model,
        "embedder": entry.embeds,
        "usable": lacking is None,
        "missing": lacking,
        "install": f"pip install 'worldquiz[{entry.extra}]'" if lacking and entry.extra else None,
    }


def _row(line: dict[str, Any]) -> tuple[str, ...]:
    found = line["version"] or line["install"] or f"{line['missing']} is missing"
    needs = [what for what in ("model", "embedder") if line[what]]
    return line["name"], escape(found), ", ".join(needs), line["summary"]
