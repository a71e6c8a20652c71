from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

import pytest

from worldquiz.errors import KnobError, MissingExtra, RecordError
from worldquiz.records import read_json, write_json
from worldquiz.t2q import benchmark
from worldquiz.t2q import builder as module
from worldquiz.t2q import pipeline as t2q
from worldquiz.t2q.builder import Made, build, make, worlds
from worldquiz.t2q.quiz.ask import RULES
from worldquiz.t2q.run import Trial, run
from worldquiz.t2q.suites import Plan, Slot, Suite, open_suite
from worldquiz.t2q.verify import record, verify
from worldquiz.t2q.world.spec import WorldSpec

PAPER = Plan("paper", seed=3, worlds=2)


def tree(folder: Path) -> dict[str, str]:
    """Return what every file of a folder holds."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    """The suite of `PAPER`."""
    return build(PAPER, tmp_path_factory.mktemp("paper"))


def test_a_suite_holds_what_the_plan_asks_for(paper: Suite) -> None:
    assert paper.worlds == ("easy-00", "easy-01", "medium-00", "medium-01", "hard-00", "hard-01")
    assert sorted(tree(paper.path)) == sorted(
        ["manifest.json", "plan.json"]
        + [
            f"worlds/{world}/{name}"
            for world in paper.worlds
            for name in ("spec.jsonl", "tasks.jsonl", "quiz.jsonl")
        ]
    )


@pytest.mark.slow
def test_the_number_of_processes_changes_nothing(paper: Suite, tmp_path: Path) -> None:
    build(PAPER, tmp_path, jobs=2)
    assert tree(tmp_path) == tree(paper.path)


def test_the_manifest_says_what_each_world_is(paper: Suite) -> None:
    manifest = json.loads((paper.path / "manifest.json").read_text())
    assert manifest["plan"] == PAPER.record()
    assert manifest["kind"] == "suite"
    assert [*manifest["versions"]] == ["worldquiz"]
    for entry in manifest["worlds"]:
        bundle = paper.bundle(entry["id"])
        assert entry["seed"] == bundle.spec.seed
        assert entry["level"] == bundle.spec.level == entry["id"].split("-")[0]
        assert entry["rooms"] == len(bundle.spec.rooms)
        assert entry["objects"] == bundle.spec.objects
        assert entry["tasks"] == len(bundle.tasks)
        assert entry["questions"] == len(bundle.questions)


@pytest.mark.slow
def test_games_stand_beside_the_world_and_leave_the_digest(
    suite: Suite, suite_with_games: Suite
) -> None:
    assert suite_with_games.digest == suite.digest
    assert suite_with_games.manifest["worlds"] == suite.manifest["worlds"]
    for world in suite.worlds:
        records, found = tree(suite.folder(world)), tree(suite_with_games.folder(world))
        assert found.keys() - records.keys() == {"game.ni", "game.z8"}
        assert records.items() <= found.items()


@pytest.mark.parametrize(
    "plan",
    [
        Plan("easy", 4, 2),
        Plan("easy", 3, 1),
        Plan("easy", 3, 2, (("theme", "ship"),)),
    ],
    ids=["seed", "worlds", "knob"],
)
def test_other_content_has_another_digest(paper: Suite, plan: Plan, tmp_path: Path) -> None:
    easy = build(Plan("easy", 3, 2), tmp_path / "easy")
    other = build(plan, tmp_path / "other")
    assert len({paper.digest, easy.digest, other.digest}) == 3


@pytest.mark.parametrize("part", ["tasks", "questions"])
def test_the_digest_covers_tasks_and_questions(
    part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = Plan("easy", 3, 1)
    before = build(plan, tmp_path / "before")
    made = getattr(t2q, part)
    place = f"{made.__module__}.{made.__name__}"
    monkeypatch.setattr(place, lambda *given, **share: made(*given, **share)[1:])
    assert build(plan, tmp_path / "after").digest != before.digest


def test_a_build_that_was_stopped_goes_on_where_it_was(
    paper: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(world: str) -> None:
        if world == "medium-00":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(PAPER, tmp_path, done=stop)
    assert not (tmp_path / "manifest.json").exists()
    made: list[str] = []

    def counted(plan: Plan, slot: Slot) -> Made:
        made.append(slot.id)
        return make(plan, slot)

    monkeypatch.setattr(module, "make", counted)
    told: list[str] = []
    build(PAPER, tmp_path, done=told.append)
    assert made == ["medium-01", "hard-00", "hard-01"]
    assert sorted(told) == sorted(paper.worlds)
    assert tree(tmp_path) == tree(paper.path)


def test_a_finished_suite_is_not_built_again(paper: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "make", None)
    before = {path: path.stat().st_mtime_ns for path in paper.path.rglob("*")}
    assert build(PAPER, paper.path).digest == paper.digest
    assert {path: path.stat().st_mtime_ns for path in paper.path.rglob("*")} == before


@pytest.mark.parametrize(
    ("plan", "difference"),
    [
        (Plan("paper", 4, 2), "seed was 3, is now 4"),
        (Plan("paper", 3, 2, games=True), "games was False, is now True"),
        (Plan("hard", 3, 1), "preset was 'paper', is now 'hard'; worlds was 2"),
    ],
)
def test_another_plan_is_refused(paper: Suite, plan: Plan, difference: str) -> None:
    with pytest.raises(RecordError, match=difference):
        build(plan, paper.path)


def test_a_build_begun_under_other_question_rules_is_not_finished(tmp_path: Path) -> None:
    plan = Plan("easy", 3, 1)
    write_json(tmp_path / "plan.json", {**plan.record(), "rules": 1})
    message = rf"plan\.json: was begun under other question rules \(1, now {RULES}\): build"
    for resume in (lambda: build(plan, tmp_path), lambda: benchmark._build(tmp_path)):
        with pytest.raises(RecordError, match=message):
            resume()
    assert [path.name for path in tmp_path.iterdir()] == ["plan.json"]


def test_a_finished_suite_of_other_rules_opens(tmp_path: Path) -> None:
    build(Plan("easy", 3, 1), tmp_path)
    for name in ("plan.json", "manifest.json"):
        document = read_json(tmp_path / name)
        (document if name == "plan.json" else document["plan"])["rules"] = 1
        write_json(tmp_path / name, document)
    suite = open_suite(tmp_path)
    assert suite.bundle("easy-00").questions
    with pytest.raises(RecordError, match="other question rules"):
        build(Plan("easy", 3, 1), tmp_path)


def test_knobs_that_no_world_can_meet_leave_nothing_behind(tmp_path: Path) -> None:
    plan = Plan("easy", 3, settings=(("locks", "40"), ("rooms", "3")))
    with pytest.raises(KnobError, match=r"world 'easy-00': parameter locks: 40 locks, but"):
        build(plan, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(RecordError, match=r"holds 'thesis\.tex' and no plan\.json"):
        build(PAPER, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_worlds_are_those_of_the_plan() -> None:
    specs = worlds(PAPER)
    assert [(spec.id, spec.seed) for spec in specs.values()] == [
        (slot.id, slot.seed) for slot in PAPER.slots
    ]
    assert all(isinstance(spec, WorldSpec) for spec in specs.values())


@pytest.mark.slow
def test_per_task_games_stand_beside_the_world(tmp_path: Path) -> None:
    made = build(Plan("easy", 3, 1, per_task_games=True), tmp_path)
    bundle = made.bundle("easy-00")
    found = {path.name for path in (made.folder("easy-00") / "games").iterdir()}
    assert found == {
        f"{task.id}.{suffix}" for task in bundle.tasks for suffix in ("ni", "z8", "json")
    }
    paper = build(Plan("easy", 3, 1), tmp_path / "paper")
    assert made.manifest["worlds"] == paper.manifest["worlds"]


@pytest.fixture
def no_textworld(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing of TextWorld be imported."""
    imported = [name for name in sys.modules if name.split(".")[0] in ("textworld", "jericho")]
    for name in {*imported, "textworld", "jericho"}:
        monkeypatch.setitem(sys.modules, name, None)


@pytest.mark.parametrize(
    "plan", [Plan("easy", 1, 1, games=True), Plan("easy", 1, 1, per_task_games=True)]
)
def test_games_without_textworld_leave_nothing_behind(
    plan: Plan, tmp_path: Path, no_textworld: None
) -> None:
    with pytest.raises(MissingExtra, match="textworld is not installed"):
        build(plan, tmp_path / "suite")
    assert not (tmp_path / "suite").exists()


def test_all_but_games_needs_nothing_of_textworld(tmp_path: Path, no_textworld: None) -> None:
    made = build(Plan("easy", 3, 1), tmp_path / "suite")
    assert record(verify(made))["sound"]
    assert run(made, Trial("walkthrough", "worldgraph"), tmp_path / "run")["tsr"] == 1
    with pytest.raises(MissingExtra, match=r"worldquiz\[textworld\]"):
        verify(made, engine="textworld")
