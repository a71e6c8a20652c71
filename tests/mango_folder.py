"""Small mazes in MANGO's files, and answers to the questions about one of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

Move = tuple[str, str, str, int | None, int | None]
"""Source, action, target, and the steps that take it and its reverse."""
TOY: Sequence[Move] = (
    ("hall", "north", "kitchen", 1, 2),
    ("kitchen", "south", "hall", 2, 1),
    ("kitchen", "up", "attic", 3, None),
    ("attic", "down", "kitchen", None, 3),
    ("kitchen", "north", "cellar", 5, None),
    ("kitchen", "north", "garden", 6, None),
)
KEYS = ("prev_node", "action", "node")


def edge(
    source: str, action: str, target: str, forward: int | None, back: int | None
) -> dict[str, Any]:
    """Return a move as the files have it, told of as soon as it is seen."""
    seen, reverse = (9999 if step is None else step for step in (forward, back))
    steps = {"seen_in_forward": seen, "seen_in_reversed": reverse,
             "edge_min_step": min(seen, reverse)}  # fmt: skip
    told = {f"{name}_answerable": step for name, step in steps.items()}
    return {"src_node": source, "dst_node": target, "action": action, **steps, **told}


def write_maze(
    root: Path, moves: Sequence[Move] = TOY, *, name: str = "toy",
    acts: Sequence[str] = (), texts: Sequence[str] = (), layout: str = "",
) -> Path:  # fmt: skip
    """Write a maze in a layout, or flat in the 70-step one; return the root.

    Without `acts` the walkthrough takes the moves when they say.
    """
    acts = acts or walked(moves)
    folder = root / name / layout
    folder.mkdir(parents=True, exist_ok=True)
    places = list(dict.fromkeys(place for a, _, b, *_ in moves for place in (a, b)))
    blocks = (
        f"===========\n==>STEP NUM: {n}\n==>ACT: {act}\n==>OBSERVATION: {text}\n\n"
        for n, (act, text) in enumerate(
            zip(("Init", *acts), texts or "x" * (len(acts) + 1), strict=True)
        )
    )
    files = {"edges.json": json.dumps([edge(*move) for move in moves])}
    if layout == "full":
        files |= {
            "nodes.json": json.dumps(places),
            "walkthrough_acts": "".join(f"{n}: {act}\n" for n, act in enumerate(acts, start=1)),
        }
    else:
        files |= {
            "locations.json": json.dumps(places),
            "actions.json": json.dumps(list(dict.fromkeys(action for _, action, *_ in moves))),
            "walkthrough": "".join(blocks),
        }
    for file, text in files.items():
        (folder / f"{name}.{file}").write_text(text, "utf-8")
    return root


def walked(moves: Sequence[Move]) -> list[str]:
    """Return six actions, or more, that take moves and their reverses when they say."""
    acts = ["look"] * max(6, *(step or 0 for *_, one, two in moves for step in (one, two)))
    ways = {(source, target): action for source, action, target, *_ in moves}
    for source, action, target, forward, back in moves:
        if back is not None:
            acts[back - 1] = ways[target, source]
        if forward is not None:
            acts[forward - 1] = action
    return acts


def told(*moves: Sequence[str]) -> list[dict[str, str]]:
    """Return moves as the paper's template asks for them."""
    return [dict(zip(KEYS, move, strict=True)) for move in moves]


def _id(value: object) -> str:
    return sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def df_row(*numbers: int, reply: object = None, **more: Any) -> dict[str, Any]:
    """Return an answer to the question along some of the toy's edges, right unless given."""
    route = [TOY[number] for number in numbers]
    moves = told(*(move[:3] for move in route))
    return {
        "game": "toy", "id": _id(moves), "task": "df", "source": route[0][0],
        "actions": [move[1] for move in route], "end": route[-1][2],
        "reply": str(moves) if reply is None else reply,
    } | more  # fmt: skip


def rf_row(source: str, target: str, *moves: Sequence[str], **more: Any) -> dict[str, Any]:
    """Return an answer to a route-finding question of the toy."""
    return {
        "game": "toy", "id": _id({"src_node": source, "dst_node": target}), "task": "rf",
        "source": source, "target": target, "reply": told(*moves) or None,
    } | more  # fmt: skip


def write_rows(path: Path, *rows: dict[str, Any]) -> Path:
    """Write answers in our layout."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def write_official(root: Path, *rows: dict[str, Any], steps: int = 6) -> Path:
    """Write the same answers as the release's programs would; return the folder."""
    for row in rows:
        task = "desti_finding" if row["task"] == "df" else "route_finding"
        sample = {
            "sample_id": row["id"], "game_name": row["game"], "task": task,
            "src_node": row["source"], "dst_node": row.get("target", "?"),
            "model_cutoff_num": steps, "min_step_total_answerable": 1, "answerable": True,
            "response": row["reply"],
        }  # fmt: skip
        if row["task"] == "df":
            sample |= {"action_list": row["actions"], "dst_node": row["end"]}
        folder = root / f"model_{task}_x" / row["game"]
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"result_sample_id_{row['id']}.json").write_text(json.dumps(sample), "utf-8")
    return root
