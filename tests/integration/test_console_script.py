"""The installed script ``worldquiz``: Python starts it without the current folder on its path."""

from __future__ import annotations

import subprocess
import sysconfig
from pathlib import Path

from worldquiz.t2q.suites import Suite

MINE = """
class Walker:
    def act(self, observation):
        return "look"


class Silent:
    def answer(self, prompt):
        return "I do not know"
"""


def test_a_module_in_the_current_folder_is_found(suite: Suite, tmp_path: Path) -> None:
    (tmp_path / "my_players.py").write_text(MINE, encoding="utf-8")
    script = Path(sysconfig.get_path("scripts")) / "worldquiz"
    who = ("--agent", "my_players:Walker", "--answerer", "my_players:Silent", "--max-steps", "1")
    done = subprocess.run(
        [script, "run", suite.path, *who, "--jobs", "2", "--out", "run"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "run" / "scores.json").is_file()
