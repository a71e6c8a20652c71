"""What a system may lack is named: a file system's locks."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from worldquiz.errors import RecordError
from worldquiz.runs.folder import claimed


def test_a_file_system_without_locks_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unlocked(*told: object) -> None:
        raise OSError(errno.ENOSYS, "Function not implemented")

    monkeypatch.setattr("fcntl.flock", unlocked)
    with (
        pytest.raises(RecordError, match="its file system has no locks"),
        claimed(tmp_path / "run"),
    ):
        pass
