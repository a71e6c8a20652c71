"""``worldquiz t2q memories``: what a model can remember with, and what each memory needs."""

from __future__ import annotations

from typing import Any

from rich.markup import escape

from worldquiz.cli.shell import Json, emit, out
from worldquiz.cli.tables import plain
from worldquiz.t2q.memory.catalog import Entry, missing, version
from worldquiz.t2q.memory.catalog import memories as listed


def memories(json: Json = False) -> None:
    """List memories: version, what each needs, and how to get what is missing here."""
    lines = [_line(entry) for entry in listed()]
    if json:
        emit({"memories": lines})
        return
    headings = ("name", "version", "needs", "what it is")
    out().print(plain((_row(line) for line in lines), *headings))
    out().print("An embedder is worldquiz[embed], or an endpoint.", markup=False)


def _line(entry: Entry) -> dict[str, Any]:
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
