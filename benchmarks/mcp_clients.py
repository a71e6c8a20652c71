"""Does an agent framework that nobody here wrote take a benchmark, over stdio and over HTTP?

    uv run --no-project --with "pydantic-ai-slim[mcp]" python benchmarks/mcp_clients.py \\
        .venv/bin/worldquiz suite mazes tasks --out served

pydantic-ai's own agent loop calls the tools; its model is a script that looks, ends all tasks and
gives one answer to every question. Each folder is played once over each door, in runs of their own.
A row tells how many calls were made, and whether the place was finished.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import subprocess
from pathlib import Path
from typing import Any

MOST = 1_000
"""Requests of an agent to its model."""
SETTINGS = {"mazes": ["--set", "per_maze=3"], "tea": ["--set", "tasks=8", "--set", "walks=2"]}
"""How much is asked, by the kind of the folder."""


class Scripted:
    """What the agent's model says next, by what it was told last."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, messages: Any, info: Any) -> Any:
        """Return the next call, or the last words."""
        from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart  # type: ignore[import-not-found]

        told = " ".join(str(getattr(part, "content", "")) for part in messages[-1].parts)
        if "stop here" in told:
            return ModelResponse(parts=[TextPart("finished" if "are kept" in told else told)])
        self.calls += 1
        return ModelResponse(parts=[ToolCallPart(*self._call(told))])

    def _call(self, told: str) -> tuple[str, dict[str, Any]]:
        if self.calls == 1:
            return "look", {}
        if ", a walk" in told:
            return "stop", {}
        if re.search(r"Task \d+ of", told):
            return "answer", {"answer": {"answer": "lamp"}}
        if re.search(r"Question \d+ of", told):
            return "answer", {"answer": "non-answerable"}
        return "done", {} if "`read`" in told else {"all_tasks": True}


async def plays(client: Any) -> tuple[int, str]:
    """Let an agent play one place; return its calls and its last words."""
    from pydantic_ai import Agent  # type: ignore[import-not-found]
    from pydantic_ai.mcp import MCPToolset  # type: ignore[import-not-found]
    from pydantic_ai.models.function import FunctionModel  # type: ignore[import-not-found]
    from pydantic_ai.usage import UsageLimits  # type: ignore[import-not-found]

    model = Scripted()
    agent = Agent(FunctionModel(model), toolsets=[MCPToolset(client)])
    async with agent:
        found = await agent.run("Play.", usage_limits=UsageLimits(request_limit=MOST))
    return model.calls, str(found.output)


def over_stdio(words: list[str]) -> tuple[int, str]:
    """Play with a server that the client starts."""
    from fastmcp.client.transports import StdioTransport  # type: ignore[import-not-found]

    return asyncio.run(plays(StdioTransport(command=words[0], args=words[1:])))


def over_http(words: list[str]) -> tuple[int, str]:
    """Play with a server that is there."""
    process = subprocess.Popen(
        [*words, "--http", "0"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    try:
        address = re.findall(r"http://\S+/mcp", process.stderr.readline())[0]
        return asyncio.run(plays(f"{address}/agent"))
    finally:
        process.terminate()
        process.communicate()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("worldquiz", help="the command")
    parser.add_argument("folders", nargs="+", type=Path, help="worlds, mazes, scenes")
    parser.add_argument("--out", type=Path, required=True, help="where the runs go")
    told = parser.parse_args()
    print(f"{'folder':12} {'door':6} {'calls':>5}  end")
    for folder in told.folders:
        for name, door in (("stdio", over_stdio), ("http", over_http)):
            out = told.out / f"{folder.name}-{name}"
            words = [told.worldquiz, "serve", str(folder), "--agent-name", "pydantic-ai"]
            manifest = folder / "manifest.json"
            kind = manifest.read_text() if manifest.is_file() else '"mazes"'
            more = next((more for kind_, more in SETTINGS.items() if f'"{kind_}"' in kind), [])
            calls, end = door([*words, "--out", str(out), *more])
            print(f"{folder.name:12} {name:6} {calls:5}  {end[:60]}", flush=True)


if __name__ == "__main__":
    main()
