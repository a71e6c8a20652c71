"""Evolution: new tasks from those that are there, without another look at the scene.

*Reuse* (arXiv 2602.05249, "Task Reuse"): where a task's graph is a part of another's, the other's
instances are instances of it too. What the larger task was given or asked for is what the smaller
one is given or asked for.

*Recombination* ("Task Recombination"): two tasks exchange vertices of one kind that are denoted
differently. What was asked of an object that has a label is then asked of one that is shown by a
box, or by a picture of its own; the new task has its own type and graph.

A new task is kept if it is *well-posed*: what is given means one object and no other, and does not
hold the answer. Seeds settle which of several pictures of an object is taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from worldquiz import rng
from worldquiz.scenes.scene import Scene, Thing
from worldquiz.scenes.view import View
from worldquiz.tea.kinds.kinds import (
    BOX2D,
    LABEL,
    OBJECT,
    PICTURE,
    VIEW,
    Found,
    Kind,
    Look,
    instance,
    shows,
)
from worldquiz.tea.kinds.perception import boxed
from worldquiz.tea.taskgraph import (
    Attribute,
    Box2,
    Crop,
    Given,
    Graph,
    Instance,
    TaskType,
    Truth,
    Vertex,
    Word,
)

DENOTATIONS = (BOX2D, LABEL, PICTURE)
"""How an object can be told of."""

Told = Mapping[str, Given | Truth]
"""What an instance tells once it is done, by "VERTEX.ATTRIBUTE"."""


@dataclass(frozen=True, slots=True)
class Form:
    """A type of task and its words: a kind's own, or what recombination makes of them."""

    type: TaskType
    words: str
    kind: str  # the name of the kind's own type
    denotation: str | None  # of its objects, where they are denoted anew


def forms(kinds: Iterable[Kind]) -> tuple[Form, ...]:
    """Return every type that some kinds have or get by recombination, by name."""
    found = []
    for kind in kinds:
        found.append(Form(kind.type, kind.words, kind.type.name, None))
        for denotation in DENOTATIONS:
            type = denoted(kind.type, denotation)
            if type is not None:
                found.append(Form(type, kind.words, kind.type.name, denotation))
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
        f"{type.name}-by-{denotation}",
        _with(type.initial, old, new),
        _with(type.final, old, new),
    )


def evolve(
    scene: Scene,
    views: Iterable[View],
    kinds: Sequence[Kind],
    instances: Sequence[Instance],
    *,
    seed: int = 0,
) -> tuple[Instance, ...]:
    """Return every new task that instances give, by id; none of them is there already."""
    looks = {view.id: Look(scene, view) for view in views}
    every = forms(kinds)
    told = {each.id: after(each, kinds) for each in instances}
    there = told.keys()
    found: dict[str, Instance] = {}
    for each in _reused(looks, every, instances, told, {kind.type.name: kind for kind in kinds}):
        found.setdefault(each.id, each)
    for each in _recombined(looks, every, instances, told, seed):
        found.setdefault(each.id, each)
    return tuple(found[id] for id in sorted(found) if id not in there)


def after(done: Instance, kinds: Iterable[Kind]) -> Told:
    """Return what a task of some kind tells once it is done: what was given, and its answer."""
    type = next(kind.type for kind in kinds if kind.type.name == done.type)
    answers = {".".join((*each.of, each.name)): done.truth for each in type.asked}
    return {**done.given, **(answers if len(answers) == 1 else {})}


def _recombined(
    looks: Mapping[str, Look],
    forms: Iterable[Form],
    instances: Iterable[Instance],
    told: Mapping[str, Told],
    seed: int,
) -> Iterator[Instance]:
    """Yield every instance of a kind with its objects denoted as another task denotes them."""
    donors = _Donors(looks, instances, told)
    by_kind: dict[str, list[Form]] = {}
    for form in forms:
        if form.denotation is not None:
            by_kind.setdefault(form.kind, []).append(form)
    for each in instances:
        for form in by_kind.get(each.type, ()):
            given = _anew(each, form, donors, seed)
            if given is not None:
                yield _made(looks, each, form, _bind(each), given, each.truth, "recombination")


def _anew(each: Instance, form: Form, donors: _Donors, seed: int) -> dict[str, Given] | None:
    """Return what is given of an instance's objects in another form, None if some has none."""
    assert form.denotation is not None
    found: dict[str, Given] = {}
    for vertex in sorted(form.type.initial.vertices):
        if vertex.kind == OBJECT.kind:
            told = donors.of(each, form, vertex, rng.child_seed(seed, each.id, vertex.name))
            if told is None:
                return None
            found[f"{vertex.name}.{form.denotation}"] = told
    return found


