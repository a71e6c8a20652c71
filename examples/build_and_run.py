"""Build a small suite, let two agents play it, and compare what they can do and what they know.

    python examples/build_and_run.py [FOLDER]

The explorer wins no task and knows everything; the walkthrough wins all tasks and may know less.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import worldquiz as wq


def main(folder: Path) -> None:
    suite = wq.t2q.build("easy", seed=1, worlds=2, out=folder / "suite")
    print(f"{len(suite.worlds)} worlds, digest {suite.digest[:16]}")
    for agent in ("walkthrough", "explorer"):
        run = suite.run(agent=agent, answerer="worldgraph", max_steps=50, out=folder / agent)
        counts = run.scores["counts"]
        print(
            f"{agent:12} won {counts['won']} of {counts['tasks']} tasks, "
            f"knew {counts['correct_answerable']} of {counts['questions']} answers"
        )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as scratch:
            main(Path(scratch))
