from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from conftest import SpecOf
from worldquiz.errors import RecordError
from worldquiz.facts.episode import Episode, Observation, Outcome, Step
from worldquiz.facts.question import Answer
from worldquiz.records import read_json, write_folder, write_text
from worldquiz.runs.executor import silent
from worldquiz.runs.folder import (
    Worlds,
    begin,
    claimed,
    read_manifest,
    sweep,
    world_folder,
)
from worldquiz.runs.life import unfinished
from worldquiz.t2q import Proof, Solution, Task, Verb
from worldquiz.t2q.quiz.ask import ask
from worldquiz.t2q.store import (
    Bundle,
    Played,
    read_bundle,
    write_bundle,
)


@pytest.fixture(scope="module")
def played(spec_of: SpecOf) -> Played:
    """One world with one lost episode and two answers."""
    spec = spec_of("easy", 1)
    goal = next(fact for fact in spec.facts if fact.predicate == "at")
    plan = Solution(("go north",), Proof.SHORTEST)
    task = Task("go", Verb.GO, goal.args[1], (goal,), "Go.", (goal,), ("attic",), plan)
    seen = Observation("You are in the attic.", "You carry nothing.", 0, False, "Go.")
    steps = (
        Step(0, None, None, seen, (goal,), (), ()),
        Step(1, "sing", None, seen, (), (), ()),
        Step(2, "go north", "go north", seen, (goal,), (goal,), ()),
    )
    episode = Episode(spec.id, task.id, "nobody", 7, Outcome.STEP_LIMIT, steps)
    questions = ask(spec)
    answers = tuple(Answer(question.id, "yes") for question in questions[:2])
    return Played(Bundle(spec, (task,), questions), (episode,), answers)


def test_a_world_of_a_suite_comes_back_as_it_was(tmp_path: Path, played: Played) -> None:
    write_bundle(tmp_path, played.bundle)
    assert read_bundle(tmp_path) == played.bundle


def test_every_question_names_its_kind_and_its_requirements(tmp_path: Path, played: Played) -> None:
    write_bundle(tmp_path, played.bundle)
    for line in (tmp_path / "quiz.jsonl").read_text().splitlines()[1:]:
        assert '"kind":' in line
        assert '"requires":{' in line


def test_two_worlds_in_one_folder_are_refused(tmp_path: Path, played: Played) -> None:
    write_bundle(tmp_path, played.bundle)
    path = tmp_path / "spec.jsonl"
    header, record, _ = path.read_text().split("\n")
    path.write_text("\n".join([header.replace("1,", "2,", 1), record, record, ""]))
    with pytest.raises(RecordError, match="2 worlds, wanted one"):
        read_bundle(tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "no manifest.json: this is no suite"),
        ('{"kind": "run"}', "is of kind 'run', wanted a suite"),
        ("[]", "is damaged, wanted a suite"),
        ('{"kind": "su', "cut short or damaged"),
        ("", "cut short or damaged"),
    ],
)
def test_a_folder_that_is_no_suite_is_named(tmp_path: Path, text: str | None, message: str) -> None:
    if text is not None:
        (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(RecordError, match=message):
        read_manifest(tmp_path, "suite", "suite")


def test_a_folder_appears_whole(tmp_path: Path) -> None:
    target = tmp_path / "worlds" / "easy-00"

    def fill(folder: Path) -> None:
        write_text(folder / "a", "1")
        assert not target.exists()

    write_folder(target, fill)
    assert (target / "a").read_text() == "1"
    assert [path.name for path in target.parent.iterdir()] == ["easy-00"]


@pytest.mark.parametrize(
    "error", [RecordError("no"), OSError(28, "No space left"), KeyboardInterrupt()]
)
def test_a_folder_that_cannot_be_filled_does_not_appear(
    tmp_path: Path, error: BaseException
) -> None:
    def fill(folder: Path) -> None:
        write_text(folder / "a", "1")
        raise error

    expected = RecordError if isinstance(error, OSError) else type(error)
    with pytest.raises(expected):
        write_folder(tmp_path / "easy-00", fill)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_replaced_whole(tmp_path: Path) -> None:
    for name in ("old", "new"):
        write_folder(tmp_path / "w", lambda folder, name=name: write_text(folder / name, name))  # type: ignore[misc]
    assert [path.name for path in (tmp_path / "w").iterdir()] == ["new"]


def test_a_file_in_the_way_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "worlds").write_text("")
    with pytest.raises(RecordError, match=r"cannot write: (File exists|Not a directory)"):
        write_folder(tmp_path / "worlds" / "easy-00", lambda folder: None)


