"""A small published-like maze on disk, and answers about it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mango_data import edge, maze_of
from worldquiz.mango.maze import NEVER, Maze, Sight
from worldquiz.mango.paths import pair_id, path_id

TOY = maze_of(
    edge("hall", "north", "kitchen", 1, 2),
    edge("kitchen", "south", "hall", 2, 1),
    edge("kitchen", "up", "attic", 3),
    edge("attic", "down", "kitchen", None, 3),
    edge("kitchen", "north", "cellar", 5),
    edge("kitchen", "north", "garden", 6),
    name="toy",
    steps=6,
)


def write_maze(maze: Maze, root: Path) -> Path:
    """Write a maze in the layout of the 70-step data; return the root."""
    folder = root / maze.name
    folder.mkdir(parents=True)
    edges = [
        {
            "src_node": e.source, "dst_node": e.target, "action": e.action,
            **_labels(e.seen, ""), **_labels(e.told, "_answerable"),
        }
        for e in maze.edges
    ]  # fmt: skip
    blocks = (
        f"===========\n==>STEP NUM: {n}\n==>ACT: {'look' if n else 'Init'}\n==>OBSERVATION: x\n"
        for n in range(maze.steps + 1)
    )
    files = {
        "edges.json": json.dumps(edges),
        "locations.json": json.dumps(maze.places),
        "actions.json": json.dumps(maze.actions),
        "walkthrough": "".join(blocks),
    }
    for name, text in files.items():
        (folder / f"{maze.name}.{name}").write_text(text, "utf-8")
    return root


def df_row(*numbers: int, reply: object = None, **more: Any) -> dict[str, Any]:
    """Return an answer to the question along some of the toy's edges, right unless given."""
    route = [TOY.edges[number] for number in numbers]
    moves = [{"prev_node": e.source, "action": e.action, "node": e.target} for e in route]
    return {
        "game": "toy", "id": path_id(route), "task": "df", "source": route[0].source,
        "actions": [e.action for e in route], "end": route[-1].target,
        "reply": str(moves) if reply is None else reply,
    } | more  # fmt: skip


def rf_row(source: str, target: str, *moves: tuple[str, str, str], **more: Any) -> dict[str, Any]:
    """Return an answer to a route-finding question of the toy."""
    told = [dict(zip(("prev_node", "action", "node"), move, strict=True)) for move in moves]
    return {
        "game": "toy", "id": pair_id(source, target), "task": "rf", "source": source,
        "target": target, "reply": told or None,
    } | more  # fmt: skip


def write_rows(path: Path, *rows: dict[str, Any]) -> Path:
    """Write answers in our layout."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def write_official(root: Path, *rows: dict[str, Any], steps: int = 6) -> Path:
    """Write the same answers as the release's programs would; return the folder."""
    for row in rows:
        task = "desti_finding" if row["task"] == "df" else "route_finding"
        told = {
            "sample_id": row["id"], "game_name": row["game"], "task": task,
            "src_node": row["source"], "dst_node": row.get("target", "?"),
            "model_cutoff_num": steps, "min_step_total_answerable": 1, "answerable": True,
            "response": row["reply"],
        }  # fmt: skip
        if row["task"] == "df":
            told |= {"action_list": row["actions"], "dst_node": row["end"]}
        folder = root / f"model_{task}_x" / row["game"]
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"result_sample_id_{row['id']}.json").write_text(json.dumps(told), "utf-8")
    return root


def _labels(sight: Sight, suffix: str) -> dict[str, int]:
    steps = {"seen_in_forward": sight.forward, "seen_in_reversed": sight.backward,
             "edge_min_step": sight.first}  # fmt: skip
    return {f"{name}{suffix}": NEVER if step is None else step for name, step in steps.items()}
