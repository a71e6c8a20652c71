"""The question files that are published with a maze, against the maze.

``GAME.all2all.jsonl`` and ``GAME.all_pairs.jsonl`` follow from ``GAME.edges.json``. So they are
never needed; but where they lie beside it, they are checked line by line: an unknown edge, a label
that contradicts the edges, a wrong id, a line that is cut off or stands there twice, a question
that is missing. A maze that nobody published has neither.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError
from worldquiz.mango.maze.mango import Home, Layout
from worldquiz.mango.maze.maze import NEVER, Edge, Maze
from worldquiz.mango.paths.ids import pair_id, path_id
from worldquiz.mango.paths.pairs import Route, pairs
from worldquiz.mango.paths.path_tree import ABSENT, Label, Net, count, labels
from worldquiz.records import read_bytes

PATHS, PAIRS = "all2all.jsonl", "all_pairs.jsonl"
_LABELS = {
    Label.FORWARD: "min_step_forward",
    Label.FIRST: "min_step_total",
    Label.TOLD_FORWARD: "min_step_forward_answerable",
    Label.TOLD_FIRST: "min_step_total_answerable",
}

Line = dict[str, Any]


def check_questions(home: Home, maze: Maze) -> None:
    """Check a game's question files, if there are any.

    Raises `RecordError` naming file and line: one of the two is missing, or they contradict the
    maze.
    """
    files = [home.folder / f"{home.game}.{name}" for name in (PATHS, PAIRS)]
    if home.layout is not Layout.STEPS70 or not any(path.is_file() for path in files):
        return
    for path in files:
        if not path.is_file():
            raise RecordError(f"{path}: is missing, and its companion is there: restore it")
    net = Net.of(maze)
    found = count(net)
    _check(files[0], _path_checker(net), found.total)
    _check(files[1], _pair_checker(net, found.pairs), len(net.places) * (len(net.places) - 1))


def _check(path: Path, check: Callable[[Line], Mapping[str, object]], wanted: int) -> None:
    """Compare each line with what it should hold, and their number."""
    first: dict[object, int] = {}
    for number, line in _lines(path):
        where = f"{path}:{number}"
        try:
            should = check(line)
        except (KeyError, TypeError) as error:
            raise RecordError(f"{where}: lacks or misuses {error}") from error
        except ValueError as error:
            raise RecordError(f"{where}: {error}") from error
        for name, value in should.items():
            if line.get(name) != value:
                raise RecordError(
                    f"{where}: {name} is {line.get(name)!r}, by the edges it is {value!r}"
                )
        if line["id"] in first:
            raise RecordError(f"{where}: stands there already in line {first[line['id']]}")
        first[line["id"]] = number
    if len(first) != wanted:
        raise RecordError(f"{path}: holds {len(first)} questions, the edges have {wanted}: cut off")


def _lines(path: Path) -> Iterator[tuple[int, Line]]:
    for number, text in enumerate(read_bytes(path).splitlines(), start=1):
        try:
            line = json.loads(text)
        except ValueError as error:
            raise RecordError(
                f"{path}:{number}: is no JSON ({error}): cut off or damaged"
            ) from error
        if not isinstance(line, dict):
            raise RecordError(f"{path}:{number}: is no object")
        yield number, line


def _path_checker(net: Net) -> Callable[[Line], Mapping[str, object]]:
    edges = {(edge.source, edge.action, edge.target): edge for edge in net.edges}
    shortest = pairs(net, Route.ANY).shortest

    def check(line: Line) -> Mapping[str, object]:
        way = [_edge(edges, step) for step in line["path_details"]]
        if not way or any(a.target != b.source for a, b in pairwise(way)):
            raise ValueError("path_details is no path")
        ends = net.number[way[0].source], net.number[way[-1].target]
        return {
            "src_node": way[0].source, "dst_node": way[-1].target, "step_count": len(way),
            "diff_shortest": len(way) - (shortest[ends[0]][ends[1]] or 0), "id": path_id(way),
            **{name: _latest(way, label) for label, name in _LABELS.items()},
        }  # fmt: skip

    return check


def _pair_checker(net: Net, counts: Any) -> Callable[[Line], Mapping[str, object]]:
    routes = pairs(net, Route.ANY)

    def check(line: Line) -> Mapping[str, object]:
        for name in ("src_node", "dst_node"):
            if line[name] not in net.number:
                raise ValueError(f"{name} {line[name]!r} is not among the places")
        source, target = net.number[line["src_node"]], net.number[line["dst_node"]]
        steps = {name: routes.labels[label][source][target] for label, name in _LABELS.items()}
        return {
            "num_paths": int(counts[source][target]),
            "id": pair_id(line["src_node"], line["dst_node"]),
            **{name: NEVER if step == ABSENT else step for name, step in steps.items()},
        }

    return check


def _edge(edges: Mapping[tuple[str, str, str], Edge], step: Line) -> Edge:
    edge = edges.get((step["prev_node"], step["action"], step["node"]))
    if edge is None:
        raise ValueError(
            f"{step['prev_node']!r} --> {step['action']!r} --> {step['node']!r} is no edge"
        )
    for name, value in edge.published().items():
        if step.get(name) != value:
            raise ValueError(
                f"{name} of {edge.source!r} --> {edge.action!r} --> {edge.target!r} is "
                f"{step.get(name)!r}, in the edges it is {value}"
            )
    return edge


def _latest(way: Sequence[Edge], label: Label) -> int:
    return max(NEVER if (step := labels(edge)[label]) is None else step for edge in way)
