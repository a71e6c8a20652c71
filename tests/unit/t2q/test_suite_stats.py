from __future__ import annotations

from pathlib import Path

import pytest

from worldquiz.errors import RecordError
from worldquiz.facts.question import Type
from worldquiz.t2q import stats as module
from worldquiz.t2q.builder import build
from worldquiz.t2q.stats import TABLE_1, TYPE_COUNTS, covers, stats, type_mix
from worldquiz.t2q.suites import Plan, Suite
from worldquiz.t2q.world.config import PRESETS


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    """Two worlds a level."""
    return build(Plan("paper", 3, 2), tmp_path_factory.mktemp("paper"))


def test_the_contract_of_stats(paper: Suite) -> None:
    found = stats(paper)
    assert list(found) == ["levels"]
    assert list(found["levels"]) == ["easy", "medium", "hard"]
    for level in found["levels"].values():
        assert list(level) == [
            "worlds", "rooms", "objects", "tasks", "walkthrough_length", "questions", "types",
        ]  # fmt: skip
        assert list(level["types"]) == [str(type) for type in Type]
        assert sum(level["types"].values()) == pytest.approx(1)


def test_means_are_means(paper: Suite) -> None:
    bundles = [paper.bundle(world) for world in ("hard-00", "hard-01")]
    hard = stats(paper)["levels"]["hard"]
    assert hard["worlds"] == 2
    assert hard["rooms"] == sum(len(bundle.spec.rooms) for bundle in bundles) / 2
    assert hard["objects"] == sum(bundle.spec.objects for bundle in bundles) / 2
    assert hard["tasks"] == sum(len(bundle.tasks) for bundle in bundles) / 2
    assert hard["questions"] == sum(len(bundle.questions) for bundle in bundles) / 2
    lengths = [len(task.walkthrough.commands) for bundle in bundles for task in bundle.tasks]
    assert hard["walkthrough_length"] == sum(lengths) / len(lengths)
    asked = [question.type for bundle in bundles for question in bundle.questions]
    assert hard["types"]["match"] == asked.count(Type.MATCH) / len(asked)


def test_objects_are_counted_as_the_knobs_count_them(paper: Suite) -> None:
    for world in paper.worlds:
        spec = paper.bundle(world).spec
        low, high = PRESETS[spec.level].objects
        assert low <= spec.objects <= high
        assert spec.objects == sum(kind != "room" for kind in spec.kinds.values())


def test_the_mix_weighs_levels_by_their_questions() -> None:
    few = {"worlds": 1, "questions": 10.0, "types": {"match": 1.0, "location": 0.0}}
    many = {"worlds": 3, "questions": 10.0, "types": {"match": 0.0, "location": 1.0}}
    assert type_mix([few, many]) == {"match": 0.25, "location": 0.75}


def test_covers_set_greedy_beside_exact(paper: Suite) -> None:
    found = covers(paper)
    assert list(found) == list(paper.worlds)
    for world, cover in found.items():
        assert cover.greedy == len(paper.bundle(world).tasks)
        assert cover.exact is not None
        assert cover.exact <= cover.greedy


@pytest.mark.slow
def test_covers_do_not_depend_on_the_number_of_processes(paper: Suite) -> None:
    told: list[str] = []
    assert covers(paper, jobs=2, done=told.append) == covers(paper)
    assert sorted(told) == sorted(paper.worlds)


def test_tasks_of_another_version_are_not_compared(
    paper: Suite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "tasks", lambda spec, share=1: ())
    with pytest.raises(RecordError, match="'easy-00' has other tasks than this worldquiz chooses"):
        covers(paper)


def test_the_papers_numbers_are_the_papers() -> None:
    assert sum(TYPE_COUNTS.values()) == 1967
    shares = [round(1000 * count / 1967) / 10 for count in TYPE_COUNTS.values()]
    assert shares == [31.1, 21.5, 20.6, 8.6, 18.3]
    assert [level["tasks"] for level in TABLE_1.values()] == [2.4, 5.7, 12.3]
    assert sum(10 * level["questions"] for level in TABLE_1.values()) == pytest.approx(1949)


def test_levels_of_another_preset_stand_alone(tmp_path: Path) -> None:
    found = stats(build(Plan("hard", 3, 1), tmp_path))
    assert list(found["levels"]) == ["hard"]
