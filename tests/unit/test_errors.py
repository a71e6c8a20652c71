from __future__ import annotations

import inspect
import pickle

import pytest

from worldquiz import errors
from worldquiz.errors import MissingExtra, WorldquizError, did_you_mean

OURS = [
    value
    for _, value in inspect.getmembers(errors, inspect.isclass)
    if issubclass(value, WorldquizError)
]


@pytest.mark.parametrize("error", OURS, ids=lambda error: error.__name__)
def test_every_error_is_caught_by_the_root_and_drawn_in_the_tree(error: type) -> None:
    assert issubclass(error, WorldquizError)
    assert error.__name__ in str(errors.__doc__)
    assert error.__doc__


def test_no_error_of_ours_passes_for_misuse() -> None:
    assert not any(issubclass(error, (TypeError, ValueError, OSError)) for error in OURS)


@pytest.mark.parametrize("error", OURS, ids=lambda error: error.__name__)
def test_every_error_passes_between_processes(error: type[WorldquizError]) -> None:
    raised = error("pyarrow", "exact") if error is MissingExtra else error("no such thing")
    again = pickle.loads(pickle.dumps(raised))
    assert (type(again), str(again)) == (error, str(raised))


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("eazy", "; did you mean 'easy'?"),
        ("HARD", "; known: easy, hard, medium"),
        ("", "; known: easy, hard, medium"),
    ],
)
def test_a_near_miss_is_named_and_else_all_there_is(name: str, hint: str) -> None:
    assert did_you_mean(name, {"medium", "hard", "easy"}) == hint
