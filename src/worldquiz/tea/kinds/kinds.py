"""Kinds of task: the graph, the words, and the search for instances in a moment.

TEA (arXiv 2602.05249, equations 1-3) describes a task by the facts known before and after it.
Object classification gives a picture of an object and asks for its label:

    initial  ({object}, {}, {picture(object)})
    final    ({object}, {}, {picture(object), label(object)})

An abstract task (`TaskType`) becomes an instance by binding its vertices to a scene's things and
views. One graph is a *sub-structure* of another if some renaming of its vertices, which keeps their
kinds, makes it a part of the other graph. Then the larger task's instances serve the smaller task
as well (reuse).

A *moment* is the set of the cameras' views at one time. A picture must settle a task's answer. So a
thing in a picture is *clear*, *hidden*, or between the two; no task depends on a thing in between.

A vertex is *denoted* by its initial attribute: an object by its label, by a box in the view's
picture, or by a picture of its own. The words of a command are composed from denotations, so
another denotation of an object gives another command.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from worldquiz_scenes.scene import Scene, Thing
from worldquiz_scenes.sight import Eyes
from worldquiz_scenes.view import BODY, EGO, Box, Show, Sighting, View, shown


class Vertex(NamedTuple):
    """Vertex of a task graph: something that the task is about."""

    name: str
    kind: str  # object, class (objects of one sort), view, agent


class TaskEdge(NamedTuple):
    """A relation between two vertices, by their names."""

    source: str
    relation: str
    target: str


class Attribute(NamedTuple):
    """A given or requested attribute of one vertex, or of several together."""

    of: tuple[str, ...]  # vertices, by name
    name: str  # picture label box2d box3d depth count relation ...


@dataclass(frozen=True, slots=True)
class TaskGraph:
    """Vertices, edges between them and attributes of them."""

    vertices: frozenset[Vertex]
    edges: frozenset[TaskEdge] = frozenset()
    attributes: frozenset[Attribute] = frozenset()

    def __le__(self, other: TaskGraph) -> bool:
        """Return whether it is contained in another graph, without renaming."""
        return (
            self.vertices <= other.vertices
            and self.edges <= other.edges
            and self.attributes <= other.attributes
        )

    def renamed(self, names: Mapping[str, str]) -> TaskGraph:
        """Return the graph with other names for its vertices."""
        return TaskGraph(
            frozenset(Vertex(names[each.name], each.kind) for each in self.vertices),
            frozenset(TaskEdge(names[e.source], e.relation, names[e.target]) for e in self.edges),
            frozenset(
                Attribute(tuple(names[name] for name in each.of), each.name)
                for each in self.attributes
            ),
        )

    def within(self, other: TaskGraph) -> Iterator[dict[str, str]]:
        """Yield every renaming that makes it a part of another graph, in order of names."""
        mine, theirs = sorted(self.vertices), sorted(other.vertices)
        for chosen in permutations(theirs, len(mine)):
            if all(one.kind == two.kind for one, two in zip(mine, chosen, strict=True)):
                names = {one.name: two.name for one, two in zip(mine, chosen, strict=True)}
                if self.renamed(names) <= other:
                    yield names


@dataclass(frozen=True, slots=True)
class TaskType:
    """An abstract task: the graph given at first, and the graph once the task is done."""

    name: str
    initial: TaskGraph
    final: TaskGraph

    @property
    def asked(self) -> frozenset[Attribute]:
        """Attributes that the answer must give (underlined in the paper)."""
        return self.final.attributes - self.initial.attributes

    def known(self, vertex: str) -> frozenset[str]:
        """Return the names of a vertex's own attributes that are given at first."""
        return frozenset(each.name for each in self.initial.attributes if each.of == (vertex,))

    def serves(self, smaller: TaskType) -> Iterator[dict[str, str]]:
        """Yield the renamings by which its instances give instances of a smaller task."""
        return smaller.final.within(self.final)


