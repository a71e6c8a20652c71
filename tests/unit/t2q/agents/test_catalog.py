"""Names resolve when asked for, near misses are named, doubles and strangers are refused."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from command import worldquiz
from conftest import Install
from serving import many_rooms
from worldquiz.errors import CatalogError
from worldquiz.t2q import T2QSuite

GROUP = "worldquiz.agents"


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> T2QSuite:
    return many_rooms(tmp_path_factory.mktemp("rooms") / "suite", 1)


def roles(part: str) -> dict[str, str]:
    """Return the agents or answerers that there are, with their roles."""
    found = worldquiz("t2q", "agents", "--json").json[part]
    return {each["name"]: each["role"] for each in found}


def test_the_tables_hold_what_the_papers_floors_and_ceilings_need() -> None:
    lower, upper, reference = "lower-bound", "upper-bound", "reference"
    assert roles("agents") == {
        "walkthrough": reference, "explorer": upper, "random": lower, "idle": lower,
    }  # fmt: skip
    assert roles("answerers") == {
        "oracle": upper, "worldgraph": upper,
        **dict.fromkeys(("constant", "sheet", "abstainer"), lower),
    }  # fmt: skip


def test_the_sheet_is_shown_to_who_wants_it_after_the_transcripts(
    rooms: T2QSuite, tmp_path: Path
) -> None:
    class Reads:
        def __init__(self) -> None:
            self.seen: list[object] = []

        def study(self, transcripts: object) -> None:
            self.seen.append("transcripts")

        def preview(self, prompts: Sequence[Any]) -> None:
            self.seen += prompts

        def answer(self, prompt: Any) -> str:
            return str(self.seen[0] == "transcripts" and prompt in self.seen[1:])

    run = rooms.run(agent="idle", answerer=Reads, out=tmp_path / "run")
    assert {row.reply for row in run.rows} == {"True"}


def test_other_packages_add_agents(install: Install, rooms: T2QSuite, tmp_path: Path) -> None:
    install(GROUP, mine="worldquiz.t2q.agents.scripted:Random")
    said = []
    for name in ("mine", "random"):
        run = rooms.run(agent=name, answerer="constant", max_steps=9, out=tmp_path / name)
        said.append([row.reply for row in run.tasks])
    assert said[0] == said[1]
    assert [*roles("agents")][-1] == "mine"


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("builtins:str", "agent 'mine' cannot play worlds: str has no method 'act'"),
        ("no_such_module:Thing", "cannot import 'no_such_module:Thing'"),
        ("worldquiz.t2q.agents.scripted:Thing", "cannot import 'worldquiz.t2q.agents"),
    ],
)
def test_a_plugin_that_does_not_play_says_so(
    install: Install, rooms: T2QSuite, tmp_path: Path, target: str, words: str
) -> None:
    install(GROUP, mine=target)
    with pytest.raises(CatalogError, match=words):
        rooms.run(agent="mine", answerer="constant", out=tmp_path / "run")


def test_a_double_name_is_refused(install: Install, rooms: T2QSuite, tmp_path: Path) -> None:
    install(GROUP, random="elsewhere:Random")
    means = "agent 'random' means both"
    with pytest.raises(CatalogError, match=rf"{means} .*elsewhere:Random"):
        rooms.run(agent="random", answerer="constant", out=tmp_path / "run")
    said = worldquiz("t2q", "agents")
    assert (said.code, means in said.err) == (2, True)
