"""Settings of a run: declared once, checked by name and value, and offered at every door."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click
import pytest

from worldquiz.cli import app
from worldquiz.errors import KnobError
from worldquiz.mango.paths import Route
from worldquiz.mango.questions import Text
from worldquiz.mango.settings import MapSettings, MinigameSettings, QuizSettings
from worldquiz.memory.base import Granularity, Query
from worldquiz.runs.settings import RunSettings, declared, spelled
from worldquiz.t2q.settings import T2QSettings
from worldquiz.tea.settings import TeaRecallSettings, TeaSettings

COMMANDS: dict[str, type[RunSettings]] = {
    "t2q run": T2QSettings,
    "mango run": QuizSettings,
    "mango map": MapSettings,
    "mango minigames": MinigameSettings,
    "tea run": TeaSettings,
    "tea recall": TeaRecallSettings,
}


@pytest.mark.parametrize("path", COMMANDS)
def test_every_setting_is_an_option_of_its_command(path: str) -> None:
    group, name = path.split()
    commands = app.get_command(click.Context(app), group)
    assert isinstance(commands, click.Group)
    command = commands.get_command(click.Context(commands), name)
    assert command is not None
    options = {option for param in command.params for option in param.opts}
    for setting, (_, about) in declared(COMMANDS[path]).items():
        assert spelled(setting, about)[0].split("/")[0] in options


@pytest.mark.parametrize("kind", COMMANDS.values())
def test_settings_are_given_by_name_as_an_object_or_both(kind: type[RunSettings]) -> None:
    assert kind.of(None, {}) == kind()
    made = kind.of(kind(seed=3, retry_failed=True), {"seed": 4})
    assert made == replace(kind(retry_failed=True), seed=4)


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"conections": 3}, TypeError, "no setting 'conections'; did you mean 'connections'?"),
        ({"on_fire": 3}, TypeError, "no setting 'on_fire'; known: base_url, "),
        ({"max_steps": "20"}, KnobError, "max_steps '20': give a whole number"),
        ({"max_steps": -1}, KnobError, "max_steps -1: give 0 or more"),
        ({"max_steps": True}, KnobError, "max_steps True: give a whole number"),
        ({"budget": float("nan"), "model": 3}, KnobError, "model 3: give a text"),
        ({"explore": 1, "model": "m"}, KnobError, "explore 1: give true or false"),
        ({"granularity": "steps"}, KnobError, "granularity 'steps': no such value; did you mean"),
        ({"max_cost": float("nan"), "model": "m"}, KnobError, "max_cost nan: give 0 or more"),
        ({"k": 3}, KnobError, "k needs a model: without, nothing would use it"),
    ],
)
def test_what_cannot_be_is_named(
    changes: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error) as told:
        T2QSettings.of(None, changes)
    assert str(told.value).startswith(words)


def test_a_benchmark_takes_no_setting_that_it_has_no_use_for() -> None:
    with pytest.raises(TypeError, match="no setting 'jobs'"):
        QuizSettings.of(None, {"jobs": 2})
    with pytest.raises(KnobError, match="tokenizer needs tokens or window: without"):
        QuizSettings.of(None, {"tokenizer": "chars/4"})


def test_settings_say_what_the_rooms_that_use_them_say() -> None:
    choices = {
        (T2QSettings, "granularity"): Granularity, (T2QSettings, "query"): Query,
        (QuizSettings, "walkthrough"): Text, (QuizSettings, "rf_easy"): Route,
    }  # fmt: skip
    for (kind, name), values in choices.items():
        assert declared(kind)[name][1].choices == tuple(map(str, values))
