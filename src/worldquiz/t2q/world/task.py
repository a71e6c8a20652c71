"""Tasks: a goal over the true state, the text that states it, and what it makes an agent touch."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from worldquiz.facts.fact import Fact, State


class Verb(StrEnum):
    """Kind of a task's goal."""

    GO = "go"
    FETCH = "fetch"
    OPEN = "open"
    PUT = "put"
    EAT = "eat"


class Proof(StrEnum):
    """Evidence for a walkthrough's length: proven shortest, or by dependency order."""

    SHORTEST = "shortest"
    DEPENDENCY = "dependency"  # a valid plan by dependency order, not proven shortest


@dataclass(frozen=True, slots=True)
class Solution:
    """Commands that reach a goal, and whether their number is proven minimal."""

    commands: tuple[str, ...]
    proof: Proof


@dataclass(frozen=True, slots=True)
class Task:
    """One task of a world. Won as soon as every goal fact is true of the state."""

    id: str
    verb: Verb
    target: str
    goal: tuple[Fact, ...]
    objective: str
    discloses: tuple[Fact, ...]  # facts that the objective's text gives away
    covers: tuple[str, ...]  # rooms traversed and entities exercised, sorted
    walkthrough: Solution

    def won(self, state: State) -> bool:
        """Tell whether the goal holds in a state."""
        return state.issuperset(self.goal)