@dataclass(frozen=True, slots=True)
class Crop:
    """A thing's picture: the part of a view within a box."""

    view: str
    box: Box
    kind: Literal["crop"] = "crop"


@dataclass(frozen=True, slots=True)
class Word:
    """A label, a relation, or yes or no."""

    value: str
    kind: Literal["word"] = "word"


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several words that the task offers, as questions of the recall quiz do."""

    value: str
    among: tuple[str, ...]  # in the order in which they are offered
    kind: Literal["choice"] = "choice"


@dataclass(frozen=True, slots=True)
class Count:
    """Number of matching objects."""

    value: int
    kind: Literal["count"] = "count"


@dataclass(frozen=True, slots=True)
class Metres:
    """A distance."""

    value: float
    kind: Literal["metres"] = "metres"


@dataclass(frozen=True, slots=True)
class Box2:
    """A box in a picture."""

    value: Box
    kind: Literal["box2"] = "box2"


@dataclass(frozen=True, slots=True)
class Box3:
    """A box in a camera's frame: its middle and its full lengths along the frame's axes."""

    centre: tuple[float, float, float]
    size: tuple[float, float, float]
    kind: Literal["box3"] = "box3"


@dataclass(frozen=True, slots=True)
class Goal:
    """A thing to be reached."""

    thing: str
    within: float  # metres
    kind: Literal["goal"] = "goal"


Given = Annotated[Word | Box2 | Crop, Field(discriminator="kind")]
Truth = Annotated[Word | Choice | Count | Metres | Box2 | Box3 | Goal, Field(discriminator="kind")]


@dataclass(frozen=True, slots=True)
class Instance:
    """A task in a scene."""

    id: str
    type: str
    scene: str
    view: str  # the view whose picture is given; for navigation, the start
    bind: Mapping[str, str]  # from the type's vertices to things, views and mirrors
    command: str  # what is asked, in words
    truth: Truth
    given: Mapping[str, Given] = field(default_factory=dict)  # by "VERTEX.ATTRIBUTE"
    origin: str = "interaction"  # or "reuse of TYPE", "recombination of TYPE and TYPE"
    loop: int = 1  # the loop of interaction that its views come from
    counted: tuple[str, ...] = ()  # the things that are counted, in tasks that count


VIEW, OBJECT, OTHER = Vertex("view", "view"), Vertex("object", "object"), Vertex("other", "object")
CLASS, AGENT = Vertex("class", "class"), Vertex("agent", "agent")
PICTURE, LABEL, BOX2D, BOX3D, DEPTH = "picture", "label", "box2d", "box3d", "depth"
SHOWS = "shows"

Told = tuple[Vertex | tuple[Vertex, ...], str]
"""An attribute of a vertex, or of several together."""


@dataclass(frozen=True)
class Look:
    """One view of a scene, and the things that it shows, sorted by visibility."""

    scene: Scene
    view: View
    eyes: Eyes | None = None  # the eyes that saw it, if they can look again

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
        """Number of visible things by label, clear or not."""
        return Counter(thing.label for thing in self.noticed)

    def alone(self, thing: Thing) -> bool:
        """Return whether exactly one visible thing has this thing's label."""
        return thing.has_label and self.labels[thing.label] == 1


@dataclass(frozen=True)
class ViewMoment:
    """The agent's own view and the watching cameras' views, at one time."""

    ego: Look
    watching: tuple[Look, ...] = ()

    @property
    def looks(self) -> tuple[Look, ...]:
        """All views, the agent's own first."""
        return (self.ego, *self.watching)


@dataclass(frozen=True, slots=True)
class Found:
    """An instance before it has an id and words."""

    look: Look
    bind: Mapping[str, str]  # the view's own vertex is bound automatically
    given: Mapping[str, Given]  # by "VERTEX.ATTRIBUTE"
    truth: Truth
    counted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TaskKind:
    """A type of task, the words of its command, and the search for its instances."""

    type: TaskType
    words: str  # with {object}, {other} or {class} for the names of vertices
    find: Callable[[ViewMoment], Iterator[Found]]


