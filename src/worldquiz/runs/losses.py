"""Failed and unfinished units of a run. A failed unit counts as a result; the rest can be resumed.

    failed      could not be finished, and the reason: recorded, counted, tried again on request
    unfinished  not reached, for a limit or a server that is gone: the same command goes on

``RUN/losses.json`` is there only where something is lost, and lists it. Scores are over finished
units; beside them stand the scores with all failed units counted as wrong. Means over units that
happened to work would hide a failure, and means with zeros would blame the model for a server.
"""

from __future__ import annotations

import errno
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import fsum
from pathlib import Path
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
from worldquiz.facts.row import UNREAD, AnswerStatus, Row
from worldquiz.records import Told, check, printable, read_json, scrub, write_json
from worldquiz.runs.given import OTHER_CODE

FILE = "losses.json"
FAILED = str(AnswerStatus.FAILED)
LONGEST = 300
"""Characters of a reason."""
_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO)
_WRAPPERS = ("RetryError", "RuntimeError", "ModelGenerateError")
_OUTSIDE = ("ConnectError", "LimitExceededError", "NoServer")
"""A server that nobody can reach, by httpx and by ours, and a limit of inspect's own."""
_ELSEWHERE = (301, 302, 303, 307, 308, 401, 402, 403, 404, 407, 429)
"""HTTP codes that tell of the key, the quota or the address, and nothing of what was asked."""


class Passing(WorldquizError):
    """Error outside the unit that it struck: the unit stays unfinished, and has not failed."""


class LimitReached(Passing):
    """A limit that the user set for a run is reached."""


@dataclass(frozen=True)
class Losses:
    """Lost units of a run: reasons by the names of failed ones, and names of unfinished ones."""

    failed: Mapping[str, str] = field(default_factory=dict)
    unfinished: Sequence[str] = ()
    reason: str = ""  # why the latter are unfinished


NOTHING = Losses()


def read_losses(run: Path) -> Losses:
    """Return a run's losses: none where no file says so."""
    path = run / FILE
    if not path.is_file():
        return NOTHING
    told = read_json(path)
    check(json.dumps(told), Losses, path)
    known = Told(told, path)
    return Losses(known["failed"], known["unfinished"], known["reason"])


def write_losses(run: Path, losses: Losses) -> None:
    """Write down a run's losses; no file is written where there are none."""
    if losses.failed or losses.unfinished:
        write_json(run / FILE, asdict(losses))


def passing(error: BaseException) -> bool:
    """Tell whether an error says nothing about the unit it struck: the same command goes on.

    So it is with a limit, a missing library, a full or broken disk, a wrong key, a quota that is
    used up, a server that nobody can reach, and users' code that returns no text. All else is the
    unit's failure.
    """
    for each in chain(error):
        if isinstance(each, Passing | KnobError | MissingExtra | MemoryError | ReplyTypeError):
            return True
        if isinstance(each, ConnectionRefusedError) or type(each).__name__ in _OUTSIDE:
            return True
        if getattr(each, "status_code", None) in _ELSEWHERE:
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
    """Return in one line why a unit failed: what a server said of it, if one did."""
    first, name = error, ""
    if not isinstance(error, user_errors()):
        told = [each for each in chain(error) if type(each).__name__ not in _WRAPPERS]
        said = (each for each in told if getattr(each, "status_code", None) is not None)
        first = next(said, next(iter(told), error))
        name = "" if isinstance(first, user_errors()) else f"{type(first).__name__}: "
    text = " ".join(f"{name}{first}".removesuffix(f"; {OTHER_CODE}").split())
    text = scrub(printable(text))
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def raise_lost(losses: Mapping[Any, BaseException], noun: str, total: int) -> None:
    """Raise `WorldError` where some of the `noun` could not be finished, from the first reason.

    An error of ours that struck all of them is raised as it is.
    """
    if not losses:
        return
    name, error = next(iter(losses.items()))
    if len(losses) >= total and isinstance(error, user_errors()):
        raise error
    raise WorldError(
        f"{len(losses)} of the {noun} could not be finished; {unit_name(name)}: "
        f"{reason_of(error)}; {KEPT}"
    ) from error


def unit_name(key: object) -> str:
    """Return how progress and errors call a unit."""
    return "/".join(map(str, key)) if isinstance(key, tuple) else str(key)


def with_losses(document: dict[str, Any], run: Path, rows: Sequence[Row]) -> dict[str, Any]:
    """Return a run's scores with what is ``failed``, ``unfinished`` and ``unread``, if anything.

    `rows` are those of its questions.
    """
    losses, told = read_losses(run), Counter(row.status for row in rows)
    found = dict(document)
    if unread := sum(told[status] for status in UNREAD):
        cut = told[AnswerStatus.CUT]
        found["unread"] = {"replies": unread, "of": told.total(), "cut": cut}
    if losses.failed:
        found["failed"] = failed(rows, losses.failed)
    if losses.unfinished:
        found["unfinished"] = {"units": len(losses.unfinished), "reason": losses.reason}
    return found


def failed(rows: Sequence[Row], units: Mapping[str, str]) -> dict[str, Any]:
    """Return how many questions failed and why, and the mean score without and with them.

    With them, each failed question counts as wrong: 0. `units` are those of the run that failed,
    and why; where they failed before anything was asked, the reasons are theirs.
    """
    lost = [row for row in rows if row.status is AnswerStatus.FAILED]
    graded = [row.grade for row in rows if row.grade is not None]
    reasons = Counter([row.unscored or "no reply on record" for row in lost] or units.values())
    total = fsum(graded)
    return {
        "units": len(units),
        "questions": len(lost),
        "of": len(rows),
        "reasons": dict(sorted(reasons.items(), key=lambda each: (-each[1], each[0]))),
        "score_without": total / len(graded) if graded else None,
        "score_with": total / (len(graded) + len(lost)) if graded or lost else None,
    }


def lines(document: Mapping[str, Any]) -> list[str]:
    """Return the sentences about a run's losses in a terminal and on a page, by its scores."""
    said = []
    if lost := document.get("failed"):
        why = "; ".join(
            f"{'once' if count == 1 else f'{count} times'} {text}"
            for text, count in lost["reasons"].items()
        )
        what = f"{lost['units']} of the run's units before anything was asked about them ({why})."
        if lost["questions"]:
            means = (lost["score_without"], lost["score_with"])
            without, with_them = ("-" if mean is None else f"{mean:.2f}" for mean in means)
            what = (
                f"{lost['questions']} of {lost['of']} questions ({why}). Mean score {without} "
                f"without them, {with_them} if they count as wrong."
            )
        said.append(f"Failed: {what} The run's command with --retry-failed tries them again.")
    if rest := document.get("unfinished"):
        said.append(
            f"Unfinished: {rest['units']} of the run's units ({rest['reason']}); the scores are of "
            "the others. The run's command goes on with them."
        )
    unread = document.get("unread", {"replies": 0, "of": 0, "cut": 0})
    if unread["cut"]:
        said.append(
            f"{unread['cut']} of {unread['of']} replies were cut at the limit of tokens: let them "
            "be longer (--generate max_tokens=...)"
        )
    if 2 * unread["replies"] > unread["of"]:
        said.append(
            f"in {unread['replies']} of {unread['of']} replies no answer can be read: look at "
            "`reply` and `status` in its rows.jsonl"
        )
    return said
