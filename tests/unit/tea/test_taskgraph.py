"""Task graphs: parts of others, and what a type is given and asked for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.tea.taskgraph import Attribute, TaskEdge, TaskGraph, TaskType, Vertex

KINDS = st.sampled_from(["object", "view"])


@st.composite
def graphs(draw: st.DrawFn) -> TaskGraph:
    names = draw(st.lists(st.sampled_from("abcd"), unique=True, max_size=4))
    vertices = frozenset(Vertex(name, draw(KINDS)) for name in names)
    if not names:
        return TaskGraph(vertices)
    name = st.sampled_from(names)
    edges = draw(st.frozensets(st.builds(TaskEdge, name, st.just("on"), name), max_size=3))
    told = st.builds(Attribute, st.tuples(name), st.sampled_from(["label", "box"]))
    return TaskGraph(vertices, edges, draw(st.frozensets(told, max_size=4)))


@given(graphs(), st.permutations("wxyz"))
def test_a_graph_with_other_names_is_within_the_first_one(graph: TaskGraph, new: list[str]) -> None:
    names = {vertex.name: new[at] for at, vertex in enumerate(sorted(graph.vertices))}
    ways = list(graph.renamed(names).within(graph))
    assert {new: old for old, new in names.items()} in ways


@given(graphs(), graphs())
def test_what_is_within_another_is_a_part_of_it_under_each_way(
    one: TaskGraph, two: TaskGraph
) -> None:
    for names in one.within(two):
        assert one.renamed(names) <= two
        assert len(set(names.values())) == len(names)


def test_a_graph_speaks_only_of_its_vertices() -> None:
    with pytest.raises(ValueError, match="speaks of"):
        TaskGraph(frozenset({Vertex("a", "object")}), frozenset({TaskEdge("a", "on", "b")}))
    with pytest.raises(ValueError, match="speaks of"):
        TaskGraph(frozenset({Vertex("a", "object"), Vertex("a", "view")}))


def test_a_task_loses_nothing_that_it_was_given() -> None:
    vertex = Vertex("a", "object")
    told = TaskGraph(frozenset({vertex}), attributes=frozenset({Attribute(("a",), "label")}))
    with pytest.raises(ValueError, match="missing in the end"):
        TaskType("loser", told, TaskGraph(frozenset({vertex})))
