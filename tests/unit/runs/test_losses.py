"""What failed and what is unfinished: told apart, counted, with scores without and with it."""

from __future__ import annotations

import errno
from dataclasses import replace

import pytest

from worldquiz.errors import KnobError, WorldError
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.runs.losses import (
    LONGEST,
    LimitReached,
    passing,
    raise_lost,
    reason_of,
)

ROW = Row(
    run="r", benchmark="toy", answerer="a", world="w", item="1", type="t", format="f",
    prompt="?", gold="x", reply="x", shown=True, status=AnswerStatus.ANSWERED, correct=1.0,
)  # fmt: skip
LOST = replace(ROW, status=AnswerStatus.FAILED, correct=None, reply="", unscored="HTTP 500")


class Refused(Exception):
    """As libraries of providers raise it."""

    def __init__(self, code: int) -> None:
        super().__init__(f"code {code}")
        self.status_code = code


class ModelGenerateError(RuntimeError):
    """As inspect's: it has the code of what it came of."""

    status_code = 400


def wrapped(error: Exception) -> Exception:
    """Raise an error within others, as retries do."""
    try:
        try:
            raise error
        except Exception as inner:
            raise RuntimeError("a request of 100 KB") from inner
    except RuntimeError as outer:
        return outer


@pytest.mark.parametrize("code", [401, 402, 403, 404, 429])
def test_what_tells_of_key_quota_or_address_is_no_failure(code: int) -> None:
    assert passing(Refused(code))
    assert passing(wrapped(Refused(code)))


@pytest.mark.parametrize("code", [400, 413, 422, 500, 503])
def test_what_a_server_says_of_the_call_is_a_failure(code: int) -> None:
    assert not passing(wrapped(Refused(code)))
    assert reason_of(wrapped(Refused(code))) == f"Refused: code {code}"


def test_limits_a_full_or_broken_disk_and_an_absent_server_are_no_failures() -> None:
    full, broken = OSError(errno.ENOSPC, "no space"), OSError(errno.EIO, "input/output error")
    here = (LimitReached("x"), KnobError("x"), full, broken, MemoryError())
    for error in (*here, ConnectionRefusedError()):
        assert passing(error)
        assert passing(wrapped(error) if isinstance(error, Exception) else error)
    for other in (ConnectionResetError(), TimeoutError(), TypeError("x"), RecursionError()):
        assert not passing(other)


def test_a_reason_is_what_the_server_said_and_not_what_it_was_sent() -> None:
    error = ModelGenerateError("Request: the whole prompt")
    error.__cause__ = Refused(400)
    assert reason_of(error) == "Refused: code 400"


def test_a_reason_is_one_line_that_can_be_written() -> None:
    told = reason_of(ValueError("a\nb\ud800" + "x" * 1000))
    assert told.startswith("ValueError: a b")
    assert "\n" not in told
    assert told.encode()
    assert len(told) <= LONGEST + 3


def test_where_all_fails_the_error_is_raised_as_it_is() -> None:
    error = WorldError("no such room")
    with pytest.raises(WorldError, match=r"^no such room$"):
        raise_lost({"a": error}, "mazes", 1)
    with pytest.raises(WorldError, match="1 of the 2 mazes failed; the first is a: no such room"):
        raise_lost({"a": error}, "mazes", 2)
    raise_lost({}, "mazes", 2)
