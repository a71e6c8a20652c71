"""Every simple path of a maze: our store and our JSONL against the official way and rustworkx.

The official way lists the paths of each pair of places with networkx, hashes and labels each one
and writes it as a line. Each contender runs in a process of its own, which reports its seconds and
the largest memory that the system saw it have. Imports, reading the maze and a first call on a toy
(it makes the machine code, or loads it) are left out; the first call is told apart. All that make
ids must make the same ones: their sum is compared.

    uv run python benchmarks/mango_paths.py [--data DIR] [--rounds 5] [--slow] [--json]

The drawn maze has some 2.5 million paths, like the largest published one; networkx would take
hours, so it is left out there, and so are 20 GB of JSONL unless `--slow` is given (they are made,
and thrown away).
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from worldquiz.mango.maze.mango import Layout, games, read
from worldquiz.mango.maze.maze import Edge, Maze, Sight
from worldquiz.mango.paths.official import path_lines, write_jsonl
from worldquiz.mango.paths.pairs import Route, pairs
from worldquiz.mango.paths.path_tree import Net, count, labels, paths
from worldquiz.mango.paths.store import open_store, store

DATA = Path(__file__).resolve().parent.parent.parent / "shared" / "data" / "mango"
DRAWN, PATHS = "drawn", range(2_400_000, 2_600_000)
OFFICIAL = "networkx a pair, JSONL on disk"
Work = Callable[[Maze, Path], dict[str, Any]]


def drawn() -> Maze:
    """Return a tree of 100 rooms with short cuts, as many as give 2.5 million paths."""
    random_ = random.Random(5)
    ways = {(room, random_.randrange(max(0, room - 4), room)) for room in range(1, 100)}
    while count(Net.of(built := _maze(ways))).total not in PATHS:
        start = random_.randrange(94)
        more = ways | {(start + random_.randint(2, 6), start)}
        if count(Net.of(_maze(more))).total < PATHS.stop:
            ways = more
    return built


def _maze(ways: Iterable[tuple[int, int]]) -> Maze:
    def edge(start: int, end: int) -> Edge:
        sight = Sight(start + 1, end + 1)
        return Edge(f"room number {start}", f"go to {end}", f"room number {end}", sight, sight)

    edges = [edge(*way) for a, b in sorted(ways) for way in ((a, b), (b, a))]
    return Maze(DRAWN, tuple(f"room number {n}" for n in range(100)), tuple(edges), (), 200)


def ours_counted(maze: Maze, out: Path) -> dict[str, Any]:
    return {"paths": count(Net.of(maze)).total}


def ours_in_memory(maze: Maze, out: Path) -> dict[str, Any]:
    return {"paths": sum(len(block.labels[0]) for block in paths(Net.of(maze)))}


def ours_stored(maze: Maze, out: Path) -> dict[str, Any]:
    return {"file": store(maze, out / "plain.parquet")}


def ours_stored_with_ids(maze: Maze, out: Path) -> dict[str, Any]:
    return {"file": store(maze, out / "ids.parquet", ids=True)}


def ours_jsonl(maze: Maze, out: Path) -> dict[str, Any]:
    return {"file": write_jsonl(maze, out)[0]}


def ours_jsonl_thrown_away(maze: Maze, out: Path) -> dict[str, Any]:
    net = Net.of(maze)
    routes = pairs(net, Route.ANY)
    found = size = 0
    for block in paths(net):
        for line in path_lines(block, routes):
            found, size = found + 1, size + len(line)
    return {"paths": found, "bytes": size}


def official_way(maze: Maze, out: Path) -> dict[str, Any]:
    import networkx as nx

    graph = nx.MultiDiGraph()
    for number, edge in enumerate(maze.edges):
        graph.add_edge(edge.source, edge.target, key=number)
    path = out / "official.jsonl"
    with path.open("w") as stream:
        for start, end in permutations(graph.nodes, 2):
            found = [
                [maze.edges[key] for _, _, key in path]
                for path in nx.all_simple_edge_paths(graph, start, end)
            ]
            shortest = min(map(len, found), default=0)
            for edges in found:
                stream.write(json.dumps(_record(edges, shortest)) + "\n")
        stream.flush()
        os.fsync(stream.fileno())
    return {"file": path}


def networkx_listed(maze: Maze, out: Path) -> dict[str, Any]:
    import networkx as nx

    graph = nx.MultiDiGraph()
    graph.add_edges_from((e.source, e.target) for e in maze.edges)
    ways = permutations(graph.nodes, 2)
    found = [path for way in ways for path in nx.all_simple_edge_paths(graph, *way)]
    return {"paths": len(found)}


def rustworkx_listed(maze: Maze, out: Path) -> dict[str, Any]:
    import rustworkx as rx

    number = {place: at for at, place in enumerate(maze.places)}
    graph = rx.PyDiGraph()
    graph.add_nodes_from(maze.places)
    graph.add_edges_from([(number[e.source], number[e.target], None) for e in maze.edges])
    found = rx.all_pairs_all_simple_paths(graph)
    return {"paths": sum(len(some) for ends in found.values() for some in ends.values())}


def _record(edges: Sequence[Edge], shortest: int) -> dict[str, Any]:
    def step(at: int | None) -> int:
        return 9999 if at is None else at

    names = [{"prev_node": e.source, "node": e.target, "action": e.action} for e in edges]
    details = [
        {**name, "seen_in_forward": step(e.seen.forward), "seen_in_reversed": step(e.seen.backward),
         "edge_min_step": step(e.seen.first), "seen_in_forward_answerable": step(e.told.forward),
         "seen_in_reversed_answerable": step(e.told.backward),
         "edge_min_step_answerable": step(e.told.first)}
        for name, e in zip(names, edges, strict=True)
    ]  # fmt: skip
    late = [max(map(step, each)) for each in zip(*map(labels, edges), strict=True)]
    text = json.dumps(names, sort_keys=True)
    return {
        "src_node": edges[0].source, "dst_node": edges[-1].target,
        "diff_shortest": len(edges) - shortest, "path_details": details, "step_count": len(edges),
        "id": hashlib.sha256(text.encode()).hexdigest(), "min_step_forward": late[0],
        "min_step_total": late[1], "min_step_forward_answerable": late[2],
        "min_step_total_answerable": late[3],
    }  # fmt: skip


OURS: dict[str, Work] = {
    "ours, counted": ours_counted,
    "ours, in memory with labels": ours_in_memory,
    "ours, store on disk": ours_stored,
    "ours, store on disk with ids": ours_stored_with_ids,
    "ours, JSONL on disk": ours_jsonl,
}
OTHERS: dict[str, Work] = {
    OFFICIAL: official_way,
    "networkx a pair, in memory": networkx_listed,
    "rustworkx, in memory": rustworkx_listed,
}
THROWN = "ours, JSONL thrown away"
ALL = {**OURS, THROWN: ours_jsonl_thrown_away, **OTHERS}


def contenders(name: str, slow: bool) -> list[str]:
    if name != DRAWN:
        return list(OURS) + list(OTHERS)
    heavy = {"ours, JSONL on disk", OFFICIAL, "networkx a pair, in memory"}
    return [who for who in [*OURS, *([THROWN] if slow else []), *OTHERS] if who not in heavy]


def worker(who: str, name: str, data: Path, rounds: int) -> dict[str, Any]:
    """Run one contender, the first time to compile, and report the best of the others."""
    maze = drawn() if name == DRAWN else read(next(h for h in _homes(data) if h.game == name))
    repeated = rounds if who in OURS else 1
    with tempfile.TemporaryDirectory(prefix="worldquiz-benchmark-") as folder:
        started = time.perf_counter()
        if who.startswith("ours"):
            ALL[who](_maze([(1, 0), (2, 1)]), Path(folder))
        compiled = time.perf_counter() - started
        times = []
        for turn in range(repeated):
            out = Path(folder) / str(turn)
            out.mkdir()
            started = time.perf_counter()
            found = ALL[who](maze, out)
            times.append(time.perf_counter() - started)
        peak = _peak()
        return {"seconds": min(times), "compiling": compiled, "peak": peak, **_told(found)}


def _homes(data: Path) -> Any:
    return games(data, Layout.FULL)


def _told(found: dict[str, Any]) -> dict[str, Any]:
    """Return how many paths there are, their bytes, and the sum of their ids."""
    path: Path | None = found.pop("file", None)
    if path is None:
        return found
    size, total = path.stat().st_size, 0
    if path.suffix == ".parquet":
        opened = open_store(path)
        if path.stem == "ids":
            ids = (bytes(row) for place in opened.net.places for row in opened.ids_from(place))
            total = sum(int.from_bytes(row[:8], "big") for row in ids)
        return {"paths": len(opened), "bytes": size, "ids": total}
    many = 0
    with path.open() as stream:
        for many, line in enumerate(stream, start=1):  # noqa: B007
            at = line.index('"id": "') + 7
            total += int(line[at : at + 16], 16)
    return {"paths": many, "bytes": size, "ids": total}


def _peak() -> int | None:
    """Return the largest memory this process had, in bytes; None where the system hides it."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return None


