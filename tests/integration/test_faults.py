"""Faults of the file system while a command writes; `benchmarks/faults.py` tries more."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "file_faults.py"


@pytest.mark.skipif(not shutil.which("cc") or sys.platform != "linux", reason="needs cc on Linux")
def test_mazes_survive_faults_at_their_changes(tmp_path: Path) -> None:
    command = [sys.executable, str(SCRIPT), str(tmp_path), "7"]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr
    *broken, tried = said.stdout.splitlines()
    assert broken == []
    assert int(tried.split()[0]) >= 20
