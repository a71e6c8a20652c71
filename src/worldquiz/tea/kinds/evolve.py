"""Evolution: new tasks from those that are there, without another look at the scene.

*Reuse* (arXiv 2602.05249, "Task Reuse"): where a task's graph is a part of another's, the other's
instances are instances of it too. The smaller task takes its given values and its answer from the
larger one.

*Recombination* ("Task Recombination"): two tasks exchange vertices of one kind that are denoted
differently. A question about an object named by its label becomes one about the object shown by a
box, or by a picture of its own; the new task has its own type and graph.

A new task is kept if it is *well-posed*: what is given means one object and no other, and does not
hold the answer. Seeds settle which of several pictures of an object is taken.
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
    Found,
    Look,
    TaskKind,
    instance,
    shows,
)
from worldquiz.tea.kinds.perception import boxed
from worldquiz.tea.taskgraph import (
    Attribute,
    Box2,
    Crop,
    Given,
    Instance,
    TaskGraph,
    TaskType,
    Truth,
    Vertex,
    Word,
)
from worldquiz_scenes.scene import Scene
from worldquiz_scenes.view import View

DENOTATIONS = (BOX2D, LABEL, PICTURE)
"""How an object can be told of."""

Told = Mapping[str, Given | Truth]
"""What an instance tells once it is done, by "VERTEX.ATTRIBUTE"."""


@dataclass(frozen=True, slots=True)
class EvolvedForm:
    """A type of task and its words: a kind's own, or one made by recombination."""

    type: TaskType
    words: str
    kind: str  # the name of the kind's own type
    denotation: str | None  # of its objects, where they are denoted anew


def forms(kinds: Iterable[TaskKind]) -> tuple[EvolvedForm, ...]:
    """Return every type that some kinds have or get by recombination, by name."""
    found = []
    for kind in kinds:
        found.append(EvolvedForm(kind.type, kind.words, kind.type.name, None))
        for denotation in DENOTATIONS:
            type = denoted(kind.type, denotation)
            if type is not None:
                found.append(EvolvedForm(type, kind.words, kind.type.name, denotation))
    return tuple(sorted(found, key=lambda form: form.type.name))


def denoted(type: TaskType, denotation: str) -> TaskType | None:
    """Return a type whose objects are denoted otherwise.

    None where it has no objects, where they are denoted so already, where that is what is asked
    for, and where a box is told in a view that does not show the object.
    """
    objects = [vertex for vertex in sorted(type.initial.vertices) if vertex.kind == OBJECT.kind]
    old = {
        Attribute((vertex.name,), name)
        for vertex in objects
        for name in type.known(vertex.name)
        if name in DENOTATIONS
    }
    new = {Attribute((vertex.name,), denotation) for vertex in objects}
    if not objects or new & (old | type.asked) or len(old) < len(objects):
        return None
    if denotation == BOX2D:
        if not all(_shows(type, vertex) for vertex in objects):
            return None
        new.add(Attribute((VIEW.name,), PICTURE))
    return TaskType(
        f"{type.name}-by-{denotation}", _with(type.initial, old, new), _with(type.final, old, new)
    )


def evolve(
    scene: Scene,
    views: Iterable[View],
    kinds: Sequence[TaskKind],
    instances: Sequence[Instance],
    *,
    seed: int = 0,
) -> tuple[Instance, ...]:
    """Return every new task that instances give, by id; none of them is there already."""
    source = _Evolution(scene, views, kinds, instances, seed)
    found: dict[str, Instance] = {}
    for each in (*source.reused(), *source.recombined()):
        found.setdefault(each.id, each)
    return tuple(found[id] for id in sorted(found) if id not in source.told)


def after(done: Instance, kinds: Iterable[TaskKind]) -> Told:
    """Return the attributes of a finished task: its given values and its answer."""
    type = next(kind.type for kind in kinds if kind.type.name == done.type)
    answers = {_key(each): done.truth for each in type.asked}
    return {**done.given, **(answers if len(answers) == 1 else {})}


