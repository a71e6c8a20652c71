"""Every example runs as it stands."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "examples"
SAYS = {
    "build_and_run.py": ("2 worlds, digest", "walkthrough  won", "explorer     won 0 of"),
    "own_agent.py": ("knowledge", "false_answers", "eus"),
    "own_benchmark.py": ("abstainer  knowledge 0.00 of 0.40", "reader     knowledge 0.40 of 0.40"),
    "own_memory.py": ("Rooms keeps all laws of a memory", "You see a chest here."),
    "own_world.py": ("two rooms, no broken law",),
}


@pytest.mark.parametrize("name", sorted(path.name for path in FOLDER.glob("*.py")))
def test_an_example_runs_and_says_what_it_promises(name: str) -> None:
    done = subprocess.run(
        [sys.executable, str(FOLDER / name)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    for words in SAYS[name]:
        assert words in done.stdout


def test_no_promise_without_an_example() -> None:
    assert {path.name for path in FOLDER.glob("*.py")} == set(SAYS)
