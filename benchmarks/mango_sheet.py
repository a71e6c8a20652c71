"""What can be known of a map from MANGO's sheet alone: an attacker that reads every question.

It is told all questions about a maze with the places that the prompts list, and no walkthrough.
A question "starting from A, north, east" says that these moves can be made from A, one after the
other, through different places. So the attacker looks for passages between the places by which as
many of these ways as possible can be walked: annealing, several times from other seeds. It answers
by the maps that it found, where enough of them agree, and else not at all: no answer costs nothing.
"""

from __future__ import annotations

import json
import math
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from worldquiz.mango.asking.plan import AskingPlan
from worldquiz.mango.asking.prompts import Prompts
from worldquiz.mango.maze.walkthrough import BACK
from worldquiz.mango.running.replies import Replies, replied
from worldquiz.mango.running.run import quiz
from worldquiz.mango.scoring.grade import Question, Task
from worldquiz.runs.life import live

MAPS, PROPOSALS, PASSAGE = 5, 6_000, 0.4
"""Maps that are drawn, changes tried for each, and what a passage costs beside a move walked."""
SETTINGS = tuple(
    (agreed, tasks) for tasks in ((Task.DF,), (Task.DF, Task.RF)) for agreed in (0.0, 0.4, 0.6)
)
"""Shares of the maps that must agree on an answer, and what is answered at all: the attacker takes
the best setting over all games, in hindsight."""
Exits = dict[tuple[str, str], str]
Way = tuple[str, tuple[str, ...]]


def drawn(ways: Sequence[Way], places: Sequence[str], draw: Random) -> Exits:
    """Return a map by which many of the ways can be walked."""
    exits: Exits = {}
    known = [(source, moves[0]) for source, moves in ways]
    actions = sorted({move for _, moves in ways for move in moves})
    best = worth = _worth(ways, exits)
    kept = dict(exits)
    for step in range(PROPOSALS):
        heat = 1.5 * (1 - step / PROPOSALS) + 0.05
        anywhere = draw.choice(places), draw.choice(actions)
        at = draw.choice(known) if draw.random() < 0.7 else anywhere
        changed = _changed(exits, at, draw.choice([*places, None]))
        if changed is None:
            continue
        now = _worth(ways, changed)
        if now >= worth or draw.random() < math.exp((now - worth) / heat):
            exits, worth = changed, now
        if worth > best:
            best, kept = worth, dict(exits)
    return kept


def _changed(exits: Exits, at: tuple[str, str], to: str | None) -> Exits | None:
    """Return the map with a passage led elsewhere, or taken out; None where nothing changes."""
    here, move = at
    back = BACK.get(move)
    if to == here or exits.get(at) == to:
        return None
    found = dict(exits)
    before = found.pop(at, None)
    if before is not None and back and found.get((before, back)) == here:
        del found[before, back]
    if to is not None:
        found[at] = to
        if back:
            other = found.pop((to, back), None)
            if other is not None and found.get((other, move)) == to:
                del found[other, move]
            found[to, back] = here
            found[at] = to
    return found


def _worth(ways: Sequence[Way], exits: Exits) -> float:
    """Return how many moves of the ways can be made, through different places, less the map."""
    walked = 0.0
    for source, moves in ways:
        here, been = source, {source}
        for move in moves:
            there = exits.get((here, move))
            if there is None or there in been:
                break
            been.add(there)
            here = there
            walked += 1
    return walked - PASSAGE * len(exits)


def answer(question: Question, exits: Exits) -> tuple[tuple[str, str, str], ...]:
    """Return the legs by which a map answers a question; none where it does not."""
    if question.task is Task.DF:
        here, legs = question.source, []
        for move in question.actions:
            there = exits.get((here, move))
            if there is None:
                return ()
            legs.append((here, move, there))
            here = there
        return tuple(legs)
    first: dict[str, tuple[tuple[str, str, str], ...]] = {question.source: ()}
    queue = [question.source]
    for place in queue:  # it grows as it is walked
        for (here, move), there in sorted(exits.items()):
            if here == place and there not in first:
                first[there] = (*first[place], (here, move, there))
                queue.append(there)
    return first.get(question.target, ())


def maps_of(plan: AskingPlan) -> dict[str, list[Exits]]:
    """Return the maps that the sheet of each maze suggests."""
    found = {}
    for game, reading in plan.readings.items():
        ways = [(each.source, tuple(each.actions)) for each in plan.questions
                if each.game == game and each.task is Task.DF]  # fmt: skip
        places = sorted(reading.places)
        found[game] = [drawn(ways, places, Random(f"{game} {n}")) for n in range(MAPS) if ways]
    return found


@dataclass(frozen=True)
class Sheet:
    """The attacker as an answerer of a run."""

    maps: Mapping[str, Sequence[Exits]]
    agreed: float
    tasks: Sequence[Task]  # that it answers

    def record(self) -> Mapping[str, Any]:
        """Return its name."""
        return {"answerer": "sheet"}

    def require(self) -> None:
        """Need nothing beyond what scoring needs."""

    def answer(
        self, prompts: Prompts[Any], kept: Replies, out: Path, task: Callable[[], Any]
    ) -> None:
        """Answer what enough maps agree on."""
        for each in prompts.items.values():
            told = [legs for exits in self.maps[each.game] if (legs := answer(each, exits))]
            ends = Counter(legs[-1][2] if each.task is Task.DF else legs for legs in told)
            end, votes = next(iter(ends.most_common(1)), (None, 0))
            sure = votes > 0 and each.task in self.tasks and votes >= self.agreed * MAPS
            legs = next((legs for legs in told if end in (legs, legs[-1][2])), ())
            steps = [
                {"prev_node": here, "action": move, "node": there} for here, move, there in legs
            ]
            kept.keep(replied(prompts.about(each), json.dumps(steps) if sure else ""))


def attacked(plan: AskingPlan) -> list[float | None]:
    """Return the knowledge score of the attacker, for each of `SETTINGS`."""
    maps, found = maps_of(plan), []
    for agreed, tasks in SETTINGS:
        with tempfile.TemporaryDirectory() as folder:
            scores = live(quiz(plan, Sheet(maps, agreed, tasks)), Path(folder) / "run")
            found.append(scores["knowledge"])
    return found
