"""Faults of the file system while a command writes."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "file_faults.py"


@pytest.mark.skipif(not shutil.which("cc") or sys.platform != "linux", reason="needs cc on Linux")
def test_a_writer_of_each_benchmark_and_a_model_run_survive_faults(tmp_path: Path) -> None:
    command = [sys.executable, str(SCRIPT), str(tmp_path)]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr
    told = [
        re.fullmatch(r"([a-z0-9 ]+): (\d+) faults at (\d+) changes, (\d+) calls", line)
        for line in said.stdout.splitlines()
    ]
    assert all(told), said.stdout
    found = {each[1]: [int(number) for number in each.groups()[1:]] for each in told if each}
    assert list(found) == ["t2q build", "mango build", "tea scene", "mango run"]
    assert all(tried >= 4 and changes >= tried for tried, changes, _ in found.values())
    assert found["mango run"][2] > 0  # its model was asked
