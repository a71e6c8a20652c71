"""Evolution: new tasks derived from existing ones, without new views of the scene.

*Reuse* (arXiv 2602.05249, "Task Reuse"): if the graph of a smaller task is part of a larger task's
graph, an instance of the larger task also gives one of the smaller task, with its given values and
its answer.

*Recombination* ("Task Recombination"): a task refers to its object in the way in which another task
does. For example, a question about an object named by its label becomes a question about the object
in a box, or in a picture of its own. The new task has its own type and graph.

A new task is kept if it is *well-posed*: its given values identify exactly one object, and do not
contain the answer. If there are several pictures of an object, the seed decides which is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from worldquiz import rng
from worldquiz.tea.kinds.kinds import (
    BOX2D,
    LABEL,
    OBJECT,
    PICTURE,
    VIEW,
    Attribute,
    Box2,
    Crop,
    Found,
    Given,
    Instance,
    Look,
    TaskGraph,
    TaskKind,
    TaskType,
    Truth,
    Word,
    instance,
    shows,
)
from worldquiz.tea.kinds.perception import boxed
from worldquiz_scenes.scene import Scene
from worldquiz_scenes.view import View

DENOTATIONS = (BOX2D, LABEL, PICTURE)
"""Ways to denote an object."""


@dataclass(frozen=True, slots=True)
class EvolvedForm:
    """A type of task with its wording: the type of a kind, or one made from it by recombination."""

    type: TaskType
    words: str
    kind: str  # the name of the kind's own type
    denotation: str | None  # the new denotation of its objects, if any


def forms(kinds: Iterable[TaskKind]) -> tuple[EvolvedForm, ...]:
    """Return the types of some kinds, and all that recombination makes of them, sorted by name."""
    found = []
    for kind in kinds:
        found.append(EvolvedForm(kind.type, kind.words, kind.type.name, None))
        for denotation in DENOTATIONS:
            type = denoted(kind.type, denotation)
            if type is not None:
                found.append(EvolvedForm(type, kind.words, kind.type.name, denotation))
    return tuple(sorted(found, key=lambda form: form.type.name))


def denoted(type: TaskType, denotation: str) -> TaskType | None:
    """Return the type whose objects are denoted in another way. None if a type has no objects, if
    they already have this denotation, if it is the answer, or if a box is wanted for an object that
    the view need not show.
    """
    objects = _objects(type)
    old = {
        Attribute((name,), attribute)
        for name in objects
        for attribute in type.known(name)
        if attribute in DENOTATIONS
    }
    new = {Attribute((name,), denotation) for name in objects}
    if not objects or new & (old | type.asked) or len(old) < len(objects):
        return None
    if denotation == BOX2D:
        if not all(_shows(type, name) for name in objects):
            return None
        new.add(Attribute((VIEW.name,), PICTURE))
    before, after = (
        TaskGraph(graph.vertices, graph.edges, (graph.attributes - old) | new)
        for graph in (type.initial, type.final)
    )
    return TaskType(f"{type.name}-by-{denotation}", before, after)


def _objects(type: TaskType) -> list[str]:
    return [each.name for each in sorted(type.initial.vertices) if each.kind == OBJECT.kind]


def _shows(type: TaskType, vertex: str) -> bool:
    return any(edge in type.initial.edges for edge in shows(OBJECT._replace(name=vertex)))


def evolve(
    scene: Scene,
    views: Iterable[View],
    kinds: Sequence[TaskKind],
    instances: Sequence[Instance],
    *,
    seed: int = 0,
) -> tuple[Instance, ...]:
    """Return all new tasks that can be derived from instances, sorted by id."""
    source = _Evolution(scene, views, kinds, instances, seed)
    found: dict[str, Instance] = {}
    for each in (*source.reused(), *source.recombined()):
        found.setdefault(each.id, each)
    return tuple(found[id] for id in sorted(found) if id not in source.told)


class _Evolution:
    """Attributes known from existing instances, and the new instances made from them."""

    def __init__(
        self,
        scene: Scene,
        views: Iterable[View],
        kinds: Sequence[TaskKind],
        instances: Sequence[Instance],
        seed: int,
    ) -> None:
        self._scene, self._instances, self._seed = scene, instances, seed
        self._looks = {view.id: Look(scene, view) for view in views}
        self._types = {kind.type.name: kind.type for kind in kinds}
        self._forms = forms(kinds)
        self.told: dict[str, dict[str, Given | Truth]] = {}
        """Attributes of each finished instance by "VERTEX.ATTRIBUTE": given ones and the answer."""
        self._boxes: dict[tuple[str, str], Box2] = {}
        self._fit: dict[str, frozenset[str]] = {}  # by view: things that boxes can denote
        self._pictures: dict[str, dict[str, Crop]] = {}
        for each in instances:
            told: dict[str, Given | Truth] = {**each.given}
            if len(asked := self._types[each.type].asked) == 1:
                told[_key(next(iter(asked)))] = each.truth
            self.told[each.id] = told
            for name, value in told.items():
                thing = each.bind.get(name.partition(".")[0], "")
                if isinstance(value, Box2):
                    self._boxes[each.view, thing] = value
                elif isinstance(value, Crop):
                    self._pictures.setdefault(thing, {})[value.view] = value

    def reused(self) -> Iterator[Instance]:
        """Yield the instances of smaller tasks that are contained in the existing instances.

        An instance that lacks a value which the smaller task needs is skipped.
        """
        ways = {
            name: [(form, names) for form in self._forms for names in type.serves(form.type)]
            for name, type in self._types.items()
        }
        for each in self._instances:
            told = self.told[each.id]
            for form, names in ways[each.type]:
                given: dict[str, Given] = {}
                needed = form.type.initial.attributes - {Attribute((VIEW.name,), PICTURE)}
                for attribute in sorted(needed):
                    value, box = told.get(_key(attribute, names)), attribute.name == BOX2D
                    fits = not box or self._boxable(each, names[attribute.of[0]])
                    if isinstance(value, Word | Box2 | Crop) and fits:
                        given[_key(attribute)] = value
                asked = [told.get(_key(attribute, names)) for attribute in form.type.asked]
                known = [one for one in asked if one is not None and not isinstance(one, Crop)]
                if len(given) == len(needed) and len(known) == len(asked) == 1:
                    bind = {name: each.bind[names[name]] for name in names}
                    yield self._made(each, form, bind, given, known[0], "reuse")

    def recombined(self) -> Iterator[Instance]:
        """Yield the existing instances with their objects denoted as other tasks denote them."""
        for each in self._instances:
            for form in self._forms:
                if form.kind != each.type or form.denotation is None:
                    continue
                given = {
                    f"{name}.{form.denotation}": told
                    for name in _objects(form.type)
                    if (told := self._denoted(each, form, name)) is not None
                }
                if len(given) == len(_objects(form.type)):
                    yield self._made(each, form, each.bind, given, each.truth, "recombination")

    def _made(
        self, parent: Instance, form: EvolvedForm, bind: Mapping[str, str],
        given: Mapping[str, Given], truth: Truth, way: str,
    ) -> Instance:  # fmt: skip
        bound = {name: each for name, each in bind.items() if name != VIEW.name}
        found = Found(self._looks[parent.view], bound, given, truth)
        origin = f"{way} of {parent.type}"
        return instance(form.type, form.words, found, origin=origin, loop=parent.loop)

    def _denoted(self, each: Instance, form: EvolvedForm, vertex: str) -> Given | None:
        """Return the label, box or picture by which a form denotes an object, None if ambiguous."""
        look, id = self._looks[each.view], each.bind[vertex]
        thing = self._scene.thing[id]
        if form.denotation == LABEL:
            labels = [other.label for other in self._scene.things]
            only = thing.has_label and labels.count(thing.label) == 1
            sure = look.alone(thing) if _shows(form.type, vertex) else only
            return Word(thing.label) if sure else None
        if form.denotation == BOX2D:
            return self._boxes.get((each.view, id)) if self._boxable(each, vertex) else None
        others = [view for view in sorted(self._pictures.get(id, ())) if view != each.view]
        same = (thing.label, thing.paint)  # a picture of it could also show another
        twins = [other for other in self._scene.things if (other.label, other.paint) == same]
        if not others or len(twins) > 1:
            return None
        seed = rng.child_seed(self._seed, each.id, vertex)
        return self._pictures[id][others[seed % len(others)]]

    def _boxable(self, each: Instance, vertex: str) -> bool:
        """Return whether a box in an instance's view identifies its object."""
        if each.view not in self._fit:
            fit = boxed(self._looks[each.view])
            self._fit[each.view] = frozenset(thing.id for thing, _ in fit)
        return each.bind[vertex] in self._fit[each.view]


def _key(attribute: Attribute, names: Mapping[str, str] | None = None) -> str:
    """Return an attribute's key in an instance ("object.label"); `names` renames its vertices."""
    of = attribute.of if names is None else tuple(names[name] for name in attribute.of)
    return ".".join((*of, attribute.name))
