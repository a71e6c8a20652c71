"""Evidence: facts that an agent's episodes in one world have shown it.

`Evidence.first_seen` maps each fact *about the initial state* to the moment it was first shown.
Only the agent changes the world, and it must see a thing before changing it. So the first shown
state of a thing is its initial state. Facts that are not true of the initial state are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from worldquiz.facts.episode import Episode
from worldquiz.facts.fact import Fact, State
from worldquiz.facts.requirement import Infer, Moment, Requirement, earliest


@dataclass(frozen=True, slots=True)
class Evidence:
    """The moment at which each fact about the initial state was first shown."""

    first_seen: Mapping[Fact, Moment]

    @classmethod
    def of(cls, episodes: Sequence[Episode], initial: State) -> Evidence:
        """Collect the facts about the initial state that the episodes revealed, in order played."""
        first: dict[Fact, Moment] = {}
        for number, episode in enumerate(episodes):
            for step in episode.steps:
                for fact in step.revealed:
                    if fact in initial:
                        first.setdefault(fact, Moment(number, step.index))
        return cls(first)

    @classmethod
    def of_steps(cls, steps: Iterable[Iterable[Fact]]) -> Evidence:
        """Collect the facts revealed by the steps of one episode, in a world that never changes."""
        first: dict[Fact, Moment] = {}
        for index, revealed in enumerate(steps):
            for fact in revealed:
                first.setdefault(fact, Moment(0, index))
        return cls(first)

    def earliest(self, requirement: Requirement, infer: Infer | None = None) -> Moment | None:
        """Return the first moment at which a requirement was met, None if it never was."""
        return earliest(requirement, self.first_seen, infer)
