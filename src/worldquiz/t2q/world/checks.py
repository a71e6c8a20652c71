"""Does a world keep the protocol? A kit for whoever adds one, and for our own.

`check_world` plays a task's walkthrough and a handful of senseless commands, twice, and raises
`AssertionError` naming the first law that is broken:

1. `reset` returns to the initial state, whatever was done before; two resets look alike.
2. Each revealed fact was true of the state before the command or of the state after it.
3. Revealed facts are sorted and said once.
4. A refused command changes nothing, reveals nothing, and is on record as None.
5. `done` and a score of 1 mean that the task is won in the true state, and nothing else does.
6. The walkthrough wins, at its last command and no sooner.
7. Equal commands give equal transitions: a world is deterministic.
8. The state never loses the spec's facts that cannot change, and all its facts are about the spec's
   entities.
"""

from __future__ import annotations

from collections.abc import Sequence

from worldquiz.facts.fact import DIRECTIONS, State
from worldquiz.t2q.world.base import Transition, World
from worldquiz.t2q.world.spec import Task

NONSENSE = (
    "", " ", "xyzzy", "go", "go nowhere", "open", "take the moon", "look. look",
    "take everything and leave", "print_state", "restart", "quit", "save", "\u2603", "unlock",
    "a" * 2000,
)  # fmt: skip
"""What no world may be moved by."""
CONSTANT = {"kind", "exit", "no_exit", "leads", "door_at", "match", "no_match", "listed"}
"""Predicates whose facts never change while a world is played."""


def check_world(world: World, task: Task, *, nonsense: Sequence[str] = NONSENSE) -> None:
    """Raise `AssertionError` naming the first law that a world breaks."""
    first, second = _played(world, task, nonsense), _played(world, task, nonsense)
    for number, (once, again) in enumerate(zip(first, second, strict=True)):
        _law(once == again, 7, f"transition {number} differs when played again")
    _law(world.reset(task) == first[0], 1, "a reset after play differs from the first")


def _played(world: World, task: Task, nonsense: Sequence[str]) -> list[Transition]:
    """Play nonsense after the reset, then the walkthrough, and check each transition."""
    found = [world.reset(task)]
    start = world.state
    apart = ", ".join(str(fact) for fact in sorted(start ^ world.spec.initial)[:3])
    _law(start == world.spec.initial, 1, f"the state at reset differs: {apart}")
    _check(world, task, found[0], start)
    _law(not found[0].done, 6, "the task is won at the start")
    for text in nonsense:
        found.append(_step(world, task, text))
        _law(world.state == start, 4, f"{text!r} changed the state")
    for number, command in enumerate(task.walkthrough.commands, start=1):
        _law(not found[-1].done, 6, f"the task is won before command {number}, {command!r}")
        found.append(_step(world, task, command))
        _law(found[-1].command is not None, 6, f"the walkthrough's {command!r} was refused")
    _law(found[-1].done, 6, "the walkthrough does not win")
    return found


def _step(world: World, task: Task, action: str) -> Transition:
    before = world.state
    transition = world.step(action)
    _check(world, task, transition, before)
    refused = transition.command is None
    _law(not refused or not transition.revealed, 4, f"{action!r} was refused and revealed a fact")
    return transition


def _check(world: World, task: Task, transition: Transition, before: State) -> None:
    """Check what holds of every transition."""
    state, revealed, seen = world.state, transition.revealed, transition.observation
    for fact in revealed:
        _law(fact in state or fact in before, 2, f"{fact} was revealed and is not true")
    _law(list(revealed) == sorted(set(revealed)), 3, "revealed facts are not sorted, or repeat")
    won = task.won(state)
    _law(transition.done == won, 5, f"done is {transition.done}, won is {won}")
    _law(seen.score == int(won), 5, "the score is not that of the state")
    _law(seen.objective == task.objective, 5, "the objective is another's")
    constant = {fact for fact in world.spec.initial if fact.predicate in CONSTANT}
    _law(constant <= state, 8, f"the state has lost {min(constant - state, default=None)}")
    known = {*world.spec.kinds, *DIRECTIONS}
    for fact in state:
        names = fact.args[:1] if fact.predicate == "kind" else fact.args
        _law(known.issuperset(names), 8, f"{fact} is about nothing in the spec")


def _law(holds: bool, number: int, message: str) -> None:
    if not holds:
        raise AssertionError(f"law {number}: {message}")