def measure(name: str, data: Path, rounds: int, slow: bool) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for who in contenders(name, slow):
        command = [sys.executable, __file__, "--worker", who, "--maze", name]
        command += ["--data", str(data), "--rounds", str(rounds)]
        said = subprocess.run(command, check=True, capture_output=True, text=True)
        found[who] = json.loads(said.stdout)
    sums = {row["ids"] for row in found.values() if row.get("ids")}
    assert len(sums) <= 1, f"{name}: contenders disagree about ids"
    return found


def show(console: Console, name: str, found: dict[str, dict[str, Any]]) -> None:
    columns = ("contender", "paths", "seconds", "official / it", "bytes a path", "MB on disk",
               "peak MB", "first call s")  # fmt: skip
    table = Table(title=name, title_justify="left")
    for column in columns:
        table.add_column(column, justify="left" if column == "contender" else "right")
    official = found.get(OFFICIAL, {}).get("seconds")
    for who, row in found.items():
        size, peak, seconds = row.get("bytes"), row["peak"], row["seconds"]
        table.add_row(
            who, f"{row['paths']:,}", f"{seconds:.4f}",
            f"{official / seconds:,.1f}x" if official else "-",
            f"{size / row['paths']:.2f}" if size else "-", f"{size / 1e6:.2f}" if size else "-",
            f"{peak / 1e6:.0f}" if peak else "-",
            f"{row['compiling']:.2f}" if who.startswith("ours") else "-",
        )  # fmt: skip
    console.print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--slow", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--worker")
    parser.add_argument("--maze")
    given = parser.parse_args()
    if given.worker:
        print(json.dumps(worker(given.worker, given.maze, given.data, given.rounds)))
        return
    names = ["zork1", DRAWN] if given.data.is_dir() else [DRAWN]
    found = {name: measure(name, given.data, given.rounds, given.slow) for name in names}
    if given.json:
        print(json.dumps(found, indent=2))
        return
    for name, rows in found.items():
        show(Console(width=140), name, rows)
    if len(names) == 1:
        print(f"no published data at {given.data}: zork1 is left out (--data DIR)")


if __name__ == "__main__":
    main()
