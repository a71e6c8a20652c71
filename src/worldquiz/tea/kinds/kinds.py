"""Kinds of task: each has a graph, a wording, and a search for its instances in views.

TEA (arXiv 2602.05249, equations 1-3) describes a task by two graphs of (vertices, edges,
attributes): what is known before it, and after it. Object classification asks for a label:

    initial  ({object}, {}, {picture(object)})
    final    ({object}, {}, {picture(object), label(object)})

An abstract task (`TaskType`) becomes an instance when its vertices are bound to things and views of
a scene. One graph is a *sub-structure* of another if it becomes a part of the other when its
vertices are renamed to vertices of the same kinds. If a task's graph is a sub-structure of a larger
task's, each instance of the larger task also gives one of the smaller task (reuse).

A *moment* is the set of all cameras' views at one time. Pictures must show a task's answer beyond
doubt. So a thing in a view is *clear*, *hidden* or vague, and no task depends on a vague thing.

A command refers to a vertex by its given attribute, the vertex's *denotation*: an object is denoted
by its label, by a box in the view's picture, or by a picture of its own. Another denotation gives
another command.
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
    """A graph of vertices, with edges between them and their attributes."""

    vertices: frozenset[Vertex]
    edges: frozenset[TaskEdge] = frozenset()
    attributes: frozenset[Attribute] = frozenset()

    def __le__(self, other: TaskGraph) -> bool:
        """Return whether this graph is contained in another one without renaming."""
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
        """Yield every renaming that makes this graph a part of another one, in order of names."""
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
        """Return the names of the given attributes that belong to this vertex alone."""
        return frozenset(each.name for each in self.initial.attributes if each.of == (vertex,))

    def serves(self, smaller: TaskType) -> Iterator[dict[str, str]]:
        """Yield the renamings that turn this task's instances into those of a smaller task."""
        return smaller.final.within(self.final)


@dataclass(frozen=True, slots=True)
class Crop:
    """A picture of a thing, cut out of a view's picture along a box."""

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
    """One view of a scene, with lists of the things that it shows clearly or vaguely."""

    scene: Scene
    view: View
    eyes: Eyes | None = None  # the eyes that saw it, if they can look again

    @cached_property
    def clear(self) -> tuple[tuple[Thing, Sighting], ...]:
        """The things that this view shows clearly, sorted by id."""
        return tuple(
            (self.scene.thing[each.thing], each)
            for each in self.view.sightings
            if each.thing != BODY and shown(self.view, each.thing) is Show.CLEAR
        )

    @cached_property
    def noticed(self) -> tuple[Thing, ...]:
        """The things that this view shows, clearly or vaguely, sorted by id."""
        return tuple(
            self.scene.thing[each.thing]
            for each in self.view.sightings
            if each.thing != BODY and shown(self.view, each.thing) is not Show.HIDDEN
        )

    @cached_property
    def labels(self) -> Counter[str]:
        """Number of things with each label that this view shows, clearly or vaguely."""
        return Counter(thing.label for thing in self.noticed)

    def alone(self, thing: Thing) -> bool:
        """Return whether this view shows exactly one thing with this thing's label."""
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
    """Data of an instance that does not yet have an id and a command."""

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
    """Return the instance made from found data. Its id names its type, view and things."""
    scene, view = found.look.scene.id, found.look.view.id
    about = [found.bind[name] for name in sorted(found.bind)]
    return Instance(
        "/".join((type.name, scene, view, *about)), type.name, scene, view,
        {VIEW.name: view, **found.bind}, command(type, words, found.given), found.truth,
        found.given, origin, loop, found.counted,
    )  # fmt: skip


def command(type: TaskType, words: str, given: Mapping[str, Given]) -> str:
    """Return the text of a command, which refers to each vertex by its given attribute.

    Pictures are numbered: first the view's picture, if it is given, then those of objects.
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
    """Return a type of task from the attributes it gives and asks for, and edges to bring about."""

    def graph(edges: set[TaskEdge] | frozenset[TaskEdge], told: set[Told]) -> TaskGraph:
        attributes = (
            Attribute(tuple(each.name for each in ([of] if isinstance(of, Vertex) else of)), named)
            for of, named in told
        )
        return TaskGraph(frozenset(vertices), frozenset(edges), frozenset(attributes))

    return TaskType(name, graph(edges, given), graph(edges | done, given | asked))


def shows(*vertices: Vertex) -> set[TaskEdge]:
    """Return the edges which say that a view's picture shows these vertices."""
    return {TaskEdge(VIEW.name, SHOWS, vertex.name) for vertex in vertices}


def labelled(thing: Thing, vertex: Vertex = OBJECT) -> dict[str, Given]:
    """Return the given attribute that denotes a vertex by the label of its thing."""
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
    """Return all tasks found in views of a scene, each once, in order of time, kind and id.

    This is G in the paper's equations 5 and 7. The views of each moment are searched separately, so
    later views do not change earlier tasks. Moments without the agent's own view give no tasks.
    With `eyes`, which draw further views, tasks ask about a thing hidden from the agent only if it
    is also hidden from a step to the agent's left and right.
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
