from __future__ import annotations

import pytest

from worldquiz.facts.question import Type
from worldquiz.t2q.builder import build
from worldquiz.t2q.stats import TABLE_1, TYPE_COUNTS, covers, stats
from worldquiz.t2q.suites import Plan, Suite


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    """Two worlds a level."""
    return build(Plan("paper", 3, 2), tmp_path_factory.mktemp("paper"))


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


def test_the_papers_numbers_are_the_papers() -> None:
    assert sum(TYPE_COUNTS.values()) == 1967
    shares = [round(1000 * count / 1967) / 10 for count in TYPE_COUNTS.values()]
    assert shares == [31.1, 21.5, 20.6, 8.6, 18.3]
    assert [level["tasks"] for level in TABLE_1.values()] == [2.4, 5.7, 12.3]
    assert sum(10 * level["questions"] for level in TABLE_1.values()) == pytest.approx(1949)
