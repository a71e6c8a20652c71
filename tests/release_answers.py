"""Answers in the files of MANGO's programs, made up from the published question files.

Of three kinds: the right moves; the same in another order, some of them in other words; the same
with words around the list. The released evaluator was run on these very files, so their bytes are
part of `tests/fidelity/test_mango_release.py`.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

KINDS = ("shuffled", "verbose")
"""The kinds whose figures are on record."""
TASKS = ("desti_finding", "route_finding")
MOST = 120
"""Questions of a game."""
Moves = list[dict[str, str]]


def write_answers(data: Path, kind: str, task: str, out: Path) -> None:
    """Write answers to some questions about every game, below `out`."""
    for home in sorted(data.glob("*/steps70")):
        game = home.parent.name
        draw = random.Random(f"{kind} {task} {game}")
        (out / game).mkdir(parents=True)
        for row, moves in _questions(home, game, task, draw):
            answer = {
                "sample_id": row["id"], "game_name": game, "src_node": row["src_node"],
                "dst_node": row["dst_node"], "model_cutoff_num": draw.choice([70, 70, 30]),
                "min_step_total_answerable": row["min_step_total_answerable"],
                "answerable": True, "response": _told(kind, moves, draw), "task": task,
                "action_list": [move["action"] for move in moves],
            }  # fmt: skip
            name = f"result_sample_id_{row['id']}.json"
            (out / game / name).write_text(json.dumps(answer), "utf-8")


def _questions(
    home: Path, game: str, task: str, draw: random.Random
) -> Iterator[tuple[dict[str, Any], Moves]]:
    paths = _lines(home / f"{game}.all2all.jsonl")
    routes: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for path in paths:
        ends = (path["src_node"], path["dst_node"])
        if ends not in routes or len(path["path_details"]) < len(routes[ends]):
            routes[ends] = path["path_details"]
    if task == "desti_finding":
        rows = paths
    else:
        pairs = _lines(home / f"{game}.all_pairs.jsonl")
        rows = [row for row in pairs if (row["src_node"], row["dst_node"]) in routes]
    for row in draw.sample(rows, min(MOST, len(rows))):
        details = row.get("path_details") or routes[row["src_node"], row["dst_node"]]
        yield row, [
            {
                "location_before": edge["prev_node"], "action": edge["action"],
                "location_after": edge["node"],
            }
            for edge in details
        ]  # fmt: skip


def _told(kind: str, moves: Moves, draw: random.Random) -> str:
    moves, text = list(moves), json.dumps(moves)
    if kind == "perfect":
        return text
    if kind == "verbose":
        plain = f"Let me think. First, I walk around.\n{text}\nI hope that this helps [1]!"
        brackets = f"Sure! Let me think [step by step]. The path is: {text}"
        return brackets if draw.random() < 0.3 else plain
    draw.shuffle(moves)
    if draw.random() < 0.3:
        action = moves[0]["action"]
        others = ("go", f"walk {action}", "xyzzy", "n", "nrth", action.upper())
        moves[0] = {**moves[0], "action": draw.choice(others)}
    return json.dumps(moves)


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
