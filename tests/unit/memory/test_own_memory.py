"""A memory of the user's own that is broken stops the run at once, and the error names it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from modelserver import Text, serving
from worldquiz.errors import AgentError, ReplyTypeError
from worldquiz.t2q import T2QSuite


class Lists:
    """Recalls what is no text."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def add(self, entry: Any) -> None:
        self.texts.append(entry.text)

    def recall(self, query: str) -> Any:
        return self.texts


class Silent(Lists):
    async def recall(self, query: str) -> Any:
        return None


class Loses(Lists):
    def recall(self, query: str) -> Any:
        raise KeyError(query)


class Full(Lists):
    def add(self, entry: Any) -> None:
        raise OverflowError("full")

    def recall(self, query: str) -> str:
        return ""


@pytest.mark.parametrize("agent", ["explorer", None])
@pytest.mark.parametrize(
    ("memory", "said"),
    [
        (Lists, r"memory 'Lists' returned \[.*: see Lists.recall \(.*test_own_memory.py:\d+\)"),
        (Silent, r"memory 'Silent' returned None, .*: see Silent.recall \(.*own_memory.py:\d+\)"),
        (Loses, "memory 'Loses' failed in recall: KeyError: "),
        (Full, "memory 'Full' failed in add: OverflowError: full"),
    ],
)
def test_the_run_stops_at_once_and_names_the_memory(
    suite: T2QSuite, tmp_path: Path, memory: Callable[[], object], said: str, agent: str | None
) -> None:
    options: dict[str, Any] = {"agent": agent, "model": "m", "max_steps": 5, "memory": memory}
    with serving(lambda request: Text('{"command": "look"}')) as server:
        with pytest.raises((AgentError, ReplyTypeError), match=said):
            suite.run(base_url=server.base_url, out=tmp_path / "run", **options)
        assert len(server.calls) <= len(suite.worlds)
    assert not (tmp_path / "run" / "scores.json").exists()
