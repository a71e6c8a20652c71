"""A module that is there is returned; one that is not is missed with the way to install it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from worldquiz.errors import MissingExtra
from worldquiz.extras import need


def test_a_module_is_returned_with_what_lies_within_its_package() -> None:
    assert need("json", extra="scene") is json
    assert need("xml.etree.ElementTree", extra="scene").fromstring("<a/>").tag == "a"


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
        need(module, extra="scene", library=library)
    assert str(caught.value).startswith(f"{named} is not installed: pip install 'worldquiz[scene]'")


def test_a_module_for_later_is_imported_when_it_is_used() -> None:
    code = (
        "import sys; from worldquiz.extras import later; np = later('numpy', extra='scene'); "
        "assert 'numpy' not in sys.modules; assert np.add(1, 2) == 3 and np.pi > 3; "
        "assert sys.modules['numpy'].add is np.add"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
