"""``worldquiz serve``: agents that speak the Model Context Protocol take a benchmark."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import click

from worldquiz.cli.options import JSON, argument, command, option, out, pairs
from worldquiz.cli.shell import tell, warn
from worldquiz.errors import KnobError, RecordError


@command
@argument("folder", "FOLDER", "Folder of worlds, mazes or scenes.")
@option("--agent-name", required=True, help="Name of the agent; tables and records have it.")
@out("Folder of the run.")
@option(
    "--http",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Serve many agents over HTTP on this machine, at a port; 0 takes a free one. Without it, "
    "one agent is served over stdin and stdout.",
)
@option(
    "--token",
    envvar="WORLDQUIZ_TOKEN",
    show_envvar=True,
    help="The secret part of the address; by default, a new one is drawn.",
)
@option(
    "--set",
    "settings",
    metavar="NAME=VALUE",
    multiple=True,
    help="How much is asked: max_steps or budget of Task2Quiz; steps, per_maze or seed of "
    "MANGO; tasks, walks or seed of TEA. Repeat it for several.",
)
@JSON
def serve(
    folder: Path,
    agent_name: str,
    out: Path,
    http: int | None,
    token: str | None,
    settings: Sequence[str],
    json: bool,
) -> None:
    """Serve worlds, mazes or scenes as tools, over the Model Context Protocol.

    An agent explores by tools, then answers the quiz by them. The run ends when everything is
    finished, or when the client or ctrl-C ends it; the same command goes on where each agent was.
    """
    from worldquiz.cli.shell import tables_of
    from worldquiz.plugins import need
    from worldquiz.runs.benchmark import kind_of_data
    from worldquiz.runs.executor import silent
    from worldquiz.runs.folder import busy
    from worldquiz.runs.life import live
    from worldquiz.runs.run import Run
    from worldquiz.serve import mcp_server
    from worldquiz.serve.seats import Seats, Serving

    benchmark, kind = kind_of_data(folder)
    if kind.serve is None:
        raise KnobError(f"{folder}: {benchmark.title} serves no {kind.noun}")
    if json and http is None:
        raise KnobError("--json needs --http: without, stdout belongs to the agent")
    if token is not None and not re.fullmatch(r"[A-Za-z0-9_-]+", token):
        raise KnobError("--token: give letters, digits, - and _ only: it is part of an address")
    need("mcp", extra="agents")
    if busy(out):  # agents are greeted before the folder is claimed
        raise RecordError(f"{out}: another worldquiz is writing here; wait for it")
    served = kind.serve(folder, agent_name, pairs(settings, "--set", "seed=1"))
    opened = (
        mcp_server.stdio(served)
        if http is None
        else mcp_server.http(served, http, token, _announce)
    )
    with opened as door:
        scores = live(Serving(served, door.serve), out, silent)
        if http is None and not door.opened:  # the run was finished before
            door.serve(Seats(served, (), None, out))
    if http is None:
        warn(f"all is finished: {out}; `worldquiz show {out}` shows the scores")
    else:
        tell(scores, tables_of([Run(out)]), json=json)


def _announce(address: str) -> None:
    warn(
        f"Serving at {address}/SEAT",
        "Put a name of its own for SEAT in each agent's settings: whoever comes with the same name "
        "goes on where it was. Ctrl-C ends the run.",
    )