class _Evolution:
    """Attributes known from finished instances, and the new instances made from them."""

    def __init__(
        self,
        scene: Scene,
        views: Iterable[View],
        kinds: Sequence[TaskKind],
        instances: Sequence[Instance],
        seed: int,
    ) -> None:
        self._kinds, self._instances, self._seed = kinds, instances, seed
        self._looks = {view.id: Look(scene, view) for view in views}
        self._forms = forms(kinds)
        self.told = {each.id: after(each, kinds) for each in instances}
        self._boxes: dict[tuple[str, str], Box2] = {}
        self._fit: dict[str, frozenset[str]] = {}  # of each view, the things that boxes can mean
        self._pictures: dict[str, dict[str, Crop]] = {}
        for each in instances:
            for name, value in self.told[each.id].items():
                thing = each.bind.get(name.partition(".")[0], "")
                if isinstance(value, Box2):
                    self._boxes[each.view, thing] = value
                elif isinstance(value, Crop):
                    self._pictures.setdefault(thing, {})[value.view] = value

    def reused(self) -> Iterator[Instance]:
        """Yield every instance of a form that is a part of another task's instance."""
        ways = {
            kind.type.name: [
                (form, names) for form in self._forms for names in kind.type.serves(form.type)
            ]
            for kind in self._kinds
        }
        for each in self._instances:
            for form, names in ways[each.type]:
                yield from self._part(each, form, names)

    def _part(
        self, each: Instance, form: EvolvedForm, names: Mapping[str, str]
    ) -> Iterator[Instance]:
        """Yield the smaller task's instance; nothing if the larger does not hold its values."""
        told = self.told[each.id]
        given: dict[str, Given] = {}
        for attribute in sorted(form.type.initial.attributes):
            if attribute == Attribute((VIEW.name,), PICTURE):
                continue
            value = told.get(_key(attribute, names))
            if not isinstance(value, Word | Box2 | Crop):
                return
            if attribute.name == BOX2D and not self._boxable(each, names[attribute.of[0]]):
                return
            given[_key(attribute)] = value
        asked = [told.get(_key(attribute, names)) for attribute in form.type.asked]
        if len(asked) == 1 and asked[0] is not None and not isinstance(asked[0], Crop):
            bind = {name: each.bind[names[name]] for name in names if name != VIEW.name}
            yield self._made(each, form, bind, given, asked[0], "reuse")

    def recombined(self) -> Iterator[Instance]:
        """Yield every instance of a kind with its objects denoted as another task denotes them."""
        by_kind: dict[str, list[EvolvedForm]] = {}
        for form in self._forms:
            if form.denotation is not None:
                by_kind.setdefault(form.kind, []).append(form)
        for each in self._instances:
            bind = {name: bound for name, bound in each.bind.items() if name != VIEW.name}
            for form in by_kind.get(each.type, ()):
                given = {
                    f"{vertex.name}.{form.denotation}": self._denoted(each, form, vertex)
                    for vertex in sorted(form.type.initial.vertices)
                    if vertex.kind == OBJECT.kind
                }
                known = {name: told for name, told in given.items() if told is not None}
                if len(known) == len(given):
                    yield self._made(each, form, bind, known, each.truth, "recombination")

    def _denoted(self, each: Instance, form: EvolvedForm, vertex: Vertex) -> Given | None:
        """Return an instance's object as a form denotes it, None if that is not well-posed."""
        look, id = self._looks[each.view], each.bind[vertex.name]
        thing = look.scene.thing[id]
        if form.denotation == LABEL:
            labels = [each.label for each in look.scene.things]
            only = thing.has_label and labels.count(thing.label) == 1
            sure = look.alone(thing) if _shows(form.type, vertex) else only
            return Word(thing.label) if sure else None
        if form.denotation == BOX2D:
            return self._boxes.get((each.view, id)) if self._boxable(each, vertex.name) else None
        others = [view for view in sorted(self._pictures.get(id, ())) if view != each.view]
        same = (thing.label, thing.paint)  # a picture of it may as well be one of another
        twins = [each for each in look.scene.things if (each.label, each.paint) == same]
        if not others or len(twins) > 1:
            return None
        seed = rng.child_seed(self._seed, each.id, vertex.name)
        return self._pictures[id][others[seed % len(others)]]

    def _boxable(self, each: Instance, vertex: str) -> bool:
        """Tell whether a box in an instance's view can mean its object and nothing else."""
        if each.view not in self._fit:
            fit = boxed(self._looks[each.view])
            self._fit[each.view] = frozenset(thing.id for thing, _ in fit)
        return each.bind[vertex] in self._fit[each.view]

    def _made(
        self,
        parent: Instance,
        form: EvolvedForm,
        bind: Mapping[str, str],
        given: Mapping[str, Given],
        truth: Truth,
        way: str,
    ) -> Instance:
        found = Found(self._looks[parent.view], bind, given, truth)
        origin = f"{way} of {parent.type}"
        return instance(form.type, form.words, found, origin=origin, loop=parent.loop)


def _key(attribute: Attribute, names: Mapping[str, str] | None = None) -> str:
    """Return under which name an instance tells an attribute, its vertices called otherwise."""
    of = attribute.of if names is None else tuple(names[name] for name in attribute.of)
    return ".".join((*of, attribute.name))


def _shows(type: TaskType, vertex: Vertex) -> bool:
    return shows(vertex) <= type.initial.edges


def _with(graph: TaskGraph, old: set[Attribute], new: set[Attribute]) -> TaskGraph:
    return TaskGraph(graph.vertices, graph.edges, (graph.attributes - old) | new)
