"""Failed and unfinished units of a run; units are worlds or questions.

    failed      had an error of its own: recorded with its reason, tried again only on request
    unfinished  not reached because of a limit or a lost server: the same command continues

Rows record failures, and the run's manifest records unfinished units. A run has two mean scores,
one over finished questions, and one that counts failed questions as wrong. The former alone would
hide failures, and the latter alone would blame the model for a failing server.
"""

from __future__ import annotations

import errno
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from math import fsum
from typing import Any

from worldquiz.errors import (
    KEPT,
    KnobError,
    MissingExtra,
    ReplyTypeError,
    WorldError,
    WorldquizError,
    user_errors,
)
from worldquiz.facts.row import TASK, UNREAD, AnswerStatus, Row
from worldquiz.records import printable, scrub
from worldquiz.runs.given import OTHER_CODE

FAILED = str(AnswerStatus.FAILED)
LONGEST = 300
"""Most characters of a reason."""
_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO)
_WRAPPERS = ("RetryError", "RuntimeError", "ModelGenerateError")
_OUTSIDE = ("ConnectError", "LimitExceededError", "NoServer")
"""Names of errors for an unreachable server (httpx's and ours), and for a limit of inspect's."""
_ELSEWHERE = (301, 302, 303, 307, 308, 401, 402, 403, 404, 407, 429)
"""HTTP codes about the key, the quota or the address, not about the question."""
_NO_MODEL = re.compile(
    r"(invalid|unknown|no such) model|model\b.{0,80}\bnot (found|exist|available)"
    r"|(invalid|incorrect|wrong|missing|no) api.?key|authentication", re.IGNORECASE
)  # fmt: skip
"""Words for a wrong model or key that proxies send with the HTTP code 400."""


class Passing(WorldquizError):
    """Error that is not the unit's fault, so that the unit is unfinished rather than failed."""


class LimitReached(Passing):
    """A limit that the user set for a run is reached."""


def passing(error: BaseException) -> bool:
    """Return whether an error is not the unit's fault, so that the same command can continue.

    Such errors are a limit, a missing library, a full or broken disk, a wrong key, an exhausted
    quota, an unreachable server, and a user's method that does not return a string. After any other
    error, the unit counts as failed.
    """
    for each in chain(error):
        if isinstance(each, Passing | KnobError | MissingExtra | MemoryError | ReplyTypeError):
            return True
        if isinstance(each, ConnectionRefusedError) or type(each).__name__ in _OUTSIDE:
            return True
        code = getattr(each, "status_code", None)
        if code in _ELSEWHERE or (code == HTTPStatus.BAD_REQUEST and _NO_MODEL.search(str(each))):
            return True
        if isinstance(each, OSError) and each.errno in _DISK:
            return True
    return False


def chain(error: BaseException) -> Iterable[BaseException]:
    """Yield an error and its causes."""
    seen: list[BaseException] = []
    at: BaseException | None = error
    while at is not None and at not in seen:
        seen.append(at)
        yield at
        at = at.__cause__ or at.__context__


def reason_of(error: BaseException) -> str:
    """Return the reason of a failure in one line; a server's own message is preferred."""
    first, name = error, ""
    if not isinstance(error, user_errors()):
        told = [each for each in chain(error) if type(each).__name__ not in _WRAPPERS]
        said = (each for each in told if getattr(each, "status_code", None) is not None)
        first = next(said, next(iter(told), error))
        name = "" if isinstance(first, user_errors()) else f"{type(first).__name__}: "
    text = " ".join(f"{name}{first}".removesuffix(f"; {OTHER_CODE}").split())
    text = scrub(printable(text))
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def raise_lost(
    losses: Mapping[Any, BaseException], noun: str, total: int, then: str = KEPT
) -> None:
    """Raise `WorldError` with the first reason if any units, called `noun`, failed; `then` ends its
    message with advice. If all failed and the first error is worldquiz's own, that error is raised.
    """
    if not losses:
        return
    name, error = next(iter(losses.items()))
    if len(losses) >= total and isinstance(error, user_errors()):
        raise error
    raise WorldError(
        f"{'all' if len(losses) >= total else len(losses)} of the {total} {noun} failed; the first "
        f"is {unit_name(name)}: {reason_of(error)}; {then}"
    ) from error


def unit_name(key: object) -> str:
    """Return a unit's name for progress and errors."""
    return "/".join(map(str, key)) if isinstance(key, tuple) else str(key)


def failures(rows: Iterable[Row]) -> dict[str, str]:
    """Return the reason for each failed unit by its name: a world not played, or a question."""
    return {
        row.world if row.type == TASK else unit_name((row.world, row.type, row.item)): str(
            row.unscored or "no reply on record"
        )
        for row in rows
        if row.status is AnswerStatus.FAILED
    }


def losses_of(rows: Sequence[Row]) -> dict[str, Any]:
    """Return the entries ``failed`` and ``unread`` of a run's scores, if it has such rows.
    ``failed`` counts failed questions by reason (or tasks, if only tasks failed), and has two mean
    scores: without failed questions, and with them as wrong. ``unread`` counts unreadable replies.
    """
    asked = [row for row in rows if row.asked]
    told, found = Counter(row.status for row in asked), dict[str, Any]()
    if unread := sum(told[status] for status in UNREAD):
        cut = told[AnswerStatus.CUT]
        found["unread"] = {"replies": unread, "of": len(asked), "cut": cut}
    if units := failures(rows):
        lost = failures(asked)
        graded = [row.grade for row in asked if row.grade is not None]
        total, reasons = fsum(graded), Counter((lost or units).values())
        found["failed"] = {
            "units": len(units),
            "questions": len(lost),
            "of": len(asked),
            "reasons": dict(sorted(reasons.items(), key=lambda each: (-each[1], each[0]))),
            "score_without": total / len(graded) if graded else None,
            "score_with": total / (len(graded) + len(lost)) if graded or lost else None,
        }
    return found


def lines(document: Mapping[str, Any]) -> list[str]:
    """Return sentences about failures, unfinished parts and cut replies, from a run's scores."""
    said = []
    if lost := document.get("failed"):
        why = "; ".join(
            f"{'once' if count == 1 else f'{count} times'} {text}"
            for text, count in lost["reasons"].items()
        )
        what = f"{lost['units']} of the worlds, before any question about them ({why})."
        if lost["questions"]:
            means = (lost["score_without"], lost["score_with"])
            without, with_them = ("-" if mean is None else f"{mean:.2f}" for mean in means)
            what = (
                f"{lost['questions']} of {lost['of']} questions ({why}). Mean score {without} "
                f"without them, {with_them} if they count as wrong."
            )
        said.append(f"Failed: {what} To try them again, add --retry-failed to the run's command.")
    if rest := document.get("unfinished"):
        said.append(
            f"Unfinished: {rest['units']} parts of the run ({rest['reason']}); the scores are of "
            "the finished parts. Run the command again to continue."
        )
    if (unread := document.get("unread")) and unread["cut"]:
        said.append(
            f"{unread['cut']} of {unread['of']} replies were cut at the token limit: raise it "
            "(--generate max_tokens=...)"
        )
    return said
