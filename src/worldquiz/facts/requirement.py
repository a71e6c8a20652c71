"""Requirements: the facts that must have been seen before an answer can be known.

Requirements are monotone: one that is met stays met, whatever is seen later. The earliest moment at
which it is met gives T2Q's prerequisite checkpoints (arXiv 2601.09503, section 2.3) and MANGO's
ANSWERABLE label. Answerability is computed from a question and the evidence, never stored.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple, assert_never

from pydantic import Field

from worldquiz.facts.fact import Fact

PASSAGE = "leads"
"""The predicate of passages, about a room, the direction of leaving it, and the room there."""


class Moment(NamedTuple):
    """A step of an episode in a world's history; moments sort in the order played."""

    episode: int  # from 0, in the order played
    step: int  # 0 is the observation at reset; actions count from 1


START = Moment(0, 0)


@dataclass(frozen=True, slots=True)
class Seen:
    """Requirement that is met once the fact was shown."""

    fact: Fact
    kind: Literal["seen"] = "seen"


@dataclass(frozen=True, slots=True)
class All:
    """Requirement that is met once all its parts are met; without parts, from the start."""

    parts: tuple[Requirement, ...]
    kind: Literal["all"] = "all"


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Requirement that is met once one of its parts is met; without parts, never."""

    parts: tuple[Requirement, ...]
    kind: Literal["any_of"] = "any_of"


@dataclass(frozen=True, slots=True)
class Reachable:
    """Requirement that is met once passages, in either direction, form a path between two rooms."""

    source: str
    target: str
    kind: Literal["reachable"] = "reachable"


@dataclass(frozen=True, slots=True)
class Inferred:
    """Requirement that is met once the shown facts imply the answer by a named rule."""

    rule: str
    names: tuple[str, ...]  # what the question is about
    kind: Literal["inferred"] = "inferred"


Requirement = Annotated[Seen | All | AnyOf | Reachable | Inferred, Field(discriminator="kind")]
Infer = Callable[[Inferred, frozenset[Fact]], bool]
"""Returns whether facts settle a question by a benchmark's rules; more facts never settle less."""


def all_of(*parts: Requirement) -> Requirement:
    """Return the requirement of all parts; a single part is returned as it is."""
    return parts[0] if len(parts) == 1 else All(parts)


def any_of(*parts: Requirement) -> Requirement:
    """Return the requirement of any one part; a single part is returned as it is."""
    return parts[0] if len(parts) == 1 else AnyOf(parts)


def earliest(
    requirement: Requirement, first_seen: Mapping[Fact, Moment], infer: Infer | None = None
) -> Moment | None:
    """Return the first moment at which the requirement is met, None if it never is."""
    match requirement:
        case Seen(fact):
            return first_seen.get(fact)
        case All(parts):
            moments = [earliest(part, first_seen, infer) for part in parts]
            known = [moment for moment in moments if moment is not None]
            return max(known, default=START) if len(known) == len(moments) else None
        case AnyOf(parts):
            moments = [earliest(part, first_seen, infer) for part in parts]
            return min((moment for moment in moments if moment is not None), default=None)
        case Reachable(source, target):
            return _joined(source, target, first_seen)
        case Inferred():
            return _inferred(requirement, first_seen, infer)
        case _:
            assert_never(requirement)


def _inferred(
    requirement: Inferred, first_seen: Mapping[Fact, Moment], infer: Infer | None
) -> Moment | None:
    if infer is None:
        raise ValueError(f"{requirement.rule!r} needs rules of inference: pass them as `infer`")
    known, moments = infer, sorted({*first_seen.values()})

    def met(moment: Moment) -> bool:
        return known(requirement, frozenset(f for f, at in first_seen.items() if at <= moment))

    if not moments or not met(moments[-1]):
        return None
    return moments[bisect_left(moments, True, key=met)]


def _joined(source: str, target: str, first_seen: Mapping[Fact, Moment]) -> Moment | None:
    """Return the moment at which the passages walked so far first join two rooms, or None."""
    if source == target:
        return START
    joined: dict[str, set[str]] = {}  # by room: the rooms joined to it, itself included
    walks = sorted(
        (moment, fact) for fact, moment in first_seen.items() if fact.predicate == PASSAGE
    )
    for moment, fact in walks:
        one, other = (joined.get(room, {room}) for room in (fact.args[0], fact.args[2]))
        joined.update(dict.fromkeys(both := one | other, both))
        if target in joined.get(source, ()):
            return moment
    return None
