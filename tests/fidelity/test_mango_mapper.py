"""The map builder on the published 70-step prefixes: every question, none sampled.

The paper calls drawing a map and searching it "not promising" (appendix C.4).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest

import worldquiz as wq
from mango_data import mango_data
from mango_settled import TextClaims
from mango_settled import told as claims

STEPS = 70
PERFECT = {
    "library", "loose", "omniquest", "partyfoul", "pentari", "reverb", "snacktime", "zenon",
    "zork1",
}  # fmt: skip
"""Games whose every question the map builder answers right."""


def text_of(game: str) -> TextClaims:
    """Return what the text of a published prefix claims."""
    home = mango_data() / game / "steps70"
    entries = json.loads((home / f"{game}.edges.json").read_text("utf-8"))
    told = [each for each in entries if each["edge_min_step_answerable"] <= STEPS]
    edges = [SimpleNamespace(source=e["src_node"], action=e["action"], target=e["dst_node"])
             for e in told]  # fmt: skip
    walk = re.findall(
        r"==>ACT: ([^\n]*)\n==>OBSERVATION: ?(.*?)(?=\n={3,}\n)",
        (home / f"{game}.walkthrough").read_text("utf-8"), re.DOTALL,
    )  # fmt: skip
    named = {place for edge in edges for place in (edge.source, edge.target)}
    places = json.loads((home / f"{game}.locations.json").read_text("utf-8"))
    return claims(SimpleNamespace(
        edges=edges, places=[place for place in places if place in named],
        actions=list(dict.fromkeys(edge.action for edge in edges)),
        walkthrough=[SimpleNamespace(action=act.strip(), observation=seen)
                     for act, seen in walk[: STEPS + 1]],
    ))  # fmt: skip


def clear(text: TextClaims, row: Any) -> bool:
    """Tell whether the text settles a question, so that a reader must be right."""
    here = row.measures["source"]
    if row.type == "rf":
        return text.pair(here, row.measures["target"])
    leads = {(edge.source, edge.action): edge for edge in text.maze.edges}
    route = []
    for action in row.measures["actions"]:
        if (here, action) not in leads:
            return False
        route.append(leads[here, action])
        here = route[-1].target
    return text.path(route)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Counter[str]]:
    """What became of the questions, by task and game; *clear* are those that the text settles."""
    out = tmp_path_factory.mktemp("mapper") / "run"
    run = wq.mango.load(mango_data()).run(
        "mapper", out=out, per_maze=10**6, choice="published", steps=STEPS
    )
    texts = {game: text_of(game) for game in run.manifest["read"]}
    told: dict[tuple[str, str], Counter[str]] = {}
    for row in run.rows:
        wrong, sure = (row.correct or 0) < 1, clear(texts[row.world], row)
        counts = told.setdefault((row.type, row.world), Counter())
        counts.update(asked=1, wrong=wrong, clear=sure, clear_wrong=sure and wrong)
    return told


def total(found: dict[tuple[str, str], Counter[str]], task: str) -> Counter[str]:
    return sum((row for (kind, _), row in found.items() if kind == task), Counter())


def test_every_unambiguous_question_is_answered_right(
    found: dict[tuple[str, str], Counter[str]],
) -> None:
    for key, row in found.items():
        assert row["clear_wrong"] == 0, key
    df, rf = (total(found, task) for task in ("df", "rf"))
    assert (df["asked"], df["clear"]) == (4533, 2917)
    assert (rf["asked"], rf["clear"]) == (2885, 1469)
    assert df["wrong"] <= 756
    assert rf["wrong"] <= 485
    names = {game for _, game in found}
    whole = {name for name in names if not found["df", name]["wrong"] + found["rf", name]["wrong"]}
    assert whole == PERFECT
