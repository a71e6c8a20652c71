"""MANGO's published answers, from its git history, as files for `worldquiz mango import`.

    git clone https://github.com/Oaklight/mango
    python benchmarks/mango_published_answers.py mango published
    worldquiz mango import published/gpt-4.jsonl --maze published/mazes --out runs/gpt-4
    worldquiz mango score runs/gpt-4 --compat paper

It writes the 53 mazes of the branch camera-ready and the answers from June 2023: GPT-4's and
GPT-3.5's routes (only their moves are published), and RWKV-14B's replies about destinations and
routes, with the full and with the simplified walkthrough ("-s"). Repeated questions, and questions
that do not fit the mazes, are left out and counted. The files are MANGO's and quote games: do not
publish them.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

MAZES = "ed517aa", "data"
GPT = "83c085a", "evals_old/evals"
RWKV = "193eb7f^", "inhouse_llms/rwkv_results"
MINIGAMES = "5141a2a", "src/play_games/cache"
"""Commits and folders; `MINIGAMES` has prompts and replies of the minigames of eleven games."""
RWKV_S = {"": "rwkv", "_anno": "rwkv-s"}
Row = dict[str, Any]
Edges = dict[tuple[str, str], list[str]]


def files(clone: Path, revision: str, *folders: str) -> Iterator[tuple[str, str]]:
    """Yield path and text of the files in some folders at a commit."""
    command = ["git", "-C", str(clone), "archive", revision, *folders]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE) as archive,
        tarfile.open(fileobj=archive.stdout, mode="r|") as members,
    ):
        for member in members:
            content = members.extractfile(member) if not member.name.endswith(".png") else None
            if content is not None:
                yield member.name, content.read().decode()


def mazes(clone: Path, out: Path) -> dict[str, Edges]:
    """Write the mazes; return the places to which each of their moves leads."""
    found: dict[str, Edges] = {}
    for name, text in files(clone, *MAZES):
        path = out / Path(name).relative_to("data")
        if "all2all" in path.name or "all_pairs" in path.name:  # derived from the other files
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        if path.name.endswith("edges.json"):
            leads = found.setdefault(path.parent.name, {})
            for edge in json.loads(text):
                leads.setdefault((edge["src_node"], edge["action"]), []).append(edge["dst_node"])
    return found


def gpts(clone: Path) -> Iterator[tuple[str, Row]]:
    """Yield the GPT models' answers with the steps that they read; ill-formed replies are null."""
    steps = json.loads(dict(files(clone, GPT[0], f"{GPT[1]}/cutoff_step_fjd.json")).popitem()[1])
    for folder, model in (("gpt4", "gpt-4"), ("gpt3.5", "gpt-3.5")):
        for name, text in files(clone, GPT[0], f"{GPT[1]}/{folder}/route"):
            game = Path(name).parent.name
            told = json.loads(text).values() if name.endswith("/route.nice.json") else ()
            for one in (one for each in told for one in each["collection"].values()):
                moves = one.get("action_gpt")
                reply = moves and [{"prev_node": "", "action": a, "node": ""} for a in moves]
                yield model, {
                    "game": game, "task": "rf", "source": one["src_anno"].lower(),
                    "target": one["dst_anno"].lower(), "reply": reply, "steps": steps[game],
                }  # fmt: skip


def rwkv(clone: Path) -> Iterator[tuple[str, Row]]:
    """Yield RWKV's answers."""
    for name, text in files(clone, *RWKV):
        told = json.loads(text)
        ends = {"source": told["src_node"].lower(), "target": told["dst_node"].lower()}
        actions = [move["action"] for move in told["path_gt"]]
        for suffix, model in RWKV_S.items():
            about = {"game": name.split("/")[2], "steps": told[f"step_num{suffix}"]}
            rf, df = told[f"response_path_gen{suffix}"], told[f"response_step_navi{suffix}"]
            yield model, {**about, "task": "rf", **ends, "reply": rf}
            yield model, {**about, "task": "df", **ends, "actions": actions, "reply": df}


def known(leads: Edges, row: Row) -> bool:
    """Return whether a maze has a question's places, and its actions lead along one path."""
    places = {place for (place, _), ends in leads.items() for place in (place, *ends)}
    walk = [row["source"]]
    for action in row.get("actions", ()):
        ends = leads.get((walk[-1], action), [])
        walk += ends if len(ends) == 1 else [""]
    whole = row["task"] == "rf" or (walk[-1] == row["target"] and len(set(walk)) == len(walk))
    return {row["source"], row["target"]} <= places and whole


def main(arguments: Sequence[str]) -> None:
    clone, out = map(Path, arguments)
    leads = mazes(clone, out / "mazes")
    lines: dict[str, dict[str, str]] = {}
    left = Counter[str]()
    for model, row in (*gpts(clone), *rwkv(clone)):
        key = json.dumps(
            [row.get(name) for name in ("game", "task", "source", "target", "actions")]
        )
        kept = lines.setdefault(model, {})
        if key in kept or not known(leads.get(row["game"], {}), row):
            left[model] += 1
        else:
            kept[key] = json.dumps(row)
    for model, rows in lines.items():
        (out / f"{model}.jsonl").write_text("\n".join(rows.values()) + "\n", "utf-8")
        print(f"{model}: {len(rows)} answers, {left[model]} left out")


if __name__ == "__main__":
    main(sys.argv[1:])
