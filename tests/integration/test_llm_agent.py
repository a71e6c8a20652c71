"""The guide to LLM agents runs as it stands, with the frameworks that it names."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import worldquiz as wq
from modelserver import Reply, Request, Text, Use, Uses, serving

GUIDE = Path(__file__).parents[2] / "docs" / "how-to" / "llm-agent.md"


def model(request: Request) -> Reply:
    """Look, leave every task, say no to every question, and stop when told so."""
    last = request.messages[-1].text
    if "look" not in request.tools:
        return Text("go north" if "next command" in last else "no")
    if "stop here" in last:
        return Text("All is done.")
    if last == "Play.":
        return Uses((Use("look", {}),))
    return Uses((Use("answer", {"answer": "no"}) if "Question" in last else Use("done", {}),))


@pytest.mark.slow
def test_agents_of_two_frameworks_play_and_answer(tmp_path: Path) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", GUIDE.read_text(), re.MULTILINE | re.DOTALL)
    (tmp_path / "guide.py").write_text("\n".join(blocks))
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    with serving(model) as server:
        told = {"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": "none", "PATH": path}
        done = subprocess.run(
            [sys.executable, "guide.py"], cwd=tmp_path, env={**os.environ, **told},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    graph, tools = (wq.load(tmp_path / "runs" / name) for name in ("graph", "tools"))
    assert {row.reply for row in (*graph.rows, *tools.rows)} == {"no"}
    assert graph.scores["counts"]["worlds"] == 2
    assert tools.scores["counts"]["worlds"] == 1
