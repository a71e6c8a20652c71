"""Coverage and score as functions of the number of commands.

A question is settled by a command: the first after which what was shown answers it. Commands count
through all tasks of a world in the order played, refused ones too. The curves pool worlds: at each
share of the stated budget they count

    coverage            questions settled by then / questions
    knowledge_ceiling   those of them that count in the knowledge score / questions that count
    knowledge           points by then / questions that count

An answer to a settled question earns its points, or costs them, from the command that settled the
question. An answer to a question that is never settled costs its points from the start, since no
command would have called for it. So every curve ends at the run's own score, the first two never
fall, and an agent that sees the same with fewer commands has a higher curve.

The stated budget is that of the world's level (`Knobs.budget`, a multiple of the walkthroughs),
whatever budget a run had: runs of different budgets are compared over the same commands. The area
under a curve up to the stated budget, divided by that budget, says how early things were known:

    area = mean over questions of value * max(0, 1 - command / budget)

Answerers are asked once, after the last task. So the curves say when an answer could be known, not
when the answerer could give it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from math import fsum
from typing import Any, NamedTuple

from worldquiz.facts.knowledge import share
from worldquiz.facts.knowledge_score import points
from worldquiz.facts.question import Graded, Result
from worldquiz.facts.requirement import Moment
from worldquiz.t2q.scoring.counts import Sitting
from worldquiz.t2q.world.config import PRESETS, Knobs, Walkthroughs

STEPS = 20
"""Into how many parts a curve divides the stated budget."""
CURVES = ("coverage", "knowledge_ceiling", "knowledge")
_DIGITS = 6


class Gain(NamedTuple):
    """Contribution of one question to a curve, from some command on."""

    at: float  # commands given by then / the world's stated budget; 0 is the start
    value: float


def document(worlds: Sequence[Sitting], *, steps: int = STEPS) -> dict[str, Any]:
    """Return the curves and the areas under them, as the JSON contract names them.

    ``at`` holds shares of the stated budget, from 0 to 1 in equal steps, and last where the longest
    world ended (1 where that was before). A curve is null where no question counts.
    """
    lengths = [sum(tried.commands for tried in world.attempts) / budget(world) for world in worlds]
    at = [number / steps for number in range(steps + 1)] + [max([1.0, *lengths])]
    found: dict[str, Any] = {"at": [round(x, _DIGITS) for x in at], "area": {}}
    times = {of_level(world.level).times for world in worlds}
    found["budget"] = times.pop() if len(times) == 1 else None
    for name in CURVES:
        gains, counted = _gained(worlds, name)
        values = [fsum(gain.value for gain in gains if gain.at <= x) for x in at]
        found[name] = [round(value / counted, _DIGITS) for value in values] if counted else None
        area = fsum(gain.value * max(0.0, 1 - gain.at) for gain in gains)
        found["area"][name] = share(area, counted)
    return found


def _gained(worlds: Iterable[Sitting], name: str) -> tuple[list[Gain], int]:
    """Return what the questions add to one of the `CURVES`, and how many questions it is over."""
    gains: list[Gain] = []
    counted = 0
    for world in worlds:
        before, whole = _before(world), budget(world)
        for result in world.results:
            if (value := _value(result, name)) is not None:
                counted += 1
                gains.append(Gain(_command(result.answerable, before) / whole, value))
    return gains, counted


def _value(result: Result, name: str) -> float | None:
    """Return what a question adds to a curve, None where it is not among its questions."""
    if not isinstance(result.score, Graded):
        return None
    settled = float(result.answerable is not None)
    if name == "coverage":
        return settled
    earned = points(result)
    return earned if earned is None or name == "knowledge" else settled


def efficiency(worlds: Sequence[Sequence[int]], reference: Sequence[Sequence[int]]) -> float | None:
    """Return how few commands a run needed, set against a reference on the same worlds, 0..1.

    Both are what `settled` returns of each world. For each number n of counted questions that the
    reference settled in a world: the commands after which it had settled n, over those after which
    the run had, at most 1, and 0 where the run never did. The mean over all n of all worlds. A run
    against itself has 1; None where the reference settled nothing.

    Raises `ValueError` where the two differ in their number of worlds.
    """
    ratios = [
        min(1.0, command / ours[number]) if number < len(ours) else 0.0
        for ours, theirs in zip(worlds, reference, strict=True)
        for number, command in enumerate(theirs)
    ]
    return share(fsum(ratios), len(ratios))


def settled(world: Sitting) -> tuple[int, ...]:
    """Return the commands that settled the counted questions of a world, in ascending order."""
    before = _before(world)
    return tuple(
        sorted(
            _command(result.answerable, before)
            for result in world.results
            if result.answerable is not None and points(result) is not None
        )
    )


def budget(world: Sitting) -> int:
    """Return a world's stated budget in commands, at least 1."""
    walkthroughs = sum(attempt.walkthrough for attempt in world.attempts)
    return max(1, of_level(world.level).of(walkthroughs))


def of_level(level: str) -> Walkthroughs:
    """Return the stated budget of a level; that of the paper's levels where it is no preset's."""
    return Walkthroughs(PRESETS.get(level, Knobs()).budget)


def _before(world: Sitting) -> list[int]:
    """Return how many commands were given before each task."""
    return [0, *accumulate(attempt.commands for attempt in world.attempts)]


def _command(moment: Moment | None, before: Sequence[int]) -> int:
    return 0 if moment is None else before[moment.episode] + moment.step
