"""Runs of exploring agents: from mazes to scores, rows and pages, and stopped ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq
from command import worldquiz
from worldquiz.errors import CatalogError, KnobError, RecordError
from worldquiz.mango.exploring.contest import explored_contest
from worldquiz.mango.maze_set import MazeSet
from worldquiz.mango.report.first import first
from worldquiz.mango.report.tables import entries
from worldquiz.mango.scoring.contest import Contest
from worldquiz.records import read_json
from worldquiz.runs.check import checked
from worldquiz.runs.run import Run

pytest.importorskip("numba")
FEW: dict[str, Any] = {"per_maze": 5, "steps": 12}


class Eastward:
    """Goes east and back, and answers with the first move that it made."""

    name = "eastward"
    stop: str | None = None

    def __init__(self) -> None:
        self.seen: list[str] = []

    async def act(self, text: str) -> str | None:
        self.seen.append(text)
        if Eastward.stop and Eastward.stop in text:
            raise ValueError("stopped")
        return ("east", "west", "south", "north")[len(self.seen) % 4]

    def answer(self, prompt: str) -> str:
        assert "==>STEP NUM: 0" in prompt
        return json.dumps([{"prev_node": "a", "action": "east", "node": "b"}])


@pytest.fixture(scope="module")
def mazes(tmp_path_factory: pytest.TempPathFactory) -> MazeSet:
    folder = tmp_path_factory.mktemp("exploring") / "mazes"
    return wq.mango.build(mazes=2, seed=7, out=folder, size=7)


def files(run: Path) -> dict[str, bytes]:
    return {str(each.relative_to(run)): each.read_bytes() for each in run.rglob("*.json*")}


def test_a_keeper_earns_the_ceiling_and_nobody_more(mazes: MazeSet, tmp_path: Path) -> None:
    runs = {
        name: wq.mango.explore(
            mazes.path, agent="frontier", answerer=name, out=tmp_path / name, **FEW
        )
        for name in ("keeper", "mapper", "go")
    }
    keeper, mapper, blind = (run.scores for run in runs.values())
    assert keeper["knowledge"] == pytest.approx(keeper["knowledge_ceiling"])
    assert 0 < keeper["knowledge_ceiling"] <= 1
    assert mapper["knowledge"] <= keeper["knowledge"]
    assert blind["knowledge"] <= 0
    assert keeper["of_trajectory"]["knowledge"] == 1
    assert keeper["coverage"] == blind["coverage"]
    rows = runs["keeper"].rows
    assert {row.answerable for row in rows} == {True}
    assert {(row.run, row.agent) for row in rows} == {("keeper", "frontier")}
    assert len(rows) == sum(each["asked"] for each in keeper["games"].values())


def test_who_goes_nowhere_knows_nothing(mazes: MazeSet, tmp_path: Path) -> None:
    run = wq.mango.explore(mazes.path, agent="idle", out=tmp_path / "idle", **FEW)
    assert run.scores["knowledge"] == run.scores["knowledge_ceiling"] == 0
    assert run.scores["quiz"] is None
    assert run.rows == ()
    assert run.score()["coverage"]["moves"]["mean"] == 0
    assert checked(run.path).finished


def test_who_goes_nowhere_has_a_row_and_a_page(mazes: MazeSet, tmp_path: Path) -> None:
    idle = wq.mango.explore(mazes.path, agent="idle", out=tmp_path / "idle", **FEW)
    other = wq.mango.explore(
        mazes.path, agent="frontier", answerer="keeper", out=tmp_path / "other", **FEW
    )
    found = explored_contest([idle.path, other.path])
    alone = explored_contest([other.path])
    assert found.contestants[0].name == "idle, answered by mapper"
    assert found.contestants[0].marked == ()
    assert {each.known for each in (found.contestants[0].explored or {}).values()} == {0.0}
    assert (found.contestants[1], found.baselines) == (alone.contestants[0], alone.baselines)
    sides = first(found, entries(found))["sides"]
    assert [side.knowing.value > 0 for side in sides] == [False, True]
    for name, beside in (("alone", []), ("both", [other])):
        idle.report(tmp_path / f"{name}.html", beside=beside)
        page = (tmp_path / f"{name}.html").read_text()
        assert "idle, answered by mapper" in page
        assert "nan" not in page.split("<script")[0].split()


def test_an_agent_answers_itself_unless_somebody_else_is_asked(
    mazes: MazeSet, tmp_path: Path
) -> None:
    run = wq.mango.explore(mazes.path, agent=Eastward, out=tmp_path / "own", **FEW)
    assert (run.manifest["agent"], run.manifest["answerer"]) == ("eastward", "eastward")
    assert {row.reply for row in run.rows} == {Eastward().answer("==>STEP NUM: 0")}
    other = wq.mango.explore(
        mazes.path, agent=Eastward, answerer="keeper", out=tmp_path / "other", **FEW
    )
    assert [row.question for row in other.rows] == [row.question for row in run.rows]
    assert sum(row.score or 0 for row in other.rows) > sum(row.score or 0 for row in run.rows)


def test_a_game_that_fails_is_counted_and_tried_again_on_request(
    mazes: MazeSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = wq.mango.explore(mazes.path, agent=Eastward, out=tmp_path / "whole", **FEW)
    start = wq.mango.explore(mazes.path, agent="idle", out=tmp_path / "idle", **FEW).path
    (walk,) = (start / "worlds/maze-01/maze-01/steps70").glob("*.walkthrough")
    seen = walk.read_text().split("OBSERVATION: ")[1].split("\n===")[0].strip()
    monkeypatch.setattr(Eastward, "stop", seen)
    again = {"agent": Eastward, "out": tmp_path / "again", **FEW}
    failed = wq.mango.explore(mazes.path, **again)
    assert failed.scores["failed"]["units"] == 1
    assert [*failed.scores["games"]] == ["maze-00"]
    half = failed.scores["knowledge"] / 2
    assert failed.scores["failed_games"] == {"games": ["maze-01"], "knowledge_with": half}
    said = worldquiz("score", failed.path).out
    assert "Failed, and in no mean: maze-01; counted as 0, knowledge is" in " ".join(said.split())
    assert "Failed: 1 of the run's units before anything was asked" in " ".join(said.split())
    monkeypatch.setattr(Eastward, "stop", None)
    mended = wq.mango.explore(mazes.path, retry_failed=True, **again)
    assert "failed" not in mended.scores
    assert files(mended.path) == files(whole.path)


def test_a_run_goes_on_where_it_was(mazes: MazeSet, tmp_path: Path) -> None:
    out = tmp_path / "run"
    whole = wq.mango.explore(mazes.path, agent="random", out=out, **FEW)
    before = files(out)
    for lost in ("scores.json", "quiz/scores.json", "quiz/answers.jsonl"):
        (out / lost).unlink()
    with pytest.raises(RecordError):
        whole.score()
    assert files(wq.mango.explore(mazes.path, agent="random", out=out, **FEW).path) == before
    with pytest.raises(RecordError, match="agent was 'random'"):
        wq.mango.explore(mazes.path, agent="idle", out=out, **FEW)
    assert read_json(out / "manifest.json")["kind"] == "mango-explored"


def test_each_explorer_has_maps_of_its_own_in_a_contest(mazes: MazeSet, tmp_path: Path) -> None:
    asked = (("frontier", "keeper"), ("frontier", "go"), ("random", "keeper"))
    runs = [
        wq.mango.explore(mazes.path, agent=agent, answerer=who, out=tmp_path / f"{agent}-{who}",
                         **FEW).path
        for agent, who in asked
    ]  # fmt: skip
    found = explored_contest(runs)
    maps = {f"maze-0{number} ({agent})" for agent in ("frontier", "random") for number in (0, 1)}
    assert found.mazes.keys() == maps
    assert [one.name for one in found.contestants] == [
        f"{agent}, answered by {who}" for agent, who in asked
    ]
    assert [one.settings["knowledge of the whole map"] for one in found.contestants] == [
        f"{Run(run).scores['knowledge']:.2f} of at most "
        f"{Run(run).scores['knowledge_ceiling']:.2f}".replace("-0.00", "0.00")
        for run in runs
    ]
    same, other, apart = ({each.key for each in one.scored} for one in found.contestants)
    assert same == other
    assert not same & apart
    _says_first_what_is_known_of_the_games(found)
    with pytest.raises(RecordError, match="about their own ways"):
        wq.compare(runs[0], runs[2])
    assert wq.compare(runs[0], runs[1])["worlds"] == 2
    for one in found.baselines:
        assert {each.key for each in one.scored} == same | apart
        assert set(one.by_rule) == {"exact", "paper", "release"}


def _says_first_what_is_known_of_the_games(found: Contest) -> None:
    """Not what is known of the little that an agent saw: the keeper knows all of that."""
    told = first(found, entries(found))
    scores = [one.explored.values() for one in found.contestants if one.explored]
    means = [sum(each.known for each in games) / 2 for games in scores]
    assert [side.knowing.value for side in told["sides"]] == pytest.approx(means)
    assert [side.shown.value for side in told["sides"]][::2] == pytest.approx(means[::2])
    assert found.worlds == 2
    assert means[2] < means[0]


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"agent": "frontear"}, CatalogError, "did you mean 'frontier'"),
        ({"agent": object()}, CatalogError, "missing method 'act'"),
        ({"agent": "idle", "answerer": "mappr"}, CatalogError, "did you mean 'mapper'"),
        ({"agent": "idle", "games": ["maze-09"]}, KnobError, "maze-09"),
        ({"agent": "idle", "steps": -1}, KnobError, "steps -1"),
    ],
)
def test_what_cannot_be_is_refused_before_a_folder_is_made(
    mazes: MazeSet, tmp_path: Path, options: dict[str, Any], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        wq.mango.explore(mazes.path, out=tmp_path / "run", **options)
    assert not (tmp_path / "run").exists()


def test_a_folder_without_games_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError):
        wq.mango.explore(tmp_path, agent="idle", out=tmp_path / "run")
