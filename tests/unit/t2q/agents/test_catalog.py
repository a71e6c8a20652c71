"""Names resolve when asked for, near misses are named, doubles and strangers are refused."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import EntryPoint

import pytest

from worldquiz import plugins
from worldquiz.errors import CatalogError
from worldquiz.facts.episode import Episode, Observation, Outcome, Step
from worldquiz.facts.fact import AT, KIND
from worldquiz.facts.question import Prompt, Type, YesNo
from worldquiz.facts.requirement import Seen
from worldquiz.t2q.agents import catalog
from worldquiz.t2q.agents.base import Brief
from worldquiz.t2q.agents.catalog import Role, agent, agents, answerer, answerers
from worldquiz.t2q.rollout import examine
from worldquiz.t2q.world.spec import Room, WorldSpec

FACTS = (AT("hat", "attic"), KIND("attic", "room"), KIND("hat", "object"))
SPEC = WorldSpec("toy", "toy", 1, "attic", (Room("attic", 0, 0),), FACTS, True)
QUESTION = YesNo("1", Type.LOCATION, "So?", True, Seen(FACTS[0]), ("hat",))
BRIEF = Brief(SPEC, (), (QUESTION,), 5)
SHOWN = Step(0, None, None, Observation("", "", 0, False, ""), FACTS[:1], (), ())
EPISODE = Episode("toy", "task", "says", 5, Outcome.GAVE_UP, (SHOWN,))
Plug = Callable[..., None]


@pytest.fixture
def plug(monkeypatch: pytest.MonkeyPatch) -> Plug:
    """Return a function that puts entry points of other packages in place."""

    def set_points(**targets: str) -> None:
        points = [EntryPoint(name, target, catalog.GROUP) for name, target in targets.items()]
        monkeypatch.setattr(plugins, "entry_points", lambda group: points)

    return set_points


def test_the_tables_hold_what_the_papers_floors_and_ceilings_need() -> None:
    assert {"walkthrough", "random", "explorer", "idle", "human"} <= {e.name for e in agents()}
    assert {"worldgraph", "abstainer", "constant", "sheet", "wording", "oracle"} <= {
        e.name for e in answerers()
    }
    roles = {entry.name: entry.role for entry in (*agents(), *answerers())}
    assert roles["idle"] is roles["abstainer"] is Role.LOWER
    assert roles["worldgraph"] is roles["oracle"] is Role.UPPER
    assert roles["walkthrough"] is Role.REFERENCE


def test_only_references_are_privileged() -> None:
    privileged = [e for e in (*agents(), *answerers()) if e.privileged]
    assert {entry.name for entry in privileged} == {"walkthrough", "oracle"}


def test_a_near_miss_is_named() -> None:
    with pytest.raises(CatalogError, match="no agent 'randon'; did you mean 'random'"):
        agent("randon", BRIEF)
    with pytest.raises(CatalogError, match="no answerer 'orackle'; did you mean 'oracle'"):
        answerer("orackle", BRIEF)


def test_the_sheet_is_shown_to_who_wants_it_after_the_transcripts() -> None:
    class Reads:
        def __init__(self) -> None:
            self.seen: list[object] = []

        def study(self, transcripts: object) -> None:
            self.seen.append("transcripts")

        def preview(self, prompts: Sequence[Prompt]) -> None:
            self.seen += prompts

        def answer(self, prompt: Prompt) -> str:
            return str(self.seen == ["transcripts", prompt])

    asked = asyncio.run(examine(answerer(Reads, BRIEF), [EPISODE], [QUESTION]))
    assert [one.reply for one in asked] == ["True"]


def test_other_packages_add_agents(plug: Plug) -> None:
    plug(mine="worldquiz.t2q.agents.scripted:Random")
    seen = Observation("Hall\nA door.", "You are carrying nothing.", 0, False, "Find the hat.")
    commands = []
    for name in ("mine", "random"):
        who = agent(name, BRIEF)
        asyncio.run(who.begin(seen))
        commands.append(asyncio.run(who.act(seen)))
    assert commands[0] == commands[1]
    assert agents()[-1].name == "mine"


def test_a_plugin_that_does_not_play_says_so(plug: Plug) -> None:
    plug(mine="builtins:str")
    with pytest.raises(CatalogError, match="agent 'mine' plays no worlds: str has no 'act'"):
        agent("mine", BRIEF)


@pytest.mark.parametrize("target", ["no_such_module:Thing", "worldquiz.t2q.agents.scripted:Thing"])
def test_a_broken_plugin_is_named(plug: Plug, target: str) -> None:
    plug(mine=target)
    with pytest.raises(CatalogError, match=f"'mine' stands for '{target}'"):
        agent("mine", BRIEF)


def test_a_double_name_is_refused(plug: Plug) -> None:
    plug(random="elsewhere:Random")
    for ask in (agents, lambda: agent("random", BRIEF)):
        with pytest.raises(CatalogError, match=r"agent 'random' means both .*elsewhere:Random"):
            ask()
    assert answerers()[-1].name == "random"


@pytest.mark.slow
def test_the_catalogue_loads_no_agent() -> None:
    code = (
        "import sys, worldquiz.t2q.agents.catalog as c; c.agents(); c.answerers();"
        "print([m for m in sys.modules if m.startswith('worldquiz.t2q.agents.') "
        "and m.split('.')[3] not in ('base', 'catalog')])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
