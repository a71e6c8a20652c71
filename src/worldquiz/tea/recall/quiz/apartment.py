"""A scene as those ask about it who have walked it: by labels and by kinds of rooms."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import hypot

from worldquiz import rng
from worldquiz.scenes.scene import Room, Scene, Thing
from worldquiz.tea.recall.quiz.shown import telling
from worldquiz.tea.recall.quiz.space import pair

CHOICES = 4
"""Answers that a question offers, at most."""


@dataclass(frozen=True)
class Apartment:
    """What a flat's questions can be about, each denoted by words that mean one thing only."""

    scene: Scene

    @cached_property
    def by_label(self) -> dict[str, tuple[Thing, ...]]:
        """The things of each label, by label."""
        found: dict[str, list[Thing]] = {}
        for thing in self.scene.things:
            found.setdefault(thing.label, []).append(thing)
        return {label: tuple(things) for label, things in sorted(found.items())}

    @cached_property
    def lone(self) -> tuple[Thing, ...]:
        """The things whose label no other thing has, by label."""
        return tuple(things[0] for things in self.by_label.values() if len(things) == 1)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of its rooms."""
        return tuple(sorted({room.kind for room in self.scene.rooms}))

    @cached_property
    def plain(self) -> frozenset[str]:
        """The names of the rooms whose kind something in them tells."""
        return frozenset(name for name, sets in telling(self.scene).items() if sets)

    @cached_property
    def rooms(self) -> tuple[Room, ...]:
        """The rooms that their kind denotes: it can be told, and no other room is of it."""
        named = [room.kind for room in self.scene.rooms]
        return tuple(
            room
            for room in self.scene.rooms
            if named.count(room.kind) == 1 and room.name in self.plain
        )

    @cached_property
    def joined(self) -> frozenset[tuple[str, str]]:
        """The pairs of rooms that have a doorway between them, by name."""
        return frozenset(pair(*door.rooms) for door in self.scene.doors)

    def neighbours(self, room: str) -> tuple[str, ...]:
        """Return the rooms that a room has doorways to, by name."""
        found = {name for rooms in self.joined if room in rooms for name in rooms if name != room}
        return tuple(sorted(found))

    def draw(self, *names: str) -> random.Random:
        """Return a source of chance of its own: what is asked of a flat is always the same."""
        return rng.child(0, "recall", self.scene.id, *names)

    def choices(self, right: str, wrong: Iterable[str], *names: str) -> tuple[str, ...]:
        """Return an answer among some wrong ones that are drawn, by name."""
        others = sorted(set(wrong) - {right})
        drawn = self.draw("choices", *names).sample(others, min(len(others), CHOICES - 1))
        return tuple(sorted((right, *drawn)))


def apart(one: Thing, two: Thing) -> float:
    """Return how far apart the middles of two things are on the plan, in metres."""
    return hypot(one.position[0] - two.position[0], one.position[1] - two.position[1])
