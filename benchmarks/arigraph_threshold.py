"""Which likeness of ours finds as much as 0.75 did for AriGraph's authors?

    uv run python benchmarks/arigraph_threshold.py CHECKOUT [LOG ...]

CHECKOUT is a working copy of AIRI-Institute/AriGraph. Its logs state, for each step of a game,
what the model looked up and which triplets their search found, with Contriever's vectors, whose
length is not 1. The same things are looked up here among the triplets that the log had told by
then, with MiniLM (`just embedder`), every fourth step, at several thresholds.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table

from worldquiz.memory.arigraph import WIDTH, replaced_in
from worldquiz.memory.base import Embedder
from worldquiz.memory.embed import embedder

LOGS = ("hunt_arigraph", "cook_arigraph", "clean_arigraph", "hunt_hard_arigraph")
THRESHOLDS = (0.0, 0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75)
STEPS, EVERY, LEAST = 120, 4, 12
"""Steps of a log that are read, every which one is searched, and from how many triplets on."""


class Step(NamedTuple):
    """One search of theirs."""

    items: dict[str, float]
    known: tuple[str, ...]  # triplets that the log has told of
    new: frozenset[str]  # drawn at this step: they left them out
    found: frozenset[str]


def steps(text: str) -> Iterator[Step]:
    """Yield the searches of a log."""
    known: list[str] = []
    items: dict[str, float] = {}
    new: list[str] = []
    for line in text.splitlines():
        what, _, value = line.partition(": ")
        try:
            if what == "Crucial items":
                items = {name.lower(): depth for name, depth in ast.literal_eval(value).items()}
            elif what == "New triplets":
                new = [triplet.lower() for triplet in ast.literal_eval(value)]
            elif what == "Outdated triplets":
                gone = {str(triplet).lower() for triplet in replaced_in(value)}
                known = [triplet for triplet in known if triplet not in gone]
            elif re.fullmatch("Associated.(?:subgraph|triplets)", what) and items:
                found = ast.literal_eval(value)
                told = dict.fromkeys([*known, *found, *new])
                known = [triplet for triplet in told if triplet.count(",") == 2]
                yield Step(items, tuple(known), frozenset(new), frozenset(found))
        except (ValueError, SyntaxError, AttributeError):
            items = {}  # a line that no list or dictionary is: the step is left out


class Search:
    """Their search with our vectors."""

    def __init__(self, made: Embedder) -> None:
        self._made = made
        self._known: dict[str, np.ndarray] = {}

    def vector(self, text: str) -> np.ndarray:
        """Return a text's vector."""
        if text not in self._known:
            self._known[text] = np.array(self._made.embed([text])[0], dtype=np.float32)
        return self._known[text]

    def found(self, step: Step, least: float) -> set[str]:
        """Return what is found of a step's triplets, new ones left out."""
        rows = np.stack([self.vector(triplet) for triplet in step.known])
        told: set[str] = set()
        for item, most in step.items.items():
            depths, queue = {item: 0}, deque([item])
            while queue:
                name = queue.popleft()
                if depths[name] >= most:
                    continue
                similar = rows @ self.vector(name)
                for place in np.argsort(-similar, kind="stable")[:WIDTH]:
                    if similar[place] >= least:
                        told.add(step.known[place])
                        subject, _, thing = step.known[place].split(", ")
                        for end in {subject, thing} - set(depths):
                            depths[end] = depths[name] + 1
                            queue.append(end)
        return told - step.new


def main(arguments: Sequence[str] | None = None) -> int:
    """Search and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("logs", nargs="*", default=list(LOGS), help="names of logs, without .txt")
    options = parser.parse_args(arguments)
    search = Search(embedder("minilm"))
    sums: dict[float, Counter[str]] = {least: Counter() for least in THRESHOLDS}
    for log in options.logs:
        path = options.checkout / "logs" / f"{log}.txt"
        text = path.read_text(encoding="utf-8", errors="replace")
        told = [step for step, _ in zip(steps(text), range(STEPS), strict=False)]
        for step in told[EVERY - 1 :: EVERY]:
            if len(step.known) > LEAST:
                for least, sum_ in sums.items():
                    ours = search.found(step, least)
                    sum_.update(steps=1, ours=len(ours), theirs=len(step.found),
                                both=len(ours & step.found), known=len(step.known))  # fmt: skip
        print(log, "done", file=sys.stderr)
    table = Table(
        "threshold", "steps", "known", "found by theirs", "by ours", "precision", "recall"
    )
    for least, sum_ in sums.items():
        means = (f"{sum_[name] / sum_['steps']:.1f}" for name in ("known", "theirs", "ours"))
        shares = (f"{sum_['both'] / max(1, sum_[name]):.2f}" for name in ("ours", "theirs"))
        table.add_row(f"{least:.2f}", str(sum_["steps"]), *means, *shares)
    Console().print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
