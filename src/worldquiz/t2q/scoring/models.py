"""Counts of runs with a language model: its calls, its replies, and why it was wrong.

Each part is a pure function of the run's sittings and a sum over them, so the order of the worlds
changes nothing. A document holds a part only where the run has it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from worldquiz.facts.episode import Outcome
from worldquiz.facts.knowledge import share
from worldquiz.facts.question import Graded, Type
from worldquiz.llm.records import WASTED, Status, by_purpose
from worldquiz.stats import calibration
from worldquiz.stats.calibration import Stated
from worldquiz.t2q.scoring.sitting import Sitting
from worldquiz.t2q.trace import Cause, Finding, Trace


def document(worlds: Sequence[Sitting]) -> dict[str, Any]:
    """Return every part that the sittings have; nothing at all where no model took part."""
    if all(world.trace == Trace() for world in worlds):
        return {}
    parts: dict[str, Any] = {
        "usage": usage(worlds),
        "replies": replies(worlds),
        "commands": commands(worlds),
    }
    if any(world.findings is not None for world in worlds):
        parts["attribution"] = attribution(worlds)
    if any(reply.confidence is not None for world in worlds for reply in world.trace.replies):
        parts["calibration"] = confidences(worlds)
    return parts


def usage(worlds: Iterable[Sitting]) -> dict[str, Any]:
    """Return calls, tokens and cost, in all and by purpose."""
    return by_purpose([entry for world in worlds for entry in world.trace.usage])


def replies(worlds: Sequence[Sitting]) -> dict[str, Any]:
    """Return how replies could be read, turns that prompts left out, and wasted steps.

    Turns left out stay left out, so a world counts as its largest gap.
    """
    traces = [world.trace for world in worlds]
    act = Counter(move.status for trace in traces for move in trace.moves)
    quiz = Counter(reply.status for trace in traces for reply in trace.replies)
    return {
        "act": {str(status): act[status] for status in Status},
        "quiz": {str(status): quiz[status] for status in Status},
        "left_out": sum(_left_out(trace) for trace in traces),
        "wasted": sum(act[status] for status in WASTED),
    }


def commands(worlds: Iterable[Sitting]) -> dict[str, int]:
    """Return how many commands were given, refused and repeated, and tasks cut at the step limit.

    A repeated one is the command of the step before once more, with the same answer: a loop.
    """
    tried = [attempt for world in worlds for attempt in world.attempts]
    return {
        "given": sum(attempt.commands for attempt in tried),
        "refused": sum(attempt.refused for attempt in tried),
        "repeated": sum(attempt.repeated for attempt in tried),
        "step_limit": sum(attempt.outcome is Outcome.STEP_LIMIT for attempt in tried),
    }


def attribution(worlds: Iterable[Sitting]) -> dict[str, Any]:
    """Return how many graded questions have each cause, in all and by type.

    Each count and share is ``[low, high]``: low counts the questions that must have the cause, high
    those that may. They are equal unless questions are undecided.
    """
    found = list(_findings(worlds))
    return {
        **_bounds([finding for _, finding in found]),
        "by_type": {
            str(type): _bounds([finding for kind, finding in found if kind is type])
            for type in Type
        },
    }


def confidences(worlds: Iterable[Sitting]) -> dict[str, Any]:
    """Return how far the confidences that came with graded answers can be trusted."""
    stated: list[Stated] = []
    silent = 0
    for world in worlds:
        given = {reply.question: reply.confidence for reply in world.trace.replies}
        for result in world.results:
            if isinstance(result.score, Graded):
                confidence = given.get(result.question)
                if confidence is None:
                    silent += 1
                else:
                    stated.append(Stated(confidence, result.score.value))
    return calibration.document(stated, silent=silent)


def _left_out(trace: Trace) -> int:
    gaps = [move.left_out for move in trace.moves]
    return max([*gaps, *(context.left_out for context in trace.contexts)], default=0)


def _findings(worlds: Iterable[Sitting]) -> Iterator[tuple[Type, Finding]]:
    for world in worlds:
        if world.findings is not None:
            for result, finding in zip(world.results, world.findings, strict=True):
                if finding is not None:
                    yield result.type, finding


def _bounds(findings: Sequence[Finding]) -> dict[str, Any]:
    """Return how many have each cause at least and at most, and how many have one for certain."""
    least = Counter(finding[0] for finding in findings if len(finding) == 1)
    most = Counter(cause for finding in findings for cause in finding)
    of_all = partial(share, denominator=len(findings))
    exact = least.total()
    return {
        "questions": len(findings),
        "counts": {str(cause): [least[cause], most[cause]] for cause in Cause},
        "shares": {
            str(cause): [of_all(least[cause]), of_all(most[cause])] if findings else None
            for cause in Cause
        },
        "exact": exact,
        "undecided": len(findings) - exact,
    }