def test_a_folder_begun_for_one_thing_serves_no_other(tmp_path: Path) -> None:
    begin(tmp_path, "plan.json", {"seed": 7, "preset": "easy"})
    begin(tmp_path, "plan.json", {"seed": 7, "preset": "easy"})
    with pytest.raises(RecordError, match=r"another command \(seed was 7, is now 8\)"):
        begin(tmp_path, "plan.json", {"seed": 8, "preset": "easy"})
    assert read_json(tmp_path / "plan.json") == {"seed": 7, "preset": "easy"}


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    for name in (".config.json.bak", "thesis.tex"):
        (tmp_path / name).write_text("mine")
    with pytest.raises(RecordError, match=r"holds .\.config\.json\.bak. and no plan\.json"):
        begin(tmp_path, "plan.json", {})
    assert sorted(path.name for path in tmp_path.iterdir()) == [".config.json.bak", "thesis.tex"]


def test_what_a_killed_process_left_is_swept_and_nothing_else(tmp_path: Path) -> None:
    worlds = tmp_path / "worlds"
    begin(tmp_path, "plan.json", {})
    (tmp_path / ".manifest.json.x7f").write_text("{")
    (worlds / ".easy-00.abc").mkdir(parents=True)
    (worlds / ".easy-00.abc" / "spec.jsonl").write_text("{")
    (worlds / "easy-01").mkdir()
    (tmp_path / ".hidden").write_text("mine")
    sweep(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".hidden", "plan.json", "worlds"]
    assert [path.name for path in worlds.iterdir()] == ["easy-01"]


def test_a_process_killed_while_it_wrote_the_first_file_can_go_on(tmp_path: Path) -> None:
    (tmp_path / ".plan.json.x7f").write_text("{")
    begin(tmp_path, "plan.json", {"seed": 7})
    assert [path.name for path in tmp_path.iterdir()] == ["plan.json"]


def test_what_is_unfinished_is_told_apart(tmp_path: Path) -> None:
    world_folder(tmp_path, "b").mkdir(parents=True)
    finished: list[str] = []
    assert unfinished(["c", "b", "a"], Worlds(tmp_path, silent).has, finished.append) == ["c", "a"]
    assert finished == ["b"]


@pytest.mark.slow
def test_one_process_at_a_time_may_write(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from worldquiz.runs.folder import claimed\n"
        "with claimed(Path(sys.argv[1])): print('held')"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    with claimed(tmp_path):
        refused = subprocess.run(command, capture_output=True, text=True, check=False)
    allowed = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "another worldquiz is writing here" in refused.stderr
    assert allowed.stdout == "held\n"


def test_a_claim_leaves_no_trace(tmp_path: Path) -> None:
    handles = len(list(Path("/proc/self/fd").iterdir()))
    with claimed(tmp_path / "new"):
        pass
    assert list((tmp_path / "new").iterdir()) == []
    assert len(list(Path("/proc/self/fd").iterdir())) == handles


def test_a_file_cannot_be_claimed(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(RecordError, match="no folder to write into: it is a file"),
        claimed(tmp_path / "file"),
    ):
        pass


def test_a_run_of_another_benchmark_says_its_kind(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"kind": "mango"}')
    with pytest.raises(RecordError, match="is of kind 'mango', wanted a run"):
        read_manifest(tmp_path, "run", "run")


def test_a_run_is_not_written_through_a_link(tmp_path: Path) -> None:
    out, elsewhere = tmp_path / "run", tmp_path / "elsewhere"
    elsewhere.mkdir()
    record = {"kind": "run"}
    with claimed(out):
        begin(out, "manifest.json", record)
    (out / "worlds").mkdir()
    for link in (out / ".answers.journal", out / "logs", out / "worlds" / "easy-00"):
        link.symlink_to(elsewhere)
        with claimed(out), pytest.raises(RecordError, match=f"{link.name}: is a link out of the"):
            begin(out, "manifest.json", record)
        link.unlink()
    (out / "logs").symlink_to("worlds")
    with claimed(out):
        begin(out, "manifest.json", record)
