"""``worldquiz t2q agents`` and ``memories``: tables of agents, answerers and memories."""

from __future__ import annotations

from worldquiz.cli.options import JSON, command
from worldquiz.cli.shell import tell


@command
@JSON
def agents(json: bool) -> None:
    """List agents and answerers; any agent goes with any answerer."""
    from worldquiz.page.terminal import plain
    from worldquiz.t2q.agents.catalog import agents, answerers

    document, rows = {}, []
    for key, does, entries in (
        ("agents", "acts", agents()),
        ("answerers", "answers", answerers()),
    ):
        document[key] = [
            {"name": each.name, "role": each.role, "summary": each.summary} for each in entries
        ]
        rows += [(each.name, does, str(each.role), each.summary) for each in entries]
    tell(document, [plain(rows, "name", "does", "role", "what it is")], json=json)


@command
@JSON
def memories(json: bool) -> None:
    """List memories: version, what each needs, and how to get what is missing here."""
    from rich.markup import escape

    from worldquiz.memory.catalog import memories, missing, version
    from worldquiz.page.terminal import plain

    lines, rows = [], []
    for entry in memories():
        lacking = missing(entry)
        found = None if lacking else version(entry.name)
        install = f"pip install 'worldquiz[{entry.extra}]'" if lacking and entry.extra else None
        lines.append({
            "name": entry.name, "summary": entry.summary, "version": found, "extra": entry.extra,
            "model": entry.calls_model, "embedder": entry.embeds, "usable": lacking is None,
            "missing": lacking, "install": install,
        })  # fmt: skip
        needs = ["model"] * entry.calls_model + ["embedder"] * entry.embeds
        told = escape(found or install or f"{lacking} is missing")
        rows.append((entry.name, told, ", ".join(needs), entry.summary))
    shown = [
        plain(rows, "name", "version", "needs", "what it is"),
        "An embedder is the library sentence-transformers, or an endpoint.",
    ]
    tell({"memories": lines}, shown, json=json)
