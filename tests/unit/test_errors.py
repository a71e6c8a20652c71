from __future__ import annotations

import inspect
import pickle

import pytest

from worldquiz import errors
from worldquiz.errors import MissingExtra, WorldquizError, did_you_mean

OURS = [kind for _, kind in inspect.getmembers(errors, inspect.isclass)
        if issubclass(kind, WorldquizError)]  # fmt: skip


@pytest.mark.parametrize("error", OURS, ids=lambda error: error.__name__)
def test_every_error_stands_in_the_tree_is_no_misuse_and_passes_between_processes(
    error: type[WorldquizError],
) -> None:
    assert error.__name__ in str(errors.__doc__)
    assert error.__doc__
    assert not issubclass(error, TypeError | ValueError | OSError)
    raised = error("pyarrow", "exact") if error is MissingExtra else error("no such thing")
    again = pickle.loads(pickle.dumps(raised))
    assert (type(again), str(again)) == (error, str(raised))


@pytest.mark.parametrize(
    ("name", "hint"), [("eazy", "; did you mean 'easy'?"), ("", "; known: easy, hard, medium")]
)
def test_a_near_miss_is_named_and_else_all_there_is(name: str, hint: str) -> None:
    assert did_you_mean(name, {"medium", "hard", "easy"}) == hint
