"""What records say of kinds that are not ours: names, and digests that tell one from another."""

from __future__ import annotations

from pathlib import Path

import pytest

from own_tea_kinds import LARGER
from worldquiz.errors import CatalogError
from worldquiz.tea.kinds import kinds as tasks_of


def test_a_packages_kind_is_named_and_means_one_thing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = tmp_path / "own-1.dist-info" / "entry_points.txt"
    entries.parent.mkdir()
    entries.write_text("[worldquiz.task_kinds]\nlarger = own_tea_kinds:LARGER\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert tasks_of.record() == {"kinds": ["larger"]}
    assert [kind.name for kind in tasks_of.kinds()].count("larger") == 1
    with pytest.raises(CatalogError, match="'larger': there is one of that name"):
        tasks_of.kinds([LARGER])
