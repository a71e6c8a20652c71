"""MIR and the task filter at 300 to 88,000 tasks, beside networkx and scikit-learn's defaults.

Tasks are drawn, with real commands and labels and the shared rows of real ones: as many scenes as
give 9,000 tasks each, a scene with 5 rooms, 40 things of 25 labels and 900 pictures. A picture is
its room's, its place's and its own noise; a task has a type, a thing, a picture of the thing's room
and, in every second type, the thing's box in its command. Its graph at 0.8 is sparser than that of
generated flats, of which 88,000 tasks had 3.6 million pairs. `--data DIR` takes generated tasks
instead.

Every contender runs in a process of its own under the same limits of CPU time and memory, and gets
the same pairs, or the same embeddings. Seconds are of CPU time, without imports, and for ours
without compiling; peaks are of the whole process. networkx is asked for its approximation (Boppana
and Halldorsson 1992), for a maximal set drawn at random, and for a proof by its largest clique in
the graph of who is not alike; scikit-learn for `SpectralClustering` as it comes (a Gaussian of
distances), and with our affinity.

    uv run python benchmarks/tea_independence.py [--sizes 300 3000] [--json]
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from scipy.sparse import load_npz, save_npz, vstack

from worldquiz.tea.data import folders
from worldquiz.tea.encode import worded
from worldquiz.tea.kinds.task_filter import clusters
from worldquiz.tea.measure import described
from worldquiz.tea.mir import alike, independent

SIZES = (300, 3_000, 30_000, 88_000)
SCENE, ROOMS, THINGS, LABELS, PICTURES = 9_000, 5, 40, 25, 900
TYPES = (
    "What is the {label}? Answer with its name.",
    "What is the object in the box {box}? Answer with its name.",
    "How far ahead of the camera is the {label}, in metres?",
    "How far ahead of the camera is the object in the box {box}, in metres?",
    "Where is the {label}? Answer with its box [x0, y0, x1, y1] in pixels.",
    "Where in space is the object in the box {box}? Answer with its middle and lengths.",
    "Go to the {label}.",
    "How does the object in the box {box} stand to the floor? Answer with one word.",
)
SYLLABLES = [a + b for a in "bdfgklmn" for b in "aeiou"]
Work = Callable[[Path], dict[str, Any]]


def drawn(size: int, seed: int) -> list[Any]:
    """Return embeddings of drawn tasks by picture, command and label."""
    draw = np.random.default_rng(seed)
    scenes = -(-size // SCENE)
    names = ["".join(draw.choice(SYLLABLES, 3)) for _ in range(LABELS)]
    rooms = draw.normal(size=(scenes, ROOMS, 1, 96))
    places = rooms + draw.normal(size=(scenes, ROOMS, PICTURES // ROOMS // 6, 96)) * 0.8
    pictures = places.repeat(6, axis=2)
    pictures = pictures + draw.normal(size=pictures.shape) * 0.6
    pictures /= np.linalg.norm(pictures, axis=-1, keepdims=True)
    labels = draw.integers(0, LABELS, (scenes, THINGS))
    boxes = draw.integers(0, 480, (scenes, THINGS, 3, 4))
    scene, thing = draw.integers(0, scenes, size), (THINGS * draw.random(size) ** 2).astype(int)
    kind = (len(TYPES) * draw.random(size) ** 1.5).astype(int)
    shown = pictures[scene, thing % ROOMS, draw.integers(0, pictures.shape[2], size)]
    version = draw.integers(0, 3, size)
    commands, words = [], []
    for each in range(size):
        label = names[labels[scene[each], thing[each]]]
        box = boxes[scene[each], thing[each], version[each]].tolist()
        commands.append(TYPES[kind[each]].format(label=label, box=box))
        words.append(f"type-{SYLLABLES[kind[each]] * 3} {label}")
    return [shown.astype("float32"), worded(commands), worded(words)]


def generated(data: Path, size: int, seed: int) -> list[Any]:
    """Return embeddings of tasks drawn from all scenes of a folder."""
    parts = [described(folder, folder.tasks)[1] for folder in folders(data)]
    pictures = np.concatenate([part[0] for part in parts])
    pick = np.sort(np.random.default_rng(seed).permutation(len(pictures))[:size])
    words = [vstack([part[at] for part in parts], format="csr")[pick] for at in (1, 2)]
    return [pictures[pick], *words]


def save(parts: list[Any], folder: Path) -> None:
    np.save(folder / "picture.npy", parts[0])
    save_npz(folder / "command.npz", parts[1])
    save_npz(folder / "label.npz", parts[2])


def load(folder: Path) -> list[Any]:
    return [np.load(folder / "picture.npy"), *(load_npz(folder / f"{n}.npz") for n in NAMES[1:])]


NAMES = ("picture", "command", "label")


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    started = time.process_time()
    found = work()
    return found, time.process_time() - started


def pairs(folder: Path) -> dict[str, Any]:
    parts = load(folder)
    threshold = json.loads((folder / "asked.json").read_text())["threshold"]
    alike([part[:20] for part in parts], threshold)  # compiles
    found, seconds = timed(lambda: alike(parts, threshold))
    np.save(folder / "pairs.npy", found)
    return {"seconds": seconds, "found": len(found)}


def pairs_numpy(folder: Path) -> dict[str, Any]:
    threshold = json.loads((folder / "asked.json").read_text())["threshold"]
    rows = joined(load(folder))
    found, seconds = timed(lambda: np.argwhere(np.triu(rows @ rows.T > threshold, 1)))
    return {"seconds": seconds, "found": len(found)}


def joined(parts: list[Any]) -> Any:
    dense = [part if isinstance(part, np.ndarray) else part.toarray() for part in parts]
    return np.concatenate(dense, axis=1) / np.float32(np.sqrt(len(parts)))


def graph(folder: Path) -> tuple[Any, int]:
    return np.load(folder / "pairs.npy"), len(np.load(folder / "picture.npy", mmap_mode="r"))


def ours(folder: Path) -> dict[str, Any]:
    edges, size = graph(folder)
    few = np.random.default_rng(0).integers(0, 60, (300, 2))
    independent(few, 60)  # compiles
    found, seconds = timed(lambda: independent(edges, size))
    return {"seconds": seconds, "found": len(found.chosen), "bound": found.bound}


def networkx_graph(folder: Path) -> Any:
    import networkx as nx

    edges, size = graph(folder)
    made = nx.Graph()
    made.add_nodes_from(range(size))
    made.add_edges_from(edges.tolist())
    return made


def approximated(folder: Path) -> dict[str, Any]:
    from networkx.algorithms.approximation import maximum_independent_set

    made = networkx_graph(folder)
    found, seconds = timed(lambda: maximum_independent_set(made))
    return {"seconds": seconds, "found": len(found)}


def maximal(folder: Path) -> dict[str, Any]:
    from networkx import maximal_independent_set

    made = networkx_graph(folder)
    found, seconds = timed(lambda: maximal_independent_set(made, seed=0))
    return {"seconds": seconds, "found": len(found)}


def cliques(folder: Path) -> dict[str, Any]:
    import networkx as nx

    made = networkx_graph(folder)
    found, seconds = timed(lambda: nx.max_weight_clique(nx.complement(made), weight=None))
    return {"seconds": seconds, "found": found[1], "bound": found[1]}


def ours_filter(folder: Path) -> dict[str, Any]:
    parts = load(folder)
    found, seconds = timed(lambda: clusters(parts, 5))
    np.save(folder / "clusters.npy", found)
    return {"seconds": seconds, "clusters": np.bincount(found).tolist()}


def spectral(folder: Path) -> dict[str, Any]:
    from sklearn.cluster import SpectralClustering

    rows = joined(load(folder))
    found, seconds = timed(lambda: SpectralClustering(5, random_state=0).fit_predict(rows))
    return {"seconds": seconds, "clusters": np.bincount(found).tolist(), **like(folder, found)}


def spectral_same(folder: Path) -> dict[str, Any]:
    from sklearn.cluster import SpectralClustering

    rows = joined(load(folder))

    def work() -> Any:
        affinity = np.clip((rows @ rows.T + 1) / 2, 0, 1)
        model = SpectralClustering(
            5, affinity="precomputed", assign_labels="cluster_qr", random_state=0
        )
        return model.fit_predict(affinity)

    found, seconds = timed(work)
    return {"seconds": seconds, "clusters": np.bincount(found).tolist(), **like(folder, found)}


def like(folder: Path, labels: Any) -> dict[str, float]:
    from sklearn.metrics import adjusted_rand_score

    return {"rand": adjusted_rand_score(np.load(folder / "clusters.npy"), labels)}


PAIRS: dict[str, Work] = {"ours, pairs": pairs, "numpy, whole matrix": pairs_numpy}
MIR: dict[str, Work] = {
    "ours, MIR": ours,
    "networkx, maximum_independent_set": approximated,
    "networkx, maximal_independent_set": maximal,
    "networkx, max_weight_clique": cliques,
}
FILTER: dict[str, Work] = {
    "ours, filter": ours_filter,
    "scikit-learn, as it comes": spectral,
    "scikit-learn, our affinity": spectral_same,
}
ALL = {**PAIRS, **MIR, **FILTER}


def worker(who: str, folder: Path, seconds: int, memory: int) -> dict[str, Any]:
    resource.setrlimit(resource.RLIMIT_CPU, (seconds + 10, seconds + 10))
    resource.setrlimit(resource.RLIMIT_AS, (memory << 30, memory << 30))
    found = ALL[who](folder)
    return {**found, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def attempt(who: str, folder: Path, seconds: int, memory: int) -> dict[str, Any]:
    """Run one contender; return what it reports, or why it has nothing to report."""
    command = [sys.executable, __file__, "--worker", who, "--folder", str(folder)]
    command += ["--seconds", str(seconds), "--memory", str(memory)]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    if said.returncode == 0:
        found: dict[str, Any] = json.loads(said.stdout)
        return found
    if said.returncode < 0:
        return {"failed": f"not finished in {seconds} s"}
    last = said.stderr.strip().splitlines()[-1]
    return {"failed": f"out of {memory} GiB" if "Memory" in last else last[:60]}


def measure(parts: list[Any], given: argparse.Namespace) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="worldquiz-benchmark-") as name:
        folder = Path(name)
        save(parts, folder)
        (folder / "asked.json").write_text(json.dumps({"threshold": given.threshold}))
        found: dict[str, Any] = {}
        beaten: set[str] = given.beaten
        for who in ALL:
            if who in beaten:
                found[who] = {"failed": "not asked, or failed with fewer tasks"}
                continue
            found[who] = attempt(who, folder, given.seconds, given.memory)
            if "failed" in found[who]:
                beaten.add(who)
    return found


def show(console: Console, size: int, found: dict[str, Any]) -> None:
    table = Table(title=f"{size:,} tasks", title_justify="left")
    for column in (
        "contender",
        "CPU s",
        "it / ours",
        "peak MiB",
        "found",
        "bound",
        "clusters",
        "Rand",
    ):
        table.add_column(column, justify="left" if column == "contender" else "right")
    for group in (PAIRS, MIR, FILTER):
        first = found[next(iter(group))].get("seconds")
        for who in group:
            row = found[who]
            if "failed" in row:
                table.add_row(who, row["failed"])
                continue
            ratio = f"{row['seconds'] / max(first, 1e-3):,.1f}" if first is not None else "-"
            table.add_row(
                who, f"{row['seconds']:.3f}", ratio, f"{row['peak']:.0f}",
                f"{row['found']:,}" if "found" in row else "", _bound(row),
                " ".join(map(str, row.get("clusters", []))),
                f"{row['rand']:.2f}" if "rand" in row else "",
            )  # fmt: skip
        table.add_section()
    console.print(table)


def _bound(row: dict[str, Any]) -> str:
    if "bound" not in row:
        return ""
    return f"{row['bound']:,}" + (" proven" if row["bound"] == row["found"] else "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--threshold", type=float, default=0.8)
    parser.add_argument("--data", type=Path, help="generated tasks, in place of drawn ones")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--seconds", type=int, default=300, help="CPU time of each contender")
    parser.add_argument("--memory", type=int, default=8, help="GiB of address space of each")
    parser.add_argument("--without", nargs="+", default=[], choices=ALL, metavar="CONTENDER")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--worker")
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    if given.worker:
        print(json.dumps(worker(given.worker, given.folder, given.seconds, given.memory)))
        return
    given.beaten = set(given.without)
    results = {}
    for size in given.sizes:
        parts = generated(given.data, size, given.seed) if given.data else drawn(size, given.seed)
        results[size] = measure(parts, given)
        if not given.json:
            show(Console(width=150), size, results[size])
    if given.json:
        print(json.dumps(results, indent=2))


if __name__ == "__main__":
    main()
