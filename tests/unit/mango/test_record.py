"""Which games and commands are recorded, before any is played."""

from __future__ import annotations

from pathlib import Path

import pytest

from worldquiz.errors import RecordError
from worldquiz.mango.recorder.folder import commands_for, stories


def test_commands_lie_beside_the_game_with_or_without_numbers(tmp_path: Path) -> None:
    story = tmp_path / "toy.z5"
    assert commands_for(story, None) is None
    acts = tmp_path / "toy.walkthrough_acts"
    acts.write_text("1: n\n2: take 1: one\n")
    assert commands_for(story, None) == ("n", "take 1: one")
    acts.write_text("n\n\n take lamp \n")
    assert commands_for(story, None) == ("n", "take lamp")
    acts.write_text("1: n\n2: \n")
    assert commands_for(story, None) == ("n", "")
    acts.write_bytes(b"\xff")
    with pytest.raises(RecordError, match=r"toy\.walkthrough_acts: is no text"):
        commands_for(story, None)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("1: n\n\ngo north\n", r":3: 'go north', wanted '2: COMMAND'"),
        ("1: n\n3: s\n", r":2: '3: s', wanted '2: COMMAND'"),
        ("0: n\n", r":1: '0: n', wanted '1: COMMAND'"),
        ("\n\n", r": holds no command"),
    ],
)
def test_a_line_that_is_no_command_is_named(tmp_path: Path, text: str, fault: str) -> None:
    (tmp_path / "toy.walkthrough_acts").write_text(text)
    with pytest.raises(RecordError, match=rf"toy\.walkthrough_acts{fault}"):
        commands_for(tmp_path / "toy.z5", None)


def test_a_folder_of_games_is_listed_by_name(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="no such folder"):
        stories(tmp_path / "none")
    (tmp_path / "README").write_text("")
    with pytest.raises(RecordError, match="no story file here"):
        stories(tmp_path)
    for name in ("b.z5", "a.Z3"):
        (tmp_path / name).write_bytes(b"")
    assert [path.name for path in stories(tmp_path)] == ["a.Z3", "b.z5"]
    (tmp_path / "b.z8").write_bytes(b"")
    with pytest.raises(RecordError, match="two games are called 'b'"):
        stories(tmp_path)
