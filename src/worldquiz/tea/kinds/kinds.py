"""What makes a kind of task: its graph, its words, and how its instances are found in a moment.

A vertex is *denoted* by what is told of it at first: an object by its label, by a box in the view's
picture, or by a picture of its own. Words are put together from that, so an object that is denoted
in another way makes another command. A new kind is one file that defines a `Kind`, and one line in
`catalog` (or an entry point).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import assert_never

from worldquiz.tea.kinds.observations import Look, Moment
from worldquiz.tea.taskgraph import (
    Attribute,
    Box2,
    Crop,
    Edge,
    Given,
    Graph,
    Instance,
    TaskType,
    Truth,
    Vertex,
    Word,
)

VIEW, OBJECT, OTHER = Vertex("view", "view"), Vertex("object", "object"), Vertex("other", "object")
CLASS, AGENT = Vertex("class", "class"), Vertex("agent", "agent")
PICTURE, LABEL, BOX2D, BOX3D, DEPTH = "picture", "label", "box2d", "box3d", "depth"
SHOWS = "shows"

Told = tuple[Vertex | tuple[Vertex, ...], str]
"""An attribute of a vertex, or of several together."""


@dataclass(frozen=True, slots=True)
class Found:
    """An instance before it has an id and words."""

    look: Look
    bind: Mapping[str, str]  # the view's own vertex is bound by itself
    given: Mapping[str, Given]  # by "VERTEX.ATTRIBUTE"
    truth: Truth


@dataclass(frozen=True, slots=True)
class Kind:
    """A type of task, the words of its command, and where its instances are."""

    type: TaskType
    words: str  # with {object}, {other} or {class} for what the vertices are called
    find: Callable[[Moment], Iterator[Found]]

    def instances(self, moment: Moment, loop: int = 1) -> tuple[Instance, ...]:
        """Return its instances in a moment, by id."""
        made = (instance(self.type, self.words, found, loop=loop) for found in self.find(moment))
        return tuple(sorted(made, key=lambda each: each.id))


def instance(
    type: TaskType, words: str, found: Found, *, origin: str = "interaction", loop: int = 1
) -> Instance:
    """Return what was found as an instance. Its id tells its type, its view and what it is of."""
    scene, view = found.look.scene.id, found.look.view.id
    about = [found.bind[name] for name in sorted(found.bind)]
    return Instance(
        "/".join((type.name, scene, view, *about)), type.name, scene, view,
        {VIEW.name: view, **found.bind}, command(type, words, found.given), found.truth,
        found.given, origin, loop,
    )  # fmt: skip


def command(type: TaskType, words: str, given: Mapping[str, Given]) -> str:
    """Return a command's words, each vertex called by what is told of it.

    Pictures come in order: the view's, if it is given, then those of the objects.
    """
    first = 1 + (PICTURE in type.known(VIEW.name))
    called: dict[str, str] = {}
    for name, told in sorted(given.items()):
        vertex = name.partition(".")[0]
        called[vertex] = _called(vertex, told, first + _pictures(given, before=name))
    text = words.format(**called)
    return text[0].upper() + text[1:]


def _pictures(given: Mapping[str, Given], *, before: str) -> int:
    return sum(isinstance(told, Crop) for name, told in given.items() if name < before)


def _called(vertex: str, told: Given, picture: int) -> str:
    match told:
        case Word():
            return f"every {told.value}" if vertex == CLASS.name else f"the {told.value}"
        case Box2():
            return f"the object in the box {list(told.value)}"
        case Crop():
            return f"the object in the middle of picture {picture}"
        case _:
            assert_never(told)


def graph(vertices: set[Vertex], edges: set[Edge], told: set[Told]) -> Graph:
    """Return a graph whose attributes are told of vertices."""
    attributes = frozenset(
        Attribute((of.name,) if isinstance(of, Vertex) else tuple(v.name for v in of), name)
        for of, name in told
    )
    return Graph(frozenset(vertices), frozenset(edges), attributes)


def task_type(
    name: str,
    vertices: set[Vertex],
    edges: set[Edge],
    given: set[Told],
    asked: set[Told],
    done: frozenset[Edge] = frozenset(),
) -> TaskType:
    """Return a type of task: what is given, what is asked for, what is to be brought about."""
    return TaskType(
        name, graph(vertices, edges, given), graph(vertices, edges | done, given | asked)
    )


def key(vertex: Vertex, attribute: str) -> str:
    """Return under which name an instance holds what is told of a vertex."""
    return f"{vertex.name}.{attribute}"