class _Donors:
    """What instances tell of things, for others to take."""

    def __init__(
        self, looks: Mapping[str, Look], instances: Iterable[Instance], told: Mapping[str, Told]
    ) -> None:
        self._looks = looks
        self._boxes: dict[tuple[str, str], Box2] = {}
        self._fit: dict[str, frozenset[str]] = {}  # of each view, the things that boxes can mean
        self._pictures: dict[str, dict[str, Crop]] = {}
        for each in instances:
            for name, value in told[each.id].items():
                thing = each.bind.get(name.partition(".")[0], "")
                if isinstance(value, Box2):
                    self._boxes[each.view, thing] = value
                elif isinstance(value, Crop):
                    self._pictures.setdefault(thing, {})[value.view] = value

    def of(self, each: Instance, form: Form, vertex: Vertex, seed: int) -> Given | None:
        """Return what another task tells of an instance's object, None if nothing well-posed."""
        look, id = self._looks[each.view], each.bind[vertex.name]
        thing = look.scene.thing[id]
        if form.denotation == LABEL:
            sure = look.alone(thing) if _shows(form.type, vertex) else _only(look.scene, thing)
            return Word(thing.label) if sure else None
        if form.denotation == BOX2D:
            return self._boxes.get((each.view, id)) if id in self._boxable(look) else None
        others = [view for view in sorted(self._pictures.get(id, ())) if view != each.view]
        if not others or _twins(look.scene, thing):
            return None
        return self._pictures[id][others[seed % len(others)]]

    def _boxable(self, look: Look) -> frozenset[str]:
        view = look.view.id
        if view not in self._fit:
            self._fit[view] = frozenset(thing.id for thing, _ in boxed(look))
        return self._fit[view]


def _reused(
    looks: Mapping[str, Look],
    forms: Sequence[Form],
    instances: Iterable[Instance],
    told: Mapping[str, Told],
    kinds: Mapping[str, Kind],
) -> Iterator[Instance]:
    """Yield every instance of a form that is a part of another task's instance."""
    ways = {
        name: [(form, names) for form in forms for names in kind.type.serves(form.type)]
        for name, kind in kinds.items()
    }
    for each in instances:
        for form, names in ways[each.type]:
            made = _part(looks[each.view], each, form, names, told[each.id])
            if made is not None:
                bind, given, truth = made
                yield _made(looks, each, form, bind, given, truth, "reuse")


def _part(
    look: Look, each: Instance, form: Form, names: Mapping[str, str], told: Told
) -> tuple[dict[str, str], dict[str, Given], Truth] | None:
    """Return what a smaller task is given and asked for, None where the larger does not tell it."""
    given: dict[str, Given] = {}
    for attribute in sorted(form.type.initial.attributes):
        if attribute == Attribute((VIEW.name,), PICTURE):
            continue
        value = told.get(".".join((*(names[name] for name in attribute.of), attribute.name)))
        if not isinstance(value, Word | Box2 | Crop) or not _posed(look, each, names, attribute):
            return None
        given[".".join((*attribute.of, attribute.name))] = value
    asked = [
        told.get(".".join((*(names[name] for name in each_.of), each_.name)))
        for each_ in form.type.asked
    ]
    if len(asked) != 1 or asked[0] is None or isinstance(asked[0], Crop):
        return None
    bind = {name: each.bind[names[name]] for name in names if name != VIEW.name}
    return bind, given, asked[0]


def _posed(look: Look, each: Instance, names: Mapping[str, str], attribute: Attribute) -> bool:
    """Tell whether a box that a smaller task is given means its object and nothing else."""
    if attribute.name != BOX2D:
        return True
    thing = each.bind[names[attribute.of[0]]]
    return any(thing == fit.id for fit, _ in boxed(look))


def _made(
    looks: Mapping[str, Look],
    parent: Instance,
    form: Form,
    bind: Mapping[str, str],
    given: Mapping[str, Given],
    truth: Truth,
    way: str,
) -> Instance:
    found = Found(looks[parent.view], bind, given, truth)
    origin = f"{way} of {parent.type}"
    return instance(form.type, form.words, found, origin=origin, loop=parent.loop)


def _bind(each: Instance) -> dict[str, str]:
    return {name: bound for name, bound in each.bind.items() if name != VIEW.name}


def _shows(type: TaskType, vertex: Vertex) -> bool:
    return shows(vertex) <= type.initial.edges


def _only(scene: Scene, thing: Thing) -> bool:
    return Counter(each.label for each in scene.things)[thing.label] == 1


def _twins(scene: Scene, thing: Thing) -> bool:
    """Tell whether a picture of a thing may as well be one of another."""
    looks = (thing.label, thing.paint)
    return any((each.label, each.paint) == looks for each in scene.things if each.id != thing.id)


def _with(graph: Graph, old: set[Attribute], new: set[Attribute]) -> Graph:
    return Graph(graph.vertices, graph.edges, (graph.attributes - old) | new)
