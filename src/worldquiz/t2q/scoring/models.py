"""Counts of runs with a language model: its calls, its replies, and why it was wrong.

Each part is a pure function of the run's sittings and a sum over them, so the order of the worlds
changes nothing. A document holds a part only where the run has it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from worldquiz.facts.episode import Outcome
from worldquiz.facts.knowledge import share
from worldquiz.facts.question import Type
from worldquiz.llm.model import WASTED, Status, by_purpose
from worldquiz.t2q.scoring.sitting import Calls, Sitting
from worldquiz.t2q.trace import Cause, Finding


def document(worlds: Sequence[Sitting]) -> dict[str, Any]:
    """Return every part that the sittings have; nothing at all where no model took part."""
    if all(world.calls == Calls() for world in worlds):
        return {}
    parts: dict[str, Any] = {
        "usage": by_purpose([entry for world in worlds for entry in world.calls.usage]),
        "replies": replies(worlds),
        "commands": commands(worlds),
    }
    if any(world.findings is not None for world in worlds):
        parts["attribution"] = attribution(worlds)
    return parts


def replies(worlds: Sequence[Sitting]) -> dict[str, Any]:
    """Return how replies could be read, turns that prompts left out, and wasted steps.

    Turns left out stay left out, so a world counts as its largest gap.
    """
    act: Counter[str] = sum((world.calls.act for world in worlds), Counter())
    quiz: Counter[str] = sum((world.calls.quiz for world in worlds), Counter())
    return {
        "act": {str(status): act[status] for status in Status},
        "quiz": {str(status): quiz[status] for status in Status},
        "left_out": sum(world.calls.left_out for world in worlds),
        "wasted": sum(act[status] for status in WASTED),
    }


def commands(worlds: Sequence[Sitting]) -> dict[str, int]:
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
    found = [
        (result.type, finding)
        for world in worlds
        for result, finding in zip(world.results, world.findings or (), strict=False)
        if finding is not None
    ]
    return {
        **_bounds([finding for _, finding in found]),
        "by_type": {
            str(type): _bounds([finding for kind, finding in found if kind is type])
            for type in Type
        },
    }


def _bounds(findings: Sequence[Finding]) -> dict[str, Any]:
    """Return how many have each cause at least and at most, and how many have one for certain."""
    least = Counter(finding[0] for finding in findings if len(finding) == 1)
    most = Counter(cause for finding in findings for cause in finding)
    number, exact = len(findings), least.total()
    counts = {str(cause): [least[cause], most[cause]] for cause in Cause}
    return {
        "questions": number,
        "counts": counts,
        "shares": {
            cause: [share(count, number) for count in bounds] if number else None
            for cause, bounds in counts.items()
        },
        "exact": exact,
        "undecided": number - exact,
    }
