"""Worlds in which things are moved before the last tasks, and beliefs that are stale."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq

FIRST = "Where was the {} at the start, before somebody moved things?"
RULES = " One of the two places is right; a room means its floor."


def test_a_memory_that_never_overwrites_has_stale_beliefs(tmp_path: Path) -> None:
    suite = wq.t2q.build("change", worlds=6, seed=4, out=tmp_path / "suite")
    fresh = suite.run(agent="explorer", answerer="worldgraph", out=tmp_path / "fresh")
    known = {(row.prompt, *sorted(row.choices)): row.gold for row in fresh.rows if row.asked}

    class FirstPlaces:
        """Says of the later visit what was so at the start."""

        async def answer(self, asked: Any) -> str:
            thing = asked.text.partition(" the ")[2].partition(" when")[0]
            text = FIRST.format(thing) + RULES if "last task" in asked.text else asked.text
            return known[text, *sorted(asked.choices)]

    run = suite.run(agent="explorer", answerer=FirstPlaces, out=tmp_path / "stale")
    asleep = suite.run(agent="idle", answerer=FirstPlaces, out=tmp_path / "idle")
    moved, kept = (run.scores["beliefs"][f"{how}, shown"] for how in ("moved", "kept"))
    assert moved["asked"] == moved["first place"] > 10
    assert kept["asked"] == kept["first place"] > 10
    assert (run.scores["stale"], fresh.scores["stale"], fresh.scores["knowledge"]) == (1, 0, 1)
    count = [row for row in run.rows if row.asked and not row.measures["at_start"]]
    wrong = sum(row.correct == 0 for row in count)
    assert run.scores["knowledge"] == pytest.approx(1 - 2 * wrong / len(count))
    assert fresh.scores["beliefs"]["moved, shown"]["other place"] == moved["asked"]
    assert asleep.scores["knowledge"] == 0


def test_nothing_that_an_objective_names_is_asked_about(tmp_path: Path) -> None:
    suite = wq.t2q.build("change", worlds=4, seed=5, out=tmp_path / "suite")
    for world in suite.worlds:
        bundle = suite.bundle(world)
        told = " ".join(task.objective for task in bundle.tasks)
        later = [task.objective.startswith("After the first tasks") for task in bundle.tasks]
        assert later == sorted(later)
        assert set(later) == {False, True}
        for question in bundle.questions:
            assert question.about[0] not in told
            worlds = (bundle.spec, bundle.spec.later)
            spots = {world.place[question.about[0]].args[1] for world in worlds}
            assert spots <= {*getattr(question, "choices", ())}
