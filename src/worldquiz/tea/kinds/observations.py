"""What the cameras show at one moment, and how clearly.

A task is only made of what a picture settles. So a thing in a picture is *clear*, *hidden*, or
between the two; whatever depends on a thing in between is not asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from worldquiz.scenes.scene import Scene, Thing
from worldquiz.scenes.view import BODY, EGO, Show, Sighting, View, reflected, shown

__all__ = ["Look", "Moment", "Show", "moments", "reflected", "shown"]


@dataclass(frozen=True)
class Look:
    """One view of a scene, with what it shows sorted."""

    scene: Scene
    view: View

    @cached_property
    def clear(self) -> tuple[tuple[Thing, Sighting], ...]:
        """The things that it shows clearly, by id."""
        return tuple(
            (self.scene.thing[each.thing], each)
            for each in self.view.sightings
            if each.thing != BODY and shown(self.view, each.thing) is Show.CLEAR
        )

    @cached_property
    def noticed(self) -> tuple[Thing, ...]:
        """The things that it shows, clearly or not, by id."""
        return tuple(
            self.scene.thing[each.thing]
            for each in self.view.sightings
            if each.thing != BODY and shown(self.view, each.thing) is not Show.HIDDEN
        )

    @cached_property
    def labels(self) -> Counter[str]:
        """How many things of each label it shows, clearly or not."""
        return Counter(thing.label for thing in self.noticed)

    def alone(self, thing: Thing) -> bool:
        """Tell whether no other thing of its label can be seen."""
        return self.labels[thing.label] == 1


@dataclass(frozen=True)
class Moment:
    """The agent's own view, and those of the cameras that watch, at one time."""

    ego: Look
    watching: tuple[Look, ...] = ()

    @property
    def looks(self) -> tuple[Look, ...]:
        """All of them, the agent's own first."""
        return (self.ego, *self.watching)


def moments(scene: Scene, views: Iterable[View]) -> tuple[Moment, ...]:
    """Group views by their time, in order. Moments without the agent's own view are left out."""
    groups: dict[float, list[Look]] = {}
    for view in sorted(views, key=lambda each: (each.time, each.id)):
        groups.setdefault(view.time, []).append(Look(scene, view))
    found = []
    for looks in groups.values():
        own = [look for look in looks if look.view.camera.name == EGO]
        if own:
            others = tuple(look for look in looks if look.view.camera.name != EGO)
            found.append(Moment(own[0], others))
    return tuple(found)
