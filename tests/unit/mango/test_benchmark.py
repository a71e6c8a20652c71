"""How MANGO enters the shared rooms: its kinds of folders, and what each offers."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.console import Console

import people
import worldquiz as wq
from worldquiz.errors import RecordError
from worldquiz.mango.benchmark import BENCHMARK, MAZES, MINIGAMES, QUIZ
from worldquiz.mango.generate import Knobs, generate
from worldquiz.mango.published import Layout, write
from worldquiz.runs.benchmark import kind_of, kind_of_data, kind_of_run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return people.mazes(tmp_path_factory.mktemp("mango") / "run")


@pytest.mark.parametrize("layout", Layout)
def test_a_folder_of_mazes_is_recognized_by_its_files(layout: Layout, tmp_path: Path) -> None:
    write(generate(Knobs(5), 1, name="cave"), tmp_path, layout)
    assert kind_of_data(tmp_path)[1] is kind_of_data(tmp_path / "cave")[1] is MAZES
    assert wq.load(tmp_path).games == ("cave",)


def test_other_folders_and_files_are_not_recognized(tmp_path: Path) -> None:
    assert not MAZES.holds(tmp_path)
    assert not MAZES.holds(tmp_path / "nowhere")
    (tmp_path / "cave").mkdir()
    (tmp_path / "cave" / "edges.json").write_text("[]")
    assert not MAZES.holds(tmp_path)
    assert not MAZES.holds(tmp_path / "cave" / "edges.json")


def test_a_run_is_told_by_its_manifest(run: Path) -> None:
    assert kind_of(run)[0] is BENCHMARK
    assert kind_of_run(run)[1] is QUIZ
    with pytest.raises(RecordError, match="is a MANGO run: give the folder that it was run on"):
        kind_of_data(run)


class North:
    def answer(self, prompt: str) -> str:
        return "north"


def shown(tables: object) -> str:
    console = Console(width=80)
    with console.capture() as capture:
        for table in tables:  # type: ignore[attr-defined]
            console.print(table)
    return capture.get()


def test_tables_of_runs_name_who_answered(run: Path, tmp_path: Path) -> None:
    assert QUIZ.tables is not None
    assert MINIGAMES.tables is not None
    assert "mapper: means over mazes" in shown(QUIZ.tables([run]))
    mazes = wq.load(run / "mazes")
    played = mazes.minigames(
        type("One", (), {"answer": lambda self, prompt: "north"}), out=tmp_path
    )
    assert "by chance" in shown(MINIGAMES.tables([played.path]))


def test_a_run_is_a_quiz_for_a_person(run: Path) -> None:
    assert QUIZ.sheet is not None
    quiz = QUIZ.sheet(run, "Anna", None)
    assert len(quiz.asked) == len(wq.Run(run).rows)
    with pytest.raises(RecordError, match="leave out --data"):
        QUIZ.sheet(run, "Anna", run)