def instance(
    type: TaskType, words: str, found: Found, *, origin: str = "interaction", loop: int = 1
) -> Instance:
    """Return the instance for a finding. Its id names its type, its view and its things."""
    scene, view = found.look.scene.id, found.look.view.id
    about = [found.bind[name] for name in sorted(found.bind)]
    return Instance(
        "/".join((type.name, scene, view, *about)), type.name, scene, view,
        {VIEW.name: view, **found.bind}, command(type, words, found.given), found.truth,
        found.given, origin, loop, found.counted,
    )  # fmt: skip


def command(type: TaskType, words: str, given: Mapping[str, Given]) -> str:
    """Return a command's words, with each vertex called by its given attribute.

    Pictures come in order: the view's, if it is given, then the objects' own.
    """
    picture = 1 + (PICTURE in type.known(VIEW.name))
    called: dict[str, str] = {}
    for name, told in sorted(given.items()):
        vertex = name.partition(".")[0]
        match told:
            case Word():
                every = "every" if vertex == CLASS.name else "the"
                called[vertex] = f"{every} {told.value}"
            case Box2():
                called[vertex] = f"the object in the box {list(told.value)}"
            case Crop():
                called[vertex] = f"the object in the middle of picture {picture}"
                picture += 1
    text = words.format(**called)
    return text[0].upper() + text[1:]


def task_type(
    name: str,
    vertices: set[Vertex],
    edges: set[TaskEdge],
    given: set[Told],
    asked: set[Told],
    done: frozenset[TaskEdge] = frozenset(),
) -> TaskType:
    """Return a type of task from its given and asked attributes, and the edges to achieve."""

    def graph(edges: set[TaskEdge] | frozenset[TaskEdge], told: set[Told]) -> TaskGraph:
        attributes = (
            Attribute(tuple(each.name for each in ([of] if isinstance(of, Vertex) else of)), named)
            for of, named in told
        )
        return TaskGraph(frozenset(vertices), frozenset(edges), frozenset(attributes))

    return TaskType(name, graph(edges, given), graph(edges | done, given | asked))


def shows(*vertices: Vertex) -> set[TaskEdge]:
    """Return the edges for a view's picture that shows some vertices."""
    return {TaskEdge(VIEW.name, SHOWS, vertex.name) for vertex in vertices}


def labelled(thing: Thing, vertex: Vertex = OBJECT) -> dict[str, Given]:
    """Return the given attribute of a vertex that is denoted by its thing's label."""
    return {key(vertex, LABEL): Word(thing.label)}


def key(vertex: Vertex, attribute: str) -> str:
    """Return the name under which an instance holds a vertex's attribute."""
    return f"{vertex.name}.{attribute}"


def harvest(
    scene: Scene,
    views: Iterable[View],
    kinds: Sequence[TaskKind],
    *,
    loop: int = 1,
    eyes: Eyes | None = None,
) -> tuple[Instance, ...]:
    """Return every task found in views of a scene, once, in order of time, kind and id.

    This is G in the paper's equations 5 and 7. Each moment is searched by itself, so later views do
    not change earlier tasks. Moments without the agent's own view give no tasks. With `eyes`, a
    thing hidden from the agent is asked about only if it is also hidden from eyes beside the
    agent's place.
    """
    moments: dict[float, list[Look]] = {}
    for view in sorted(views, key=lambda each: (each.time, each.id)):
        moments.setdefault(view.time, []).append(Look(scene, view, eyes))
    found: dict[str, Instance] = {}
    for looks in moments.values():
        own = [look for look in looks if look.view.camera.name == EGO]
        others = tuple(look for look in looks if look.view.camera.name != EGO)
        for kind in kinds if own else ():
            every = kind.find(ViewMoment(own[0], others))
            made = (instance(kind.type, kind.words, each, loop=loop) for each in every)
            for task in sorted(made, key=lambda each: each.id):
                found.setdefault(task.id, task)
    return tuple(found.values())
