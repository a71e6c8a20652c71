"""``worldquiz agents``: who can play, and who can take a quiz."""

from __future__ import annotations

from worldquiz.cli.shell import Json, emit, out
from worldquiz.t2q.agents.catalog import Entry, players, takers
from worldquiz.t2q.cli import tables


def agents(json: Json = False) -> None:
    """List players and quiz takers; any player goes with any taker."""
    entries = [("plays", entry) for entry in players()]
    entries += [("takes the quiz", entry) for entry in takers()]
    if json:
        emit({"players": [_line(e) for e in players()], "takers": [_line(e) for e in takers()]})
    else:
        out().print(tables.agents(entries))


def _line(entry: Entry) -> dict[str, str]:
    return {"name": entry.name, "role": str(entry.role), "summary": entry.summary}
