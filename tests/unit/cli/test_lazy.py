"""Groups know names; modules are imported when a command is called."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from worldquiz.cli import lazy
from worldquiz.errors import KnobError

MODULE = '''
import typer
from typing import Annotated
def {name}(answerer: Annotated[str, typer.Option("--answerer", rich_help_panel="Who")]) -> None:
    """Do {name}. And more of it."""
    print("{name}:", answerer)
'''
Call = Callable[..., Any]


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Call]:
    """A group of commands in modules of their own."""
    names = ("lazy_one", "lazy_two", "lazy_three")
    for name in names:
        (tmp_path / f"{name}.py").write_text(MODULE.format(name=name))
    monkeypatch.syspath_prepend(str(tmp_path))
    app = lazy.group(
        "For tests.",
        {"Make": {"one": "lazy_one:lazy_one"},
         "Look": {"two": "lazy_two:lazy_two", "three": ("lazy_three:lazy_three", "The third.")}},
    )  # fmt: skip

    def run(*words: str) -> None:
        lazy.command("worldquiz", app)(list(words), prog_name="worldquiz", standalone_mode=False)

    yield run
    for name in names:
        sys.modules.pop(name, None)


def test_a_command_is_imported_when_it_is_called(
    call: Call, capsys: pytest.CaptureFixture[str]
) -> None:
    call("one", "--answerer", "x")
    assert capsys.readouterr().out == "lazy_one: x\n"
    assert {"lazy_one", "lazy_two", "lazy_three"} & set(sys.modules) == {"lazy_one"}


def test_help_stands_in_panels_and_imports_only_what_has_no_summary(
    call: Call, capsys: pytest.CaptureFixture[str]
) -> None:
    call("--help")
    text = capsys.readouterr().out
    order = ["For tests.", "Make:", "  one ", "Do lazy_one.", "Look:", "two", "three", "The third."]
    places = [text.index(part) for part in order]
    assert places == sorted(places)
    assert "And more" not in text
    assert "lazy_three" not in sys.modules


def test_options_stand_in_their_panels(call: Call, capsys: pytest.CaptureFixture[str]) -> None:
    call("two", "--help")
    text = capsys.readouterr().out
    assert text.index("Options:") < text.index("Who:") or text.index("Who:") < text.index("--help")
    assert "--answerer" in text[text.index("Who:") :]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("thre",), r"No such command 'thre'\. Did you mean 'three'\? See `worldquiz --help`$"),
        (("xyz",), r"No such command 'xyz'; see `worldquiz --help`$"),
        (("--loud",), r"^worldquiz: No such option: --loud; see `worldquiz --help`$"),
        (("one", "--answerr", "x"), r"--answerr; did you mean '--answerer'\?"),
        (("one",), r"Missing option '--answerer'"),
    ],
)
def test_mistakes_are_one_line_that_names_the_way_out(
    call: Call, words: tuple[str, ...], message: str
) -> None:
    with pytest.raises(KnobError, match=message) as told:
        call(*words)
    assert "\n" not in str(told.value)


def test_commands_are_a_mapping_that_loads_once() -> None:
    loaded: list[str] = []
    entries = {
        name: lazy.LazyCommand("Make", lambda name=name: loaded.append(name) or name)  # type: ignore[misc,func-returns-value]
        for name in "abc"
    }
    found = lazy.Commands(entries)
    assert (list(found), len(found), "a" in found, "x" in found) == ([*"abc"], 3, True, False)
    assert loaded == []
    assert (found["b"], found["b"], found.get("x")) == ("b", "b", None)
    assert loaded == ["b"]
    del found["b"]
    assert list(found) == ["a", "c"]


def test_commands_registered_with_typer_itself_are_kept() -> None:
    app = lazy.group("Mixed.", {"Make": {}})
    app.command("own")(lambda: typer.echo("own"))
    group = lazy.command("mixed", app)
    assert group.list_commands(None) == ["own"]
    assert group.get_command(None, "own").name == "own"
