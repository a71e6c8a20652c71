"""Tutorials, the notebook and the guide to memories run as they stand and print what they say.

A page's ``python`` and ``sh`` blocks are run in order, in one process and an empty folder; the
Python blocks share their names. A ``text`` block is what the block before it prints.
``WORLDQUIZ_TUTORIALS=write`` writes what was printed into the pages instead: read the difference,
and the sentences around it, before you commit it.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
TUTORIALS = [*sorted((DOCS / "tutorials").glob("*.md")), DOCS / "how-to" / "own-memory.md"]
SAMPLE = ROOT / "examples" / "two-rooms.sh3d"

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_MARK = "=== block {} ==="


def script(blocks: list[tuple[str, str]]) -> str:
    """Return one Python program of a page's blocks, which marks whose output begins."""
    parts = ["import subprocess"]
    for number, (language, body) in enumerate(blocks):
        mark = _MARK.format(number)
        if language == "python":
            parts += [f"print({mark!r}, flush=True)", body]
        elif language == "sh":
            parts += [
                f"print({mark!r}, flush=True)",
                f"subprocess.run({body!r}, shell=True, check=True)",
            ]
    return "\n".join(parts)


def played(page: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a page's blocks in a folder."""
    (folder / "tutorial.py").write_text(script(_BLOCK.findall(page)))
    here = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    return subprocess.run(
        [sys.executable, "tutorial.py"],
        cwd=folder,
        env={**os.environ, "PATH": here, "COLUMNS": "80"},
        capture_output=True,
        text=True,
        check=False,
    )


def printed(output: str) -> dict[str, str]:
    """Return what each block printed, by its number."""
    return dict(re.findall(r"=== block (\d+) ===\n(.*?)(?=^=== block|\Z)", output, re.M | re.S))


def written(page: str, output: str) -> str:
    """Return a page whose promises are what was printed."""
    told, blocks = printed(output), iter(range(len(_BLOCK.findall(page))))

    def block(found: re.Match[str]) -> str:
        number = next(blocks)
        text = found[1] == "text"
        return f"```text\n{told[str(number - 1)].rstrip()}\n```" if text else found[0]

    return _BLOCK.sub(block, page)


def wrong(page: str, output: str) -> list[str]:
    """Return the printed words that a page does not promise, or promises in vain."""
    blocks = _BLOCK.findall(page)
    told = printed(output)
    return [
        f"promised:\n{body}\nprinted:\n{told[str(number)]}"
        for number, (_, (language, body)) in enumerate(pairwise(blocks))
        if language == "text" and told[str(number)].split() != body.split()
    ]


@pytest.mark.slow
@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_a_tutorial_runs_and_prints_what_it_says(page: Path, tmp_path: Path) -> None:
    shutil.copy(SAMPLE, tmp_path)
    done = played(page.read_text(), tmp_path)
    assert done.returncode == 0, done.stderr
    if os.environ.get("WORLDQUIZ_TUTORIALS") == "write":
        page.write_text(written(page.read_text(), done.stdout))
    assert wrong(page.read_text(), done.stdout) == []


def test_the_notebook_runs_and_prints_what_it_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    cells = json.loads((DOCS / "tutorials" / "first-steps.ipynb").read_text())["cells"]
    assert len(cells) <= 12
    names: dict[str, object] = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            with contextlib.redirect_stdout(io.StringIO()) as said:
                exec("".join(cell["source"]), names)
            assert said.getvalue() == "".join(t for out in cell["outputs"] for t in out["text"])


def test_there_are_four_pages_each_with_a_promise() -> None:
    assert len(TUTORIALS) == 4
    for page in TUTORIALS:
        assert "text" in {language for language, _ in _BLOCK.findall(page.read_text())}, page
