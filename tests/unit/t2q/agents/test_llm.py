"""The model's agent: what it asks, what it makes of replies, what it lets memory know."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

import pytest

from modelserver import Reply, Request, Script, Text, serving
from modelserver.prompts import role_of
from serving import many_rooms
from worldquiz import Run
from worldquiz.t2q import T2QSuite

Sit = Callable[..., tuple[Run, list[Request]]]
HALL = "You are in the hall. You see nothing here."
ATTIC = "You are in the attic. You see a lamp here."


class Notebook:
    """A memory that recalls how often it was told something."""

    name = "notebook"
    entries: ClassVar[list[Any]] = []
    queries: ClassVar[list[str]] = []

    def add(self, entry: Any) -> None:
        self.entries.append(entry)

    def recall(self, query: str) -> str:
        self.queries.append(query)
        return f"note {len(self.entries)}\n"

    @classmethod
    def told(cls) -> list[list[tuple[int, int, str | None]]]:
        """Return task, step and command of the turns of each entry."""
        return [
            [(moment.episode, moment.step, turn.action) for moment, turn in entry.turns]
            for entry in cls.entries
        ]


def command(text: str) -> Text:
    return Text(json.dumps({"reason": "so", "command": text}))


def right(request: Request) -> Reply:
    """Win both tasks; answer "attic" to everything."""
    if role_of(request) != "act":
        return Text('{"answer": "attic"}')
    return command("take lamp" if "You are in the attic" in request.text.rpartition("[task")[2]
                   else "go north")  # fmt: skip


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> T2QSuite:
    """A world of a hall and an attic with a lamp; two tasks want the lamp."""
    return many_rooms(tmp_path_factory.mktemp("rooms") / "suite", 1)


@pytest.fixture
def sit(rooms: T2QSuite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sit:
    """Return a function that has a model play and answer; it returns the run and what was asked."""
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    Notebook.entries.clear()
    Notebook.queries.clear()

    def sitting(script: Script = right, **given: Any) -> tuple[Run, list[Request]]:
        asked: list[Request] = []

        def noting(request: Request) -> Reply:
            asked.append(request)
            return script(request)

        with serving(noting) as server:
            told = {"model": "m", "base_url": server.base_url, "connections": 1, **given}
            return rooms.run(out=tmp_path / "run", **told), asked

    return sitting


WON = [(0, 0, None), (0, 1, "go north"), (0, 2, "take lamp")]


def test_memory_is_asked_before_it_is_told_each_turn_to_the_tasks_end(sit: Sit) -> None:
    run, asked = sit(memory=Notebook)
    assert run.scores["tsr"] == 1
    again = [(1, step, action) for _, step, action in WON]
    assert Notebook.told() == [[turn] for turn in [*WON, *again]]
    assert Notebook.queries[:4] == [HALL, ATTIC] * 2
    notes = [re.findall(r"note (\d)", request.text) for request in asked]
    assert notes[:5] == [["0"], ["1"], ["3"], ["4"], ["6"]]


@pytest.mark.parametrize("memory", [Notebook, "in-context"])
def test_whole_tasks_are_told_at_their_end_and_shown_until_then(sit: Sit, memory: object) -> None:
    _, asked = sit(memory=memory, granularity="task")
    assert f"[task 1, step 0]\n{HALL}\nInventory: You carry nothing.\n" in asked[1].text
    if memory is Notebook:
        assert [len(turns) for turns in Notebook.told()] == [3, 3]


def test_another_players_transcripts_are_studied(sit: Sit) -> None:
    sit(agent="walkthrough", memory=Notebook, granularity="task")
    assert Notebook.told()[0] == WON
    assert len(Notebook.told()) == 2


def test_the_history_in_context_grows_at_its_end(sit: Sit) -> None:
    run, asked = sit()
    acts = [request.text for request in asked if role_of(request) == "act"]
    contexts = [text.partition("Observation:")[0].rstrip() for text in acts]
    assert all(one in other for one, other in pairwise(contexts))
    assert "[task 1, step 2] > take lamp\nTaken.\n" in contexts[-1]
    handed = (run.path / "contexts.jsonl").read_text().splitlines()
    assert len({row.measures["context"] for row in run.rows}) == len(handed) == 1


def test_a_reply_without_a_command_is_a_wasted_step(sit: Sit) -> None:
    run, _ = sit(lambda _: Text("I shall go north."), max_steps=1)
    (move,) = run.tasks[0].measures["moves"]
    assert (move["read"], move["reply"]) == ("unreadable", "I shall go north.")
    assert (run.tasks[0].reply, run.tasks[0].measures["refused"]) == ("", 1)
    assert run.scores["counts"]["commands"] == 2
