"""Tasks as graphs: vertices, edges and attributes, given at first and asked for in the end.

TEA (arXiv 2602.05249, equations 1-3) describes a task by the facts known before and after it.
Object classification gives a picture of an object and asks for its label:

    initial  ({object}, {}, {picture(object)})
    final    ({object}, {}, {picture(object), label(object)})

An abstract task (`TaskType`) becomes an instance when its vertices are bound to a scene's things
and views. One graph is a *sub-structure* of another if some renaming of its vertices, each to one
of the same kind, puts all of it into the other: then the larger task's instances serve the smaller
one as well (reuse).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import permutations
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from worldquiz_scenes.view import Box


class Vertex(NamedTuple):
    """A unit to be processed."""

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

    def __post_init__(self) -> None:
        names = [vertex.name for vertex in self.vertices]
        used = {name for edge in self.edges for name in (edge.source, edge.target)}
        used |= {name for attribute in self.attributes for name in attribute.of}
        if len(set(names)) < len(names) or not used <= set(names):
            raise ValueError(f"a graph of {sorted(names)} speaks of {sorted(used)}")

    def __le__(self, other: TaskGraph) -> bool:
        """Tell whether it is a part of another as it stands, without renaming."""
        return (
            self.vertices <= other.vertices
            and self.edges <= other.edges
            and self.attributes <= other.attributes
        )

    def renamed(self, names: Mapping[str, str]) -> TaskGraph:
        """Return it with other names for its vertices."""
        return TaskGraph(
            frozenset(Vertex(names[each.name], each.kind) for each in self.vertices),
            frozenset(TaskEdge(names[e.source], e.relation, names[e.target]) for e in self.edges),
            frozenset(
                Attribute(tuple(names[name] for name in each.of), each.name)
                for each in self.attributes
            ),
        )

    def within(self, other: TaskGraph) -> Iterator[dict[str, str]]:
        """Yield every renaming that puts it into another graph, in order of names."""
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

    def __post_init__(self) -> None:
        if not self.initial <= self.final:
            raise ValueError(f"task {self.name!r}: what is given at first is missing in the end")

    @property
    def asked(self) -> frozenset[Attribute]:
        """Attributes that the answer must give (underlined in the paper)."""
        return self.final.attributes - self.initial.attributes

    def known(self, vertex: str) -> frozenset[str]:
        """Return the names of attributes that are given at first of a vertex alone."""
        return frozenset(each.name for each in self.initial.attributes if each.of == (vertex,))

    def serves(self, smaller: TaskType) -> Iterator[dict[str, str]]:
        """Yield how its instances give instances of a smaller task."""
        return smaller.final.within(self.final)


@dataclass(frozen=True, slots=True)
class Crop:
    """A thing's picture: the part of a view within a box."""

    view: str
    box: Box
    kind: Literal["crop"] = "crop"


@dataclass(frozen=True, slots=True)
class Word:
    """A label, a relation, or yes and no."""

    value: str
    kind: Literal["word"] = "word"


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several words that the task offers: the answer of a kind of a user's own."""

    value: str
    among: tuple[str, ...]  # in the order in which they are offered
    kind: Literal["choice"] = "choice"

    def __post_init__(self) -> None:
        different = len({each.lower() for each in self.among}) == len(self.among) > 1
        if self.value not in self.among or not different:
            raise ValueError(
                f"the answer {self.value!r} among {list(self.among)}: offer it among two different "
                "ones or more"
            )


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
    view: str  # whose picture is given; for navigation, where it starts
    bind: Mapping[str, str]  # from the type's vertices to things, views and mirrors
    command: str  # what is asked, in words
    truth: Truth
    given: Mapping[str, Given] = field(default_factory=dict)  # by "VERTEX.ATTRIBUTE"
    origin: str = "interaction"  # or "reuse of TYPE", "recombination of TYPE and TYPE"
    loop: int = 1  # the loop of interaction that its views come from
