"""``worldquiz t2q agents`` and ``memories``: tables of agents, answerers and memories."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from worldquiz.cli.options import JSON, command
from worldquiz.cli.shell import tell

if TYPE_CHECKING:
    from worldquiz.memory.catalog import MemoryEntry
    from worldquiz.t2q.agents.catalog import AgentEntry


@command
@JSON
def agents(json: bool) -> None:
    """List agents and answerers; any agent goes with any answerer."""
    from worldquiz.report.terminal import plain
    from worldquiz.t2q.agents.catalog import agents, answerers

    roles = {"acts": agents(), "answers": answerers()}
    document = {"agents": [*map(_agent, agents())], "answerers": [*map(_agent, answerers())]}
    rows = (
        (each.name, does, str(each.role), ", ".join(each.declared.words()), each.summary)
        for does, entries in roles.items()
        for each in entries
    )
    tell(document, [plain(rows, "name", "does", "role", "needs", "what it is")], json=json)


def _agent(entry: AgentEntry) -> dict[str, Any]:
    return {
        "name": entry.name,
        "role": str(entry.role),
        "summary": entry.summary,
        **asdict(entry.declared),
    }


@command
@JSON
def memories(json: bool) -> None:
    """List memories: version, what each needs, and how to get what is missing here."""
    from rich.markup import escape

    from worldquiz.memory.catalog import memories
    from worldquiz.report.terminal import plain

    lines = [_memory(entry) for entry in memories()]
    rows = []
    for line in lines:
        found = line["version"] or line["install"] or f"{line['missing']} is missing"
        needs = ", ".join(what for what in ("model", "embedder") if line[what])
        rows.append((line["name"], escape(found), needs, line["summary"]))
    shown = [
        plain(rows, "name", "version", "needs", "what it is"),
        "An embedder is the library sentence-transformers, or an endpoint.",
    ]
    tell({"memories": lines}, shown, json=json)


def _memory(entry: MemoryEntry) -> dict[str, Any]:
    from worldquiz.memory.catalog import missing, version

    lacking = missing(entry)
    return {
        "name": entry.name,
        "summary": entry.summary,
        "version": None if lacking else version(entry.name),
        "extra": entry.extra,
        "model": entry.calls_model,
        "embedder": entry.embeds,
        "usable": lacking is None,
        "missing": lacking,
        "install": f"pip install 'worldquiz[{entry.extra}]'" if lacking and entry.extra else None,
    }
