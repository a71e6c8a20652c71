"""The guide's sweep on real worlds: killed in the middle, it ends with the bytes of a calm one."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from process import ended, killed
from worldquiz.t2q.suites import Suite

GUIDE = Path(__file__).parents[2] / "docs" / "how-to" / "sweep.md"


def begin(folder: Path, suite: Suite) -> Path:
    """Lay the guide's file beside a suite."""
    shutil.copytree(suite.path, folder / "suite")
    (text,) = re.findall(r"^```toml\n(.*?)^```$", GUIDE.read_text(), re.MULTILINE | re.DOTALL)
    file = folder / "sweep.toml"
    file.write_text(text)
    return file


def tree(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_killed_sweep_is_resumed_to_the_same_bytes(suite: Suite, tmp_path: Path) -> None:
    calm, hit = (begin(tmp_path / name, suite) for name in ("calm", "hit"))
    said = ended("sweep", calm, "--json").json
    assert [run["error"] for run in said["runs"]] == [None] * 6
    runs = hit.parent / "runs"
    assert killed(lambda: len(list(runs.glob("*/scores.json"))) >= 2, "sweep", hit)
    assert len(list(runs.glob("*/scores.json"))) < 6
    ended("sweep", hit, "--json")
    assert tree(runs) == tree(calm.parent / "runs")
