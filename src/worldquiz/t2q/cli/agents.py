"""``worldquiz t2q agents``: who can play, and who can take a quiz."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from worldquiz.cli.shell import Json, emit, out
from worldquiz.t2q.agents.catalog import Entry, answerers
from worldquiz.t2q.agents.catalog import agents as agents_known
from worldquiz.t2q.cli import tables


def agents(json: Json = False) -> None:
    """List agents and answerers; any agent goes with any answerer."""
    acting, answering = agents_known(), answerers()
    if json:
        acts, answers = [_line(e) for e in acting], [_line(e) for e in answering]
        emit({"agents": acts, "answerers": answers, "players": acts, "takers": answers})
        return
    entries = [("acts", entry) for entry in acting]
    out().print(tables.agents([*entries, *(("answers", entry) for entry in answering)]))


def _line(entry: Entry) -> dict[str, Any]:
    return {
        "name": entry.name,
        "role": str(entry.role),
        "summary": entry.summary,
        **asdict(entry.declared),
    }
