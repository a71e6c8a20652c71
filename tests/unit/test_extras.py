"""A module that is there is returned; one that is not is missed with the way to install it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from worldquiz.errors import MissingExtra
from worldquiz.plugins import need


def test_a_module_is_returned_with_what_lies_within_its_package() -> None:
    assert need("json", extra="tea") is json
    assert need("xml.etree.ElementTree", extra="tea").fromstring("<a/>").tag == "a"


@pytest.mark.parametrize(
    ("module", "library", "named"),
    [
        ("scipy.spatial", None, "scipy"),
        ("PIL.Image", "pillow", "pillow"),
        ("no_such_module", None, "no_such_module"),
    ],
)
def test_a_missing_library_is_named_with_its_extra(
    monkeypatch: pytest.MonkeyPatch, module: str, library: str | None, named: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra) as caught:
        need(module, extra="tea", library=library)
    assert str(caught.value).startswith(f"{named} is not installed: pip install 'worldquiz[tea]'")


def test_a_module_for_later_is_imported_when_it_is_used() -> None:
    code = (
        "import sys; from worldquiz.plugins import later; np = later('numpy', extra='tea'); "
        "assert 'numpy' not in sys.modules; assert np.add(1, 2) == 3 and np.pi > 3; "
        "assert sys.modules['numpy'].add is np.add"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_extra_that_is_named_is_there() -> None:
    root = Path(__file__).parents[2]
    known = tomllib.loads((root / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert len(known) <= 11
    pages = [*(root / "src").rglob("*.py"), *(root / "docs").rglob("*.md"), root / "README.md"]
    named = re.compile(r"""extra="(\w+)"|MissingExtra\(\S+ "(\w+)"\)|worldquiz\[([\w,]+)\]""")
    for page in pages:
        for found in named.finditer(page.read_text()):
            extras = {name for group in found.groups() if group for name in group.split(",")}
            assert extras - {"EXTRA", "ignore"} <= known.keys(), (page, found[0])


@pytest.mark.slow
@pytest.mark.parametrize("words", ["'tea', 'scene', '--out', 'x'", "'check', 'tasks'"])
def test_the_distribution_of_scenes_is_missed_in_one_line(tmp_path: Path, words: str) -> None:
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks" / "manifest.json").write_text('{"kind": "tea", "scenes": {}}')
    code = (
        "import sys; sys.modules['worldquiz_scenes'] = None; from worldquiz.cli import main; "
        f"sys.argv = ['worldquiz', {words}]; main()"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    said = "worldquiz: worldquiz-scenes is not installed: pip install 'worldquiz[tea]'\n"
    assert (done.returncode, done.stderr) == (2, said)
